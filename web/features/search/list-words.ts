/** The title of a list. */
import type { KindTile } from '#contracts/part-lists.ts'
import { capital, plural } from '#contracts/plural.ts'

type Titled = { kind?: KindTile | undefined; words: string | null; isFiltered: boolean }

export function titleOf({ kind, words, isFiltered }: Titled): string {
  const what = kind ? plural(kind.name) : 'parts'
  if (words) return `${capital(what)} for “${words}”`
  return kind || isFiltered ? capital(what) : 'All parts by category'
}

/** The words that a list is searched for; none where they are filters. */
export const wordsOf = (query: URLSearchParams) =>
  query.get('as') === 'fits' ? null : query.get('q')
