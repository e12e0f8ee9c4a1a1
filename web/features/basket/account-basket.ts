import { type BasketLine, basketIn, basketText, withLine } from '#contracts/basket.ts'
import { api } from '#web/lib/api.ts'
import { basketAccount, keepBasket, keptBasket, onBasket } from '#web/lib/basket.ts'

/** The pause after a change before it is sent: a stepper makes many. */
const pauseMs = 500

/** The lines of both; a part in both as many times as the account has it. */
const joined = (account: BasketLine[]) =>
  keptBasket().reduce(
    (lines, line) =>
      lines.some(({ number }) => number === line.number) ? lines : (withLine(lines, line) ?? lines),
    account,
  )

/** The account's lines, with the prices that this browser saw. */
const withPrices = (lines: BasketLine[]) =>
  lines.map((line) => ({
    ...line,
    price: keptBasket().find(({ number }) => number === line.number)?.price,
  }))

/**
 * Keeps the basket of this browser and that of the account alike. What the browser had before the login joins the account's;
 * later the newest change, on any device, is the basket.
 * @returns stops that
 */
export function followAccount(email: string): () => void {
  let sent: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  async function send(): Promise<void> {
    const lines = keptBasket()
    const parts = basketText(lines)
    if (isOver || parts === sent) return
    // without an answer the next change sends it
    const isSent = await api.me.basket.$put({ json: { parts } }).then(
      () => true,
      () => false,
    )
    if (!isSent || isOver || basketText(keptBasket()) !== parts) return
    sent = parts
    keepBasket(keptBasket(), { of: email, isSent: true })
  }
  async function begin(): Promise<void> {
    const answer = await (await api.me.basket.$get()).json()
    if (isOver) return
    sent = answer.parts
    const account = basketIn(answer.parts)
    const kept = basketAccount()
    const isOwn = kept?.of === email
    // a change of here that the account has not heard of is the newest
    const lines = isOwn ? (kept.isSent ? account : keptBasket()) : joined(account)
    keepBasket(withPrices(lines), { of: email, isSent: basketText(lines) === sent })
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
