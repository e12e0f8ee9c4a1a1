import { useEffect, useState } from 'react'
import { dollars } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { announcement, clock, holdEnded, isShort, secondsHeld, timeOfDay } from './hold.ts'

/** The server's time in ms since 1970, moving once a second while `ticking`. One of these serves every countdown of a screen. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(serverTime)
  useEffect(() => {
    if (!ticking) return
    setNow(serverTime())
    const timer = setInterval(() => setNow(serverTime()), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}

type Props = {
  order: Pick<Order, 'product' | 'holdExpiresAt' | 'holdEndedAt'>
  now: number
  /** How it is put: alone, or after words that say what it counts. */
  say?: (clock: string) => string
}

/** How long the stock stays held, to the second, amber in the last five minutes. That it ended is seen and spoken. */
export function HoldCountdown({ order, now, say = (left) => `held for ${left}` }: Props) {
  const seconds = secondsHeld(order, now)
  return (
    <>
      {seconds > 0 && (
        <span
          className={`font-mono text-xs tabular-nums ${isShort(seconds) ? 'text-amber' : 'text-dim'}`}
        >
          {say(clock(seconds))}
        </span>
      )}
      {/* one live region for every announcement: screen readers miss text in a region that is new */}
      <span
        role="status"
        className={
          seconds > 0
            ? 'sr-only'
            : 'block shrink-0 grow basis-full text-pretty border-amber border-s-3 px-3 py-1 text-ink text-sm'
        }
      >
        {seconds > 0 ? announcement(order.product, seconds) : holdEnded(order, now)}
      </span>
    </>
  )
}

/** What is due, and until when the stock is held for it. */
export function PaymentDue({ order }: { order: Order }) {
  const now = useNow(true)
  const held = secondsHeld(order, now) > 0
  return (
    <div className="mb-6 grid gap-2">
      <p className="font-display text-2xl font-semibold tracking-tight">
        Please pay {dollars(order.totalPrice)} to confirm order
      </p>
      <p className="flex flex-wrap items-baseline gap-x-3 text-dim text-sm">
        {held && order.holdExpiresAt && (
          <span>Held for you until {timeOfDay(order.holdExpiresAt)}</span>
        )}
        <HoldCountdown order={order} now={now} say={(left) => `${left} left`} />
      </p>
    </div>
  )
}
