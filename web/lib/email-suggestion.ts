import { editDistance } from '#contracts/edit-distance.ts'

/** The domains of most mailboxes. */
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

/**
 * The address that was probably meant, if its domain is one typo away from a well-known one:
 * `ada@gmial.com`.
 */
export function emailSuggestion(typed: string): string | null {
  const [, local, domain] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(typed.toLowerCase()) ?? []
  if (!local || !domain || commonDomains.includes(domain)) return null
  const suggestion = commonDomains.find((candidate) => editDistance(domain, candidate) === 1)
  return suggestion ? `${local}@${suggestion}` : null
}
