import { type SQL, sql } from 'drizzle-orm'
import type { SpecOption, SpecValue } from '#contracts/kinds.ts'
import { specWords } from '#contracts/kinds.ts'
import {
  defaultSort,
  isListSort,
  type ListSort,
  listLimits,
  sortField,
} from '#contracts/list-address.ts'
import {
  type Facet,
  type KindTile,
  ListQuery,
  type PartCard,
  type PartList,
  sortProblem,
} from '#contracts/part-lists.ts'
import { readPrice } from '#contracts/query-price.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { amountSql } from '#server/database/schema/columns.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { partIndex, parts } from '#server/database/schema/parts.ts'
import { AppError, found } from '#server/errors.ts'
import { cardColumns } from '#server/features/catalogue/store.ts'
import { judgeStock } from '#server/features/fit/judge-stock.ts'
import { findParts, type PartSearch, rankingOf, timeLimited } from './find-parts.ts'
import { pagesOf, type ReadQuery, readQuery } from './read-query.ts'
import { asMeant, meantBy } from './reading.ts'

type Field = Pick<Facet, 'key' | 'label' | 'type' | 'unit' | 'promoted'> & { options: SpecOption[] }
type ListedKind = { name: string; slug: string; drawing: string; fields: Field[] }

/**
 * One filter of a list. `passes` is a condition on `i`, the part's row in `part_index`, and `p`,
 * the part.
 */
type Filter = { key: string; passes: SQL }

/** Finds the kind with this slug or name. @throws AppError NOT_FOUND */
async function findKind(db: Queryable, slugOrName: string): Promise<ListedKind> {
  const { rows } = await db.execute<ListedKind>(sql`
    select k.name, k.slug, k.drawing, coalesce((
      select json_agg(json_build_object('key', f.key, 'label', f.label, 'type', f.type, 'unit', f.unit,
        'promoted', f.promoted, 'options', f.options) order by f.position, f.key)
      from ${specFields} f where f.kind = k.slug and f.is_facet), '[]') as fields
    from ${kinds} k where k.slug = ${slugOrName} or k.name = ${slugOrName}
    order by k.slug = ${slugOrName} desc limit 1`)
  return found(rows[0], 'kind')
}

const texts = (values: string[]) => sql`${sql.param(values)}::text[]`

const numberIn = (text: string | undefined, name: string) => {
  const number = text === undefined ? undefined : Number(text)
  if (number === undefined || Number.isFinite(number)) return number
  throw new AppError('INVALID', `${name}: must be a number`, { [name]: 'must be a number' })
}

/** The condition that a number is in a range; undefined without limits. */
function inRange(number: SQL, from: number | undefined, to: number | undefined): SQL | undefined {
  if (from === undefined && to === undefined) return undefined
  const min = from === undefined ? sql`true` : sql`${number} >= ${from}`
  const max = to === undefined ? sql`true` : sql`${number} <= ${to}`
  return sql`(${min} and ${max})`
}

/**
 * Builds the filters of a query. Ignores parameters that are not filters of the kind.
 * @throws AppError INVALID for too many filters or values
 */
function filtersOf(query: ListQuery, fields: Field[], fitting: SQL | undefined) {
  const filters: Filter[] = []
  let values = 0
  const add = (key: string, passes: SQL | undefined, named: number) => {
    if (!passes) return
    filters.push({ key, passes })
    values += named
  }
  const valuesOf = (name: string): string[] => {
    const value = query[name]
    return Array.isArray(value) ? value : []
  }
  const oneOf = (key: string, choices: string[]) =>
    choices.length > 0
      ? sql`i.facets && ${texts(choices.map((value) => `${key}=${value}`))}`
      : undefined
  for (const { key, type } of fields) {
    if (type === 'number') {
      const [from, to] = [`${key}-min`, `${key}-max`].map((name) =>
        numberIn(valuesOf(name)[0], name),
      )
      const number = sql`(p.specs ->> ${key})::float8`
      add(key, inRange(number, from, to), 1)
    } else {
      add(key, oneOf(key, valuesOf(key)), valuesOf(key).length)
    }
  }
  add('brand', oneOf('brand', query.brand), query.brand.length)
  const price = sql`i.price_cents / 100.0`
  add('price', inRange(price, query['price-min'], query['price-max']), 1)
  add('stock', query.stock && bookable, 1)
  add('only', query.only && fitting, 1)
  if (filters.length > listLimits.fields)
    throw new AppError('INVALID', `A list has at most ${listLimits.fields} filters at a time`)
  if (values > listLimits.values)
    throw new AppError(
      'INVALID',
      `The filters of a list name at most ${listLimits.values} values together`,
    )
  return filters
}

/** A condition on `i` with the chosen values of the kind's filters. */
const withinFilters = (within: SQL, query: ListQuery, fields: Field[]): SQL =>
  sql.join(
    [
      within,
      ...fields.flatMap(({ key, type }) => {
        const values = query[key]
        return type !== 'number' && Array.isArray(values) && values.length > 0
          ? [sql`i.facets && ${texts(values.map((value) => `${key}=${value}`))}`]
          : []
      }),
    ],
    sql` and `,
  )

const bookable = sql`p.on_hand - p.reserved >= p.minimum_order_quantity`

/** The first sort key of a list, ascending. The second is the owner's order. */
const sortKeys = (relevance: SQL): Record<ListSort, SQL> => ({
  best: sql`-${relevance}`,
  sold: sql`-p.sold_90`,
  price: sql`p.price_cents`,
  '-price': sql`-p.price_cents`,
  newest: sql`-extract(epoch from p.created_at)`,
  // adds five votes of 3.5 stars, so that a part with a single vote of five stars does not come
  // first
  rating: sql`-(p.rating_sum + 17.5) / (p.rating_count + 5)`,
})

type Counted = {
  /** The numbers of parts with and without the filters. */
  total: number
  unfiltered: number
  /** The number of parts on the pages before this one. */
  before: number
  inStock: number
  /** Those that fit a build. */
  fitting: number
  from: number | null
  to: number | null
  page: string[] | null
  kinds: KindTile[] | null
  values: [facet: string, unfiltered: number, now: number][] | null
  /**
   * The range of every number field that parts state; null where no part passes the other filters.
   */
  spans: [key: string, from: number | null, to: number | null][] | null
}

const orderOf = ({ sort, q }: ListQuery, { relevance }: PartSearch) => {
  const key = sort ?? defaultSort(q ?? null)
  if (isListSort(key)) return sortKeys(relevance)[key]
  const number = sql`(p.specs ->> ${sortField(key)})::float8`
  // what does not state it comes last
  return sql`coalesce(${key.startsWith('-') ? sql`-${number}` : number}, 'infinity'::float8)`
}

/**
 * The query without a sort by what is no number field of its kind, which is ignored like a filter
 * that the kind does not have.
 * @throws AppError INVALID for a sort by a field without a kind
 */
function withKnownSort(query: ListQuery, kind: ListedKind | undefined): ListQuery {
  const key = query.sort && sortField(query.sort)
  if (!key || kind?.fields.some((field) => field.key === key && field.type === 'number'))
    return query
  if (!kind) throw new AppError('INVALID', `sort: ${sortProblem}`, { sort: sortProblem })
  return Object.assign({}, query, { sort: undefined })
}

/** The condition that a row comes after the cursor, the part `after`, when sorted by `first`. */
const afterCursor = ({ after }: ListQuery, first: SQL) =>
  after
    ? sql`(first, second, part_id) > (select ${first}, p.position, p._id from ${parts} p where p.number = ${after})`
    : sql`true`

/** Selects the ids of a page, plus one more if the list continues. */
const pageFrom = ({ limit }: ListQuery, passes: SQL) => sql`(select json_agg(part_id) from (
  select part_id from listed where ${passes} order by first, second, part_id limit ${limit + 1}) rows)`

/**
 * Counts a list and reads its page in one pass. `missed` has a bit for each filter that a part does
 * not pass. A part that passes all filters counts everywhere; a part that misses a single filter
 * counts only for the values of that filter.
 * @param totals the counts without filters, if cached; then the facets of parts that count nowhere
 *   are not read
 */
async function readCountedPage(
  db: Queryable,
  query: ListQuery,
  {
    fields,
    search,
    within,
    filters,
    fitting = sql`false`,
    totals,
  }: Listed & {
    search: PartSearch
    filters: Filter[]
    fitting?: SQL | undefined
    totals?: KnownCounts | undefined
  },
): Promise<Counted> {
  const bitOf = (key: string) => {
    const at = filters.findIndex((filter) => filter.key === key)
    return at < 0 ? 0 : 2 ** at
  }
  const missed = filters.map(
    ({ passes }, at) => sql`case when ${passes} then 0 else ${sql.raw(String(2 ** at))} end`,
  )
  /** Whether a part passes all filters except this one. */
  const passesOthers = (key: string) => sql`missed & ${sql.raw(String(~bitOf(key)))} = 0`
  const keys = fields.map(({ key }) => key)
  const first = orderOf(query, search)
  const countedBits = [0, ...[...keys, 'brand'].map(bitOf)]
  // in a list of all kinds, the brand is the only facet
  const facets =
    fields.length > 0
      ? sql`i.facets`
      : sql`case p.brand when '' then '{}' else array['brand=' || p.brand] end`
  const sortColumns = sql`${first} as first, p.position as second`
  const isAfter = afterCursor(query, first)
  const { rows } = await db.execute<Counted>(sql`
    with listed as materialized (
      select i.part_id, i.kind, i.price_cents, ${facets} as facets, ${bookable} as bookable, ${fitting} as fitting, ${sortColumns},
        ${missed.length > 0 ? sql.join(missed, sql` | `) : sql`0`} as missed
      from ${partIndex} i join ${parts} p on p._id = i.part_id where i.is_on_sale and ${within} and ${search.where}),
    found as (
      select case when missed & (missed - 1) = 0 then missed else -1 end as missed, facets from listed
      where ${totals ? sql`missed = any(${sql.param(countedBits)}::int[])` : sql`true`}),
    counted as (
      select f.key, f.is_number, f.bit, facet, missed, n from (
        select facet, missed, count(*) as n from found, unnest(facets) facet group by facet, missed) c
      join unnest(${texts([...keys, 'brand'])},
          ${sql.param([...fields.map(({ type }) => type === 'number'), false])}::boolean[],
          ${sql.param([...keys, 'brand'].map(bitOf))}::int[]) f (key, is_number, bit)
        on f.key = split_part(facet, '=', 1))
    select count(*) filter (where missed = 0)::int as total, count(*)::int as unfiltered,
      count(*) filter (where missed = 0 and not ${isAfter})::int as before,
      count(*) filter (where bookable and ${passesOthers('stock')})::int as "inStock",
      count(*) filter (where fitting and ${passesOthers('only')})::int as fitting,
      ${amountSql(sql`min(price_cents) filter (where ${passesOthers('price')})`)} as "from",
      ${amountSql(sql`max(price_cents) filter (where ${passesOthers('price')})`)} as "to",
      ${pageFrom(query, sql`missed = 0 and ${isAfter}`)} as page,
      (select json_agg(json_build_object('name', k.name, 'slug', k.slug, 'drawing', k.drawing, 'count', n) order by k.position) from (
        select kind, count(*) as n from listed where missed = 0 group by kind) c
        join ${kinds} k on k.slug = c.kind) as kinds,
      (select json_agg(json_build_array(facet, unfiltered, now)) from (
        select facet, sum(n) as unfiltered, coalesce(sum(n) filter (where missed in (0, bit)), 0) as now
        from counted where not is_number group by facet) v) as values,
      (select json_agg(json_build_array(key, lowest, highest)) from (
        select key, min(number) filter (where missed in (0, bit)) as lowest,
          max(number) filter (where missed in (0, bit)) as highest
        from counted, cast(substr(facet, length(key) + 2) as float8) number where is_number
        group by key) s) as spans
    from listed`)
  const [counted] = rows
  if (!counted) throw new Error('a list without a count')
  return totals ? { ...counted, ...withUnfiltered(counted, totals) } : counted
}

/** Combines all values and number fields of the whole list with their counts under the filters. */
function withUnfiltered(counted: Counted, totals: KnownCounts): Pick<Counted, 'values' | 'spans'> {
  const now = new Map(counted.values?.map(([facet, , now]) => [facet, now]))
  const spans = new Map(counted.spans?.map(([key, from, to]) => [key, { from, to }]))
  return {
    values: (totals.values ?? []).map(([facet, all]) => [facet, all, now.get(facet) ?? 0]),
    spans: (totals.spans ?? []).map(([key]) => [
      key,
      spans.get(key)?.from ?? null,
      spans.get(key)?.to ?? null,
    ]),
  }
}

/**
 * Reads a page without query and filters. All counts are cached, except those that bookings change,
 * and these need only `parts`.
 */
async function pageOfAll(
  db: Queryable,
  query: ListQuery,
  {
    kind,
    search,
    totals,
  }: { kind: ListedKind | undefined; search: PartSearch; totals: KnownCounts },
): Promise<Counted> {
  const first = orderOf(query, search)
  const isAfter = afterCursor(query, first)
  const { rows } = await db.execute<Pick<Counted, 'page' | 'before' | 'inStock'>>(sql`
    with listed as not materialized (
      select p._id as part_id, ${bookable} as bookable, ${first} as first, p.position as second
      from ${parts} p where p.deleted_at is null and p.state = 'on sale'
        and ${kind ? sql`p.kind = ${kind.name}` : sql`true`})
    select count(*) filter (where bookable)::int as "inStock",
      count(*) filter (where not ${isAfter})::int as before, ${pageFrom(query, isAfter)} as page
    from listed`)
  return { before: 0, inStock: 0, fitting: 0, page: [], ...totals, ...rows[0] }
}

/** The parts of a list before query and filters. */
type Listed = { fields: Field[]; within: SQL }
/** The counts of a list without query and filters. */
type KnownCounts = Omit<Counted, 'before' | 'inStock' | 'fitting' | 'page'>

const listedOf = (kind: ListedKind | undefined): Listed => ({
  fields: kind?.fields ?? [],
  within: kind ? sql`i.kind = ${kind.slug}` : sql`true`,
})

/**
 * Counts all parts, or those of a kind. Bookings do not change these counts, so they are cached
 * until an admin edits a part. They are computed once for all visitors, so they have no timeout.
 */
function countAll({ db, catalogue }: ListDeps, slug: string | undefined): Promise<KnownCounts> {
  return catalogue.getOrSet(
    `counts of ${slug === undefined ? 'all parts' : `kind ${slug}`}`,
    async () => {
      const listed = listedOf(slug === undefined ? undefined : await findKind(db, slug))
      const search = await findParts(db, '')
      const { total, unfiltered, from, to, kinds, values, spans } = await readCountedPage(
        db,
        ListQuery.parse({}),
        { ...listed, search, filters: [] },
      )
      return {
        value: { total, unfiltered, from, to, kinds, values, spans },
        shows: ['details'],
        cacheable: true,
        bytes: 100 * ((values?.length ?? 0) + (spans?.length ?? 0)),
      }
    },
    'now',
  )
}

/**
 * Sorts values in the order of their field, then values that the field does not list, the most
 * frequent first.
 */
function valuesOf(
  { key, type, options }: Pick<Field, 'key' | 'type' | 'options'>,
  counted: Counted,
) {
  const positions = new Map(
    (type === 'yes' ? ['yes', 'no'] : options.map(({ value }) => value)).map((value, i) => [
      value,
      i,
    ]),
  )
  const positionOf = (value: string) => positions.get(value) ?? positions.size
  return (counted.values ?? [])
    .filter(([facet]) => facet.startsWith(`${key}=`))
    .map(([facet, unfiltered, count]) => ({
      value: facet.slice(key.length + 1),
      unfiltered,
      count,
    }))
    .toSorted(
      (a, b) =>
        positionOf(a.value) - positionOf(b.value) ||
        b.unfiltered - a.unfiltered ||
        (a.value < b.value ? -1 : 1),
    )
    .map(({ value, count }) => ({ value, count }))
}

function facetsOf(fields: Field[], counted: Counted): Facet[] {
  const brand: Field = {
    key: 'brand',
    label: 'Brand',
    type: 'one',
    unit: '',
    promoted: false,
    options: [],
  }
  const spans = new Map((counted.spans ?? []).map(([key, from, to]) => [key, { from, to }]))
  return [...fields, brand]
    .map(({ options, ...field }) => ({
      ...field,
      values: field.type === 'number' ? [] : valuesOf({ ...field, options }, counted),
      from: spans.get(field.key)?.from ?? null,
      to: spans.get(field.key)?.to ?? null,
    }))
    .filter(({ type, values, key }) =>
      type === 'number' ? counted.spans?.some(([spanKey]) => spanKey === key) : values.length > 0,
    )
}

/** Reads the parts with these ids as cards, in this order. */
export async function cardsOf(db: Queryable, ids: string[]): Promise<PartCard[]> {
  if (ids.length === 0) return []
  const cardSpecs = sql<{ key: string; label: string; unit: string; value: SpecValue }[]>`coalesce((
    select json_agg(json_build_object('key', f.key, 'label', f.label, 'unit', f.unit,
      'value', ${parts.specs} -> f.key) order by f.position)
    from ${specFields} f join ${kinds} k on k.slug = f.kind
    where k.name = ${parts}.kind and f.is_card and ${parts.specs} ? f.key), '[]')`
  const rows = await db
    .select({
      ...cardColumns,
      brand: parts.brand,
      ratingCount: parts.ratingCount,
      ratingSum: parts.ratingSum,
      cardSpecs,
    })
    .from(parts)
    .where(sql`${parts._id} = any(${sql.param(ids)}::uuid[])`)
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { cardSpecs, ...part } = row
    const specs = cardSpecs.map(({ key, label, value, unit }) => ({
      key,
      label,
      text: specWords(value, unit),
    }))
    return [{ ...part, specs }]
  })
}

/** Turns a price in the search words into a filter. */
function priceAsFilter(query: ListQuery): ListQuery {
  const { words, from, to, isCheap } = readPrice(query.q ?? '')
  if (query.as === 'typed' || words === query.q) return query
  const isSet = query['price-min'] !== undefined || query['price-max'] !== undefined
  const price = isSet ? {} : { 'price-min': from, 'price-max': to }
  const sort = isCheap && !query.sort ? { sort: 'price' as const } : {}
  return Object.assign({}, query, { q: words }, price, sort)
}

type ListDeps = { db: Database; catalogue: CatalogueCache }

/**
 * Lists parts on sale.
 * @param withFacets whether to count the values of the filters, which suggestions do not show
 * @param read what the words mean, if the caller has read them already
 * @throws AppError NOT_FOUND for an unknown kind, INVALID for too many filters
 */
export async function listPartsOnSale(
  deps: ListDeps,
  typed: ListQuery,
  { withFacets = true, read }: { withFacets?: boolean; read?: ReadQuery } = {},
): Promise<PartList> {
  const priced = priceAsFilter(typed)
  const { reading, lexicon } = read ?? (await readQuery(deps, priced))
  const wanted = reading ? asMeant(priced, reading) : priced
  // before the transaction: if every connection waited in a transaction for these counts, none
  // would be left to compute them
  const totals = wanted.q ? undefined : await countAll(deps, wanted.kind)
  const judged =
    wanted.kind && wanted.fits ? await judgeStock(deps, wanted.kind, wanted.fits) : undefined
  const fitting = judged && sql`i.part_id <> all(${sql.param(judged.problems)}::uuid[])`
  return timeLimited(deps.db, async (tx) => {
    const kind = wanted.kind === undefined ? undefined : await findKind(tx, wanted.kind)
    const { fields, within } = listedOf(kind)
    const query = withKnownSort(wanted, kind)
    const filters = filtersOf(query, fields, fitting)
    const chosen = reading?.ranked ? withinFilters(within, query, fields) : within
    const found = await findParts(tx, query.q ?? '', {
      // other words are left out where nothing has them beside what filters stand for
      within: chosen,
      asTyped: query.as === 'typed',
      lexicon,
    })
    const ranking = reading?.ranked && lexicon && rankingOf(reading.ranked, lexicon)
    const relevance = ranking && sql`case when ${chosen} then ${ranking} else 0 end`
    const search = relevance ? { ...found, relevance } : found
    const counted =
      totals && filters.length === 0 && !fitting && !ranking
        ? await pageOfAll(tx, query, { kind, search, totals })
        : await readCountedPage(tx, query, {
            ...(withFacets ? { fields, within } : { fields: [], within: chosen }),
            ...{ search, filters, fitting, totals },
          })
    const ids = counted.page ?? []
    const cards = await cardsOf(tx, ids.slice(0, query.limit))
    return {
      total: counted.total,
      all: counted.unfiltered,
      before: counted.before,
      parts: judged
        ? cards.map((card) => {
            const fit = judged.fitOf(card._id)
            return fit ? { ...card, fit } : card
          })
        : cards,
      facets: withFacets ? facetsOf(fields, counted) : [],
      price: { from: counted.from, to: counted.to },
      inStock: counted.inStock,
      fit: judged
        ? {
            kind: judged.kind,
            count: counted.fitting,
            with: judged.build.map(({ number, part: { name, kind } }) => ({ number, name, kind })),
          }
        : null,
      kinds: kind
        ? [{ name: kind.name, slug: kind.slug, drawing: kind.drawing, count: counted.total }]
        : (counted.kinds ?? []),
      next: (ids.length > query.limit && cards.at(-1)?.number) || null,
      read: search.read ?? null,
      left: search.left ?? [],
      instead: search.instead ?? null,
      isUnsold: search.isUnsold ?? false,
      pages: lexicon && typed.as !== 'typed' ? pagesOf(priced.q ?? '', lexicon) : [],
      meant: reading
        ? meantBy(
            reading,
            { kind: kind?.slug, fits: query.fits },
            judged?.build.map(({ part: { name } }) => name) ?? [],
          )
        : null,
    }
  })
}
