import { sql } from 'drizzle-orm'
import { maxTotalPrice } from '#contracts/money.ts'
import { readPrice } from '#contracts/question-price.ts'
import { type Suggestions, suggestionLimits } from '#contracts/search.ts'
import type { Database } from '#server/database/client.ts'
import { kinds } from '#server/database/schema/kinds.ts'
import { partIndex, parts } from '#server/database/schema/parts.ts'
import { findParts, timeLimited } from './find-parts.ts'

/** The most parts to rank: those that have all words as typed, then the others, each best sold or cheapest first. */
const maxRanked = 200

/** What a visitor may mean who has typed so much; nothing for a single letter. */
export function suggest(db: Database, typed: string): Promise<Suggestions> {
  if (typed.length < 2) return Promise.resolve({ parts: [], kinds: [] })
  const { words, from, to, isCheap } = readPrice(typed)
  const price = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const within = sql`i.price between ${from ?? 0}::float8 and ${to ?? maxTotalPrice}::float8`
  const isPriced = from !== undefined || to !== undefined
  const liked = isCheap ? sql`-i.price` : sql`i.sold_90`
  return timeLimited(db, async (tx) => {
    const { where, near, rank, ...how } = await findParts(tx, words, isPriced ? { within } : {})
    const { rows } = await tx.execute<Pick<Suggestions, 'parts' | 'kinds'>>(sql`
      with found as materialized (
        select i.part_id, i.kind, ${liked} as liked, ${near} as is_near from ${partIndex} i
        where i.is_on_sale and ${where} and ${isPriced ? within : sql`true`}),
      closest as materialized (
        select part_id from found order by is_near desc, liked desc, part_id limit ${maxRanked}),
      best as materialized (
        select p._id, p.position, i.kind, ${rank}${isCheap ? sql` - 0.5 * ln(i.price)` : sql``} as rank
        from closest join ${partIndex} i using (part_id) join ${parts} p on p._id = i.part_id
        order by rank desc, p.position limit ${suggestionLimits.parts}),
      most as (
        select kind, count(*)::int as count, (select max(rank) from best where best.kind = found.kind) as rank
        from found group by kind having count(*) > 1 order by rank desc nulls last, count desc, kind limit ${suggestionLimits.kinds})
      select
        (select coalesce(json_agg(json_build_object('_id', p._id, 'number', p.number, 'name', p.name, 'kind', p.kind,
          'image', p.image, 'price', p.price, 'availableQuantity', p.on_hand - p.reserved,
          'minimumOrderQuantity', p.minimum_order_quantity) order by best.rank desc, best.position), '[]')
          from best join ${parts} p on p._id = best._id) as parts,
        (select coalesce(json_agg(json_build_object('name', k.name, 'slug', k.slug, 'count', most.count)
          order by most.rank desc nulls last, most.count desc, most.kind), '[]') from most join ${kinds} k on k.slug = most.kind) as kinds`)
    return { parts: [], kinds: [], ...rows[0], ...how, ...(isPriced && { price }) }
  })
}
