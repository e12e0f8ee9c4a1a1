/** Reads a query as a list: of what goes together, or of a kind with filters and a sort. */
import type { ListQuery } from '#contracts/part-lists.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { loadLexicon } from './find-parts.ts'
import { type Lexicon, tokenize } from './parse-query.ts'
import { readFit } from './read-fit.ts'
import { readList } from './read-list.ts'
import type { Reading } from './reading.ts'

/** @param lexicon what its words mean; the search needs it too */
type Read = { reading: Reading | undefined; lexicon: Lexicon | undefined }

/** Reads a query. A search for words alone costs no more statements than without it. */
export async function readQuery(
  deps: { db: Database; catalogue: CatalogueCache },
  query: ListQuery,
): Promise<Read> {
  const tokens = tokenize(query.q ?? '')
  if (tokens.length === 0) return { reading: undefined, lexicon: undefined }
  const fit = await readFit(deps, query)
  const lexicon = await loadLexicon(deps.db, tokens)
  const isRead = query.as === undefined ? query.fits === undefined : query.as === 'fits'
  return { reading: fit ?? (isRead ? await readList(deps, query, lexicon) : undefined), lexicon }
}
