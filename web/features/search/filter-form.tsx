/** The form of a list's filters. It contains the list's rows. */
import type { ChangeEvent, ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import { defaultSort, type ListSort, listSorts, sortField } from '#contracts/list-address.ts'
import type { Facet, KindTile, PartList } from '#contracts/part-lists.ts'
import { plural } from '#contracts/plural.ts'
import { useCurrency } from '#web/lib/use-money.ts'
import { KindLinks } from './kind-links.tsx'
import { addressOf, type ListState, searchOf } from './list-data.ts'
import { CommonFilters, chipsOf, FacetFilter } from './list-filters.tsx'
import { filtersId, useFilters } from './use-filters.ts'

const sortNames: Record<ListSort, string> = {
  best: 'Best match',
  sold: 'Best selling',
  price: 'Price: low to high',
  '-price': 'Price: high to low',
  newest: 'Newest',
  rating: 'Best rated',
}

/** The sorts of a list: those of every list, and by the numbers that also stand above it. */
function sortsOf(facets: Facet[], chosen: string, words: string | null) {
  const common = listSorts
    .filter((sort) => sort !== 'best' || words)
    .map((sort) => ({ sort: sort as string, name: sortNames[sort] }))
  const byField = facets
    .filter(
      ({ key, type, promoted }) => type === 'number' && (promoted || key === sortField(chosen)),
    )
    .flatMap(({ key, label }) => [
      { sort: key, name: `${label}: low to high` },
      { sort: `-${key}`, name: `${label}: high to low` },
    ])
  return [...common, ...byField]
}

type ListBarProps = ListState & {
  name: string
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void
}

/** The number of parts, the button that opens the filters on a phone, and the sort. */
function ListBar({ list, name, params, onChange }: ListBarProps) {
  const words = params.get('q')
  const chosen = params.get('sort') ?? defaultSort(words)
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
        <span className="max-md:sr-only">Sort</span>
        <select name="sort" className="input bound" value={chosen} onChange={onChange}>
          {sortsOf(list.facets, chosen, words).map(({ sort, name }) => (
            <option key={sort} value={sort}>
              {name}
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

/** Each active filter as a link that removes it. */
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

/** The filters, and inside their form the rows of the list. */
export function FilterForm({ list, kind, children }: FilterFormProps) {
  const { params, onChange, onSubmit } = useFilters(list)
  const { pathname } = useLocation()
  const chosen = { params, onChange }
  const chips = chipsOf(params, list.facets, useCurrency())
  const promoted = list.facets.filter((facet) => facet.promoted)
  const others = list.facets.filter((facet) => !facet.promoted)
  const search = searchOf(params)
  const toAddress = (query: URLSearchParams) => addressOf(pathname, list, query)
  const common = new URLSearchParams(
    [...params].filter(([each]) => /^(q|as|brand|stock|fits|only|price-.*|sort)$/.test(each)),
  )
  return (
    <form method="get" action={pathname} onSubmit={onSubmit} data-live="" className="list-page">
      {[...search].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <aside id={filtersId} popover="auto" aria-label="Filters" className="filters">
        <div className="filters-body">
          {promoted.map((facet) => (
            <FacetFilter key={facet.key} facet={facet} {...chosen} />
          ))}
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
        {!kind && list.kinds.length > 0 && <KindLinks kinds={list.kinds} params={common} />}
        <ListBar list={list} name={kind?.name ?? 'part'} params={params} onChange={onChange} />
        {chips.length > 0 && (
          <ChosenFilters chips={chips} toAddress={toAddress} cleared={toAddress(search)} />
        )}
        {children}
      </div>
    </form>
  )
}
