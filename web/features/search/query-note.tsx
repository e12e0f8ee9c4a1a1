/** How a query was interpreted, and other possible meanings. */
import { Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import { canonicalQuery, cleanQuery, meantPath, typedPath } from '#contracts/list-address.ts'
import type { Currency } from '#contracts/money.ts'
import type { Meant } from '#contracts/part-lists.ts'
import { capital } from '#contracts/plural.ts'
import { useCurrency } from '#web/lib/use-money.ts'
import { type ListState, type Loaded, withoutCursor } from './list-data.ts'
import { inUnit, priceFacet } from './list-filters.tsx'

/** A range whose end is below its start, as text, with the URL of the swapped range. */
function backwardsRange({ list, params }: ListState, currency: Currency) {
  for (const { key, label, unit, type } of [priceFacet(currency), ...list.facets]) {
    const [from, to] = [params.get(`${key}-min`), params.get(`${key}-max`)]
    if (type !== 'number' || !from || !to || Number(from) <= Number(to)) continue
    const swapped = new URLSearchParams(params)
    swapped.set(`${key}-min`, to)
    swapped.set(`${key}-max`, from)
    const format = (text: string) => inUnit({ key, unit }, text, currency)
    return {
      text: `${label} from ${format(from)} to ${format(to)} is the wrong way round.`,
      action: `${label} from ${format(to)} to ${format(from)}`,
      swapped,
    }
  }
  return undefined
}

/** The corrected query, with the changed words in bold. */
function Corrected({ read, typed }: { read: string; typed: string }) {
  const same = new Set(typed.toLowerCase().split(/\s+/))
  return read.split(' ').map((word, i) => (
    <Fragment key={i}>
      {i > 0 && ' '}
      {same.has(word) ? word : <strong className="text-ink">{word}</strong>}
    </Fragment>
  ))
}

/** How the query was changed to match, with links to its other meanings. */
export function QueryNote({ list }: Pick<Loaded, 'list'>) {
  const { search } = useLocation()
  const currency = useCurrency()
  const { read, left, instead, total, isUnsold, pages } = list
  const params = cleanQuery(new URLSearchParams(search))
  const typed = params.get('q') ?? ''
  const to = (as: 'typed' | undefined, words = typed) => {
    const next = withoutCursor(params)
    next.set('q', words)
    if (as) next.set('as', as)
    else next.delete('as')
    return `?${canonicalQuery(next, list.facets)}`
  }
  const backwards = backwardsRange({ list, params }, currency)
  if (backwards)
    return (
      <p className="-mt-2 mb-5 text-dim">
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
  if (params.get('as') === 'typed')
    return (
      <p className="-mt-2 mb-5 text-dim">
        Only with these words as they are.{' '}
        <Link to={to(undefined)} rel="nofollow" className="link">
          Search for words like them too
        </Link>
      </p>
    )
  if (pages.length > 0 || isUnsold)
    return (
      <p className="-mt-2 mb-5 text-dim">
        {pages.length === 0 ? `We do not sell “${typed}”. ` : 'This may be what you look for: '}
        {pages.map(({ text, path }, at) => (
          <Fragment key={path}>
            {at > 0 && ' · '}
            <Link to={path} className="link">
              {capital(text)}
            </Link>
          </Fragment>
        ))}
        {pages.length === 0 && (
          <Link to={to('typed')} rel="nofollow" className="link">
            Search for “{typed}” as typed
          </Link>
        )}
      </p>
    )
  if (!read && (left.length === 0 || total === 0)) return null
  return (
    <p className="-mt-2 mb-5 text-dim">
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

type MeantNoteProps = { meant: Meant; params: URLSearchParams }

/** What the words were taken to mean, with links to its other meanings and to the words. */
export function MeantNote({ meant: { kind, sort, text, others }, params }: MeantNoteProps) {
  return (
    <p className="-mt-2 mb-5 text-dim">
      {text}{' '}
      {others.map((other) => (
        <Fragment key={meantPath(params, other)}>
          <Link to={meantPath(params, other)} rel="nofollow" className="link">
            {other.text}
          </Link>
          {' · '}
        </Fragment>
      ))}
      {kind ? (
        <Link to={typedPath(params, sort)} rel="nofollow" className="link">
          Search for “{params.get('q')}” as typed
        </Link>
      ) : (
        'The words themselves:'
      )}
    </p>
  )
}
