import { type BasketLine, basketIn, basketText, withLines } from '#contracts/basket.ts'
import { api } from '#web/lib/api.ts'
import { basketAccount, keepBasket, keptBasket, onBasket } from '#web/lib/basket.ts'

/** How long to wait after a change before sending it, because a stepper makes many. */
const pauseMs = 500

/** The lines of both baskets; a part in both has the account's quantity. */
const joined = (account: BasketLine[]) => withLines(account, keptBasket())

/** The account's lines, with the prices that this browser saw. */
const withPrices = (lines: BasketLine[]) =>
  lines.map((line) => ({
    ...line,
    price: keptBasket().find(({ number }) => number === line.number)?.price,
  }))

/**
 * Reads the account's basket when a page opens.
 * @returns its text, and the lines to keep
 */
async function readAccount(email: string): Promise<{ parts: string; lines: BasketLine[] }> {
  const kept = basketAccount()
  const before = basketText(keptBasket())
  const { parts } = await (await api.me.basket.$get()).json()
  if (!kept) return { parts, lines: joined(basketIn(parts)) }
  // unsent changes, and changes made meanwhile here or in another tab, are newer than the response
  const isNewer = !kept.isSent || basketText(keptBasket()) !== before
  return { parts, lines: kept.of === email && isNewer ? keptBasket() : basketIn(parts) }
}

/**
 * Keeps the browser's basket and the account's the same. What the browser had before the login is
 * added to the account's; after that the newest change wins, from any device.
 * @returns stops it
 */
export function followAccount(email: string): () => void {
  let sent: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  async function send(): Promise<void> {
    const lines = keptBasket()
    const parts = basketText(lines)
    if (isOver || parts === sent) return
    // if this fails, the next change sends it
    const isSent = await api.me.basket.$put({ json: { parts } }).then(
      () => true,
      () => false,
    )
    if (!isSent || isOver || basketText(keptBasket()) !== parts) return
    sent = parts
    keepBasket(keptBasket(), { of: email, isSent: true })
  }
  async function begin(): Promise<void> {
    const account = await readAccount(email)
    if (isOver) return
    sent = account.parts
    keepBasket(withPrices(account.lines), {
      of: email,
      isSent: basketText(account.lines) === sent,
    })
    await send()
  }
  // offline, or the session is over: the basket stays that of this browser
  void begin().catch(() => {})
  const stop = onBasket(() => {
    clearTimeout(timer)
    timer = setTimeout(() => void send(), pauseMs)
  })
  return () => {
    isOver = true
    clearTimeout(timer)
    stop()
  }
}
