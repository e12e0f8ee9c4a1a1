/** Texts of a row by what they are called; null where there is none. */
type Texts = Record<string, string | null>

const wordsOf = (q: string) => q.toLowerCase().split(/\s+/).filter(Boolean)
/** As the database spells what it searches: a blank after every mark. */
const spelled = (text: string) => text.toLowerCase().replaceAll(/[-._@+/,:&()']\s*/g, '$& ')
const plain = (text: string) => text.replaceAll(/\s+/g, '')
const holds = (text: string, word: string) =>
  text.toLowerCase().includes(word) || plain(spelled(text)).includes(plain(word))

/** Some words before and after the one that was found. */
function around(text: string, word: string): string {
  const at = Math.max(text.toLowerCase().indexOf(word), 0)
  const from = at > 30 ? text.indexOf(' ', at - 30) + 1 : 0
  const excerpt = text.slice(from, at + word.length + 40)
  return `${from > 0 ? '…' : ''}${excerpt}${from + excerpt.length < text.length ? '…' : ''}`
}

/**
 * Why a list shows a row, when what the row shows does not tell: 'Found in transaction id: pi_3Q…', or that no text of it
 * holds the word, so that it is only similar. Null when each word is seen in the row, or nothing is searched for.
 */
export function whyFound(q: string, shownTexts: string[], hiddenTexts: Texts): string | null {
  const missing = wordsOf(q).filter((word) => !shownTexts.some((text) => holds(text, word)))
  const [word] = missing
  if (word === undefined) return null
  const hit = Object.entries(hiddenTexts).find(([, text]) => text !== null && holds(text, word))
  return hit ? `Found in ${hit[0]}: ${around(hit[1] ?? '', word)}` : `Similar to “${word}”`
}
