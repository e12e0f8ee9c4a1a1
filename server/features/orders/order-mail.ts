import { dollars } from '#contracts/money.ts'
import type { Transaction } from '#server/database/client.ts'
import { type QueuedMail, queueMail } from '#server/database/mail-outbox.ts'
import { letter } from '#server/letter.ts'
import type { OrderRow } from './store.ts'

type Words = Pick<QueuedMail, 'kind' | 'subject' | 'text' | 'html'>

const pieces = ({ quantity, product }: OrderRow) => `${quantity} × ${product}`

/** Says that an order is on its way, with its carrier and number when they are known. */
export function shippedMail(order: OrderRow, publicUrl: string): Words {
  const { carrier, trackingNumber } = order
  const known = [
    ...(carrier ? [`Carrier: ${carrier}`] : []),
    ...(trackingNumber ? [`Tracking number: ${trackingNumber}`] : []),
  ]
  const words = letter({
    name: order.customer,
    lines: [`Your order is on its way: ${pieces(order)}, ${dollars(order.totalPrice)}.`, ...known],
    action: { label: 'See my order', url: `${publicUrl}/dashboard/order/${order._id}` },
  })
  return { kind: 'order-shipped', subject: 'Your order is on its way', ...words }
}

/** Asks for the payment of an order that waits for it. */
export function reminderMail(order: OrderRow, publicUrl: string): Words {
  const words = letter({
    name: order.customer,
    lines: [
      `Your order waits for its payment: ${pieces(order)}, ${dollars(order.totalPrice)}.`,
      'We can keep its parts for you only once it is paid.',
    ],
    action: { label: 'Pay now', url: `${publicUrl}/dashboard/payment/${order._id}` },
    end: 'If you do not want it any more, delete it under My orders. If you just paid, ignore this mail.',
  })
  return { kind: 'payment-reminder', subject: 'Please pay to confirm your order', ...words }
}

/** Queues a mail to the customer of an order. @param dedupe a second mail of the same cause is dropped */
export function mailCustomer(
  tx: Transaction,
  order: OrderRow,
  words: Words,
  dedupe: string,
): Promise<void> {
  return queueMail(tx, { recipient: order.email, ...words, dedupe })
}
