import type { Order } from '#contracts/orders.ts'
import { announcement, clock, isShort, secondsHeld } from './hold.ts'

type Props = {
  order: Pick<Order, 'product' | 'holdExpiresAt'>
  now: number
  /** How it is put: alone, or after words that say what it counts. */
  say?: (clock: string) => string
}

/** How long the stock stays held, to the second; amber in the last five minutes, plain words after it lapsed. */
export function HoldCountdown({ order, now, say = (left) => `held for ${left}` }: Props) {
  const seconds = secondsHeld(order, now)
  return (
    <>
      {seconds > 0 ? (
        <span
          className={`font-mono text-xs tabular-nums ${isShort(seconds) ? 'text-amber' : 'text-dim'}`}
        >
          {say(clock(seconds))}
        </span>
      ) : (
        <span className="text-pretty text-xs text-dim">
          hold lapsed, pay takes it again if it is still there
        </span>
      )}
      <span role="status" className="sr-only">
        {announcement(order.product, seconds)}
      </span>
    </>
  )
}
