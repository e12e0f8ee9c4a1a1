import { sql } from 'drizzle-orm'
import { cents, maxAmount } from '#contracts/money.ts'
import { ListQuery } from '#contracts/part-lists.ts'
import { readPrice } from '#contracts/query-price.ts'
import { Suggestion, type Suggestions, suggestionLimits } from '#contracts/search.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database } from '#server/database/client.ts'
import { amountSql } from '#server/database/schema/columns.ts'
import { kinds } from '#server/database/schema/kinds.ts'
import { partIndex, parts } from '#server/database/schema/parts.ts'
import { findParts, timeLimited } from './find-parts.ts'
import { listPartsOnSale } from './list-parts.ts'
import type { Lexicon } from './parse-query.ts'
import { pagesOf, type ReadQuery, readQuery } from './read-query.ts'

/**
 * The most candidates to rank. Parts with all terms in their name come first, then the best-selling
 * or the cheapest.
 */
const maxCandidates = 200

type Deps = { db: Database; catalogue: CatalogueCache }

/** The first parts of the list that a query means. */
async function suggestMeant(
  deps: Deps,
  query: ListQuery,
  read: ReadQuery,
): Promise<Suggestions | undefined> {
  const options = { withFacets: false, read }
  const { parts, kinds, total, meant } = await listPartsOnSale(deps, query, options)
  if (!meant?.kind) return undefined
  return {
    parts: parts.map((part) => Suggestion.strip().parse(part)),
    kinds: total > 1 ? kinds.map(({ name, slug }) => ({ name, slug, count: total })) : [],
    meant: meant.text,
  }
}

/** Suggests parts and kinds for the text typed so far; nothing for a single letter. */
export async function suggest(deps: Deps, typed: string): Promise<Suggestions> {
  if (typed.length < 2) return { parts: [], kinds: [] }
  const price = readPrice(typed)
  const query = ListQuery.parse({ q: price.words, limit: suggestionLimits.parts })
  const read = await readQuery(deps, query)
  const { reading, lexicon } = read
  const meant =
    reading && !reading.isOpen
      ? await suggestMeant(deps, Object.assign({}, query, { q: typed }), read)
      : undefined
  const pages = lexicon ? pagesOf(price.words, lexicon) : []
  const found = meant ?? (await suggestFound(deps.db, price, lexicon))
  return pages.length > 0 ? { ...found, pages } : found
}

function suggestFound(
  db: Database,
  { words, from, to, isCheap }: ReturnType<typeof readPrice>,
  lexicon: Lexicon | undefined,
): Promise<Suggestions> {
  const price = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const within = sql`i.price_cents between ${cents(from ?? 0)} and ${cents(to ?? maxAmount)}`
  const isPriced = from !== undefined || to !== undefined
  const preference = isCheap ? sql`-i.price_cents` : sql`i.sold_90`
  return timeLimited(db, async (tx) => {
    const { where, inName, relevance, ...changed } = await findParts(
      tx,
      words,
      isPriced ? { within, lexicon } : { lexicon },
    )
    const { rows } = await tx.execute<Pick<Suggestions, 'parts' | 'kinds'>>(sql`
      with matches as materialized (
        select i.part_id, i.kind, ${preference} as preference, ${inName} as in_name from ${partIndex} i
        where i.is_on_sale and ${where} and ${isPriced ? within : sql`true`}),
      candidates as materialized (
        select part_id from matches order by in_name desc, preference desc, part_id limit ${maxCandidates}),
      best as materialized (
        select p._id, p.position, i.kind, ${relevance}${isCheap ? sql` - 0.5 * ln(i.price_cents)` : sql``} as relevance
        from candidates join ${partIndex} i using (part_id) join ${parts} p on p._id = i.part_id
        order by relevance desc, p.position limit ${suggestionLimits.parts}),
      top_kinds as (
        select kind, count(*)::int as count, (select max(relevance) from best where best.kind = matches.kind) as relevance
        from matches group by kind having count(*) > 1 order by relevance desc nulls last, count desc, kind limit ${suggestionLimits.kinds})
      select
        (select coalesce(json_agg(json_build_object('_id', p._id, 'number', p.number, 'name', p.name, 'kind', p.kind,
          'image', p.image, 'price', ${amountSql(sql`p.price_cents`)}, 'availableQuantity', p.on_hand - p.reserved,
          'minimumOrderQuantity', p.minimum_order_quantity) order by best.relevance desc, best.position), '[]')
          from best join ${parts} p on p._id = best._id) as parts,
        (select coalesce(json_agg(json_build_object('name', k.name, 'slug', k.slug, 'count', t.count)
          order by t.relevance desc nulls last, t.count desc, t.kind), '[]') from top_kinds t join ${kinds} k on k.slug = t.kind) as kinds`)
    return { parts: [], kinds: [], ...rows[0], ...changed, ...(isPriced && { price }) }
  })
}
