import { useSyncExternalStore } from 'react'
import { type BasketLine, basketIn, basketText } from '#contracts/basket.ts'

/** A line as this browser keeps it: with the price that was seen when it was added. */
export type KeptLine = BasketLine & { price?: number | undefined }

const key = 'basket'
const changed = 'basket-changed'
const none: KeptLine[] = []

let text: string | null = null
let basket: Stored = { lines: none }

/** The account whose basket it is. `isSent`: the account has stored the same lines. */
type Account = { of: string; isSent: boolean }
type Stored = { lines: KeptLine[]; account?: Account | null | undefined }

/** Only what a basket can hold: other scripts, and people, can write to the storage, too. */
function parse(json: string | null): Stored {
  try {
    const { lines: read, account }: Stored = JSON.parse(json ?? '')
    const lines = basketIn(basketText(read)).map((line) => {
      const price = read.find(({ number }) => number === line.number)?.price
      return { ...line, ...(typeof price === 'number' && { price }) }
    })
    return { lines: lines.length > 0 ? lines : none, account }
  } catch {
    return { lines: none }
  }
}

function stored(): Stored {
  let json: string | null = null
  try {
    json = localStorage.getItem(key)
  } catch {
    // without storage, only the address knows what is in the basket
  }
  if (json !== text) {
    text = json
    basket = parse(json)
  }
  return basket
}

/** The basket stored in this browser; empty without storage. The same array until it changes. */
export const keptBasket = (): KeptLine[] => stored().lines

/** The account whose basket this browser stores, if any. */
export const basketAccount = (): Account | null => stored().account ?? null

/**
 * The account after this change, which it has not stored yet. Prices do not count: it stores none.
 */
function accountAfter(next: readonly KeptLine[]): Account | null {
  const account = basketAccount()
  const isSame = basketText(next) === basketText(keptBasket())
  return account && { ...account, isSent: account.isSent && isSame }
}

/**
 * Stores the basket, and notifies all that show it.
 * @param account whose it is; unchanged if omitted
 */
export function keepBasket(next: readonly KeptLine[], account = accountAfter(next)): void {
  try {
    const isNone = next.length === 0 && account === null
    if (isNone) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify({ lines: next, account }))
  } catch {
    // as when it is read
  }
  dispatchEvent(new Event(changed))
}

/** Calls back when another tab has changed the basket. @returns unsubscribes */
function onBasketElsewhere(listener: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

/** Calls back when the basket has changed, in any tab. @returns unsubscribes */
export function onBasket(listener: () => void): () => void {
  const stop = onBasketElsewhere(listener)
  addEventListener(changed, listener)
  return () => {
    stop()
    removeEventListener(changed, listener)
  }
}

/** The basket of this browser; empty on the server. */
export const useBasket = (): KeptLine[] => useSyncExternalStore(onBasket, keptBasket, () => none)
