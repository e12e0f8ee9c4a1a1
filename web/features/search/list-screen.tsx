import { counted, whole } from '#contracts/counted.ts'
import '#web/styles/catalogue.css'
import {
  type ChangeEvent,
  type FormEvent,
  Fragment,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { data, Link, redirect, useLocation, useNavigate, useNavigation } from 'react-router'
import { meanOf } from '#contracts/catalogue.ts'
import {
  canonicalQuery,
  cleanQuery,
  defaultSort,
  type ListSort,
  listSorts,
  listStep,
} from '#contracts/list-address.ts'
import { dollars } from '#contracts/money.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import type { KindTile, PartCard as ListedPart, PartList } from '#contracts/part-lists.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { EmptyState } from '#web/components/states.tsx'
import {
  CompareBar,
  type Compared,
  CompareTick,
  useCompared,
} from '#web/features/catalogue/compare-link.tsx'
import { PartCard } from '#web/features/catalogue/part-card.tsx'
import { afterPaint } from '#web/lib/after-paint.ts'
import { errorFrom, offline } from '#web/lib/api-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { toast } from '#web/lib/toast.ts'
import { useNewestLocation } from '#web/lib/use-newest-location.ts'
import type { Route } from './+types/list-screen'
import { CommonFilters, chipsOf, FacetFilter } from './list-filters.tsx'

export const handle: PageHandle = { pageForPath: true, readsQuery: true, ownFacts: true }

/** `nearest` are some of the parts without the filters, when no part passes these. */
type Loaded = { list: PartList; nearest: ListedPart[] }

type FetchList = (query: URLSearchParams) => Promise<PartList>

const withParams = (query: URLSearchParams, more: Record<string, string | undefined>) => {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(more)) if (value) next.set(name, value)
  return next
}

async function load(
  fetchList: FetchList,
  kind: string | undefined,
  query: URLSearchParams,
): Promise<Loaded> {
  // the page of all kinds shows no part
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

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { fetchApi } = context.get(shopContext)
  const url = new URL(request.url)
  const query = cleanQuery(url.searchParams)
  const loaded = await load(
    async (params) => {
      const answer = await fetchApi(`/api/parts?${params}`)
      if (answer.ok) return answer.json()
      const { message, requestId } = await errorFrom(answer)
      throw data({ message, requestId }, { status: answer.status })
    },
    params.kind,
    query,
  )
  const canonical = canonicalQuery(query, loaded.list.facets).toString()
  const slug = loaded.list.kinds[0]?.slug
  // the call also knows a kind by its name; a list has one address
  if (params.kind !== undefined && slug !== undefined && slug !== params.kind)
    throw redirect(`/parts/${encodeURIComponent(slug)}${canonical && `?${canonical}`}`, 301)
  if (canonical !== url.search.slice(1))
    throw redirect(url.pathname + (canonical && `?${canonical}`))
  // search engines should keep no page without a result
  return data(loaded, { status: loaded.list.total === 0 && query.size > 0 ? 404 : 200 })
}

const keyOf = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>) => [
  'parts',
  'list',
  pathname + search,
]

async function fetchFromShop(query: URLSearchParams, signal?: AbortSignal): Promise<PartList> {
  const answer = await fetch(`/api/parts?${query}`, { signal: signal ?? null }).catch((error) => {
    throw error instanceof DOMException ? error : offline()
  })
  if (answer.ok) return answer.json()
  const error = await errorFrom(answer)
  throw data({ message: error.message, requestId: error.requestId }, { status: answer.status })
}

export function clientLoader({ params, request }: Route.ClientLoaderArgs): Promise<Loaded> {
  const url = new URL(request.url)
  return browserQueryClient().fetchQuery({
    queryKey: keyOf(url),
    // Back shows the parts that were shown; a booking makes them stale
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      load((query) => fetchFromShop(query, signal), params.kind, cleanQuery(url.searchParams)),
  })
}

const irregular: Record<string, string> = { mouse: 'mice' }

/** The English plural of a kind's name, as far as rules go: owners name kinds as they like. */
const plural = (kind: string) => {
  if (irregular[kind]) return irregular[kind]
  if (/s$/i.test(kind)) return kind
  if (/(x|ch|sh)$/.test(kind)) return `${kind}es`
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`
}
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

type Titled = { kind?: KindTile | undefined; words: string | null; isFiltered: boolean }

function titleOf({ kind, words, isFiltered }: Titled): string {
  const what = kind ? plural(kind.name) : 'parts'
  if (words) return `${capital(what)} for “${words}”`
  return kind || isFiltered ? capital(what) : 'All parts by kind'
}

export const meta: Route.MetaFunction = ({ matches: [root], loaderData, params, location }) => {
  const noindex = { name: 'robots', content: 'noindex, follow' }
  if (!loaderData) return [...pageMeta('Parts'), noindex]
  const publicUrl = root.loaderData?.shop.publicUrl ?? ''
  const { list } = loaderData
  const query = cleanQuery(new URLSearchParams(location.search))
  const kind = params.kind === undefined ? undefined : list.kinds[0]
  const url = publicUrl + location.pathname
  const title = titleOf({ kind, words: query.get('q'), isFiltered: query.size > 0 })
  const name = kind?.name ?? 'part'
  const description = `${counted(list.all, name, plural(name))} with honest stock, narrowed by what matters. Book one and it is held for you while you pay.`
  const addresses = kind
    ? list.parts.map((part) => partPath(part))
    : list.kinds.map(({ slug }) => `/parts/${encodeURIComponent(slug)}`)
  return [
    ...pageMeta(title, description),
    { tagName: 'link', rel: 'canonical', href: url },
    ...(query.size > 0 ? [noindex] : []),
    { property: 'og:url', content: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Ferrite' },
    { property: 'og:image', content: `${publicUrl}/og.png` },
    { name: 'twitter:card', content: 'summary_large_image' },
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'ItemList',
        itemListElement: addresses.map((address, i) => ({
          '@type': 'ListItem',
          position: i + 1,
          url: publicUrl + address,
        })),
      },
    },
  ]
}

/** The pause in typing after which a number is applied. */
const pauseMs = 450

const sortNames: Record<ListSort, string> = {
  best: 'Best match',
  sold: 'Best selling',
  price: 'Price: low to high',
  '-price': 'Price: high to low',
  newest: 'Newest',
  rating: 'Best rated',
}

/**
 * The filters in the address, and the handlers of the form that changes them. This form alone shows at once what was chosen;
 * the router, which renders the whole page, follows after the paint.
 */
function useFilters(list: PartList) {
  const { pathname, search: addressSearch, key } = useNewestLocation()
  const [latestChoice, setLatestChoice] = useState<{ search: string; since: string }>()
  if (latestChoice && latestChoice.since !== key) setLatestChoice(undefined)
  const search = latestChoice?.search ?? addressSearch
  const navigate = useNavigate()
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const dropNavigation = useRef<() => void>(undefined)
  useEffect(
    () => () => {
      clearTimeout(typing.current)
      dropNavigation.current?.()
    },
    [],
  )
  const params = cleanQuery(new URLSearchParams(search))

  function send(form: HTMLFormElement) {
    clearTimeout(typing.current)
    const typed = [...new FormData(form)].map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const query = canonicalQuery(cleanQuery(typed), list.facets).toString()
    if (query === search.slice(1)) return
    setLatestChoice({ search: `?${query}`, since: key })
    dropNavigation.current?.()
    dropNavigation.current = afterPaint(
      () => void navigate({ pathname, search: query }, { preventScrollReset: true }),
    )
  }
  return {
    params,
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) {
      const { form, type } = currentTarget
      if (!form) return
      clearTimeout(typing.current)
      if (type === 'number') typing.current = setTimeout(() => send(form), pauseMs)
      else send(form)
    },
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      send(event.currentTarget)
      // the filters stay open when the form is sent without a button, for what was chosen before the scripts came
      if ((event.nativeEvent as SubmitEvent).submitter)
        document.getElementById(filtersId)?.hidePopover()
    },
  }
}

/** On a phone the filters are a popover. */
const filtersId = 'filters'

function Rating(part: ListedPart) {
  const { ratingCount: count } = part
  if (count === 0) return null
  const mean = meanOf(part)
  return (
    <p className="mt-1 text-sm text-dim">
      <span aria-hidden="true">★ {mean} </span>
      <span className="sr-only">{mean} of 5 stars, </span>({counted(count, 'review')})
    </p>
  )
}

/** The facts that the kind shows on cards. A value of a filter is a link that narrows the list to it. */
function CardFacts({ part, list, params }: { part: ListedPart } & ListState) {
  const linked = (key: string, text: string): string | undefined => {
    const facet = list.facets.find((each) => each.key === key)
    if (!facet) return undefined
    const next = new URLSearchParams(params)
    next.delete('after')
    if (facet.type === 'number') {
      const exact = String(Number.parseFloat(text))
      next.set(`${key}-min`, exact)
      next.set(`${key}-max`, exact)
    } else {
      const value = facet.values.find((each) => each.value === text)?.value
      if (value === undefined) return undefined
      next.delete(key)
      next.append(key, value)
    }
    return `?${canonicalQuery(next, list.facets)}`
  }
  if (part.specs.length === 0) return null
  return (
    <ul className="facts">
      {part.specs.map(({ key, label, text: value }) => {
        if (value === 'no') return null
        const to = linked(key, value)
        const text = value === 'yes' ? label : value
        return (
          <li key={key}>
            <span className="sr-only">{label}: </span>
            {to ? (
              <Link to={to} rel="nofollow" className="fact" title={label}>
                {text}
              </Link>
            ) : (
              <span className="fact" title={label}>
                {text}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

type ListState = { list: PartList; params: URLSearchParams }

type CardsProps = ListState & { parts: ListedPart[]; compared?: Compared | undefined }

function Cards({ parts, list, params, compared }: CardsProps) {
  return (
    <ul className="part-grid list-grid">
      {parts.map((part, i) => (
        <PartCard key={part._id} part={part} heading="h2" priority={i === 0}>
          {part.brand && <p className="text-sm text-dim">{part.brand}</p>}
          <Rating {...part} />
          <CardFacts part={part} list={list} params={params} />
          {compared && <CompareTick part={part} compared={compared} />}
        </PartCard>
      ))}
    </ul>
  )
}

/** A link to the next page, which a script appends to this one instead. */
function ShowMore({
  list,
  params,
  kind,
  onMore,
}: ListState & { kind: string | undefined; onMore: (list: PartList) => void }) {
  const [isLoading, setLoading] = useState(false)
  const { pathname, search } = useLocation()
  const shownCount = list.before + list.parts.length
  const status = `${whole(shownCount)} of ${whole(list.total)}`
  if (list.next === null)
    return (
      <p role="status" className="label mt-10 text-center">
        {list.total > listStep && status}
      </p>
    )
  const next = canonicalQuery(withParams(params, { after: String(list.next) }), list.facets)
  const more = Math.min(listStep, list.total - shownCount)
  async function show() {
    setLoading(true)
    try {
      const page = await fetchFromShop(withParams(next, { kind }))
      const grown = { ...list, parts: [...list.parts, ...page.parts], next: page.next }
      browserQueryClient().setQueryData(keyOf({ pathname, search }), { list: grown, nearest: [] })
      onMore(grown)
    } catch {
      void toast('error', 'More parts could not be loaded. Check your connection and try again.')
    } finally {
      setLoading(false)
    }
  }
  return (
    <p className="mt-10 flex flex-wrap items-center justify-center gap-4">
      <ButtonLink
        variant="quiet"
        to={`?${next}`}
        aria-busy={isLoading || undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          if (!isLoading) void show()
        }}
      >
        Show {more} more
      </ButtonLink>
      <span role="status" className="label">
        {status}
      </span>
    </p>
  )
}

/** A range whose end is before its beginning, in words, and the address with the two swapped. */
function backwardsRange({ list, params }: ListState) {
  const price = { key: 'price', label: 'Price', unit: '$', type: 'number' as const }
  for (const { key, label, unit, type } of [price, ...list.facets]) {
    const [from, to] = [params.get(`${key}-min`), params.get(`${key}-max`)]
    if (type !== 'number' || !from || !to || Number(from) <= Number(to)) continue
    const swapped = new URLSearchParams(params)
    swapped.set(`${key}-min`, to)
    swapped.set(`${key}-max`, from)
    const format = (text: string) =>
      unit === '$' ? dollars(Number(text)) : `${text} ${unit}`.trim()
    return {
      text: `${label} from ${format(from)} to ${format(to)} is the wrong way round.`,
      action: `${label} from ${format(to)} to ${format(from)}`,
      swapped,
    }
  }
  return undefined
}

/** In place of the list when no part passes the filters. */
function NoResults({ nearest, ...state }: ListState & { nearest: ListedPart[] }) {
  const { list, params } = state
  const hasWords = list.all > 0 && params.has('q')
  const hasFilters = chipsOf(params, list.facets).length > 0
  return (
    <>
      <EmptyState
        title="No part has all of this"
        action={
          hasFilters ? (
            <Link to={hasWords ? `?${searchOf(params)}` : '?'} className="button button-quiet">
              Clear all
            </Link>
          ) : (
            <Link to="/parts" className="button button-quiet">
              See all parts
            </Link>
          )
        }
      >
        {hasFilters
          ? 'Take one of the filters away, or look at what comes nearest.'
          : 'Try other words, or fewer of them.'}
      </EmptyState>
      {nearest.length > 0 && (
        <section aria-labelledby="nearest" className="mt-12">
          <h2 id="nearest" className="mb-6 text-2xl font-semibold">
            {hasWords ? 'What comes nearest' : 'Best selling'}
          </h2>
          <Cards parts={nearest} {...state} />
        </section>
      )}
    </>
  )
}

/** The search of an address, without its filters. */
const searchOf = (params: URLSearchParams) =>
  new URLSearchParams([...params].filter(([name]) => name === 'q' || name === 'as'))

/** The corrected query, with the words that were not typed so in bold. */
function Corrected({ read, typed }: { read: string; typed: string }) {
  const same = new Set(typed.toLowerCase().split(/\s+/))
  return read.split(' ').map((word, i) => (
    <Fragment key={i}>
      {i > 0 && ' '}
      {same.has(word) ? word : <strong className="text-ink">{word}</strong>}
    </Fragment>
  ))
}

/** How the query was changed to match, with links to what else it may mean. */
function QueryNote({ list }: Pick<Loaded, 'list'>) {
  const { search } = useLocation()
  const { read, left, instead, total } = list
  const params = cleanQuery(new URLSearchParams(search))
  const typed = params.get('q') ?? ''
  const to = (as: 'typed' | undefined, words = typed) => {
    const next = withoutCursor(params)
    next.set('q', words)
    if (as) next.set('as', as)
    else next.delete('as')
    return `?${canonicalQuery(next, list.facets)}`
  }
  const backwards = backwardsRange({ list, params })
  if (backwards)
    return (
      <p className="-mt-5 mb-8 text-dim">
        {backwards.text}{' '}
        <Link
          to={`?${canonicalQuery(backwards.swapped, list.facets)}`}
          rel="nofollow"
          className="link"
        >
          {backwards.action}
        </Link>
      </p>
    )
  if (params.has('as'))
    return (
      <p className="-mt-5 mb-8 text-dim">
        Only with these words as they are.{' '}
        <Link to={to(undefined)} rel="nofollow" className="link">
          Search for words like them too
        </Link>
      </p>
    )
  if (!read && (left.length === 0 || total === 0)) return null
  return (
    <p className="-mt-5 mb-8 text-dim">
      {read && (
        <>
          Showing results for <Corrected read={read} typed={typed} />.{' '}
          <Link to={to('typed')} rel="nofollow" className="link">
            Search for {typed} instead
          </Link>
          .{' '}
        </>
      )}
      {left.length > 0 &&
        `Nothing has all of these words; without “${left.join(' ')}”${instead ? ' there is this' : ':'}`}
      {instead && (
        <>
          {', and others '}
          <Link to={to(undefined, instead.q)} rel="nofollow" className="link">
            without “{instead.left.join(' ')}”
          </Link>
          .
        </>
      )}
    </p>
  )
}

/** Every kind with its number of parts. */
function Kinds({ kinds, params }: { kinds: KindTile[]; params?: URLSearchParams }) {
  const query = params && params.size > 0 ? `?${params}` : ''
  return (
    <ul className={params ? 'kind-row' : 'kind-tiles'}>
      {kinds.map(({ name, slug, drawing, count }) => (
        <li key={slug}>
          <Link
            to={`/parts/${encodeURIComponent(slug)}${query}`}
            rel={params && 'nofollow'}
            className={params ? 'chip' : 'card kind-tile'}
          >
            {!params && <Picture src={drawing} alt="" sizes="80px" />}
            <span className="kind">{params ? name : plural(name)}</span>{' '}
            <span className="count">{whole(count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

type ListBarProps = ListState & {
  name: string
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void
}

/** How many parts there are, the button that opens the filters on a phone, and the sort. */
function ListBar({ list, name, params, onChange }: ListBarProps) {
  const words = params.get('q')
  const sorts = listSorts.filter((sort) => sort !== 'best' || words)
  return (
    <div className="list-bar">
      <p role="status">
        {list.total === list.all
          ? counted(list.total, name, plural(name))
          : `${whole(list.total)} of ${counted(list.all, name, plural(name))}`}
      </p>
      <button type="button" className="button button-quiet filters-open" popoverTarget={filtersId}>
        Filters
      </button>
      <label className="list-sort">
        Sort
        <select
          name="sort"
          className="input bound"
          value={params.get('sort') ?? defaultSort(words)}
          onChange={onChange}
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortNames[sort]}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button button-quiet list-apply">
        Show
      </button>
    </div>
  )
}

type ChosenFiltersProps = {
  chips: ReturnType<typeof chipsOf>
  toAddress: (query: URLSearchParams) => string
  cleared: string
}

/** Every chosen filter as a link that removes it. */
function ChosenFilters({ chips, toAddress, cleared }: ChosenFiltersProps) {
  return (
    <ul className="kind-row" aria-label="Chosen filters">
      {chips.map(({ text, next }) => (
        <li key={text}>
          <Link
            to={toAddress(next)}
            rel="nofollow"
            preventScrollReset
            className="chip"
            aria-label={`Remove ${text}`}
          >
            {text} <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
      <li>
        <Link to={cleared} rel="nofollow" preventScrollReset className="link">
          Clear all
        </Link>
      </li>
    </ul>
  )
}

type FilterFormProps = { list: PartList; kind: KindTile | undefined; children: ReactNode }

/** The filters, and in their form the rows of the list. */
function FilterForm({ list, kind, children }: FilterFormProps) {
  const { params, onChange, onSubmit } = useFilters(list)
  const { pathname } = useLocation()
  const chosen = { params, onChange }
  const chips = chipsOf(params, list.facets)
  const promoted = list.facets.filter((facet) => facet.promoted)
  const others = list.facets.filter((facet) => !facet.promoted)
  const search = searchOf(params)
  const toAddress = (query: URLSearchParams) => addressOf(pathname, list, query)
  const common = new URLSearchParams(
    [...params].filter(([each]) => /^(q|as|brand|stock|price-.*|sort)$/.test(each)),
  )
  return (
    <form method="get" action={pathname} onSubmit={onSubmit} data-live="" className="list-page">
      {[...search].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <aside id={filtersId} popover="auto" aria-label="Filters" className="filters">
        <div className="filters-body">
          {promoted.length > 0 && (
            <div className="promoted">
              {promoted.map((facet) => (
                <FacetFilter key={facet.key} facet={facet} {...chosen} />
              ))}
            </div>
          )}
          <div className="filters-others">
            <CommonFilters list={list} {...chosen} />
            {others.map((facet) => (
              <FacetFilter key={facet.key} facet={facet} {...chosen} />
            ))}
          </div>
        </div>
        <button type="submit" className="button button-primary filters-show">
          Show {counted(list.total, 'part')}
        </button>
      </aside>
      <div className="list-main">
        {!kind && list.kinds.length > 0 && <Kinds kinds={list.kinds} params={common} />}
        <ListBar list={list} name={kind?.name ?? 'part'} params={params} onChange={onChange} />
        {chips.length > 0 && (
          <ChosenFilters chips={chips} toAddress={toAddress} cleared={toAddress(search)} />
        )}
        {children}
      </div>
    </form>
  )
}

const addressOf = (pathname: string, { facets }: PartList, query: URLSearchParams) =>
  `${pathname}${query.size > 0 ? `?${canonicalQuery(query, facets)}` : ''}`

type ResultsProps = Loaded & { kind: KindTile | undefined }

/** A list with its filters. */
function Results({ list: loaded, nearest, kind }: ResultsProps) {
  const [list, setList] = useState(loaded)
  const [shownFor, setShownFor] = useState(loaded)
  if (shownFor !== loaded) {
    setShownFor(loaded)
    setList(loaded)
  }
  // only parts of one kind can be compared
  const [only, another] = list.kinds
  const isComparable = only !== undefined && !another && list.total > 1
  const compared = useCompared(isComparable ? only.name : undefined)
  const { pathname, search } = useNewestLocation()
  const params = cleanQuery(new URLSearchParams(search))
  const toFirst = addressOf(pathname, list, withoutCursor(params))
  const isBusy = useNavigation().state === 'loading'
  return (
    <>
      <FilterForm list={list} kind={kind}>
        <div aria-busy={isBusy} className="list-rows">
          {list.total === 0 ? (
            <NoResults nearest={nearest} list={list} params={params} />
          ) : (
            <>
              {list.before > 0 && (
                <p className="mb-6">
                  <Link to={toFirst} rel="nofollow" className="link">
                    From the beginning
                  </Link>
                </p>
              )}
              <Cards
                parts={list.parts}
                list={list}
                params={params}
                compared={isComparable ? compared : undefined}
              />
              <ShowMore list={list} params={params} kind={kind?.slug} onMore={setList} />
            </>
          )}
        </div>
      </FilterForm>
      {isComparable && <CompareBar compared={compared} />}
    </>
  )
}

/** The address of the first page. */
function withoutCursor(params: URLSearchParams) {
  const next = new URLSearchParams(params)
  next.delete('after')
  return next
}

/** `/parts`: every kind, or the results of a search in all of them. `/parts/:kind`: the parts of a kind. */
export default function ListScreen({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation()
  const query = cleanQuery(new URLSearchParams(search))
  const { list } = loaderData
  const kind = params.kind === undefined ? undefined : list.kinds[0]
  const isTiles = !kind && query.size === 0
  return (
    <div className="column py-10 md:py-14">
      {!isTiles && (
        <nav aria-label="Breadcrumb" className="mb-3 font-mono text-sm">
          <Link to="/parts" className="link">
            Parts
          </Link>
        </nav>
      )}
      <h1 className="mb-8 text-4xl font-bold tracking-tight break-words md:text-5xl">
        {titleOf({ kind, words: query.get('q'), isFiltered: query.size > 0 })}
      </h1>
      <QueryNote list={list} />
      {isTiles ? (
        <>
          <p className="label mb-6 uppercase">
            {counted(list.all, 'part')} · {counted(list.kinds.length, 'kind')}
          </p>
          <Kinds kinds={list.kinds} />
        </>
      ) : (
        <Results key={kind?.slug ?? ''} {...loaderData} kind={kind} />
      )}
    </div>
  )
}
