import { sql } from 'drizzle-orm'
import { type Suggestions, suggestionLimits } from '#contracts/search.ts'
import type { Database } from '#server/database/client.ts'
import { kinds } from '#server/database/schema/kinds.ts'
import { partIndex, parts } from '#server/database/schema/parts.ts'
import { findParts, timeLimited } from './find-parts.ts'

/** What a visitor may mean who has typed so much; nothing for a single letter. */
export function suggest(db: Database, typed: string): Promise<Suggestions> {
  if (typed.length < 2) return Promise.resolve({ parts: [], kinds: [] })
  return timeLimited(db, async (tx) => {
    const { where, rank, ...how } = await findParts(tx, typed)
    const { rows } = await tx.execute<Pick<Suggestions, 'parts' | 'kinds'>>(sql`
      with found as materialized (
        select p._id, p.position, i.kind, ${rank} as rank
        from ${partIndex} i join ${parts} p on p._id = i.part_id where i.is_on_sale and ${where}),
      best as (select * from found order by rank desc, position limit ${suggestionLimits.parts}),
      most as (
        select kind, count(*)::int as count, sum(rank) as rank from found
        group by kind having count(*) > 1 order by rank desc, kind limit ${suggestionLimits.kinds})
      select
        (select coalesce(json_agg(json_build_object('_id', p._id, 'number', p.number, 'name', p.name, 'kind', p.kind,
          'image', p.image, 'price', p.price, 'availableQuantity', p.on_hand - p.reserved,
          'minimumOrderQuantity', p.minimum_order_quantity) order by best.rank desc, best.position), '[]')
          from best join ${parts} p on p._id = best._id) as parts,
        (select coalesce(json_agg(json_build_object('name', k.name, 'slug', k.slug, 'count', most.count)
          order by most.rank desc, most.kind), '[]') from most join ${kinds} k on k.slug = most.kind) as kinds`)
    return { parts: [], kinds: [], ...rows[0], ...how }
  })
}
