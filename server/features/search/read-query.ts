/** Reads a query as a list: of what goes together, or of a kind with filters and a sort. */

import { localPath } from '#contracts/local-path.ts'
import type { ListQuery } from '#contracts/part-lists.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { loadLexicon } from './find-parts.ts'
import { type Lexicon, phrasesOf, signsOf, tokenize } from './parse-query.ts'
import { readFit } from './read-fit.ts'
import { readList } from './read-list.ts'
import type { Reading } from './reading.ts'

/** @param lexicon what its words mean; the search needs it too */
export type ReadQuery = { reading: Reading | undefined; lexicon: Lexicon | undefined }

/** The pages of the shop that words are about: '/returns' of 'return policy'. */
export function pagesOf(query: string, lexicon: Lexicon): { text: string; path: string }[] {
  const pages = phrasesOf(tokenize(query), lexicon).flatMap(({ word, text }) =>
    signsOf(word, lexicon).flatMap((sign) => {
      const path = localPath(sign)
      return path === null ? [] : [{ text, path }]
    }),
  )
  return pages.filter(({ path }, at) => pages.findIndex((page) => page.path === path) === at)
}

/** Reads a query. A search for words alone costs no more statements than without it. */
export async function readQuery(
  deps: { db: Database; catalogue: CatalogueCache },
  query: ListQuery,
): Promise<ReadQuery> {
  const tokens = tokenize(query.q ?? '')
  if (tokens.length === 0) return { reading: undefined, lexicon: undefined }
  const fit = await readFit(deps, query)
  const lexicon = await loadLexicon(deps.db, tokens)
  const isRead = query.as === undefined ? query.fits === undefined : query.as === 'fits'
  return { reading: fit ?? (isRead ? await readList(deps, query, lexicon) : undefined), lexicon }
}
