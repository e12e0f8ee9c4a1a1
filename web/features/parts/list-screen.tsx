import { counted, whole } from '#contracts/counted.ts'
import '#web/styles/catalogue.css'
import { type ChangeEvent, type FormEvent, Fragment, useEffect, useRef, useState } from 'react'
import {
  data,
  Link,
  type Location as RouterLocation,
  redirect,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router'
import { meanOf } from '#contracts/catalogue.ts'
import {
  canonicalQuery,
  defaultSort,
  type ListSort,
  listSorts,
  listStep,
  soundQuery,
} from '#contracts/list-address.ts'
import { dollars } from '#contracts/money.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import type { KindTile, PartCard as ListedPart, PartList } from '#contracts/part-lists.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { errorFrom, offline } from '#web/lib/api-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { toast } from '#web/lib/toast.ts'
import type { Route } from './+types/list-screen'
import { CompareBar, type Compared, CompareTick, useCompared } from './compare-link.tsx'
import { CommonFilters, chipsOf, FacetFilter } from './list-filters.tsx'
import { PartCard } from './part-card.tsx'

export const handle: PageHandle = { pageForPath: true, readsQuery: true, ownFacts: true }

/** `nearest` are some of what the address would show without its filters, where nothing passes them. */
type Loaded = { list: PartList; nearest: ListedPart[] }

type Ask = (query: URLSearchParams) => Promise<PartList>

const queryOf = (asked: URLSearchParams, more: Record<string, string | undefined>) => {
  const query = new URLSearchParams(asked)
  for (const [name, value] of Object.entries(more)) if (value) query.set(name, value)
  return query
}

async function load(ask: Ask, kind: string | undefined, asked: URLSearchParams): Promise<Loaded> {
  // the page of all kinds shows no part
  const limit = kind === undefined && asked.size === 0 ? '1' : undefined
  const list = await ask(queryOf(asked, { kind, limit }))
  if (list.total > 0 || asked.size === 0) return { list, nearest: [] }
  const words = list.all > 0 ? { q: asked.get('q') ?? '', as: asked.get('as') ?? '' } : {}
  const sort = asked.has('price-max') ? 'price' : undefined
  const nearest = await ask(queryOf(new URLSearchParams(), { kind, limit: '6', ...words, sort }))
  return { list, nearest: nearest.parts }
}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { fetchApi } = context.get(shopContext)
  const url = new URL(request.url)
  const asked = soundQuery(url.searchParams)
  const loaded = await load(
    async (query) => {
      const answer = await fetchApi(`/api/parts?${query}`)
      if (answer.ok) return answer.json()
      const { message, requestId } = await errorFrom(answer)
      throw data({ message, requestId }, { status: answer.status })
    },
    params.kind,
    asked,
  )
  const query = canonicalQuery(asked, loaded.list.facets).toString()
  if (query !== url.search.slice(1)) throw redirect(url.pathname + (query && `?${query}`))
  // an address without a result is no page that search engines should keep
  return data(loaded, { status: loaded.list.total === 0 && asked.size > 0 ? 404 : 200 })
}

const keyOf = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>) => [
  'parts',
  'list',
  pathname + search,
]

async function askShop(query: URLSearchParams, signal?: AbortSignal): Promise<PartList> {
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
    // Back shows as many parts as there were; a booking makes them stale
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      load((query) => askShop(query, signal), params.kind, soundQuery(url.searchParams)),
  })
}

const irregular: Record<string, string> = { mouse: 'mice' }

/** Several of a kind, as English says it of most: an owner names kinds as they like. */
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
  const query = soundQuery(new URLSearchParams(location.search))
  const kind = params.kind === undefined ? undefined : list.kinds[0]
  const url = publicUrl + location.pathname
  const title = titleOf({ kind, words: query.get('q'), isFiltered: query.size > 0 })
  const name = kind?.name ?? 'part'
  const about = `${counted(list.all, name, plural(name))} with honest stock, narrowed by what matters. Book one and it is held for you while you pay.`
  const addresses = kind
    ? list.parts.map((part) => partPath(part))
    : list.kinds.map(({ slug }) => `/parts/${encodeURIComponent(slug)}`)
  return [
    ...pageMeta(title, about),
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

/** Where this page is going, or is: a change made before the one before it is drawn must build on that one. */
function useNewestLocation(): RouterLocation {
  const here = useLocation()
  const { location: next } = useNavigation()
  return next?.pathname === here.pathname ? next : here
}

/** Milliseconds without a key press that count as the end of typing. */
const rest = 450

const sortNames: Record<ListSort, string> = {
  best: 'Best match',
  sold: 'Best selling',
  price: 'Price: low to high',
  '-price': 'Price: high to low',
  newest: 'Newest',
  rating: 'Best rated',
}

/** Chosen values in the address, and the form that changes them. */
function useFilters(list: PartList) {
  const { pathname, search } = useNewestLocation()
  const navigate = useNavigate()
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(typing.current), [])
  const params = soundQuery(new URLSearchParams(search))

  function send(form: HTMLFormElement) {
    clearTimeout(typing.current)
    const typed = [...new FormData(form)].map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const query = canonicalQuery(soundQuery(typed), list.facets)
    if (query.toString() === search.slice(1)) return
    void navigate(
      { pathname, search: query.toString() },
      { flushSync: true, preventScrollReset: true },
    )
  }
  return {
    params,
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) {
      const { form, type } = currentTarget
      if (!form) return
      clearTimeout(typing.current)
      if (type === 'number') typing.current = setTimeout(() => send(form), rest)
      else send(form)
    },
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      send(event.currentTarget)
      // what was chosen before the scripts came is sent by no button, and the sheet stays
      if ((event.nativeEvent as SubmitEvent).submitter)
        document.getElementById(sheetId)?.hidePopover()
    },
  }
}

const sheetId = 'filters'

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

/** What the kind shows on cards. A value that is one of a filter's narrows the list to it. */
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

/** The parts that follow: a link to a page of them, which a script fetches in place. */
function ShowMore({
  list,
  params,
  kind,
  onMore,
}: ListState & { kind: string | undefined; onMore: (list: PartList) => void }) {
  const [isLoading, setLoading] = useState(false)
  const { pathname, search } = useLocation()
  const shown = list.before + list.parts.length
  const status = `${whole(shown)} of ${whole(list.total)}`
  if (list.next === null)
    return (
      <p role="status" className="label mt-10 text-center">
        {list.total > listStep && status}
      </p>
    )
  const next = canonicalQuery(queryOf(params, { after: String(list.next) }), list.facets)
  const more = Math.min(listStep, list.total - shown)
  async function show() {
    setLoading(true)
    try {
      const page = await askShop(queryOf(next, { kind }))
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

/** A range that ends before it begins, in words, and the address with the two changed round. */
function backwardsRange({ list, params }: ListState) {
  const price = { key: 'price', label: 'Price', unit: '$', type: 'number' as const }
  for (const { key, label, unit, type } of [price, ...list.facets]) {
    const [from, to] = [params.get(`${key}-min`), params.get(`${key}-max`)]
    if (type !== 'number' || !from || !to || Number(from) <= Number(to)) continue
    const turned = new URLSearchParams(params)
    turned.set(`${key}-min`, to)
    turned.set(`${key}-max`, from)
    const say = (text: string) => (unit === '$' ? dollars(Number(text)) : `${text} ${unit}`.trim())
    return {
      text: `${label} from ${say(from)} to ${say(to)} is the wrong way round.`,
      action: `${label} from ${say(to)} to ${say(from)}`,
      turned,
    }
  }
  return undefined
}

/** What stands where nothing passes the filters. */
function Nothing({ nearest, ...state }: ListState & { nearest: ListedPart[] }) {
  const { list, params } = state
  const hasWords = list.all > 0 && params.has('q')
  return (
    <>
      <EmptyState
        title="No part has all of this"
        action={
          <Link to={hasWords ? `?${wordsOf(params)}` : '?'} className="button button-quiet">
            Clear all
          </Link>
        }
      >
        Take one of the filters away, or look at what comes nearest.
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

/** The words of an address without its filters. */
const wordsOf = (params: URLSearchParams) =>
  new URLSearchParams([...params].filter(([name]) => name === 'q' || name === 'as'))

/** How an address was read, with the way to what may be meant instead. */
function Understood({ list }: Pick<Loaded, 'list'>) {
  const { search } = useLocation()
  const { read, left, instead, total } = list
  const params = soundQuery(new URLSearchParams(search))
  const typed = params.get('q') ?? ''
  const to = (as: 'typed' | undefined, words = typed) => {
    const next = plainAfter(params)
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
          to={`?${canonicalQuery(backwards.turned, list.facets)}`}
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
  const same = new Set(typed.toLowerCase().split(/\s+/))
  return (
    <p className="-mt-5 mb-8 text-dim">
      {read && (
        <>
          Showing results for{' '}
          {read.split(' ').map((word, i) => (
            <Fragment key={i}>
              {i > 0 && ' '}
              {same.has(word) ? word : <strong className="text-ink">{word}</strong>}
            </Fragment>
          ))}
          .{' '}
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

type ResultsProps = Loaded & { kind: KindTile | undefined }

/** A list with its filters. */
function Results({ list: loaded, nearest, kind }: ResultsProps) {
  const [list, setList] = useState(loaded)
  const [before, setBefore] = useState(loaded)
  if (before !== loaded) {
    setBefore(loaded)
    setList(loaded)
  }
  const { params, onChange, onSubmit } = useFilters(list)
  // parts of one kind alone are compared
  const [only, another] = list.kinds
  const isComparable = only !== undefined && !another && list.total > 1
  const compared = useCompared(isComparable ? only.name : undefined)
  const { pathname } = useLocation()
  const isBusy = useNavigation().state === 'loading'
  const chosen = { params, onChange }
  const chips = chipsOf(params, list.facets)
  const words = params.get('q')
  const promoted = list.facets.filter((facet) => facet.promoted)
  const others = list.facets.filter((facet) => !facet.promoted)
  const name = kind?.name ?? 'part'
  const sorts = listSorts.filter((sort) => sort !== 'best' || words)
  const plain = wordsOf(params)
  const toAddress = (query: URLSearchParams) =>
    `${pathname}${query.size > 0 ? `?${canonicalQuery(query, list.facets)}` : ''}`
  const common = new URLSearchParams(
    [...params].filter(([each]) => /^(q|as|brand|stock|price-.*|sort)$/.test(each)),
  )
  return (
    <>
      <form method="get" action={pathname} onSubmit={onSubmit} data-live="" className="list-page">
        {[...plain].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <aside id={sheetId} popover="auto" aria-label="Filters" className="filters">
          <div className="filters-body">
            <CommonFilters list={list} {...chosen} />
            {others.map((facet) => (
              <FacetFilter key={facet.key} facet={facet} {...chosen} />
            ))}
          </div>
          <button type="submit" className="button button-primary filters-show">
            Show {counted(list.total, 'part')}
          </button>
        </aside>
        <div className="list-main">
          {promoted.length > 0 && (
            <div className="promoted">
              {promoted.map((facet) => (
                <FacetFilter key={facet.key} facet={facet} {...chosen} />
              ))}
            </div>
          )}
          {!kind && list.kinds.length > 0 && <Kinds kinds={list.kinds} params={common} />}
          <div className="list-bar">
            <p role="status">
              {list.total === list.all
                ? counted(list.total, name, plural(name))
                : `${whole(list.total)} of ${counted(list.all, name, plural(name))}`}
            </p>
            <button
              type="button"
              className="button button-quiet filters-open"
              popoverTarget={sheetId}
            >
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
          {chips.length > 0 && (
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
                <Link to={toAddress(plain)} rel="nofollow" preventScrollReset className="link">
                  Clear all
                </Link>
              </li>
            </ul>
          )}
          <div aria-busy={isBusy} className="list-rows">
            {list.total === 0 ? (
              <Nothing nearest={nearest} list={list} params={params} />
            ) : (
              <>
                {list.before > 0 && (
                  <p className="mb-6">
                    <Link to={toAddress(plainAfter(params))} rel="nofollow" className="link">
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
        </div>
      </form>
      {isComparable && <CompareBar compared={compared} />}
    </>
  )
}

function plainAfter(params: URLSearchParams) {
  const next = new URLSearchParams(params)
  next.delete('after')
  return next
}

/** `/parts`: every kind, or what a search finds in all of them. `/parts/:kind`: a kind. */
export default function ListScreen({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation()
  const query = soundQuery(new URLSearchParams(search))
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
      <Understood list={list} />
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
