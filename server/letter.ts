type Letter = {
  /** Whom it greets; left out where the name may be anybody's words. */
  name?: string
  lines: string[]
  /** Where to go, and what that does. */
  action: { label: string; url: string }
  end?: string
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** A mail's words, the same as text and as HTML. */
export function letter({ name, lines, action, end }: Letter): { text: string; html: string } {
  const before = [name ? `Hello ${name},` : 'Hello,', ...lines]
  const after = [...(end ? [end] : []), 'Ferrite']
  const link = `<a href="${escaped(action.url)}">${escaped(action.label)}</a>`
  const marked = (paragraphs: string[]) => paragraphs.map(escaped)
  const text = [...before, `${action.label}: ${action.url}`, ...after]
  const html = [...marked(before), link, ...marked(after)]
  return { text: `${text.join('\n\n')}\n`, html: html.map((words) => `<p>${words}</p>`).join('') }
}
