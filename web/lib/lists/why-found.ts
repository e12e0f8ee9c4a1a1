/** The texts of a row by name; null for missing ones. */
type Texts = Record<string, string | null>

const wordsOf = (q: string) => q.toLowerCase().split(/\s+/).filter(Boolean)
/** Normalises text like the database's search column: a space after every punctuation mark. */
const spelled = (text: string) => text.toLowerCase().replaceAll(/[-._@+/,:&()']\s*/g, '$& ')
const plain = (text: string) => text.replaceAll(/\s+/g, '')
const holds = (text: string, word: string) =>
  text.toLowerCase().includes(word) || plain(spelled(text)).includes(plain(word))

/** The match with a few words around it. */
function around(text: string, word: string): string {
  const at = Math.max(text.toLowerCase().indexOf(word), 0)
  const from = at > 30 ? text.indexOf(' ', at - 30) + 1 : 0
  const excerpt = text.slice(from, at + word.length + 40)
  return `${from > 0 ? '…' : ''}${excerpt}${from + excerpt.length < text.length ? '…' : ''}`
}

/**
 * Explains why a list shows a row if the visible texts do not: 'Found in transaction id: pi_3Q…',
 * or that no text contains the word and the row is only similar. Null if every word is visible in
 * the row, or without a search.
 */
export function whyFound(q: string, shownTexts: string[], hiddenTexts: Texts): string | null {
  const missing = wordsOf(q).filter((word) => !shownTexts.some((text) => holds(text, word)))
  const [word] = missing
  if (word === undefined) return null
  const hit = Object.entries(hiddenTexts).find(([, text]) => text !== null && holds(text, word))
  return hit ? `Found in ${hit[0]}: ${around(hit[1] ?? '', word)}` : `Similar to “${word}”`
}
