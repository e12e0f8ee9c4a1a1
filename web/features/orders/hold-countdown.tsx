import type { Order } from '#contracts/orders.ts'
import { dayOfMonth, duration, secondsUntil, timeOfDay } from '#web/lib/moments.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useNow } from '#web/lib/use-now.ts'

type Props = {
  order: Pick<Order, 'product' | 'holdExpiresAt' | 'holdEndedAt' | 'holdReleased'>
  now: number
  /** Formats the remaining time; by default "held for …". */
  say?: (left: string) => string
}

/**
 * The remaining hold time in seconds, amber in the last five minutes. The end of the hold is both
 * shown and announced.
 */
export function HoldCountdown({ order, now, say = (left) => `held for ${left}` }: Props) {
  const seconds = secondsHeld(order, now)
  return (
    <>
      {seconds > 0 && (
        <span
          className={`font-mono text-xs tabular-nums ${isShort(seconds) ? 'text-amber' : 'text-dim'}`}
        >
          {say(duration(seconds))}
        </span>
      )}
      {/* one live region for all announcements: screen readers miss the text of a newly added
          region */}
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

/** The amount due, and how long the stock is held. */
export function PaymentDue({ order }: { order: Order }) {
  const money = useMoney()
  const now = useNow(true)
  const held = secondsHeld(order, now) > 0
  return (
    <div className="mb-6 grid gap-2">
      <p className="font-display text-2xl font-semibold tracking-tight">
        Please pay {money(order.checkoutTotal)} to confirm order
      </p>
      <p className="flex flex-wrap items-baseline gap-x-3 text-dim text-sm">
        {held && order.holdExpiresAt && (
          <span>Held for you until {timeOfDay(order.holdExpiresAt)}</span>
        )}
        <HoldCountdown order={order} now={now} say={(left) => `${left} left`} />
      </p>
      {held && <p className="text-pretty text-dim text-sm empty:hidden">{renewal(order)}</p>}
    </div>
  )
}

const minute = 60

type Held = Pick<Order, 'holdExpiresAt'>
type Hold = Pick<Order, 'holdExpiresAt' | 'holdEndedAt' | 'holdReleased'>

/** What opening the payment does to the hold; empty if that cannot make it last longer. */
const renewal = ({ holdExpiresAt, holdLimitAt }: Order) =>
  holdExpiresAt && holdLimitAt && holdLimitAt > holdExpiresAt
    ? `Each time you open the payment, this time starts anew, until ${timeOfDay(holdLimitAt)} at the latest.`
    : ''

/** Whole seconds until the hold ends; 0 without a hold. */
function secondsHeld({ holdExpiresAt }: Held, now: number): number {
  return holdExpiresAt ? secondsUntil(holdExpiresAt, now) : 0
}

/** Whether the hold is about to end. */
const isShort = (seconds: number) => seconds > 0 && seconds < 5 * minute

/** The screen reader announcement: one text for the last five minutes, another for the last one. */
function announcement(product: string, seconds: number): string {
  if (seconds <= 0 || seconds > 5 * minute) return ''
  return `${product} is held for less than ${seconds > minute ? '5 minutes' : '1 minute'} more`
}

/** " at 14:32", or " on Nov 20 at 14:32" for any day but today. */
function whenOf(iso: string, now: number): string {
  const day = dayOfMonth(iso)
  return `${day === dayOfMonth(now) ? '' : ` on ${day}`} at ${timeOfDay(iso)}`
}

/** The message for an unpaid order whose hold has ended. */
function holdEnded({ holdExpiresAt, holdEndedAt, holdReleased }: Hold, now: number): string {
  const at = holdExpiresAt ?? holdEndedAt
  const when = at ? whenOf(at, now) : ''
  return holdReleased
    ? `We ended your hold${when}. Nothing was charged. Pay books it again if enough are free.`
    : `Your hold ended${when}. Nothing was charged. If it is still in stock, Pay books it again.`
}
