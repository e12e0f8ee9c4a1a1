import { type Currency, fromCents, money } from '#contracts/money.ts'
import { trackingUrl } from '#contracts/orders.ts'
import { holdText } from '#contracts/shop.ts'
import type { Transaction } from '#server/database/client.ts'
import { type QueuedMail, queueMail } from '#server/database/mail-queue.ts'
import type { OrderRow } from '#server/features/orders/store.ts'
import { contact } from '#web/content/contact.ts'
import { type Fact, mailTemplate } from './template.ts'

export type MailText = Pick<QueuedMail, 'template' | 'subject' | 'text' | 'html'>
/** The shop's data in mails. `publicUrl` is its origin, without a trailing slash. */
export type MailingShop = { publicUrl: string; currency: Currency }

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const paidBack =
  'It goes to the card that you paid with. Banks usually show it within 5 to 10 days.'

/** The facts of an order in a mail. */
type JustBooked = Pick<
  OrderRow,
  '_id' | 'number' | 'product' | 'quantity' | 'price' | 'totalPrice' | 'customer'
>

const booked = (
  { number, product, quantity, price, totalPrice }: JustBooked,
  { currency }: MailingShop,
): Fact[] => [
  ['Order', number],
  ['Product', product],
  ['Quantity', String(quantity)],
  ...(quantity > 1 ? [['Price each', money(price, currency)] satisfies Fact] : []),
  ['Total price', money(totalPrice, currency)],
]
const optional = (label: string, value: string | null): Fact[] => (value ? [[label, value]] : [])

const seeOrder = ({ _id }: OrderRow, { publicUrl }: MailingShop) => ({
  label: 'See my order',
  url: `${publicUrl}/dashboard/order/${_id}`,
})
const payOrder = ({ _id }: JustBooked, { publicUrl }: MailingShop) => ({
  label: 'Pay now',
  url: `${publicUrl}/dashboard/payment/${_id}`,
})

/** Confirms a booking and requests its payment. */
export function bookedMail(order: JustBooked, holdSeconds: number, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your order is processing',
    name: order.customer,
    lines: [
      'Your order is processing. Please pay to confirm it.',
      `We keep its parts for you for ${holdText(holdSeconds / 60)}. After that you can still pay while they are in stock, at the price of that day.`,
    ],
    facts: booked(order, shop),
    action: payOrder(order, shop),
    end: 'If you do not want it any more, delete it under My orders: an unpaid order costs nothing.',
  })
  return { template: 'order-booked', ...mail }
}

/** Announces that the hold has expired, and explains what the customer can do. */
export function holdEndedMail(order: OrderRow, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your hold has ended',
    name: order.customer,
    lines: [
      'Your order was not paid in time, so its parts are back on the shelf. Nothing was charged.',
      'You can still pay while they are in stock, at the price of the day.',
    ],
    facts: booked(order, shop),
    action: payOrder(order, shop),
    end: 'If you do not want it any more, there is nothing to do.',
  })
  return { template: 'hold-ended', ...mail }
}

/** Announces that an admin released the hold. */
export function holdReleasedMail(order: OrderRow, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your hold has ended',
    name: order.customer,
    lines: [
      'We ended the hold of your unpaid order before its time, so its parts are back on the shelf. Nothing was charged.',
      'You can still pay if enough of them are free for others too, at the price of the day.',
    ],
    facts: booked(order, shop),
    action: payOrder(order, shop),
  })
  return { template: 'hold-ended', ...mail }
}

/** Announces that an admin deleted an unpaid order. */
export function deletedMail(order: OrderRow, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your unpaid order was deleted',
    name: order.customer,
    lines: ['We deleted your unpaid order. Nothing was charged, and nothing is kept for you.'],
    facts: booked(order, shop),
    action: { label: 'My orders', url: `${shop.publicUrl}/dashboard/myOrders` },
    end: writeToUs('If you still want it', order),
  })
  return { template: 'order-deleted', ...mail }
}

/** Announces the end of an unpaid order. */
export function endAnnouncedMail(order: OrderRow, endsAt: Date, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your unpaid order is about to end',
    name: order.customer,
    lines: [
      `Your order still waits for its payment. It ends on ${day.format(endsAt)} if it is not paid before.`,
      'You can pay until then while the parts are in stock, at the price of the day.',
    ],
    facts: booked(order, shop),
    action: payOrder(order, shop),
    end: 'If you do not want it any more, there is nothing to do: nothing is charged.',
  })
  return { template: 'order-ending', ...mail }
}

const writeToUs = (why: string, { number }: OrderRow) =>
  `${why}, write to ${contact.email} with order ${number}.`

/** The receipt. The recipient has paid, so it may contain the entered phone number. */
export function paidMail(order: OrderRow, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: `Receipt for your order ${order.number}`,
    name: order.customer,
    lines: [
      'Thank you. Your payment is completed and your order is confirmed.',
      `We call ${order.phone} to agree where and when to deliver. Our number is ${contact.phone}.`,
      'We will write when it is on its way.',
    ],
    facts: [
      ...booked(order, shop),
      ...optional('Paid on', order.paidAt && day.format(order.paidAt)),
      ...optional('Transaction id', order.transactionId),
      ['Seller', contact.address.join(', ')],
    ],
    action: seeOrder(order, shop),
    end: writeToUs('To cancel', order),
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

/** Announces that an order was shipped, with carrier and tracking number if known. */
export function shippedMail(order: OrderRow, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your order is on its way',
    name: order.customer,
    lines: ['Your order has left us and is on its way to you.'],
    facts: [...booked(order, shop), ...shipmentFacts(order)],
    action: seeOrder(order, shop),
    also: trackingLink(order),
    end: writeToUs('If something is not right', order),
  })
  return { template: 'order-shipped', ...mail }
}

/**
 * Corrects the carrier and tracking number of a shipped order. @param order after the correction
 */
export function shipmentCorrectedMail(order: OrderRow, shop: MailingShop): MailText {
  const shipment = shipmentFacts(order)
  const mail = mailTemplate({
    subject: 'The tracking details of your order have changed',
    name: order.customer,
    lines: [
      shipment.length > 0
        ? 'What we told you about your parcel was not right. This is:'
        : 'What we told you about the carrier of your parcel was not right. It can not be tracked.',
    ],
    facts: [['Order', order.number], ['Product', order.product], ...shipment],
    action: seeOrder(order, shop),
    also: trackingLink(order),
    end: writeToUs('If something is not right', order),
  })
  return { template: 'shipment-corrected', ...mail }
}

/** Reminds the customer to pay. */
export function reminderMail(order: OrderRow, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Please pay to confirm your order',
    name: order.customer,
    lines: [
      'Your order waits for its payment.',
      'Its parts are yours for good only once it is paid.',
    ],
    facts: booked(order, shop),
    action: payOrder(order, shop),
    end: 'If you do not want it any more, delete it under My orders. If you just paid, ignore this mail.',
  })
  return { template: 'payment-reminder', ...mail }
}

/** Announces a refund. @param order after the refund @param amount cents */
export function refundedMail(order: OrderRow, amount: number, shop: MailingShop): MailText {
  const { status, refundedCents, totalPrice } = order
  const whole = status === 'refunded'
  const mail = mailTemplate({
    subject: whole ? 'Your order is refunded' : 'Some of your money is on its way back',
    name: order.customer,
    lines: [
      `We gave you ${money(fromCents(amount), shop.currency)} back${whole ? '' : ` of the ${money(totalPrice, shop.currency)} that you paid`}.`,
      paidBack,
    ],
    facts: [
      ['Order', order.number],
      ['Product', order.product],
      ['Given back now', money(fromCents(amount), shop.currency)],
      ...(refundedCents > amount
        ? [['Given back so far', money(fromCents(refundedCents), shop.currency)] satisfies Fact]
        : []),
      ['Paid', money(totalPrice, shop.currency)],
      ...optional('Transaction id', order.transactionId),
    ],
    action: seeOrder(order, shop),
  })
  return { template: 'order-refunded', ...mail }
}

/** Announces that a refund failed after `refundedMail`. @param amount cents */
export function refundFailedMail(order: OrderRow, amount: number, shop: MailingShop): MailText {
  const mail = mailTemplate({
    subject: 'Your refund did not go through',
    name: order.customer,
    lines: [
      `Your bank returned the refund of ${money(fromCents(amount), shop.currency)} to us.`,
      'The money is still yours: we will write to you to refund it another way.',
    ],
    facts: [
      ['Order', order.number],
      ['Product', order.product],
      ['Amount', money(fromCents(amount), shop.currency)],
    ],
    action: seeOrder(order, shop),
  })
  return { template: 'refund-failed', ...mail }
}

/** Announces that a payment came too late and was refunded. Amounts are in cents. */
export function unmatchedPaymentMail(
  order: OrderRow,
  { payment, amount }: { payment: { intentId: string; amount: number }; amount: number },
  shop: MailingShop,
): MailText {
  const amountText =
    amount === payment.amount ? 'all of it' : money(fromCents(amount), shop.currency)
  const mail = mailTemplate({
    subject: 'Your payment went back',
    name: order.customer,
    lines: [
      `Your payment of ${money(fromCents(payment.amount), shop.currency)} came when your order could not take it any more, so we gave ${amountText} back.`,
      paidBack,
    ],
    facts: [
      ['Order', order.number],
      ['Product', order.product],
      ['Given back', money(fromCents(amount), shop.currency)],
      ['Transaction id', payment.intentId],
    ],
    action: { label: 'My orders', url: `${shop.publicUrl}/dashboard/myOrders` },
  })
  return { template: 'payment-returned', ...mail }
}

/**
 * Queues a mail to the order's customer. @param dedupe prevents a second mail for the same cause
 */
export function mailCustomer(
  tx: Transaction,
  order: OrderRow,
  mail: MailText,
  dedupe: string,
): Promise<void> {
  return queueMail(tx, { recipient: order.email, ...mail, orderId: order._id, dedupe })
}
