/** The rows of a list: cards with their facts, and the cards of further pages. */
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { basketIn, buildPath, withLine } from '#contracts/basket.ts'
import { isBookable, meanOf } from '#contracts/catalogue.ts'
import { counted, whole } from '#contracts/counted.ts'
import { canonicalQuery, listStep } from '#contracts/list-address.ts'
import type { PartCard as ListedPart, PartList } from '#contracts/part-lists.ts'
import { replacedBy, slotId } from '#contracts/pc-kinds.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { FitMark } from '#web/components/fit-mark.tsx'
import { type Compared, CompareTick } from '#web/features/catalogue/compare-link.tsx'
import { PartCard } from '#web/features/catalogue/part-card.tsx'
import { keepBasket } from '#web/lib/basket.ts'
import { opensElsewhere } from '#web/lib/opens-elsewhere.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { toast } from '#web/lib/toasts/toast.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { fetchFromShop, keyOf, type ListState, withParams } from './list-data.ts'
import { useOwnBuild } from './use-own-build.ts'

function Rating(part: ListedPart) {
  const { ratingCount: count } = part
  if (count === 0) return null
  const mean = meanOf(part)
  return (
    <p className="text-dim text-sm">
      <span aria-hidden="true">
        <span className="text-copper">★</span> {mean}{' '}
      </span>
      <span className="sr-only">{mean} of 5 stars, </span>({counted(count, 'review')})
    </p>
  )
}

/** The most facts on a card. */
const maxFacts = 3

/**
 * The facts that the kind shows on cards. The value of a filter field links to the list filtered by
 * it.
 */
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
  const facts = part.specs.filter(({ text }) => text !== 'no').slice(0, maxFacts)
  if (facts.length === 0) return null
  return (
    <ul className="facts">
      {facts.map(({ key, label, text: value }) => {
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

type ChooseProps = {
  part: ListedPart
  fit: NonNullable<PartList['fit']>
  params: URLSearchParams
}

/** Takes the part into the build that the list is for, in the place of one that it replaces. */
function Choose({ part, fit: { kind, with: build }, params }: ChooseProps) {
  const replaced = replacedBy(kind)
  const leaving = new Set(
    build
      .filter(({ kind, number }) => replaced.includes(kind) && number !== part.number)
      .map(({ number }) => number),
  )
  const lines = basketIn(params.get('fits') ?? '').filter(({ number }) => !leaving.has(number))
  const isIn = lines.some(({ number }) => number === part.number)
  const next = withLine(lines, { number: part.number, quantity: part.minimumOrderQuantity })
  if (!next) return null
  // the visitor's own list changes here, so that its page replaces nothing
  const change = () =>
    keepBasket(
      next.map((line) => (line.number === part.number ? { ...line, price: part.price } : line)),
    )
  return (
    <Link
      to={`${buildPath(next)}#${slotId(kind)}`}
      rel="nofollow"
      aria-label={`${isIn ? 'In your build' : 'Choose for your build'}: ${part.name}`}
      onClick={change}
      className="button button-primary part-choose"
    >
      {isIn ? 'In your build' : 'Choose'}
    </Link>
  )
}

type CardsProps = ListState & { parts: ListedPart[]; compared?: Compared | undefined }

/**
 * The button on a card of a list for the visitor's own build. Only the browser knows whose build it
 * is, so before that, and without scripts, it stands beside the usual buttons.
 */
function useChoosing({ list: { fit }, params }: ListState) {
  const isOwn = useOwnBuild(params)
  const isHydrated = useHydrated()
  return (part: ListedPart) => {
    if (!fit || !isOwn || !isBookable(part)) return {}
    const choose = <Choose part={part} fit={fit} params={params} />
    return isHydrated ? { button: choose } : { without: <noscript>{choose}</noscript> }
  }
}

export function Cards({ parts, list, params, compared }: CardsProps) {
  const buttonsOf = useChoosing({ list, params })
  const isMixed = list.kinds.length > 1
  return (
    <ul className="sheet part-grid list-grid">
      {parts.map((part, i) => {
        const { button, without } = buttonsOf(part)
        return (
          <PartCard
            key={part._id}
            part={part}
            heading="h2"
            priority={i === 0}
            button={button}
            top={
              <>
                {isMixed && <span className="label kind">{part.kind}</span>}
                {compared && <CompareTick part={part} compared={compared} />}
              </>
            }
          >
            <Rating {...part} />
            <CardFacts part={part} list={list} params={params} />
            {part.fit && (
              <FitMark
                level={part.fit.level}
                text={part.fit.level === 'fits' ? 'Fits' : part.fit.text}
                className="mt-1"
              />
            )}
            {without}
          </PartCard>
        )
      })}
    </ul>
  )
}

/** A link to the next page; a script appends that page to this one instead. */
export function ShowMore({
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
          if (opensElsewhere(event)) return
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
