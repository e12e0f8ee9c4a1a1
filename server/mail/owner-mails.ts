/** Mails to the owner about orders, each once, queued in the transaction that causes it. */
import { randomUUID } from 'node:crypto'
import { fromCents, money } from '#contracts/money.ts'
import { checkoutNumber, leadOf, orderFields, orderFieldsWith } from '#contracts/orders.ts'
import type { Dispute } from '#server/adapters/payments/port.ts'
import type { Transaction } from '#server/database/client.ts'
import { queueOwnerMail } from '#server/database/mail-queue.ts'
import type { MailTemplateName } from '#server/database/mail-templates.ts'
import { dueOf } from '#server/features/orders/store.ts'
import { addressFacts, type MailingShop, type Orders, sumsOf } from './order-mails.ts'
import { daySlot } from './shop-slots.ts'
import { type Fact, mailTemplate } from './template.ts'

export type OwnerMailDeps = MailingShop & {
  /** OWNER_MAIL; null for the first admin. */
  ownerMail: string | null
}

type OwnerMail = {
  template: MailTemplateName
  dedupe: string
  subject: string
  lines: string[]
  facts: Fact[]
}

const bought = (orders: Orders, shop: MailingShop): Fact[] => {
  const [order, ...more] = orders
  if (more.length === 0) {
    return [
      ['Order', order.number],
      ['Product', order.product],
      ['Quantity', String(order.quantity)],
      ...sumsOf(orders, shop),
    ]
  }
  return [
    ['Order', checkoutNumber(orders)],
    ...orders.map(
      ({ product, quantity, totalPrice }): Fact => [
        `${quantity} × ${product}`,
        money(totalPrice, shop.currency),
      ],
    ),
    ...sumsOf(orders, shop),
  ]
}
const customer = ([order]: Orders): Fact[] =>
  orderFieldsWith('personal')
    .filter((name) => order[name])
    .map((name): Fact => [orderFields[name].label, order[name]])
    .concat(addressFacts(order))
const payment = ([{ transactionId }]: Orders): Fact[] =>
  transactionId ? [['Transaction id', transactionId]] : []

function mailOwner(
  { ownerMail, publicUrl }: OwnerMailDeps,
  tx: Transaction,
  orders: Orders,
  { template, dedupe, ...text }: OwnerMail,
): Promise<void> {
  const action = {
    label: 'See the order',
    url: `${publicUrl}/dashboard/order/${leadOf(orders)._id}`,
  }
  const mail = mailTemplate({ ...text, action })
  return queueOwnerMail(tx, ownerMail, { template, dedupe, orderId: orders[0]._id, ...mail })
}

/**
 * Queues the mail about a paid checkout.
 * @param lacksChoice the customer could have chosen a way of delivery, and has not
 */
export function mailOwnerPaid(
  deps: OwnerMailDeps,
  tx: Transaction,
  orders: Orders,
  lacksChoice: boolean,
): Promise<void> {
  return mailOwner(deps, tx, orders, {
    template: 'owner-paid',
    dedupe: `owner paid ${orders[0]._id}`,
    subject: `New paid order ${checkoutNumber(orders)}: ${money(dueOf(orders), deps.currency)}`,
    lines: [
      orders[0].shipping.type === 'pick up'
        ? 'An order was paid, and the customer will pick it up.'
        : 'An order was paid and is ready to ship.',
      ...(lacksChoice
        ? ['The customer didn’t choose a delivery method: ask where to send it.']
        : []),
    ],
    facts: [...bought(orders, deps), ...customer(orders), ...payment(orders)],
  })
}

/**
 * Queues the mail about orders that their customer canceled.
 * @param refund its amount is in cents; `offSale` are units that leave the shelf, because the shop
 *   refunded them without putting them back
 */
export function mailOwnerCanceled(
  deps: OwnerMailDeps,
  tx: Transaction,
  orders: Orders,
  refund: { _id: string; amount: number; offSale: { order: Orders[0]; units: number }[] },
): Promise<void> {
  return mailOwner(deps, tx, orders, {
    template: 'owner-canceled',
    dedupe: `owner canceled ${refund._id}`,
    subject: `Canceled by the customer: ${orders.map(({ number }) => number).join(', ')}`,
    lines: ['The customer canceled what you haven’t shipped yet. Don’t send it.'],
    facts: [
      ...orders.map(({ number, quantity, product }): Fact => [number, `${quantity} × ${product}`]),
      ...refund.offSale
        .filter(({ units }) => units > 0)
        .map(({ order, units }): Fact => ['Not put back on sale', `${units} × ${order.product}`]),
      ['Refunded to the card', money(fromCents(refund.amount), deps.currency)],
      ...customer(orders),
    ],
  })
}

/** Queues the mail about an address that the customer corrected, or added after the payment. */
export function mailOwnerAddress(
  deps: OwnerMailDeps,
  tx: Transaction,
  orders: Orders,
  change: 'corrected' | 'added',
): Promise<void> {
  return mailOwner(deps, tx, orders, {
    template: 'owner-address',
    // each correction is mailed, even one back to the first
    dedupe: `owner address ${orders[0].checkoutId} ${randomUUID()}`,
    subject: `${change === 'added' ? 'Address' : 'Corrected address'} of ${checkoutNumber(orders)}`,
    lines: [
      change === 'added'
        ? 'The customer added the address of an order paid without delivery. Agree on the delivery cost before you ship it.'
        : 'The customer corrected the address on an order you haven’t shipped yet.',
    ],
    facts: [['Order', checkoutNumber(orders)], ...customer(orders)],
  })
}

/** `eventId` is the id of the provider's event. */
type DisputeEvent = Dispute & { eventId: string }

/** Queues the mail about a disputed payment. */
export function mailOwnerDispute(
  deps: OwnerMailDeps,
  tx: Transaction,
  orders: Orders,
  { amount, reason, answerBy, eventId }: DisputeEvent,
): Promise<void> {
  const deadline = answerBy ? daySlot(answerBy) : 'its deadline'
  return mailOwner(deps, tx, orders, {
    template: 'owner-dispute',
    dedupe: `owner dispute ${eventId}`,
    subject: `Disputed payment of ${checkoutNumber(orders)}: ${money(fromCents(amount), deps.currency)}`,
    lines: [
      `A customer is disputing a payment with their bank (${reason}). Respond through your card provider before ${deadline}: if you don’t, you lose the dispute.`,
      'Until then, don’t refund this order here, and don’t ship it if you still have it.',
    ],
    facts: [...bought(orders, deps), ...customer(orders), ...payment(orders)],
  })
}

const disputeEnds = {
  won: 'The bank decided in your favor: the card provider will pay you the disputed money.',
  lost: 'The bank decided in the customer’s favor: the card provider took the money back, and may charge a fee. Your shop still counts the payment, so record the loss from the card provider’s statement.',
  closed: 'The bank closed the dispute without taking any money.',
} as const

/** Queues the mail about the end of a dispute. */
export function mailOwnerDisputeClosed(
  deps: OwnerMailDeps,
  tx: Transaction,
  orders: Orders,
  { amount, state, eventId }: DisputeEvent,
): Promise<void> {
  if (state === 'open') return Promise.resolve()
  return mailOwner(deps, tx, orders, {
    template: 'owner-dispute',
    dedupe: `owner dispute ${eventId}`,
    subject: `Dispute of ${checkoutNumber(orders)} ${state}: ${money(fromCents(amount), deps.currency)}`,
    lines: [disputeEnds[state]],
    facts: [...bought(orders, deps), ...customer(orders), ...payment(orders)],
  })
}

/** Queues the mail about a failed refund. @param refund its amount is in cents */
export function mailOwnerFailedRefund(
  deps: OwnerMailDeps,
  tx: Transaction,
  orders: Orders,
  refund: { _id: string; amount: number; why: string },
): Promise<void> {
  const amount = money(fromCents(refund.amount), deps.currency)
  return mailOwner(deps, tx, orders, {
    template: 'owner-refund-failed',
    dedupe: `owner refund failed ${refund._id}`,
    subject: `Failed refund of ${checkoutNumber(orders)}: ${amount}`,
    lines: [
      `A refund of ${amount} failed: ${refund.why.replace(/\.$/, '')}.`,
      'Unless there’s an open dispute about it, the customer is still owed the money: refund it another way.',
    ],
    facts: [...bought(orders, deps), ...customer(orders), ...payment(orders)],
  })
}
