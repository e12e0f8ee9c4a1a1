import '#web/styles/catalogue.css'
import { useState } from 'react'
import { data, Link, redirect, useLocation, useNavigation } from 'react-router'
import { basketIn, buildPath } from '#contracts/basket.ts'
import { counted } from '#contracts/counted.ts'
import { canonicalQuery, cleanQuery, meantPath } from '#contracts/list-address.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import type { KindTile, PartCard as ListedPart } from '#contracts/part-lists.ts'
import { replacedBy } from '#contracts/pc-kinds.ts'
import { plural } from '#contracts/plural.ts'
import { PriceNote } from '#web/components/price-note.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { CompareBar, useCompared } from '#web/features/catalogue/compare-link.tsx'
import { MachineLink } from '#web/features/machine/machine-link.tsx'
import { pageError } from '#web/lib/page-error.ts'
import { pageMeta, previewPicture } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { useCurrency } from '#web/lib/use-money.ts'
import { useNewestLocation } from '#web/lib/use-newest-location.ts'
import type { Route } from './+types/list-screen'
import { FilterForm } from './filter-form.tsx'
import { KindLinks } from './kind-links.tsx'
import { Cards, ShowMore } from './list-cards.tsx'
import {
  addressOf,
  fetchFromShop,
  keyOf,
  type ListState,
  type Loaded,
  load,
  searchOf,
  withoutCursor,
} from './list-data.ts'
import { chipsOf } from './list-filters.tsx'
import { titleOf, wordsOf } from './list-words.ts'
import { MeantNote, QueryNote } from './query-note.tsx'
import { useOwnBuild } from './use-own-build.ts'

export const handle: PageHandle = { pageForPath: true, readsQuery: true, ownFacts: true }

/** The address of the list that the words of a query mean, if it has another one. */
function addressMeant(
  query: URLSearchParams,
  kind: string | undefined,
  { list: { meant, facets } }: Loaded,
) {
  if (!meant?.kind || (query.has('as') && kind !== undefined)) return undefined
  return meantPath(query, { ...meant, kind: meant.kind }, facets)
}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { fetchApi } = context.get(shopContext)
  const url = new URL(request.url)
  const query = cleanQuery(url.searchParams)
  const loaded = await load(
    async (params) => {
      const answer = await fetchApi(`/api/parts?${params}`)
      if (answer.ok) return answer.json()
      throw await pageError(answer)
    },
    params.kind,
    query,
  )
  const meant = addressMeant(query, params.kind, loaded)
  if (meant) throw redirect(meant)
  // the address says that the words are read, but they mean nothing any longer
  if (!loaded.list.meant?.kind && query.get('as') === 'fits') query.delete('as')
  const canonical = canonicalQuery(query, loaded.list.facets).toString()
  const slug = loaded.list.kinds[0]?.slug
  // the API also finds a kind by its name, but a list has one URL
  if (params.kind !== undefined && slug !== undefined && slug !== params.kind)
    throw redirect(`/parts/${encodeURIComponent(slug)}${canonical && `?${canonical}`}`, 301)
  if (canonical !== url.search.slice(1))
    throw redirect(url.pathname + (canonical && `?${canonical}`))
  // search engines should not index a page without a result
  return data(loaded, { status: loaded.list.total === 0 && query.size > 0 ? 404 : 200 })
}

export async function clientLoader({ params, request }: Route.ClientLoaderArgs): Promise<Loaded> {
  const url = new URL(request.url)
  const query = cleanQuery(url.searchParams)
  const loaded = await browserQueryClient().fetchQuery({
    queryKey: keyOf(url),
    // Back shows the same parts as before; a booking outdates them
    staleTime: 60_000,
    queryFn: ({ signal }) => load((params) => fetchFromShop(params, signal), params.kind, query),
  })
  const meant = addressMeant(query, params.kind, loaded)
  if (meant) throw redirect(meant)
  return loaded
}

export const meta: Route.MetaFunction = ({ matches: [root], loaderData, params, location }) => {
  const noindex = { name: 'robots', content: 'noindex, follow' }
  const shop = root.loaderData?.shop
  if (!loaderData) return [...pageMeta(shop, 'Parts'), noindex]
  const publicUrl = shop?.publicUrl ?? ''
  const { list } = loaderData
  const query = cleanQuery(new URLSearchParams(location.search))
  const kind = params.kind === undefined ? undefined : list.kinds[0]
  const url = publicUrl + location.pathname
  const title = titleOf({ kind, words: wordsOf(query), isFiltered: query.size > 0 })
  const name = kind?.name ?? 'part'
  const description = `${counted(list.all, name, plural(name))} with honest stock, narrowed by what matters. Book one and it is held for you while you pay.`
  const addresses = kind
    ? list.parts.map((part) => partPath(part))
    : list.kinds.map(({ slug }) => `/parts/${encodeURIComponent(slug)}`)
  return [
    ...pageMeta(shop, title, description),
    { tagName: 'link', rel: 'canonical', href: url },
    ...(query.size > 0 ? [noindex] : []),
    { property: 'og:url', content: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: shop?.facts.name },
    ...previewPicture(shop),
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

/** Replaces the list when no part matches the filters. */
function NoResults({ nearest, ...state }: ListState & { nearest: ListedPart[] }) {
  const { list, params } = state
  const hasWords = list.all > 0 && params.has('q')
  const hasFilters = chipsOf(params, list.facets, useCurrency()).length > 0
  return (
    <>
      <EmptyState
        title={list.meant ? 'Look at what we have instead' : 'No part has all of this'}
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

/** What the parts of the list are judged with, and the way back to it. */
function BuildNote({ list: { fit }, params }: ListState) {
  const isOwn = useOwnBuild(params)
  if (!fit) return null
  const replaced = replacedBy(fit.kind)
  const names = fit.with.filter(({ kind }) => !replaced.includes(kind)).map(({ name }) => name)
  const build = names.length < 3 ? names.join(' and ') : `${names.length} parts`
  return (
    <p className="-mt-2 mb-5 text-dim">
      {names.length === 0
        ? 'For your build.'
        : params.has('only')
          ? `What fits ${build}.`
          : `Each part says whether it fits ${build}.`}{' '}
      {/* it keeps its place: only the browser knows whose build it is */}
      <Link
        to={buildPath(basketIn(params.get('fits') ?? ''))}
        rel="nofollow"
        className={isOwn ? 'link' : 'invisible'}
      >
        Back to the build
      </Link>
    </p>
  )
}

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
          <PriceNote className="mb-4" />
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

/**
 * `/parts`: all kinds, or the results of a search in all of them. `/parts/:kind`: the parts of a
 * kind.
 */
export default function ListScreen({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation()
  const query = cleanQuery(new URLSearchParams(search))
  const { list } = loaderData
  const kind = params.kind === undefined ? undefined : list.kinds[0]
  const isTiles = !kind && query.size === 0
  return (
    <div className="column py-4 md:py-8">
      {!isTiles && (
        <div className="mb-3 flex min-h-6 justify-between gap-4 text-sm">
          <nav aria-label="Breadcrumb" className="font-mono">
            <Link to="/parts" className="link">
              Parts
            </Link>
          </nav>
          {kind && <MachineLink kind={kind.slug} />}
        </div>
      )}
      <h1 className="mb-4 text-3xl font-bold tracking-tight break-words md:mb-6 md:text-4xl">
        {titleOf({ kind, words: wordsOf(query), isFiltered: query.size > 0 })}
      </h1>
      <QueryNote list={list} />
      {list.meant ? (
        <MeantNote meant={list.meant} params={query} />
      ) : (
        <BuildNote list={list} params={query} />
      )}
      {isTiles ? (
        <>
          <p className="label mb-6 uppercase">
            {counted(list.all, 'part')} · {counted(list.kinds.length, 'category', 'categories')}
          </p>
          <KindLinks kinds={list.kinds} />
        </>
      ) : (
        <Results key={kind?.slug ?? ''} {...loaderData} kind={kind} />
      )}
    </div>
  )
}
