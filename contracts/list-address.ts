/** How an address says what a list of parts shows. Nothing here imports the schema library, so a visitor's page can afford it. */
import { readPrice } from './query-price.ts'

/** Parts on a list at first, and with each 'Show more'. */
export const listStep = 24
export const listLimits = { parts: 48, fields: 12, values: 20 } as const

/** `best` is the best match of a search, `sold` the units of 90 days. */
export const listSorts = ['best', 'sold', 'price', '-price', 'newest', 'rating'] as const
export type ListSort = (typeof listSorts)[number]

export const defaultSort = (words: string | null): ListSort => (words ? 'best' : 'sold')

/** Names that others add to links to count visitors; no page reads them. */
export const isTracker = (name: string): boolean =>
  /^(utm_|mc_|hsa_|pk_)|^(fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|_ga|_gl)$/.test(
    name,
  )

const isSound = (name: string, text: string): boolean => {
  if (name === 'sort') return (listSorts as readonly string[]).includes(text)
  if (name === 'stock') return text === 'in'
  if (name === 'as') return text === 'typed'
  if (name === 'after') return /^[1-9]\d{0,8}$/.test(text)
  if (/^price-(min|max)$/.test(name)) return /^\d{1,6}(\.\d{1,6})?$/.test(text)
  if (/-(min|max)$/.test(name)) return /^\d{1,9}(\.\d{1,6})?$/.test(text)
  return text.length <= 80 || name === 'q'
}

/** What an address asks, without what is empty, said twice, or no value that a list could take. */
export function soundQuery(asked: Iterable<[string, string]>): URLSearchParams {
  const kept = new URLSearchParams()
  for (const [name, value] of asked) {
    const text = name === 'q' ? value.trim().replaceAll(/\s+/g, ' ').slice(0, 100) : value.trim()
    if (!text || isTracker(name) || !isSound(name, text)) continue
    const plain = /-(min|max)$/.test(name) ? String(Number(text)) : text
    if (!kept.has(name, plain)) kept.append(name, plain)
  }
  const q = kept.get('q')
  if (q === null) kept.delete('as')
  else if (!kept.has('as')) priceAsFilter(q, kept)
  return kept
}

/** What the words of a search say of money becomes the filter of the price, which people see and change. */
function priceAsFilter(q: string, kept: URLSearchParams): void {
  const { words, from, to, isCheap } = readPrice(q)
  if (words) kept.set('q', words)
  else kept.delete('q')
  const has = ['price-min', 'price-max'].some((name) => kept.has(name))
  if (from !== undefined && !has) kept.set('price-min', String(from))
  if (to !== undefined && !has) kept.set('price-max', String(to))
  if (isCheap && !kept.has('sort')) kept.set('sort', 'price')
}

/** What an address has to know of a filter. */
type Known = { key: string; type: string; values: { value: string }[] }

const namesOf = ({ key, type }: Known) => (type === 'number' ? [`${key}-min`, `${key}-max`] : [key])

/** The one address of what is asked: in the order of the filters and their values, without names that are no filter here. */
export function canonicalQuery(asked: URLSearchParams, facets: Known[]): URLSearchParams {
  const ordered = new URLSearchParams()
  const add = (name: string, values: string[]) => {
    for (const value of values) ordered.append(name, value)
  }
  const addOne = (name: string) => add(name, asked.getAll(name).slice(0, 1))
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
      asked.getAll(name).toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)),
    )
  }
  for (const name of ['price-min', 'price-max', 'stock']) addOne(name)
  if (asked.get('sort') !== defaultSort(asked.get('q'))) addOne('sort')
  addOne('after')
  return ordered
}
