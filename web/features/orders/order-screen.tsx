import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Checkout } from '#contracts/checkouts.ts'
import type { Order } from '#contracts/orders.ts'
import { addressLines } from '#contracts/shop.ts'
import { percent } from '#contracts/tax.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { CorrectAddress } from '#web/features/shipping/correct-address.tsx'
import { LateAddress } from '#web/features/shipping/late-address.tsx'
import { ShippingSummary } from '#web/features/shipping/shipping-summary.tsx'
import { OrderTickets } from '#web/features/tickets/order-tickets.tsx'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isUnknown } from '#web/lib/refusals.ts'
import { useSignedOutBy } from '#web/lib/session/use-signed-out.ts'
import { useMoney } from '#web/lib/use-money.ts'
import { useShop } from '#web/lib/use-shop.ts'
import { CancelOrders } from './cancel-orders.tsx'
import { CheckoutLines, CheckoutSums } from './checkout-lines.tsx'
import { DeleteOrder, inShort } from './delete-order.tsx'
import { PaymentDue } from './hold-countdown.tsx'
import { NextSteps, NoSuchOrder, TrackingNumber, TransactionId } from './order-status.tsx'
import {
  checkoutQuery,
  confirmingTransaction,
  isOfSeveral,
  orderQuery,
  useDeleteOrder,
} from './queries.ts'

const heading = 'text-4xl font-bold tracking-tight'
const myOrders = '/dashboard/myOrders'

// loaded for admins only
const OrderDesk = lazy(withTimeout(() => import('#web/features/desk/order-desk.tsx')))
const AdminOrderPanel = lazy(withTimeout(() => import('./admin-order-panel.tsx')))

/** What the customer can do about an unpaid order, and until when. */
function Unpaid({ order }: { order: Order }) {
  const money = useMoney()
  const navigate = useNavigate()
  const remove = useDeleteOrder()
  const [asking, setAsking] = useState(false)
  return (
    <div className="card mb-6 p-5 sm:p-7 print:hidden">
      <PaymentDue order={order} />
      {isOfSeveral(order) && (
        <p className="-mt-3 mb-6 text-pretty">
          One payment pays this order, {money(order.totalPrice)}, and those{' '}
          <a href="#together" className="link">
            paid together with it
          </a>
          .
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`/dashboard/payment/${order._id}`} className="grow sm:grow-0">
          Pay {money(order.checkoutTotal)}
        </ButtonLink>
        <Button variant="quiet" onClick={() => setAsking(true)}>
          Delete this order
        </Button>
      </div>
      <DeleteOrder
        order={asking ? order : null}
        title="Are you sure you want to delete this order?"
        describe={inShort}
        remove={remove}
        onClose={() => setAsking(false)}
        onDeleted={() => navigate(myOrders, { replace: true })}
      />
    </div>
  )
}

/** The other orders that one payment pays with this one. */
function Together({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  if (!isOfSeveral(order)) return null
  return (
    <section aria-labelledby="together" className="mt-8">
      <h2 id="together" className="mb-3 font-semibold text-2xl tracking-tight">
        {order.paid ? 'Paid together' : 'To be paid together'}
      </h2>
      {checkout ? (
        <>
          <CheckoutLines checkout={checkout} unlinked={order._id} />
          <CheckoutSums checkout={checkout} />
        </>
      ) : (
        <Skeleton className="h-48 w-full" />
      )}
    </section>
  )
}

function Confirming() {
  return (
    <p role="status" className="card mb-6 p-5 text-dim sm:p-7 print:hidden">
      Confirming…
    </p>
  )
}

/** The order as its customer sees it: amount due, details, next steps. */
function CustomerOrder({ order, details }: { order: Order; details: ReactNode }) {
  const isConfirming = confirmingTransaction(useQueryClient(), order) !== undefined
  const isUnpaid = order.status === 'unpaid'
  return (
    <>
      {isUnpaid && (isConfirming ? <Confirming /> : <Unpaid order={order} />)}
      {details}
      <Together order={order} />
      <ShippingOf order={order} />
      <Papers order={order} />
      <Refunds order={order} />
      <Tickets order={order} />
      <NotesForCustomer order={order} />
      <div className="mt-6 grid gap-2">
        <NextSteps order={order} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        <Button variant={order.paid ? 'primary' : 'quiet'} onClick={() => print()}>
          Print
        </Button>
        <CancelOrders order={order} />
        <ButtonLink to={myOrders} variant="quiet">
          My orders
        </ButtonLink>
      </div>
    </>
  )
}

type Props = {
  id: string
  sandbox: boolean
  /** Undefined until it is known. */
  role: 'admin' | 'customer' | undefined
  /** The order's audit log, shown to admins only. */
  history: (order: Order) => ReactNode
}

/**
 * Placeholder for a loading order. It fills the window so that nothing visible moves afterwards.
 */
function OrderSkeleton() {
  return <Skeleton className="min-h-dvh w-full rounded-card" />
}

/** All details of one order, with a print layout. */
export function OrderScreen({ id, sandbox, role, history }: Props) {
  const { data: order, error, refetch } = useQuery(orderQuery(useQueryClient(), id))
  usePageTitle(order && `Order ${order.number}, ${order.product}`)
  const leaving = useSignedOutBy(error)
  if (isUnknown(error)) return <NoSuchOrder />
  if (!order && error && !leaving) {
    return <ErrorState message={error.message} onRetry={() => refetch()} />
  }
  const details = order && (
    <OrderDetails order={order} sandbox={sandbox} statusIsAbove={role === 'admin'} />
  )
  return (
    <section aria-labelledby="order" aria-busy={!order} className="max-w-3xl">
      <h1 id="order" tabIndex={-1} className={`${heading} ${order?.paid ? 'print:hidden' : ''}`}>
        {order ? `Order ${order.number}` : 'Order'}
      </h1>
      {order?.paid && <h1 className={`${heading} hidden print:block`}>Receipt {order.number}</h1>}
      <p className="mt-2 mb-6 font-mono text-dim text-sm break-all">{id}</p>
      {!(order && role) && <OrderSkeleton />}
      {order && role === 'customer' && <CustomerOrder order={order} details={details} />}
      {order && role === 'admin' && (
        <Suspense fallback={<OrderSkeleton />}>
          <AdminOrderPanel order={order} />
          {details}
          <Together order={order} />
          <ShippingOf order={order} />
          <Papers order={order} />
          <Refunds order={order} />
          <Tickets order={order} />
          <Desk order={order} />
          {history(order)}
        </Suspense>
      )}
    </section>
  )
}

const moment = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})

/** A timestamp in the reader's time zone and format. */
function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{moment.format(new Date(at))}</time>
}

type LineProps = { name: string; children: ReactNode; mono?: boolean; onlyPrinted?: boolean }

function Line({ name, children, mono, onlyPrinted = false }: LineProps) {
  return (
    <div
      className={`${onlyPrinted ? 'hidden print:grid' : 'grid'} items-baseline gap-x-6 border-line border-t py-3 sm:grid-cols-[11rem_1fr] print:grid-cols-[11rem_1fr] print:py-2`}
    >
      <dt className="text-dim text-sm sm:text-base">{name}</dt>
      <dd className={`min-w-0 break-words ${mono ? 'font-mono tabular-nums' : ''}`}>{children}</dd>
    </div>
  )
}

const states = {
  unpaid: 'unpaid',
  paid: 'paid',
  shipped: 'paid, shipped',
  refunded: 'paid, refunded',
  deleted: 'deleted',
} as const satisfies Record<Order['status'], string>

/** Shipment and refunds, once there are any. */
function Progress({ order }: { order: Order }) {
  const money = useMoney()
  const { shippedAt, carrier, trackingNumber, refunded, totalPrice } = order
  const { deliveredAt, serialNumbers } = order
  return (
    <>
      {shippedAt && (
        <Line name="Shipped">
          <Moment at={shippedAt} />
        </Line>
      )}
      {carrier && <Line name="Carrier">{carrier}</Line>}
      {trackingNumber && (
        <Line name="Tracking number" mono>
          <TrackingNumber order={order} />
        </Line>
      )}
      {deliveredAt && (
        <Line name="Arrived">
          <Moment at={deliveredAt} />
        </Line>
      )}
      {serialNumbers && (
        <Line name="Serial numbers" mono>
          {serialNumbers.split('\n').join(', ')}
        </Line>
      )}
      {refunded > 0 && (
        <Line name="Refunded">
          <span className="font-mono tabular-nums">{money(refunded)}</span>
          {refunded < totalPrice && ` of ${money(totalPrice)}`}, to the card it was paid with
        </Line>
      )}
    </>
  )
}

/** The seller's address. For print only, where the site header is missing. */
function Seller() {
  const { facts } = useShop()
  const { phone, email } = facts
  return (
    <div className="hidden justify-between gap-6 px-5 pt-5 text-sm sm:px-7 print:flex">
      <address className="not-italic">
        {addressLines(facts).map((line, i) => (
          <span key={i} className={`block ${i === 0 ? 'font-semibold' : ''}`}>
            {line}
          </span>
        ))}
      </address>
      <p className="text-right">
        <span className="block">{phone}</span>
        <span className="block">{email}</span>
        <span className="block">{location.host}</span>
      </p>
    </div>
  )
}

type DetailsProps = {
  order: Order
  sandbox: boolean
  /** The page already shows the status in admin wording; the printout does not. */
  statusIsAbove: boolean
}

/** What shipping and tax add to the price of an order that is alone in its checkout. */
function Added({ order, checkout }: { order: Order; checkout: Checkout }) {
  const money = useMoney()
  const { method, price, tax, taxMode, taxName, taxRate } = checkout.shipping
  if (isOfSeveral(order)) return null
  const taxed = `${taxName} ${percent(taxRate)}`
  return (
    <>
      {method !== null && (
        <Line name={method} mono>
          {price === 0 ? 'free' : money(price)}
        </Line>
      )}
      {tax > 0 && (
        <Line name={taxMode === 'added' ? taxed : `Includes ${taxed}`} mono>
          {money(tax)}
        </Line>
      )}
      {checkout.due !== order.totalPrice && (
        <Line name="To pay in all" mono>
          <strong>{money(checkout.due)}</strong>
        </Line>
      )}
    </>
  )
}

/** The invoices and credit notes of its checkout. */
function Papers({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  const money = useMoney()
  const papers = checkout?.invoices ?? []
  if (papers.length === 0) return null
  return (
    <section aria-labelledby="papers" className="mt-8 print:hidden">
      <h2 id="papers" className="mb-3 font-semibold text-2xl tracking-tight">
        {papers.length === 1 ? 'Invoice' : 'Invoices'}
      </h2>
      <ul>
        {papers.map(({ _id, number, type, total }) => (
          <li key={_id}>
            <Link
              to={`/dashboard/invoice/${_id}`}
              className="link inline-flex min-h-11 items-center"
            >
              {type === 'invoice' ? 'Invoice' : 'Credit note'} {number}
            </Link>
            <span className="text-dim">, {money(total)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const refundWords = {
  requested: 'asked for',
  pending: 'on its way',
  succeeded: 'given back',
  failed: 'not given back',
} as const

/** The money that goes back of its checkout, and since when. */
function Refunds({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  const money = useMoney()
  const refunds = checkout?.refunds ?? []
  if (refunds.length === 0) return null
  return (
    <section aria-labelledby="refunds" className="mt-8">
      <h2 id="refunds" className="mb-3 font-semibold text-2xl tracking-tight">
        {refunds.length === 1 ? 'Refund' : 'Refunds'}
      </h2>
      <ul>
        {refunds.map(({ amount, state, requestedAt, givenAt, sentBackAt }) => (
          <li key={requestedAt} className="flex flex-wrap gap-x-3 py-1">
            <span className="font-mono tabular-nums">{money(amount)}</span>
            <span className="text-dim">
              {sentBackAt ? 'returned by the bank' : refundWords[state]} on{' '}
              <Moment at={sentBackAt ?? givenAt ?? requestedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was asked for about a paid order. */
function Tickets({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  return order.paid && checkout ? <OrderTickets checkout={checkout} /> : null
}

/** What the shop noted for the customer. */
function NotesForCustomer({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  const notes = checkout?.notes ?? []
  if (notes.length === 0) return null
  return (
    <section aria-labelledby="from-us" className="mt-8">
      <h2 id="from-us" className="mb-3 font-semibold text-2xl tracking-tight">
        From us
      </h2>
      <ul className="grid gap-3">
        {notes.map(({ _id, at, text }) => (
          <li key={_id}>
            <p className="wrap-anywhere whitespace-pre-line">{text}</p>
            <p className="text-dim text-sm">
              <Moment at={at} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The owner's desk about an order, once its checkout is known. */
function Desk({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  if (!checkout) return null
  return <OrderDesk key={order._id} order={order} checkout={checkout} />
}

/** How it reaches its customer, who can correct the name and the street until it is shipped. */
function ShippingOf({ order }: { order: Order }) {
  const { data: checkout } = useQuery(checkoutQuery(order))
  if (!checkout) return null
  const { method, shipTo } = checkout.shipping
  const isOpen = checkout.orders.some(({ status }) => status === 'paid')
  if (!method && !shipTo) {
    const isSent = checkout.orders.some(({ shippedAt }) => shippedAt)
    return isOpen && !isSent ? (
      <LateAddress checkoutId={checkout._id} name={order.customer} />
    ) : null
  }
  const canCorrect = shipTo && isOpen
  return (
    <section aria-labelledby="delivery" className="mt-8">
      <h2 id="delivery" className="mb-3 font-semibold text-2xl tracking-tight">
        Delivery
      </h2>
      <ShippingSummary shipping={checkout.shipping} />
      {canCorrect && <CorrectAddress checkout={checkout} />}
    </section>
  )
}

/** The product, its price and the payment status. */
function Purchase({ order, statusIsAbove }: Omit<DetailsProps, 'sandbox'>) {
  const money = useMoney()
  const { data: checkout } = useQuery(checkoutQuery(order))
  return (
    <>
      <Line name="Order number" mono>
        {order.number}
      </Line>
      <Line name="Quantity" mono>
        {order.quantity}
      </Line>
      <Line name="Price each" mono>
        {money(order.price)}
      </Line>
      <Line name="Total price" mono>
        <strong>{money(order.totalPrice)}</strong>
      </Line>
      {checkout && <Added order={order} checkout={checkout} />}
      <Line name="Status" onlyPrinted={statusIsAbove}>
        <span className={order.paid ? 'font-semibold text-green' : ''}>{states[order.status]}</span>
      </Line>
      {order.transactionId && (
        <Line name="Transaction id">
          <TransactionId id={order.transactionId} />
        </Line>
      )}
      <Line name="Booked">
        <Moment at={order.createdAt} />
      </Line>
      {order.paidAt && (
        <Line name="Paid">
          <span className="font-mono tabular-nums">
            {money(isOfSeveral(order) ? order.totalPrice : order.checkoutTotal)}
          </span>{' '}
          on <Moment at={order.paidAt} />
        </Line>
      )}
      <Progress order={order} />
    </>
  )
}

/** The facts of one order, one per line; printed, they are the receipt. */
function OrderDetails({ order, sandbox, statusIsAbove }: DetailsProps) {
  return (
    <div className="card overflow-hidden">
      <Seller />
      <div className="grid grid-cols-[6rem_1fr] items-center gap-5 p-5 sm:p-7">
        <div className="thumb">
          <Picture src={order.image} alt="" sizes="96px" priority />
        </div>
        <h2 className="text-2xl font-semibold tracking-tight break-words">{order.product}</h2>
      </div>
      <dl className="px-5 pb-3 sm:px-7">
        <Purchase order={order} statusIsAbove={statusIsAbove} />
        <Line name="Customer">{order.customer}</Line>
        <Line name="Email">{order.email}</Line>
        <Line name="Phone" mono>
          {order.phone}
        </Line>
      </dl>
      {sandbox && (
        <p className="hidden px-5 pb-5 text-sm print:block sm:px-7">
          Payments are simulated here: no card was charged.
        </p>
      )}
    </div>
  )
}
