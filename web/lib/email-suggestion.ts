/** Where most mailboxes are. */
const commonDomains = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'msn.com',
  'yahoo.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'mail.com',
  'email.com',
  'ymail.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  't-online.de',
  'freenet.de',
]

/** Do the two differ by one slip of a finger: a letter too many, too few, wrong, or two that changed places? */
function isOneSlip(typed: string, meant: string): boolean {
  const longer = Math.max(typed.length, meant.length)
  let start = 0
  while (start < longer && typed[start] === meant[start]) start += 1
  const rest = (text: string, skipped: number) => text.slice(start + skipped)
  return (
    rest(typed, 1) === rest(meant, 1) ||
    rest(typed, 1) === rest(meant, 0) ||
    rest(typed, 0) === rest(meant, 1) ||
    (typed[start] === meant[start + 1] &&
      typed[start + 1] === meant[start] &&
      rest(typed, 2) === rest(meant, 2))
  )
}

/** The address that was probably meant, when its domain is one slip away from a well-known one: `ada@gmial.com`. */
export function emailSuggestion(typed: string): string | null {
  const [, local, domain] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(typed.toLowerCase()) ?? []
  if (!local || !domain || commonDomains.includes(domain)) return null
  const suggestion = commonDomains.find((candidate) => isOneSlip(domain, candidate))
  return suggestion ? `${local}@${suggestion}` : null
}
