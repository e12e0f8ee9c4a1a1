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

const paidBack = 'It goes to the card you paid with. It usually takes 5 to 10 days to show up.'

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
    `We’ll hold your parts for ${holdText(minutes)}.`,
    renewalText(minutes, maxMinutes),
    'After that, you can still pay while they’re in stock, at the current price.',
  ]
  const mail = mailTemplate({
    subject: 'Your order is processing',
    name: customer,
    lines: ['Your order is processing. Please pay to confirm it.', kept.filter(Boolean).join(' ')],
    facts: booked(number, lines, shop, sumFacts(0, [], sumOfTotals(lines), shop)),
    action: payOrder(lines[0], shop),
    end: 'Changed your mind? Delete it under My orders: an unpaid order costs you nothing.',
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
      'Your order wasn’t paid in time, so its parts are back on the shelf. You haven’t been charged.',
      'You can still pay while they’re in stock, at the current price.',
    ],
    facts: bookedOrders(orders, shop),
    action: payOrder(leadOf(orders), shop),
    end: 'If you no longer want it, you don’t have to do anything.',
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
      'We ended the hold on your unpaid order early, so its parts are back on the shelf. You haven’t been charged.',
      'You can still pay, at the current price, if enough are left for others too.',
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
    lines: [
      'We deleted your unpaid order. You haven’t been charged, and we’re no longer holding its parts.',
    ],
    facts: bookedOrders(orders, shop),
    action: { label: 'My orders', url: `${shop.publicUrl}/dashboard/myOrders` },
    end: writeToUs('Still want it?', orders),
  })
  return { template: 'order-deleted', ...mail }
}

/** Announces the end of an unpaid order. */
export function endAnnouncedMail(orders: Orders, endsAt: Date, shop: MailingShop): MailText {
  const [order] = orders
  const mail = mailTemplate({
    subject: 'Your unpaid order is about to expire',
    name: order.customer,
    lines: [
      `Your order hasn’t been paid yet. It expires on ${daySlot(endsAt)} unless you pay before then.`,
      'Until then, you can pay while the parts are in stock, at the current price.',
    ],
    facts: bookedOrders(orders, shop),
    action: payOrder(leadOf(orders), shop),
    end: 'If you no longer want it, you don’t have to do anything: you won’t be charged.',
  })
  return { template: 'order-ending', ...mail }
}

const writeToUs = (why: string, orders: Orders) =>
  `${why} Email ${shopSlots.email} and mention order ${leadOf(orders).number}.`

/** How a paid order gets to its customer. */
const howItComes = ({ shipping, phone }: OrderRow): string => {
  if (shipping.type === 'ship') {
    const { daysFrom, daysTo } = shipping
    const takes =
      daysFrom === null || daysTo === null ? '' : `, ${daysText({ daysFrom, daysTo })} in transit`
    const where = shipping.shipTo ? 'below' : 'on your order’s page'
    return `We’ll send it to the address ${where}: ${String(shipping.method)}${takes}.`
  }
  if (shipping.type === 'pick up')
    return `You’re picking it up: ${String(shipping.method)}. You’ll find us at ${shopSlots.seller}.`
  return `We’ll call ${phone} to agree where and when to deliver. Our number is ${shopSlots.phone}.`
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
const whereIs = ({ number }: MailedPaper) => `${number}, on your order’s page`

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
      'Thank you. Your payment went through and your order is confirmed.',
      howItComes(order),
      order.shipping.type === 'pick up'
        ? 'We’ll email you when it’s ready.'
        : 'We’ll email you when it’s on its way.',
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
    end: `You can cancel it on its page until it’s shipped. ${writeToUs('Questions?', orders)}`,
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
        : 'Your order has been shipped and is on its way to you.',
    ],
    facts: [...bookedOrders(orders, shop), ...shipmentFacts(order), ...addressFacts(order)],
    action: seeOrder(orders, shop),
    also: trackingLink(order),
    end: writeToUs('Something not right?', orders),
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
        ? 'The tracking details we sent you were wrong. Here are the right ones:'
        : 'The carrier details we sent you were wrong. Your parcel can’t be tracked.',
    ],
    facts: [...named(orders), ...shipment],
    action: seeOrder(orders, shop),
    also: trackingLink(order),
    end: writeToUs('Something not right?', orders),
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
      'Your order is waiting for payment.',
      'The parts are only yours for good once you’ve paid.',
    ],
    facts: bookedOrders(orders, shop),
    action: payOrder(leadOf(orders), shop),
    end: 'Changed your mind? Delete it under My orders. Just paid? Then ignore this email.',
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
    subject: whole ? 'Your order has been refunded' : 'Some of your money is on its way back',
    name: orders[0].customer,
    lines: [
      `We’ve refunded ${text(now)}${whole ? '' : ` of the ${text(paid)} you paid`}.`,
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
    end: writeToUs('Want to reply?', orders),
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
    subject: 'Your refund could not be completed',
    name: orders[0].customer,
    lines: [
      wasGiven
        ? `Your bank sent the refund of ${amount} back to us.`
        : `You canceled, but the card provider refused your refund of ${amount}.`,
      'The money is still yours: we’ll email you about refunding it another way.',
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
    subject: 'We refunded your payment',
    name: orders[0].customer,
    lines: [
      `Your payment of ${money(fromCents(payment.amount), shop.currency)} arrived when your order could no longer take it, so we refunded ${amountText}.`,
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
