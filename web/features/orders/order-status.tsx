import { messages } from '#contracts/messages.ts'
import { type Order, trackingUrl } from '#contracts/orders.ts'
import { phoneLink } from '#contracts/shop.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { HoldCountdown } from './hold-countdown.tsx'
import { isOfSeveral } from './queries.ts'

/** A tracking number, linked to the carrier's tracking page when the carrier is known. */
export function TrackingNumber({ order }: { order: Pick<Order, 'carrier' | 'trackingNumber'> }) {
  const url = trackingUrl(order)
  if (!url) return <span className="select-all">{order.trackingNumber}</span>
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer">
      {order.trackingNumber}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

/** A payment id. It is long, so it wraps anywhere and is selected as a whole. */
export function TransactionId({ id }: { id: string }) {
  return <code className="select-all break-all font-mono text-xs text-dim">{id}</code>
}

/** The carrier of a shipped order and the refunded amount, where there are any. */
function ShipmentAndRefund({ order }: { order: Order }) {
  const money = useMoney()
  const { carrier, trackingNumber, refunded, totalPrice } = order
  const part = refunded < totalPrice ? ` of ${money(totalPrice)}` : ''
  return (
    <>
      {(carrier || trackingNumber) && (
        <p className="break-words text-sm">
          {carrier}
          {carrier && trackingNumber && ', '}
          {trackingNumber && <TrackingNumber order={order} />}
        </p>
      )}
      {refunded > 0 && (
        <p className="text-dim text-sm">{`${money(refunded)}${part} goes back to your card`}</p>
      )}
    </>
  )
}

type Props = { order: Order; now: number; confirming: boolean }

/**
 * The order's status: paid with its transaction, shipped, refunded, being confirmed, or still to be
 * paid.
 */
export function OrderStatus({ order, now, confirming }: Props) {
  const money = useMoney()
  if (order.transactionId) {
    return (
      <div className="grid gap-1">
        <p className="flex flex-wrap gap-x-2 font-semibold">
          <span className="text-green">paid</span>
          {order.status !== 'paid' && (
            <span className={order.status === 'shipped' ? 'text-green' : 'text-dim'}>
              {order.status}
            </span>
          )}
        </p>
        <ShipmentAndRefund order={order} />
        <TransactionId id={order.transactionId} />
      </div>
    )
  }
  if (confirming) {
    return (
      <span role="status" className="text-dim">
        Confirming…
      </span>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 md:grid md:justify-items-start">
      {/* orders of one checkout have one button, over them */}
      {!isOfSeveral(order) && (
        <ButtonLink
          to={`/dashboard/payment/${order._id}`}
          aria-label={`Pay ${money(order.checkoutTotal)} for ${order.product}`}
        >
          Pay {money(order.checkoutTotal)}
        </ButtonLink>
      )}
      <HoldCountdown order={order} now={now} />
    </div>
  )
}

/** A mail link to the shop with the order number as subject. */
function WriteToUs({ order }: { order: Order }) {
  const { email } = useShop().facts
  return (
    <a
      className="link"
      href={`mailto:${email}?subject=${encodeURIComponent(`Order ${order.number}`)}`}
    >
      {email}
    </a>
  )
}

const nowrap = (text: string) => <span className="whitespace-nowrap">{text}</span>

/**
 * What happens next without any action of the customer, and the address to write to about changes.
 */
export function NextSteps({ order }: { order: Order }) {
  const { status, number, phone } = order
  const { phone: ourPhone } = useShop().facts
  return (
    <>
      {status === 'paid' && order.method === null && (
        <p>
          We call {nowrap(phone)} to agree where and when to deliver. Our number is{' '}
          <a className="link whitespace-nowrap" href={phoneLink(ourPhone)}>
            {ourPhone}
          </a>
          .
        </p>
      )}
      <p>
        {status === 'paid'
          ? 'You can cancel until it is shipped. Questions? Write to '
          : 'Something is not right? Write to '}
        <WriteToUs order={order} /> with order {nowrap(number)}.
      </p>
    </>
  )
}

/**
 * Shown both for an unknown order and for another customer's order: the page must not reveal which.
 */
export function NoSuchOrder() {
  return (
    <EmptyState
      heading="h1"
      title={messages.notFound}
      action={<ButtonLink to="/dashboard/myOrders">My orders</ButtonLink>}
    >
      There is no such order. It may have been deleted.
    </EmptyState>
  )
}
