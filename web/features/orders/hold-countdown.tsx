import type { Order } from '#contracts/orders.ts'
import { announcement, clock, holdEnded, isShort, secondsHeld } from './hold.ts'

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
