/**
 * Cleans the query of a list's address and puts it in canonical order. Imports no schema library,
 * so that visitors' pages stay small.
 */
import { basketIn, basketText, newBuild } from './basket.ts'
import { readPrice } from './query-price.ts'

/** How many parts a list shows at first, and how many each 'Show more' adds. */
export const listStep = 24
export const listLimits = { parts: 48, fields: 12, values: 20 } as const

/** `best` sorts by the match with the search, `sold` by the units sold in 90 days. */
export const listSorts = ['best', 'sold', 'price', '-price', 'newest', 'rating'] as const
export type ListSort = (typeof listSorts)[number]

export const isListSort = (sort: string): sort is ListSort =>
  (listSorts as readonly string[]).includes(sort)

/** A sort by a field of the kind that is a number, ascending or, with `-`, descending. */
export const fieldSort = /^-?[a-z][a-z0-9_]{0,39}$/
/** The key of the field that a sort is by; undefined for the sorts of every list. */
export const sortField = (sort: string): string | undefined =>
  isListSort(sort) || !fieldSort.test(sort) ? undefined : sort.replace('-', '')

export const defaultSort = (words: string | null): ListSort => (words ? 'best' : 'sold')

/**
 * Whether a parameter is one that other sites add to links to track visitors. No page reads these.
 */
export const isTracker = (name: string): boolean =>
  /^(utm_|mc_|hsa_|pk_)|^(fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|_ga|_gl)$/.test(
    name,
  )

const isValid = (name: string, text: string): boolean => {
  if (name === 'sort') return isListSort(text) || fieldSort.test(text)
  if (name === 'stock') return text === 'in'
  if (name === 'as') return text === 'typed' || text === 'fits'
  if (name === 'only') return text === 'fits'
  if (name === 'fits') return true
  if (name === 'after') return /^[1-9]\d{0,8}$/.test(text)
  if (/^price-(min|max)$/.test(name)) return /^\d{1,6}(\.\d{1,2})?$/.test(text)
  if (/-(min|max)$/.test(name)) return /^\d{1,9}(\.\d{1,6})?$/.test(text)
  return text.length <= 80 || name === 'q'
}

/** The first of these counts. */
const once = new Set(['fits', 'only'])

const plainValue = (name: string, text: string): string => {
  if (name === 'fits') return text === newBuild ? text : basketText(basketIn(text))
  return /-(min|max)$/.test(name) ? String(Number(text)) : text
}

/**
 * Removes empty, repeated and invalid values from a query, and turns a price in the search words
 * into filters.
 */
export function cleanQuery(params: Iterable<[string, string]>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of params) {
    const text = name === 'q' ? value.trim().replaceAll(/\s+/g, ' ').slice(0, 100) : value.trim()
    if (!text || isTracker(name) || !isValid(name, text)) continue
    const plain = plainValue(name, text)
    if (plain && !query.has(name, plain) && !(once.has(name) && query.has(name)))
      query.append(name, plain)
  }
  if (!query.has('fits')) query.delete('only')
  const q = query.get('q')
  if (q === null) query.delete('as')
  else if (query.get('as') !== 'typed') priceAsFilter(q, query)
  return query
}

/** Turns a price in the search words into the price filter, which visitors can see and change. */
function priceAsFilter(q: string, query: URLSearchParams): void {
  const { words, from, to, isCheap } = readPrice(q)
  if (words) query.set('q', words)
  else query.delete('q')
  const isSet = ['price-min', 'price-max'].some((name) => query.has(name))
  if (from !== undefined && !isSet) query.set('price-min', String(from))
  if (to !== undefined && !isSet) query.set('price-max', String(to))
  if (isCheap && !query.has('sort')) query.set('sort', 'price')
}

/** The properties of a filter that determine its parameters and their order. */
type Filter = { key: string; type: string; values: { value: string }[] }

const namesOf = ({ key, type }: Filter) =>
  type === 'number' ? [`${key}-min`, `${key}-max`] : [key]

/**
 * The canonical query: in the order of the filters and their values, without parameters that the
 * list does not have.
 */
export function canonicalQuery(query: URLSearchParams, facets: Filter[]): URLSearchParams {
  const ordered = new URLSearchParams()
  const add = (name: string, values: string[]) => {
    for (const value of values) ordered.append(name, value)
  }
  const addOne = (name: string) => add(name, query.getAll(name).slice(0, 1))
  addOne('q')
  addOne('as')
  for (const facet of facets) {
    const [name = '', max] = namesOf(facet)
    if (max !== undefined) {
      addOne(name)
      addOne(max)
      continue
    }
    const places = new Map(facet.values.map(({ value }, place) => [value, place]))
    const placeOf = (value: string) => places.get(value) ?? places.size
    add(
      name,
      query.getAll(name).toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)),
    )
  }
  for (const name of ['price-min', 'price-max', 'stock', 'fits', 'only']) addOne(name)
  const sort = query.get('sort') ?? ''
  const field = sortField(sort)
  const isOfList =
    field === undefined || facets.some(({ key, type }) => key === field && type === 'number')
  if (isOfList && sort !== defaultSort(query.get('q'))) addOne('sort')
  addOne('after')
  return ordered
}

/** Filters and a sort that words were taken to mean, and the kind of the list. */
type MeantList = { kind: string; filters: Record<string, string[]>; sort?: string | undefined }

/**
 * The address of the list that the words of a query mean. It keeps the words, marked as read.
 * @param facets the filters of the list, if the query's own are of the same kind and stay
 */
export function meantPath(
  query: URLSearchParams,
  { kind, filters, sort }: MeantList,
  facets?: Filter[],
): string {
  const next = new URLSearchParams([...query].filter(([name]) => !/^(fits|only|after)$/.test(name)))
  next.set('as', 'fits')
  for (const [name, values] of Object.entries(filters)) {
    // what the visitor has chosen stays
    if (facets && next.has(name)) continue
    next.delete(name)
    for (const value of values) next.append(name, value)
  }
  // a sort of the visitor stays, unless it is by a field of another kind
  if (sort !== undefined && (sortField(next.get('sort') ?? '') !== undefined || !next.has('sort')))
    next.set('sort', sort)
  const own = Object.entries(filters).map(([name, values]) => ({
    key: name.replace(/-(min|max)$/, ''),
    type: /-(min|max)$/.test(name) ? 'number' : 'one',
    values: values.map((value) => ({ value })),
  }))
  const sorted = [{ key: sortField(sort ?? '') ?? '', type: 'number', values: [] }]
  const brand = { key: 'brand', type: 'one', values: [] }
  return `/parts/${encodeURIComponent(kind)}?${canonicalQuery(next, facets ?? [...own, ...sorted, brand])}`
}

/**
 * The address that searches all parts for the words as they are.
 * @param sort the sort that they were taken to mean
 */
export function typedPath(query: URLSearchParams, sort?: string): string {
  const next = new URLSearchParams([...query].filter(([name]) => !/^(fits|only|after)$/.test(name)))
  if (next.get('sort') === sort) next.delete('sort')
  next.set('as', 'typed')
  return `/parts?${canonicalQuery(next, [])}`
}
