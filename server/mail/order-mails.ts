import { eq } from 'drizzle-orm'
import { inOneLine } from '#contracts/address-lines.ts'
import { type Currency, cents, fromCents, money, sumOf, sumOfTotals } from '#contracts/money.ts'
import { checkoutNumber, leadOf, trackingUrl } from '#contracts/orders.ts'
import { daysText } from '#contracts/shipping-rules.ts'
import { holdText, renewalText } from '#contracts/shop.ts'
import { percent } from '#contracts/tax.ts'
import type { Transaction } from '#server/database/client.ts'
import { type QueuedMail, queueMail } from '#server/database/mail-queue.ts'
import { users } from '#server/database/schema/users.ts'
import { dueOf, type OrderRow, toShipping } from '#server/features/orders/store.ts'
import { daySlot, shopSlots } from './shop-slots.ts'
import { type Fact, mailTemplate } from './template.ts'

export type MailText = Pick<QueuedMail, 'template' | 'subject' | 'text' | 'html'>
/** The shop's data in mails. `publicUrl` is its origin, without a trailing slash. */
export type MailingShop = { publicUrl: string; currency: Currency }

const paidBack =
  'It goes to the card that you paid with. Banks usually show it within 5 to 10 days.'

/**
 * A checkout's orders. A mail is about all of them: it names the lowest number, and links to that
 * order.
 */
export type Orders = [OrderRow, ...OrderRow[]]

type Line = Pick<OrderRow, 'product' | 'quantity' | 'price' | 'totalPrice'>

/** What shipping and tax add to the goods' price, and all of it. */
const sumFacts = (goods: number, added: Fact[], due: number, { currency }: MailingShop): Fact[] =>
  added.length === 0
    ? [['Total price', money(due, currency)]]
    : [['Goods', money(goods, currency)], ...added, ['Total price', money(due, currency)]]

/**
 * The facts of a checkout in a mail.
 * @param number what it is called
 * @param sums `sumFacts` of its goods
 */
function booked(
  number: string,
  lines: readonly Line[],
  { currency }: MailingShop,
  sums: Fact[],
): Fact[] {
  const [line, ...more] = lines
  if (line && more.length === 0) {
    const { product, quantity, price } = line
    return [
      ['Order', number],
      ['Product', product],
      ['Quantity', String(quantity)],
      ...(quantity > 1 ? [['Price each', money(price, currency)] satisfies Fact] : []),
      ...sums,
    ]
  }
  return [
    ['Order', number],
    ...lines.map(({ product, quantity, price, totalPrice }): Fact => {
      const total = money(totalPrice, currency)
      return [product, quantity > 1 ? `${quantity} × ${money(price, currency)} = ${total}` : total]
    }),
    ...sums,
  ]
}

/**
 * What these orders cost: with shipping and tax if they are their whole checkout, else their goods
 * alone.
 */
export function sumsOf(orders: Orders, shop: MailingShop): Fact[] {
  const { method, price, tax, taxMode, taxName, taxRate } = toShipping(orders)
  const goods = sumOfTotals(orders)
  const isAdded = taxMode === 'added'
  if (sumOf([goods, price, isAdded ? tax : 0]) !== dueOf(orders))
    return sumFacts(goods, [], goods, shop)
  const taxed: Fact[] =
    tax > 0
      ? [[`${isAdded ? '' : 'Includes '}${taxName} ${percent(taxRate)}`, money(tax, shop.currency)]]
      : []
  const shipped: Fact[] = method ? [[method, money(price, shop.currency)]] : []
  const sums = sumFacts(goods, [...shipped, ...(isAdded ? taxed : [])], dueOf(orders), shop)
  return isAdded ? sums : [...sums, ...taxed]
}

const bookedOrders = (orders: Orders, shop: MailingShop): Fact[] =>
  booked(checkoutNumber(orders), orders, shop, sumsOf(orders, shop))
const optional = (label: string, value: string | null): Fact[] => (value ? [[label, value]] : [])

const seeOrder = (orders: Orders, { publicUrl }: MailingShop) => ({
  label: 'See my order',
  url: `${publicUrl}/dashboard/order/${leadOf(orders)._id}`,
})
const payOrder = ({ _id }: { _id: string }, { publicUrl }: MailingShop) => ({
  label: 'Pay now',
  url: `${publicUrl}/dashboard/payment/${_id}`,
})

/** What was booked. `number` is what its checkout is called. */
type JustBooked = {
  customer: string
  lines: readonly [Line & { _id: string }, ...Line[]]
  number: string
  holdSeconds: number
  /** Seconds until the limit of the hold. */
  limitSeconds: number
}

/** Confirms a booking and asks for its payment. */
export function bookedMail(
  { customer, lines, number, holdSeconds, limitSeconds }: JustBooked,
  shop: MailingShop,
): MailText {
  const [minutes, maxMinutes] = [holdSeconds / 60, limitSeconds / 60]
  const kept = [
    `We keep its parts for you for ${holdText(minutes)}.`,
    renewalText(minutes, maxMinutes),
    'After that you can still pay while they are in stock, at the price of that day.',
  ]
  const mail = mailTemplate({
    subject: 'Your order is processing',
    name: customer,
    lines: ['Your order is processing. Please pay to confirm it.', kept.filter(Boolean).join(' ')],
    facts: booked(number, lines, shop, sumFacts(0, [], sumOfTotals(lines), shop)),
    action: payOrder(lines[0], shop),
    end: 'If you no longer want it, delete it under My orders: an unpaid order costs nothing.',
  })
  return { template: 'order-booked', ...mail }
}

/** Says that the hold has expired, and what the customer can do. */
export function holdEndedMail(orders: Orders, shop: MailingShop): MailText {
  const [order] = orders
  const mail = mailTemplate({
    subject: 'Your hold has ended',
    name: order.customer,
    lines: [
      'Your order was not paid in time, so its parts are back on the shelf. Nothing was charged.',
      'You can still pay while they are in stock, at the price of the day.',
    ],
    facts: bookedOrders(orders, shop),
    action: payOrder(leadOf(orders), shop),
    end: 'If you no longer want it, there is nothing to do.',
  })
  return { template: 'hold-ended', ...mail }
}

/** Says that an admin released the hold. */
export function holdReleasedMail(orders: Orders, shop: MailingShop): MailText {
  const [order] = orders
  const mail = mailTemplate({
    subject: 'Your hold has ended',
    name: order.customer,
    lines: [
      'We ended the hold of your unpaid order before its time, so its parts are back on the shelf. Nothing was charged.',
      'You can still pay if enough of them are free for others too, at the price of the day.',
    ],
    facts: bookedOrders(orders, shop),
    action: payOrder(leadOf(orders), shop),
  })
  return { template: 'hold-ended', ...mail }
}

/** Says that an admin deleted an unpaid order. */
export function deletedMail(orders: Orders, shop: MailingShop): MailText {
  const [order] = orders
  const mail = mailTemplate({
    subject: 'Your unpaid order was deleted',
    name: order.customer,
    lines: ['We deleted your unpaid order. Nothing was charged, and nothing is kept for you.'],
    facts: bookedOrders(orders, shop),
    action: { label: 'My orders', url: `${shop.publicUrl}/dashboard/myOrders` },
    end: writeToUs('If you still want it', orders),
  })
  return { template: 'order-deleted', ...mail }
}

/** Announces the end of an unpaid order. */
export function endAnnouncedMail(orders: Orders, endsAt: Date, shop: MailingShop): MailText {
  const [order] = orders
  const mail = mailTemplate({
    subject: 'Your unpaid order is about to end',
    name: order.customer,
    lines: [
      `Your order still waits for its payment. It ends on ${daySlot(endsAt)} if it is not paid before.`,
      'You can pay until then while the parts are in stock, at the price of the day.',
    ],
    facts: bookedOrders(orders, shop),
    action: payOrder(leadOf(orders), shop),
    end: 'If you no longer want it, there is nothing to do: nothing is charged.',
  })
  return { template: 'order-ending', ...mail }
}

const writeToUs = (why: string, orders: Orders) =>
  `${why}, write to ${shopSlots.email} with order ${leadOf(orders).number}.`

/** How a paid order gets to its customer. */
const howItComes = ({ shipping, phone }: OrderRow): string => {
  if (shipping.type === 'ship') {
    const { daysFrom, daysTo } = shipping
    const takes =
      daysFrom === null || daysTo === null ? '' : `, ${daysText({ daysFrom, daysTo })} on its way`
    const where = shipping.shipTo ? 'below' : 'on the page of your order'
    return `It goes to the address ${where}: ${String(shipping.method)}${takes}.`
  }
  if (shipping.type === 'pick up')
    return `You pick it up: ${String(shipping.method)}. We are ${shopSlots.seller}.`
  return `We call ${phone} to agree where and when to deliver. Our number is ${shopSlots.phone}.`
}

/** Where a checkout goes, and for whom its invoice is. */
export const addressFacts = ({ shipping: { shipTo, billTo, taxNumber } }: OrderRow): Fact[] => [
  ...optional('Deliver to', shipTo && inOneLine(shipTo)),
  ...optional('Invoice to', billTo && inOneLine(billTo)),
  ...optional('Your tax number', taxNumber),
]

/** Whether the customer of these orders has confirmed the e-mail address. */
async function isConfirmed(tx: Transaction, [{ userId }]: Orders): Promise<boolean> {
  const [user] = await tx
    .select({ emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users._id, userId))
  return user?.emailVerified ?? false
}

/**
 * Orders as a mail to their customer shows them: to an address that nobody confirmed, without where
 * they go. A stranger may have entered it, and an address line holds any words.
 */
export async function asMailed(tx: Transaction, orders: Orders): Promise<Orders> {
  if (await isConfirmed(tx, orders)) return orders
  const silent = { shipTo: null, billTo: null, taxNumber: '' }
  const without = (order: OrderRow) => ({ ...order, shipping: { ...order.shipping, ...silent } })
  const [first, ...more] = orders
  return [without(first), ...more.map(without)]
}

/** A paper that goes with a mail. */
export type MailedPaper = { invoiceId: string; number: string }

/** True even when the paper could not be attached. */
const whereIs = ({ number }: MailedPaper) => `${number}, on the page of your order`

/** The receipt. Its reader paid, so it may contain the typed phone number. */
export function paidMail(
  orders: Orders,
  shop: MailingShop,
  invoice: MailedPaper | null = null,
): MailText {
  const [order] = orders
  const mail = mailTemplate({
    subject: `Receipt for your order ${checkoutNumber(orders)}`,
    name: order.customer,
    lines: [
      'Thank you. Your payment is completed and your order is confirmed.',
      howItComes(order),
      order.shipping.type === 'pick up'
        ? 'We will write when it is ready.'
        : 'We will write when it is on its way.',
    ],
    facts: [
      ...bookedOrders(orders, shop),
      ...optional('Paid on', order.paidAt && daySlot(order.paidAt)),
      ...optional('Transaction id', order.transactionId),
      ...optional('Invoice', invoice && whereIs(invoice)),
      ...addressFacts(order),
      ['Seller', shopSlots.seller],
    ],
    action: seeOrder(orders, shop),
    end: `Until it is shipped, you can cancel it on its page. ${writeToUs('With questions', orders)}`,
  })
  return { template: 'order-paid', ...mail }
}

const shipmentFacts = ({ carrier, trackingNumber }: OrderRow): Fact[] => [
  ...optional('Carrier', carrier),
  ...optional('Tracking number', trackingNumber),
]

const trackingLink = (order: OrderRow) => {
  const url = trackingUrl(order)
  return url ? { label: 'Track the parcel', url } : undefined
}

/** Says that an order was shipped, with carrier and tracking number if known. */
export function shippedMail(orders: Orders, shop: MailingShop): MailText {
  const [order] = orders
  const isPickUp = order.shipping.type === 'pick up'
  const mail = mailTemplate({
    subject: isPickUp ? 'Your order is ready for you' : 'Your order is on its way',
    name: order.customer,
    lines: [
      isPickUp
        ? `Your order is ready: pick it up at ${shopSlots.seller}.`
        : 'Your order has left us and is on its way to you.',
    ],
    facts: [...bookedOrders(orders, shop), ...shipmentFacts(order), ...addressFacts(order)],
    action: seeOrder(orders, shop),
    also: trackingLink(order),
    end: writeToUs('If something is not right', orders),
  })
  return { template: 'order-shipped', ...mail }
}

/** Which orders a mail is about. */
const named = (orders: Orders): Fact[] => [
  ['Order', checkoutNumber(orders)],
  [orders.length > 1 ? 'Products' : 'Product', orders.map(({ product }) => product).join(', ')],
]

/**
 * Gives the correct carrier and tracking number of shipped orders.
 * @param orders as they are after the correction
 */
export function shipmentCorrectedMail(orders: Orders, shop: MailingShop): MailText {
  const [order] = orders
  const shipment = shipmentFacts(order)
  const mail = mailTemplate({
    subject: 'The tracking details of your order have changed',
    name: order.customer,
    lines: [
      shipment.length > 0
        ? 'What we told you about your parcel was not right. This is:'
        : 'What we told you about the carrier of your parcel was not right. It cannot be tracked.',
    ],
    facts: [...named(orders), ...shipment],
    action: seeOrder(orders, shop),
    also: trackingLink(order),
    end: writeToUs('If something is not right', orders),
  })
  return { template: 'shipment-corrected', ...mail }
}

/** Reminds the customer to pay. */
export function reminderMail(orders: Orders, shop: MailingShop): MailText {
  const [order] = orders
  const mail = mailTemplate({
    subject: 'Please pay to confirm your order',
    name: order.customer,
    lines: [
      'Your order waits for its payment.',
      'Its parts are yours for good only once it is paid.',
    ],
    facts: bookedOrders(orders, shop),
    action: payOrder(leadOf(orders), shop),
    end: 'If you no longer want it, delete it under My orders. If you just paid, ignore this mail.',
  })
  return { template: 'payment-reminder', ...mail }
}

/** What each of a refund's orders got back. Amounts are in cents. */
export type Portions = [Portion, ...Portion[]]
type Portion = {
  order: OrderRow
  amount: number
  /** It is the shipping of the order's checkout. */
  isShipping: boolean
}

/** The orders of these portions, each once. */
export const ordersOf = (portions: Portions): Orders =>
  [...new Map(portions.map(({ order }) => [order._id, order])).values()] as Orders
const amountOf = (portions: Portions) => portions.reduce((sum, { amount }) => sum + amount, 0)

/**
 * Says what was refunded.
 * @param portions their orders as they are after the refund
 * @param checkout all that was paid with them
 * @param soFar all that was refunded of it, in cents
 * @param note its credit note, if that goes with the mail
 */
export function refundedMail(
  portions: Portions,
  { checkout, soFar, note }: { checkout: Orders; soFar: number; note: MailedPaper | null },
  { currency, ...shop }: MailingShop,
): MailText {
  const orders = ordersOf(portions)
  const text = (inCents: number) => money(fromCents(inCents), currency)
  const now = amountOf(portions)
  const paid = cents(dueOf(checkout))
  const whole = soFar === paid
  const each = portions.length > 1 ? portions : []
  const mail = mailTemplate({
    subject: whole ? 'Your order is refunded' : 'Some of your money is on its way back',
    name: orders[0].customer,
    lines: [
      `We gave you ${text(now)} back${whole ? '' : ` of the ${text(paid)} that you paid`}.`,
      paidBack,
    ],
    facts: [
      ...named(orders),
      ...each.map(
        ({ order, amount, isShipping }): Fact => [
          isShipping ? 'Shipping' : order.product,
          text(amount),
        ],
      ),
      ['Refunded now', text(now)],
      ...(soFar > now ? [['Refunded so far', text(soFar)] satisfies Fact] : []),
      [checkout.length > 1 ? 'Paid together' : 'Paid', text(paid)],
      ...optional('Transaction id', orders[0].transactionId),
      ...optional('Credit note', note && whereIs(note)),
    ],
    action: seeOrder(orders, { currency, ...shop }),
  })
  return { template: 'order-refunded', ...mail }
}

/** Tells the customer what the shop noted for them. */
export function noteMail(orders: Orders, text: string, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: `About your order ${checkoutNumber(orders)}`,
    name: orders[0].customer,
    lines: text.split(/\n+/),
    facts: named(orders),
    action: seeOrder(orders, shop),
    end: writeToUs('To answer', orders),
  })
  return { template: 'order-note', ...mail }
}

/** Says that a refund failed after `refundedMail` had announced it. */
export function refundFailedMail(
  portions: Portions,
  { wasGiven }: { wasGiven: boolean },
  shop: MailingShop,
): MailText {
  const orders = ordersOf(portions)
  const amount = money(fromCents(amountOf(portions)), shop.currency)
  const mail = mailTemplate({
    subject: 'Your refund did not go through',
    name: orders[0].customer,
    lines: [
      wasGiven
        ? `Your bank returned the refund of ${amount} to us.`
        : `You canceled, but the card provider refused the refund of ${amount}.`,
      'The money is still yours: we will write to you to refund it another way.',
    ],
    facts: [...named(orders), ['Amount', amount]],
    action: seeOrder(orders, shop),
  })
  return { template: 'refund-failed', ...mail }
}

/**
 * Says that a payment came too late and was refunded. Amounts are in cents.
 * @param orders of its checkout
 */
export function unmatchedPaymentMail(
  orders: Orders,
  { payment, amount }: { payment: { intentId: string; amount: number }; amount: number },
  shop: MailingShop,
): MailText {
  const amountText =
    amount === payment.amount ? 'all of it' : money(fromCents(amount), shop.currency)
  const mail = mailTemplate({
    subject: 'Your payment went back',
    name: orders[0].customer,
    lines: [
      `Your payment of ${money(fromCents(payment.amount), shop.currency)} came when your order could not take it any more, so we gave ${amountText} back.`,
      paidBack,
    ],
    facts: [
      ...named(orders),
      ['Refunded', money(fromCents(amount), shop.currency)],
      ['Transaction id', payment.intentId],
    ],
    action: { label: 'My orders', url: `${shop.publicUrl}/dashboard/myOrders` },
  })
  return { template: 'payment-returned', ...mail }
}

/**
 * Queues a mail to the customer of these orders.
 * @param dedupe drops a second mail of the same cause
 * @param paper goes with it, if the customer has confirmed the address (`asMailed`)
 */
export async function mailCustomer(
  tx: Transaction,
  orders: Orders,
  mail: MailText,
  dedupe: string,
  paper: MailedPaper | null = null,
): Promise<void> {
  const [order] = orders
  const invoiceId = paper && (await isConfirmed(tx, orders)) ? paper.invoiceId : null
  const about = { orderId: order._id, invoiceId }
  await queueMail(tx, { recipient: order.email, ...mail, ...about, dedupe })
}
