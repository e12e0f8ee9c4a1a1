/** The list of parts in the address of the basket or the build, kept by the browser too. */
import { useEffect, useRef, useState } from 'react'
import {
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
  useRevalidator,
  useSearchParams,
} from 'react-router'
import {
  type BasketLine,
  basketIn,
  basketPath,
  basketText,
  buildPath,
  withLines,
} from '#contracts/basket.ts'
import type { BasketPart, BasketParts } from '#contracts/compare.ts'
import { keepBasket, keptBasket, onBasket } from '#web/lib/basket.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { pageError } from '#web/lib/page-error.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'

/** The lines of the address: those of `parts`, and those of `add`. */
export const linesOf = (params: URLSearchParams): BasketLine[] =>
  withLines(basketIn(params.get('parts') ?? ''), basketIn(params.get('add') ?? ''))

export const linesAt = (url: string) => linesOf(new URL(url).searchParams)

/** Reads the parts of the address, when the server renders. */
export async function loadBasket(
  fetchApi: (path: string) => Promise<Response>,
  url: string,
): Promise<BasketParts> {
  const answer = await fetchApi(`/api/basket?parts=${basketText(linesAt(url))}`)
  if (!answer.ok) throw await pageError(answer)
  return answer.json()
}

/** Reads the parts of the address, in the browser. */
export async function fetchBasket(url: string): Promise<BasketParts> {
  const { api } = await loadApi()
  return (await api.basket.$get({ query: { parts: basketText(linesAt(url)) } })).json()
}

/** A step, or removing a part, needs no request: the data of all its parts is here. */
export function needsParts({
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

/** The address of these lines on the page that is open: the basket or the build. */
export function useListPath(): (lines: readonly BasketLine[]) => string {
  return useLocation().pathname === buildPath([]) ? buildPath : basketPath
}

/**
 * What a change took out of the basket: `name`, or all of it where a shared address replaced it. It
 * is the state of the history's entry, so a reload keeps it.
 */
export type TakenOut = { parts: string; name?: string }

/** The newest such change, until the visitor makes another or brings it back. */
export function useTakenOut(): TakenOut | null {
  const { state } = useLocation()
  // the server knows nothing of it, and other links to the basket may have a state of their own
  return useHydrated() && typeof state?.parts === 'string' ? state : null
}

/**
 * Changes the list that is open. Builds on the stored one: after quick clicks, what is rendered is
 * behind.
 */
export function useChangeLines() {
  const navigate = useNavigate()
  const listPath = useListPath()
  return (change: (lines: readonly BasketLine[]) => BasketLine[], state: TakenOut | null) => {
    const kept = keptBasket()
    // without storage, only the address knows them
    const next = change(kept.length > 0 ? kept : linesAt(window.location.href))
    const priceOf = (number: number) => kept.find((line) => line.number === number)?.price
    keepBasket(next.map((line) => ({ ...line, price: priceOf(line.number) })))
    void navigate(listPath(next), { replace: true, preventScrollReset: true, state })
  }
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
  const listPath = useListPath()
  const isBehind = useNavigation().location?.pathname === pathname
  useEffect(() => {
    // after Back and Forward in a row, the address is that of another page: it must stay
    if (window.location.pathname !== pathname) return
    const kept = keptBasket()
    const go = (next: readonly BasketLine[]) => {
      isFirst.current = false
      void navigate(listPath(next), { replace: true })
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
      void navigate(listPath(named), { replace: true, preventScrollReset: true, state })
    }
    isFirst.current = false
    if (basketText(kept) !== text && !isBehind) {
      const priceOf = (number: number) =>
        [...kept, ...parts].find((each) => each.number === number)?.price
      keepBasket(named.map((line) => ({ ...line, price: priceOf(line.number) })))
    }
    return onBasket(() => {
      if (basketText(keptBasket()) !== text) go(keptBasket())
    })
  }, [navigate, listPath, pathname, isNamed, isBack, isBehind, added, text, parts])
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

/** The list in the address with its parts, kept and fresh, and the prices that the visitor saw. */
export function useList(parts: BasketPart[]) {
  const [params] = useSearchParams()
  const named = linesOf(params)
  useFreshParts(basketText(named))
  useKeptBasket(named, parts)
  const seen = useSeenPrices(parts)
  const lines = named.map((line) => ({
    ...line,
    part: parts.find(({ number }) => number === line.number) ?? null,
  }))
  return { named, lines, seen }
}
