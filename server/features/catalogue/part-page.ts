import { and, asc, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { type SpecField, type Specs, specWords } from '#contracts/kinds.ts'
import { cents } from '#contracts/money.ts'
import {
  type PartAddresses,
  type PartOnSale,
  type PartPage,
  type SimilarPart,
  sitemapStep,
} from '#contracts/part-pages.ts'
import type { Queryable } from '#server/database/client.ts'
import { expectedGoods } from '#server/database/expected-goods.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { orders } from '#server/database/schema/orders.ts'
import { isOnSale, partPictures, parts, pictures } from '#server/database/schema/parts.ts'
import { isoTime } from '#server/database/times.ts'
import type { FitDeps } from '#server/features/fit/fit-parts.ts'
import { countFitting, findUnfit } from '#server/features/fit/judge-stock.ts'
import { cardsOf } from '#server/features/search/list-parts.ts'
import { listColumns } from './store.ts'

type Field = Pick<SpecField, 'key' | 'label' | 'unit'> & { group: string; promoted: boolean }

const fieldsOfKind = sql<Field[]>`coalesce((
  select json_agg(json_build_object('key', f.key, 'label', f.label, 'unit', f.unit, 'group', f."group",
    'promoted', f.promoted) order by f.position, f.key)
  from ${specFields} f where f.kind = ${kinds.slug}), '[]')`

const nextHoldEndsAt = sql<string | null>`(
  select ${isoTime(sql`min(o.hold_expires_at)`)}
  from ${orders} o where o.part_id = ${parts._id} and o.hold_expires_at is not null)`

const morePictures = sql<PartOnSale['morePictures']>`(
  select coalesce(json_agg(json_build_object('image', s.image, 'alt', s.alt, 'picture', (
    select json_build_object('width', u.width, 'height', u.height)
    from ${pictures} u where u.url = s.image)) order by s.place), '[]')
  from ${partPictures} s where s.part_id = ${parts._id} and s.place > 0)`

/** Groups a part's specification under the headings of its kind, in the kind's order. */
function specificationOf(fields: Field[], specs: Specs): PartOnSale['specification'] {
  const groups = new Map<string, { label: string; value: string }[]>([['', []]])
  for (const { key, label, unit, group } of fields) {
    const stated = specs[key]
    if (stated === undefined) continue
    const value = Array.isArray(stated) ? stated.join(', ') : specWords(stated, unit)
    groups.set(group, [...(groups.get(group) ?? []), { label, value }])
  }
  return [...groups].flatMap(([group, facts]) => (facts.length > 0 ? { group, facts } : []))
}

/** The most similar parts on a page. */
const maxSimilar = 4

/**
 * Finds parts of the same kind that can be booked: first those with the same values in promoted
 * fields, then those with the nearest price.
 */
async function findSimilar(
  db: Queryable,
  part: { _id: string; kind: string; price: number; specs: Specs; fields: Field[] },
): Promise<SimilarPart[]> {
  const alike = part.fields
    .filter(({ key, promoted }) => promoted && part.specs[key] !== undefined)
    .map(({ key }): SQL => {
      const stated = JSON.stringify({ [key]: part.specs[key] })
      return sql`(${parts.specs} @> ${stated}::jsonb)::int`
    })
  const similar = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(
      and(
        eq(parts.kind, part.kind),
        isOnSale,
        ne(parts._id, part._id),
        sql`${parts.onHand} - ${parts.reserved} >= ${parts.minimumOrderQuantity}`,
      ),
    )
    .orderBy(
      ...(alike.length > 0 ? [desc(sql.join(alike, sql` + `))] : []),
      asc(sql`abs(${parts.price} - ${cents(part.price)})`),
      asc(parts.number),
    )
    .limit(maxSimilar)
  return shortCards(
    db,
    similar.map(({ _id }) => _id),
  )
}

async function shortCards(db: Queryable, ids: string[]): Promise<SimilarPart[]> {
  return (await cardsOf(db, ids)).map(({ description: _, ...card }) => card)
}

/** The newest parcels of a part that say what goes with it. */
const newestBought = 300
/** So few say it, so that nobody learns what another one bought. */
const fewestBuyers = 3

/**
 * Finds parts of other kinds that several customers were shipped with a part, of one checkout: the
 * most customers first. Those that do not fit it are left out.
 */
async function findGoingWith(
  deps: FitDeps,
  part: { _id: string; number: number; kind: string },
): Promise<SimilarPart[]> {
  const { db } = deps
  const { rows } = await db.execute<{ _id: string; number: number }>(sql`
    select p._id, p.number from (
      select checkout_id from ${orders} where part_id = ${part._id} and status = 'shipped'
      order by shipped_at desc limit ${newestBought}) bought
    join ${orders} o on o.checkout_id = bought.checkout_id and o.part_id <> ${part._id} and o.status = 'shipped'
    join ${parts} p on p._id = o.part_id and p.deleted_at is null and p.state = 'on sale' and p.kind <> ${part.kind}
      and p.on_hand - p.reserved >= p.minimum_order_quantity
    group by p._id having count(distinct o.user_id) >= ${fewestBuyers}
    order by count(distinct o.user_id) desc, p.sold_90 desc, p.number limit ${3 * maxSimilar}`)
  const unfit = await findUnfit(
    deps,
    part.number,
    rows.map(({ number }) => number),
  )
  const fitting = rows.filter(({ number }) => !unfit.has(number)).slice(0, maxSimilar)
  return shortCards(
    db,
    fitting.map(({ _id }) => _id),
  )
}

/**
 * Finds a part's page and the ids of all parts whose figures it shows.
 * @returns undefined when there is no such part, or it is a draft
 */
export async function findPartPage(
  deps: FitDeps,
  numberOrId: string,
): Promise<{ page: PartPage; shownIds: string[] } | undefined> {
  const { db } = deps
  const isNumber = /^\d+$/.test(numberOrId)
  const [row] = await db
    .select({
      ...listColumns,
      number: parts.number,
      imageAlt: parts.imageAlt,
      morePictures,
      ratingCount: parts.ratingCount,
      ratingSum: parts.ratingSum,
      kindSlug: kinds.slug,
      brand: parts.brand,
      sku: parts.sku,
      mpn: parts.mpn,
      gtin: parts.gtin,
      onHand: sql<number>`${parts.onHand} - ${parts.toShip}`,
      held: sql<number>`${parts.reserved} - ${parts.toShip}`,
      nextHoldEndsAt,
      expected: expectedGoods,
      specs: parts.specs,
      fields: fieldsOfKind,
      state: parts.state,
      deletedAt: parts.deletedAt,
    })
    .from(parts)
    .innerJoin(kinds, eq(kinds.name, parts.kind))
    .where(isNumber ? eq(parts.number, Number(numberOrId)) : eq(parts._id, numberOrId))
  // a draft is private, even if it is deleted
  if (row?.state !== 'on sale') return undefined
  const { specs, fields, deletedAt, state: _, ...part } = row
  const similar = await findSimilar(db, row)
  const goesWith = deletedAt ? [] : await findGoingWith(deps, part)
  const shownIds = [part, ...similar, ...goesWith].map(({ _id }) => _id)
  if (deletedAt) {
    const { number, name, kind, kindSlug } = part
    return { page: { isOnSale: false, number, name, kind, kindSlug, similar }, shownIds }
  }
  const specification = specificationOf(fields, specs)
  const fits = await countFitting(deps, part.number)
  return { page: { isOnSale: true, ...part, specification, fits, goesWith, similar }, shownIds }
}

/** Lists the addresses of parts on sale, for sitemaps. */
export async function listAddresses(db: Queryable, page: number): Promise<PartAddresses> {
  const count = await db.$count(parts, isOnSale)
  const rows = await db
    .select({ number: parts.number, name: parts.name, changedAt: parts.changedAt })
    .from(parts)
    .where(isOnSale)
    .orderBy(asc(parts.number))
    .offset((page - 1) * sitemapStep)
    .limit(sitemapStep)
  return {
    pages: Math.max(1, Math.ceil(count / sitemapStep)),
    parts: rows.map((row) => ({ ...row, changedAt: row.changedAt.toISOString() })),
  }
}
