/** The data of a list, fetched by the server when it renders and by the browser, and its URLs. */
import { canonicalQuery, sortField } from '#contracts/list-address.ts'
import type { PartCard as ListedPart, PartList } from '#contracts/part-lists.ts'
import { offline } from '#web/lib/api-error.ts'
import { pageError } from '#web/lib/page-error.ts'

/** `nearest`: some of the parts without the filters, when no part matches the filters. */
export type Loaded = { list: PartList; nearest: ListedPart[] }

type FetchList = (query: URLSearchParams) => Promise<PartList>

export const withParams = (query: URLSearchParams, more: Record<string, string | undefined>) => {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(more)) if (value) next.set(name, value)
  return next
}

export async function load(
  fetchList: FetchList,
  kind: string | undefined,
  query: URLSearchParams,
): Promise<Loaded> {
  // only a kind has fields
  if (kind === undefined && sortField(query.get('sort') ?? '')) query.delete('sort')
  // the page of all kinds shows no parts
  const limit = kind === undefined && query.size === 0 ? '1' : undefined
  const list = await fetchList(withParams(query, { kind, limit }))
  if (list.total > 0 || query.size === 0) return { list, nearest: [] }
  const words = list.all > 0 ? { q: query.get('q') ?? '', as: query.get('as') ?? '' } : {}
  const sort = query.has('price-max') ? 'price' : undefined
  const nearest = await fetchList(
    withParams(new URLSearchParams(), { kind, limit: '6', ...words, sort }),
  )
  return { list, nearest: nearest.parts }
}

export const keyOf = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>) =>
  ['parts', 'list', pathname + search] as const

export async function fetchFromShop(
  query: URLSearchParams,
  signal?: AbortSignal,
): Promise<PartList> {
  const answer = await fetch(`/api/parts?${query}`, { signal: signal ?? null }).catch((error) => {
    throw error instanceof DOMException ? error : offline()
  })
  if (answer.ok) return answer.json()
  throw await pageError(answer)
}

export type ListState = { list: PartList; params: URLSearchParams }

/** The search of a URL and the build that its parts are judged with, without its filters. */
export const searchOf = (params: URLSearchParams) =>
  new URLSearchParams([...params].filter(([name]) => ['q', 'as', 'fits'].includes(name)))

export const addressOf = (pathname: string, { facets }: PartList, query: URLSearchParams) =>
  `${pathname}${query.size > 0 ? `?${canonicalQuery(query, facets)}` : ''}`

/** The URL of the first page. */
export function withoutCursor(params: URLSearchParams) {
  const next = new URLSearchParams(params)
  next.delete('after')
  return next
}
