/** The title of a list. */
import type { KindTile } from '#contracts/part-lists.ts'

const irregular: Record<string, string> = { mouse: 'mice' }

/** The English plural of a kind's name, by rule as far as possible: owners choose the names. */
export const plural = (kind: string) => {
  if (irregular[kind]) return irregular[kind]
  if (/s$/i.test(kind)) return kind
  if (/(x|ch|sh)$/.test(kind)) return `${kind}es`
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`
}
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

type Titled = { kind?: KindTile | undefined; words: string | null; isFiltered: boolean }

export function titleOf({ kind, words, isFiltered }: Titled): string {
  const what = kind ? plural(kind.name) : 'parts'
  if (words) return `${capital(what)} for “${words}”`
  return kind || isFiltered ? capital(what) : 'All parts by kind'
}
