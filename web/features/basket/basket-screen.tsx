import '#web/styles/basket.css'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import {
  data,
  Link,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useNavigationType,
  useRevalidator,
  useSearchParams,
} from 'react-router'
import {
  type BasketLine,
  basketIn,
  basketPath,
  basketText,
  basketTotal,
  maxLines,
  withLines,
  withQuantity,
} from '#contracts/basket.ts'
import { isBookable } from '#contracts/catalogue.ts'
import type { BasketPart } from '#contracts/compare.ts'
import { fewestUnits, totalPriceOf } from '#contracts/money.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { ChangeLink } from '#web/components/change-link.tsx'
import { DeliveryOffer } from '#web/components/delivery-offer.tsx'
import { Picture } from '#web/components/picture.tsx'
import { PriceNote } from '#web/components/price-note.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { keepBasket, keptBasket, onBasket } from '#web/lib/basket.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFocusFallback } from '#web/lib/focus-fallback.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { pageError } from '#web/lib/page-error.ts'
import { titled } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import { useCurrency, useMoney } from '#web/lib/use-money.ts'
import { useShopName } from '#web/lib/use-shop.ts'
import type { Route } from './+types/basket-screen'

export const handle: PageHandle = { query: ['parts', 'add'] }

export const meta = titled('Basket')

/** The lines of the address: those of `parts`, and those of `add`. */
const linesOf = (params: URLSearchParams): BasketLine[] =>
  withLines(basketIn(params.get('parts') ?? ''), basketIn(params.get('add') ?? ''))

const linesAt = (url: string) => linesOf(new URL(url).searchParams)

export async function loader({ context, request }: Route.LoaderArgs) {
  const lines = linesAt(request.url)
  if (lines.length === 0) return data<{ parts: BasketPart[] }>({ parts: [] })
  const answer = await context.get(shopContext).fetchApi(`/api/basket?parts=${basketText(lines)}`)
  if (!answer.ok) throw await pageError(answer)
  return data<{ parts: BasketPart[] }>(await answer.json())
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const lines = linesAt(request.url)
  if (lines.length === 0) return { parts: [] }
  const { api } = await loadApi()
  return (await api.basket.$get({ query: { parts: basketText(lines) } })).json()
}

/** A step, or removing a part, needs no request: the data of all its parts is here. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (currentUrl.href === nextUrl.href) return defaultShouldRevalidate
  const here = linesOf(currentUrl.searchParams)
  return !linesOf(nextUrl.searchParams).every(({ number }) =>
    here.some((line) => line.number === number),
  )
}

type Line = BasketLine & {
  /** Null when it is not on sale. */
  part: BasketPart | null
}

/** Why a line cannot be booked, and how many units could be; 0 means none. */
function problemOf(
  { part, quantity }: Line,
  fewest: number,
): { text: string; take: number } | null {
  if (!part) return { text: 'This part is no longer sold.', take: 0 }
  const { availableQuantity: available } = part
  if (!isBookable(part)) {
    const text = available > 0 ? `Only ${available} left, too few to book.` : 'Out of stock.'
    return { text, take: 0 }
  }
  if (quantity > available) return { text: `Only ${available} left.`, take: available }
  if (quantity < fewest) return { text: `The minimum order is ${fewest}.`, take: fewest }
  return null
}

/**
 * What a change took out of the basket: `name`, or all of it where a shared address replaced it. It
 * is the state of the history's entry, so a reload keeps it.
 */
type TakenOut = { parts: string; name?: string }

/** The newest such change, until the visitor makes another or brings it back. */
function useTakenOut(): TakenOut | null {
  const { state } = useLocation()
  // the server knows nothing of it, and other links to the basket may have a state of their own
  return useHydrated() && typeof state?.parts === 'string' ? state : null
}

type StepProps = { lines: BasketLine[]; line: Line; fewest: number; by: 1 | -1; label: string }

/**
 * A link to the basket with one unit more or fewer, which works without scripts too. At the end of
 * the range it has no target, but keeps its place and the focus.
 */
function Step({ lines, line: { number, part, quantity }, fewest, by, label }: StepProps) {
  const navigate = useNavigate()
  const state = useTakenOut()
  const most = part?.availableQuantity ?? 0
  // outside the range, a step goes to the nearest limit
  const next = (units: number) => Math.max(fewest, Math.min(most, units + by))
  const pathFrom = (all: BasketLine[], units: number) =>
    basketPath(withQuantity(all, number, next(units)))
  function step(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    // after quick clicks, the address is ahead of what is rendered
    const now = linesAt(location.href)
    const units = now.find((line) => line.number === number)?.quantity ?? quantity
    void navigate(pathFrom(now, units), { replace: true, preventScrollReset: true, state })
  }
  return (
    <Link
      to={pathFrom(lines, quantity)}
      rel="nofollow"
      onClick={step}
      aria-label={label}
      aria-disabled={next(quantity) === quantity || undefined}
    >
      {by > 0 ? '+' : '−'}
    </Link>
  )
}

type LineProps = { line: Line; lines: BasketLine[]; before: number | undefined }

function Notes({ line, lines, before }: LineProps) {
  const money = useMoney()
  const fewest = useFewest(line)
  const { part, number } = line
  const problem = problemOf(line, fewest)
  const name = part?.name ?? `Part ${number}`
  const state = useTakenOut()
  const removed: TakenOut = { parts: basketText([line]), name }
  return (
    <div className="line-notes">
      {problem && <p className="font-semibold text-amber text-sm">{problem.text}</p>}
      {problem && problem.take > 0 && (
        <ChangeLink to={basketPath(withQuantity(lines, number, problem.take))} state={state}>
          Take {problem.take}
        </ChangeLink>
      )}
      {part && problem && !isBookable(part) && (
        <Link to={partPath(part)} className="link inline-flex min-h-11 items-center">
          Wait for it
        </Link>
      )}
      {part && before !== undefined && before !== part.price && (
        <p className="text-sm">
          Price changed from {money(before)} to {money(part.price)}
        </p>
      )}
      <ChangeLink
        to={basketPath(withQuantity(lines, number, 0))}
        state={removed}
        className="link inline-flex min-h-11 items-center text-sm"
        aria-label={`Remove ${name}`}
      >
        Remove
      </ChangeLink>
    </div>
  )
}

/** The fewest units that a line can have. */
function useFewest({ part }: Line): number {
  const currency = useCurrency()
  return part ? fewestUnits(part, currency) : 1
}

function LineRow(props: LineProps) {
  const money = useMoney()
  const { line, lines } = props
  const { part, quantity, number } = line
  const fewest = useFewest(line)
  if (!part) {
    return (
      <li className="basket-line">
        <span />
        <p className="font-semibold">Part {number}</p>
        <Notes {...props} />
      </li>
    )
  }
  const step = { lines, line, fewest }
  return (
    <li className="basket-line">
      <div className="card overflow-hidden">
        <Picture src={part.image} facts={part.picture} alt="" sizes="88px" />
      </div>
      <div className="min-w-0">
        <Link to={partPath(part)} className="link inline-flex min-h-11 items-center break-words">
          {part.name}
        </Link>
        <p className="text-dim text-sm">
          {money(part.price)} each
          {isBookable(part) && `, ${part.availableQuantity} available`}
        </p>
      </div>
      <div className="basket-amounts">
        <div className="basket-steps">
          {isBookable(part) && <Step {...step} by={-1} label={`One fewer ${part.name}`} />}
          <span className="font-mono tabular-nums">
            <span className="sr-only">Quantity </span>
            {quantity}
          </span>
          {isBookable(part) && <Step {...step} by={1} label={`One more ${part.name}`} />}
        </div>
        <p className="font-mono tabular-nums">{money(totalPriceOf(quantity, part.price))}</p>
      </div>
      <Notes {...props} />
    </li>
  )
}

/** What can be done with the whole basket: share, copy, print. */
function Tools({ lines, sum }: { lines: Line[]; sum: string }) {
  const money = useMoney()
  const text = () => {
    const rows = lines.flatMap(({ part, quantity }) =>
      part ? [`${quantity} × ${part.name}, ${money(totalPriceOf(quantity, part.price))}`] : [],
    )
    return [...rows, `Together ${sum}`, location.href].join('\n')
  }
  const link = 'link needs-script inline-flex min-h-11 cursor-pointer items-center text-sm'
  return (
    <div className="basket-tools">
      <button
        type="button"
        className={link}
        onClick={() => void copyText(location.href, 'The link to this basket is copied')}
      >
        Copy the link
      </button>
      <button
        type="button"
        className={link}
        onClick={() => void copyText(text(), 'The basket is copied as text')}
      >
        Copy as text
      </button>
      <button type="button" className={link} onClick={() => print()}>
        Print
      </button>
    </div>
  )
}

/** The sum, and a link to book everything, or only what can be booked. */
function Summary({ lines }: { lines: Line[] }) {
  const money = useMoney()
  const currency = useCurrency()
  const ref = useFocusFallback<HTMLAnchorElement>()
  const mended = lines.flatMap((line) => {
    const fewest = line.part ? fewestUnits(line.part, currency) : 1
    const problem = problemOf(line, fewest)
    if (problem?.take === 0) return []
    return [{ number: line.number, quantity: problem?.take ?? line.quantity }]
  })
  const isFine = basketText(mended) === basketText(lines)
  const total = basketTotal(lines)
  const sum = money(total)
  return (
    <>
      <div className="basket-sum" data-covers-bottom="">
        <div>
          <p className="font-semibold">
            Together{' '}
            <span className="font-display text-2xl tabular-nums tracking-tight">{sum}</span>
          </p>
          <PriceNote />
          <DeliveryOffer lines={lines} />
        </div>
        {isFine ? (
          <ButtonLink ref={ref} to={`/purchase?parts=${basketText(lines)}`}>
            Book all
          </ButtonLink>
        ) : (
          <ButtonLink
            ref={ref}
            to={basketPath(mended)}
            replace
            preventScrollReset
            rel="nofollow"
            variant="quiet"
          >
            {mended.length > 0 ? 'Take what there is' : 'Remove all'}
          </ButtonLink>
        )}
      </div>
      <Tools lines={lines} sum={sum} />
    </>
  )
}

/**
 * Keeps the address and the stored basket the same: an address with lines is stored, and a change
 * in another tab goes into the address. An address without lines, and Back, show the stored basket.
 * A shared address that replaces the visitor's own basket says so.
 */
function useKeptBasket(lines: BasketLine[], parts: BasketPart[]): void {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const isFirst = useRef(true)
  const isNamed = params.has('parts')
  const added = params.get('add')
  const text = basketText(lines)
  // opening a document by its address is POP, too
  const [isOpened] = useState(!useHydrated())
  const isBack = useNavigationType() === 'POP' && !isOpened
  const { pathname } = useLocation()
  useEffect(() => {
    // after Back and Forward in a row, the address is that of another page: it must stay
    if (window.location.pathname !== pathname) return
    const kept = keptBasket()
    const go = (next: readonly BasketLine[]) => {
      isFirst.current = false
      void navigate(basketPath(next), { replace: true })
    }
    // without lines after the first look: the visitor removed the last one
    if (!isNamed && (added || (isFirst.current && kept.length > 0)))
      return go(withLines<BasketLine>(kept, basketIn(added ?? '')))
    // Back shows the current basket, without what was booked
    if (isFirst.current && isBack && basketText(kept) !== text) return go(kept)
    const named = basketIn(text)
    // the visitor's own changes here replace nothing
    if (isFirst.current && kept.length > 0 && basketText(kept) !== text) {
      const state: TakenOut = { parts: basketText(kept) }
      void navigate(basketPath(named), { replace: true, preventScrollReset: true, state })
    }
    isFirst.current = false
    if (basketText(kept) !== text) {
      const priceOf = (number: number) =>
        [...kept, ...parts].find((each) => each.number === number)?.price
      keepBasket(named.map((line) => ({ ...line, price: priceOf(line.number) })))
    }
    return onBasket(() => {
      if (basketText(keptBasket()) !== text) go(keptBasket())
    })
  }, [navigate, pathname, isNamed, isBack, added, text, parts])
}

/** The prices that the visitor saw before this visit. Today's are stored for the next one. */
function useSeenPrices(parts: BasketPart[]): Map<number, number | undefined> {
  const [seen, setSeen] = useState(new Map<number, number | undefined>())
  useEffect(() => {
    setSeen(new Map(keptBasket().map(({ number, price }) => [number, price])))
  }, [])
  useEffect(() => {
    const priceOf = (number: number) => parts.find((part) => part.number === number)?.price
    return () =>
      keepBasket(
        keptBasket().map((line) => ({ ...line, price: priceOf(line.number) ?? line.price })),
      )
  }, [parts])
  return seen
}

/** Refetches price and stock after a step, which did not wait for them. */
function useFreshParts(text: string): void {
  const { revalidate } = useRevalidator()
  const before = useRef(text)
  useEffect(() => {
    if (before.current === text) return
    before.current = text
    void revalidate()
  }, [text, revalidate])
}

/** Says what was taken out of the basket, and brings it back. */
function TakenOutNote({ lines }: { lines: BasketLine[] }) {
  const taken = useTakenOut()
  if (!taken) return null
  const parts = basketIn(taken.parts)
  return (
    <p role="status">
      {taken.name ? `Removed ${taken.name}.` : 'This address replaced your basket.'}{' '}
      <ChangeLink
        to={basketPath(taken.name ? [...lines, ...parts] : parts)}
        className="link inline-flex min-h-6 items-center"
      >
        Bring it back
      </ChangeLink>
    </p>
  )
}

/** Heads the printed list: prices are those of a day, and its address leads back to it. */
function PrintHead() {
  const name = useShopName()
  if (!useHydrated()) return null
  const day = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  return (
    <div className="basket-print">
      <p className="font-semibold">
        {name}, {day}
      </p>
      <p className="wrap-anywhere text-sm">{location.href}</p>
    </div>
  )
}

/** The visitor's list of parts to book together. Its address holds all of its state. */
export default function BasketScreen({ loaderData: { parts } }: Route.ComponentProps) {
  const [params] = useSearchParams()
  const named = linesOf(params)
  useFreshParts(basketText(named))
  useKeptBasket(named, parts)
  const seen = useSeenPrices(parts)
  const lines = named.map((line) => ({
    ...line,
    part: parts.find(({ number }) => number === line.number) ?? null,
  }))
  return (
    <div className="column min-h-dvh py-6 md:py-10">
      <PrintHead />
      <div className="basket-head">
        <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Basket
        </h1>
        <TakenOutNote lines={named} />
      </div>
      {lines.length > 0 ? (
        <>
          <ul>
            {lines.map((line) => (
              <LineRow key={line.number} line={line} lines={named} before={seen.get(line.number)} />
            ))}
          </ul>
          <Summary lines={lines} />
          <noscript>
            <p className="mt-4 text-dim text-sm">
              Your browser runs no scripts, so each part that you add starts a basket of its own.
            </p>
          </noscript>
          {lines.length === maxLines && (
            <p className="mt-4 text-dim text-sm">A basket holds {maxLines} parts.</p>
          )}
        </>
      ) : (
        <EmptyState
          title="Your basket is empty"
          action={<ButtonLink to="/parts">See the parts</ButtonLink>}
        >
          Add parts to it, and book and pay them together.
        </EmptyState>
      )}
    </div>
  )
}
