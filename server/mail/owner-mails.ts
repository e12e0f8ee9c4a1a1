/** What the shop's owner is told of orders by mail, each once, in the transaction of what it tells. */
import { dollars } from '#contracts/money.ts'
import type { Transaction } from '#server/database/client.ts'
import { queueOwnerMail } from '#server/database/mail-outbox.ts'
import type { OrderRow } from '#server/features/orders/store.ts'
import { type Fact, letter } from './template.ts'

export type OwnerMailDeps = {
  /** OWNER_MAIL; null for the first admin. */
  ownerMail: string | null
  /** Origin, without a slash at the end. */
  publicUrl: string
}

type Words = { kind: string; dedupe: string; subject: string; lines: string[]; facts: Fact[] }

const bought = (order: OrderRow): Fact[] => [
  ['Order', order.number],
  ['Product', order.product],
  ['Quantity', String(order.quantity)],
  ['Total price', dollars(order.totalPrice)],
]
const customer = (order: OrderRow): Fact[] => [
  ['Customer', order.customer],
  ['E-mail', order.email],
  ['Phone', order.phone],
]
const payment = (order: OrderRow): Fact[] => [
  ...(order.transactionId ? [['Transaction id', order.transactionId] satisfies Fact] : []),
]

function tellOwner(
  { ownerMail, publicUrl }: OwnerMailDeps,
  tx: Transaction,
  order: OrderRow,
  { kind, dedupe, ...words }: Words,
): Promise<void> {
  const action = { label: 'See the order', url: `${publicUrl}/dashboard/order/${order._id}` }
  const mail = letter({ ...words, action })
  return queueOwnerMail(tx, ownerMail, { kind, dedupe, orderId: order._id, ...mail })
}

/** An order was paid. */
export function tellOfPaid(deps: OwnerMailDeps, tx: Transaction, order: OrderRow): Promise<void> {
  return tellOwner(deps, tx, order, {
    kind: 'owner-paid',
    dedupe: `owner paid ${order._id}`,
    subject: `New paid order ${order.number}: ${dollars(order.totalPrice)}`,
    lines: ['An order was paid and waits to be shipped.'],
    facts: [...bought(order), ...customer(order), ...payment(order)],
  })
}

/** A customer disputes the payment of an order. @param eventId the provider's event that told of it */
export function tellOfDispute(
  deps: OwnerMailDeps,
  tx: Transaction,
  order: OrderRow,
  eventId: string,
): Promise<void> {
  return tellOwner(deps, tx, order, {
    kind: 'owner-dispute',
    dedupe: `owner dispute ${eventId}`,
    subject: `Disputed payment of ${order.number}: ${dollars(order.totalPrice)}`,
    lines: [
      'A customer disputes a payment at their bank. Answer at the card provider before its deadline: an unanswered dispute is lost.',
      'Do not refund this order here meanwhile.',
    ],
    facts: [...bought(order), ...customer(order), ...payment(order)],
  })
}

/** A refund came to nothing. @param refund its amount is cents */
export function tellOfFailedRefund(
  deps: OwnerMailDeps,
  tx: Transaction,
  order: OrderRow,
  refund: { _id: string; amount: number; why: string },
): Promise<void> {
  const amount = dollars(refund.amount / 100)
  return tellOwner(deps, tx, order, {
    kind: 'owner-refund-failed',
    dedupe: `owner refund failed ${refund._id}`,
    subject: `Failed refund of ${order.number}: ${amount}`,
    lines: [
      `A refund of ${amount} failed: ${refund.why.replace(/\.$/, '')}.`,
      'The customer still has a right to the money: give it back another way.',
    ],
    facts: [...bought(order), ...customer(order), ...payment(order)],
  })
}
