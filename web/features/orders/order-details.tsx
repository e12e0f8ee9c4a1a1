import type { ReactNode } from 'react'
import { dollars } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { Picture } from '#web/components/picture.tsx'
import { contact } from '#web/content/contact.ts'
import { TrackingNumber, TransactionId } from './order-status.tsx'

const moment = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})

/** A point in time as people read it, in their own time zone. */
function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{moment.format(new Date(at))}</time>
}

function Line({ name, children, mono }: { name: string; children: ReactNode; mono?: boolean }) {
  return (
    <div className="grid items-baseline gap-x-6 border-line border-t py-3 sm:grid-cols-[11rem_1fr] print:grid-cols-[11rem_1fr] print:py-2">
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

/** Where it is and what was given back of it, once there is something to say. */
function Later({ order }: { order: Order }) {
  const { shippedAt, carrier, trackingNumber, refunded, totalPrice } = order
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
      {refunded > 0 && (
        <Line name="Given back">
          <span className="font-mono tabular-nums">{dollars(refunded)}</span>
          {refunded < totalPrice && ` of ${dollars(totalPrice)}`}, to the card it was paid with
        </Line>
      )}
    </>
  )
}

/** Who sold it. On paper, where no header of the site says so. */
function Seller() {
  const { address, phone, email } = contact
  return (
    <div className="hidden justify-between gap-6 px-5 pt-5 text-sm sm:px-7 print:flex">
      <address className="not-italic">
        {address.map((line, i) => (
          <span key={line} className={`block ${i === 0 ? 'font-semibold' : ''}`}>
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

/** What was bought, for how much, and whether that is paid. */
function Purchase({ order }: { order: Order }) {
  return (
    <>
      <Line name="Order number" mono>
        {order.number}
      </Line>
      <Line name="Quantity" mono>
        {order.quantity}
      </Line>
      <Line name="Price each" mono>
        {dollars(order.price)}
      </Line>
      <Line name="Total price" mono>
        <strong>{dollars(order.totalPrice)}</strong>
      </Line>
      <Line name="Status">
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
          <span className="font-mono tabular-nums">{dollars(order.totalPrice)}</span> on{' '}
          <Moment at={order.paidAt} />
        </Line>
      )}
      <Later order={order} />
    </>
  )
}

/** The facts of one order, a line each; on paper a receipt. */
export function OrderDetails({ order, sandbox }: { order: Order; sandbox: boolean }) {
  return (
    <div className="card overflow-hidden">
      <Seller />
      <div className="grid grid-cols-[6rem_1fr] items-center gap-5 p-5 sm:p-7">
        <div className="overflow-hidden rounded-xl border border-line bg-linear-to-b from-plate to-card">
          <Picture src={order.image} alt="" sizes="96px" priority />
        </div>
        <h2 className="text-2xl font-semibold tracking-tight break-words">{order.product}</h2>
      </div>
      <dl className="px-5 pb-3 sm:px-7">
        <Purchase order={order} />
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
