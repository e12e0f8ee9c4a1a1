import { dollars } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { secondsHeld, timeOfDay } from './hold.ts'
import { HoldCountdown } from './hold-countdown.tsx'
import { useNow } from './use-now.ts'

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
