import { useSyncExternalStore } from 'react'
import { type BasketLine, basketIn, basketText } from '#contracts/basket.ts'

/** A line as this browser keeps it: with the price that was seen when it was added. */
export type KeptLine = BasketLine & { price?: number | undefined }

const key = 'basket'
const changed = 'basket-changed'
const none: KeptLine[] = []

let text: string | null = null
let basket: Stored = { lines: none }

/** `of` is the account that keeps the same lines. */
type Stored = { lines: KeptLine[]; of?: string | undefined }

/** Only what a basket can hold: other scripts, and people, write into the storage too. */
function parse(json: string | null): Stored {
  try {
    const { lines: read, of }: Stored = JSON.parse(json ?? '')
    const lines = basketIn(basketText(read)).map((line) => {
      const price = read.find(({ number }) => number === line.number)?.price
      return { ...line, ...(typeof price === 'number' && { price }) }
    })
    return { lines: lines.length > 0 ? lines : none, of }
  } catch {
    return { lines: none }
  }
}

function stored(): Stored {
  let json: string | null = null
  try {
    json = localStorage.getItem(key)
  } catch {
    // without storage the address alone says what is in it
  }
  if (json !== text) {
    text = json
    basket = parse(json)
  }
  return basket
}

/** The basket that this browser keeps; empty where it has no storage. The same array until it changes. */
export const keptBasket = (): KeptLine[] => stored().lines

/** The account that keeps the same basket; undefined while it differs. */
export const basketAccount = (): string | undefined => stored().of

/** The account keeps no prices. */
const accountOf = (next: readonly KeptLine[]) =>
  basketText(next) === basketText(keptBasket()) ? basketAccount() : undefined

/** Keeps the basket, and tells all who show it. @param of the account that keeps the same */
export function keepBasket(next: readonly KeptLine[], of = accountOf(next)): void {
  try {
    if (next.length > 0 || of)
      localStorage.setItem(key, JSON.stringify({ lines: next, of: of || undefined }))
    else localStorage.removeItem(key)
  } catch {
    // as when it is read
  }
  dispatchEvent(new Event(changed))
}

/** Calls back when another tab has changed the basket. @returns stops that */
function onBasketElsewhere(listener: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

/** Calls back when the basket has changed, in any tab. @returns stops that */
export function onBasket(listener: () => void): () => void {
  const stop = onBasketElsewhere(listener)
  addEventListener(changed, listener)
  return () => {
    stop()
    removeEventListener(changed, listener)
  }
}

/** The basket of this browser; empty in what the server renders. */
export const useBasket = (): KeptLine[] => useSyncExternalStore(onBasket, keptBasket, () => none)
