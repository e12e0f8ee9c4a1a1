import { z } from 'zod'
import { Amount, amountRule } from './amount.ts'
import { exampleId, Id } from './api.ts'
import { quantityLimit, type Stock } from './catalogue.ts'
import { line } from './line.ts'
import { messages } from './messages.ts'
import { StoredAddress } from './stored-address.ts'

/**
 * The allowed changes of an order's status, which the database enforces and the server checks.
 * `refunded` means a full refund. When a bank sends a refund back, a trigger restores the order's
 * earlier status.
 */
export const orderTransitions = {
  unpaid: ['paid', 'deleted'],
  paid: ['shipped', 'refunded'],
  shipped: ['refunded'],
  refunded: [],
  deleted: [],
} as const satisfies Record<string, readonly string[]>

export type OrderStatus = keyof typeof orderTransitions
export const orderStatuses = Object.keys(orderTransitions) as [OrderStatus, ...OrderStatus[]]

/** Whether an order may change from one status to another. */
export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return (orderTransitions[from] as readonly OrderStatus[]).includes(to)
}

/**
 * Checks a quantity, in form and server alike.
 * @returns the message to show, or undefined when the quantity is allowed
 */
export function quantityProblem(quantity: number, part: Stock): string | undefined {
  if (quantity < part.minimumOrderQuantity) return messages.quantityTooLow
  if (quantity > part.availableQuantity) return messages.quantityTooHigh
  return undefined
}

/**
 * Removes `tel:`, and replaces the various dashes of keyboards, spreadsheets and address books with
 * hyphens.
 */
const plainPhone = (typed: string) =>
  typed.replace(/^\s*tel:/i, '').replaceAll(/[\u2010-\u2015\u2212]/g, '-')

/**
 * A phone number as people write it: with spaces, dots, dashes, slashes, parentheses, full-width
 * digits or an extension. Stored as typed, except that `tel:` is removed and dashes and full-width
 * characters are normalized.
 */
export const Phone = z
  .string(messages.phoneRequired)
  .max(100, { error: messages.phoneInvalid, abort: true })
  .normalize('NFKC')
  .overwrite(plainPhone)
  .trim()
  .min(1, { error: messages.phoneRequired, abort: true })
  .regex(
    /^(?=(?:[^0-9]*[0-9]){5})[0-9+()\-./ ]{5,32}((ext|x|dw)\.? ?[0-9]{1,6})?$/i,
    messages.phoneInvalid,
  )

export const Quantity = z
  .int({
    error: ({ input }) =>
      input === undefined ? messages.quantityRequired : messages.quantityWhole,
  })
  .min(1, messages.quantityTooLow)
  .max(quantityLimit, messages.quantityTooHigh)

/** The order number that people see, `F-1042`. The API identifies orders by `_id`. */
export const OrderNumber = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^F-\d{1,15}$/, 'must be an order number, like F-1042')

type Numbered = { number: string }

/** The order whose number stands for its checkout, in mails and on screens: the lowest of these. */
export const leadOf = <O extends Numbered>(orders: readonly [O, ...O[]]): O =>
  orders.reduce((lead, order) =>
    Number(order.number.slice(2)) < Number(lead.number.slice(2)) ? order : lead,
  )

/** What customer and shop call a checkout: 'F-1042', or 'F-1042 and 7 more'. */
export function checkoutNumber(orders: readonly [Numbered, ...Numbered[]]): string {
  const { number } = leadOf(orders)
  return orders.length > 1 ? `${number} and ${orders.length - 1} more` : number
}

type OrderField = {
  /** The field's name in the CSV file, and in mails to the owner. */
  label: string
  /** Its type in API responses. */
  answer: z.ZodType
  /**
   * The rule of a field that the customer types. Bookings contain the field, and the request hash
   * of their Idempotency-Key includes it.
   */
  typed?: z.ZodType
  /** The format of its CSV cell. The file leaves out fields without one. */
  csv?: 'text' | 'time' | 'amount' | 'phone' | 'address'
  /**
   * Marks personal data: the field's name in the privacy text, and its value after the account is
   * deleted.
   */
  personal?: {
    words: string
    afterwards: (former: { name: string; email: string }) => string | null
  }
  /** The database refuses to change it, at the latest once the order is paid. */
  isFrozen?: true
  /** Webhook messages include the field. They contain no personal data. */
  isTold?: true
}

const Time = z.iso.datetime()

/**
 * The fields of an order, in the order of the CSV file. This table is their only list. `Order`,
 * `Booking`, the columns that the server selects and inserts, the CSV file, webhooks, mails to the
 * owner, and the anonymised data of deleted accounts derive from it. CONTRIBUTING.md describes how
 * to add a field.
 */
export const orderFields = {
  number: { label: 'Order number', answer: OrderNumber, csv: 'text', isFrozen: true, isTold: true },
  _id: { label: 'Order', answer: Id, csv: 'text', isTold: true },
  checkoutId: {
    label: 'Checkout',
    answer: Id.describe('Orders of one checkout are paid by one payment.'),
    isFrozen: true,
    isTold: true,
  },
  createdAt: { label: 'Booked', answer: Time, csv: 'time' },
  paidAt: { label: 'Paid', answer: Time.nullable(), csv: 'time' },
  shippedAt: { label: 'Shipped', answer: Time.nullable(), csv: 'time' },
  deliveredAt: { label: 'Arrived', answer: Time.nullable(), csv: 'time' },
  // screens show a paid order as 'pending', which would mean unpaid to a bookkeeper
  status: { label: 'Status', answer: z.enum(orderStatuses), csv: 'text', isTold: true },
  product: { label: 'Product', answer: z.string(), csv: 'text', isTold: true },
  partId: { label: 'Product id', answer: Id, csv: 'text', isFrozen: true, isTold: true },
  image: { label: 'Picture', answer: z.string() },
  quantity: {
    label: 'Quantity',
    answer: z.int().min(1),
    csv: 'text',
    isFrozen: true,
    isTold: true,
  },
  price: { label: 'Unit price', answer: Amount, csv: 'amount', isFrozen: true, isTold: true },
  totalPrice: { label: 'Total', answer: Amount, csv: 'amount', isFrozen: true, isTold: true },
  taxTotal: {
    label: 'Tax',
    answer: Amount.describe('What tax adds to its total.'),
    csv: 'amount',
    isFrozen: true,
    isTold: true,
  },
  checkoutTotal: {
    label: 'Checkout total',
    answer: Amount.describe(
      'What its checkout costs: all of its orders, except deleted ones, with shipping and tax.',
    ),
  },
  checkoutOrders: {
    label: 'Orders of the checkout',
    answer: z.int().min(1).describe('How many orders its checkout has, except other deleted ones.'),
  },
  method: {
    label: 'Delivery',
    answer: z.string().nullable().describe('The method that its checkout chose.'),
    csv: 'text',
    isTold: true,
  },
  shipTo: {
    label: 'Address',
    answer: StoredAddress.nullable(),
    csv: 'address',
  },
  refunded: {
    label: 'Refunded',
    answer: Amount.describe('The amount refunded so far.'),
    csv: 'amount',
    isTold: true,
  },
  customer: {
    label: 'Customer',
    answer: z.string(),
    csv: 'text',
    personal: { words: 'name', afterwards: ({ name }) => name },
  },
  email: {
    label: 'E-mail',
    answer: z.string(),
    csv: 'text',
    personal: { words: 'email address', afterwards: ({ email }) => email },
  },
  phone: {
    label: 'Phone',
    answer: z.string(),
    typed: Phone,
    csv: 'phone',
    personal: { words: 'phone number', afterwards: () => '-' },
  },
  transactionId: {
    label: 'Transaction id',
    answer: z.string().nullable(),
    csv: 'text',
    isFrozen: true,
  },
  carrier: { label: 'Carrier', answer: z.string().nullable(), csv: 'text', isTold: true },
  serialNumbers: {
    label: 'Serial numbers',
    answer: z.string().describe('Of its units, one per line, as far as the shop noted them.'),
    csv: 'text',
  },
  trackingNumber: {
    label: 'Tracking number',
    answer: z.string().nullable(),
    csv: 'text',
    isTold: true,
  },
  holdExpiresAt: { label: 'Hold expires', answer: Time.nullable() },
  holdLimitAt: {
    label: 'Hold limit',
    answer: Time.nullable().describe('How long opening the payment can make a hold last.'),
  },
  holdEndedAt: {
    label: 'Hold ended',
    answer: Time.nullable().describe('When the hold of an order that is still unpaid ended.'),
  },
  holdReleased: {
    label: 'Hold released',
    answer: z.boolean().describe('Whether the shop ended that hold before its time.'),
  },
} as const satisfies Record<string, OrderField>

type OrderFields = typeof orderFields
export type OrderFieldName = keyof OrderFields
export const orderFieldNames = Object.keys(orderFields) as OrderFieldName[]

type NamesWith<P extends keyof OrderField> = {
  [N in OrderFieldName]: OrderFields[N] extends Record<P, unknown> ? N : never
}[OrderFieldName]

/** The names of the fields that have a property, such as those that are `typed`. */
export const orderFieldsWith = <P extends keyof OrderField>(property: P) =>
  orderFieldNames.filter((name): name is NamesWith<P> => property in orderFields[name])

export type TypedField = NamesWith<'typed'>
export const typedFields = orderFieldsWith('typed')

/** Collects a property of each of these fields, by field name. */
const propertyOf = <N extends OrderFieldName, P extends keyof OrderFields[N]>(
  names: N[],
  property: P,
) =>
  Object.fromEntries(names.map((name) => [name, orderFields[name][property]])) as {
    [K in N]: OrderFields[K][P & keyof OrderFields[K]]
  }

/** The rules of the fields that a customer types, for bookings and accepted offers. */
export const typedRules = propertyOf(typedFields, 'typed')

/** The types of these fields in API responses. */
export const answersOf = <N extends OrderFieldName>(names: N[]) => propertyOf(names, 'answer')

/**
 * POST /order. The server reads the part, the quantity and the typed fields from the request, and
 * determines name, picture, customer, e-mail and price itself. It refuses a `totalPrice` that
 * differs from its own, so that no customer books at a price they have not seen.
 */
export const Booking = z
  .object({
    partId: Id.optional(),
    product: z.string().trim().min(1).max(120).optional(),
    quantity: Quantity,
    ...typedRules,
    totalPrice: Amount.optional(),
  })
  .refine((booking) => booking.partId ?? booking.product, {
    message: 'name the part by partId or product',
    path: ['product'],
  })
  .meta({ examples: [{ partId: exampleId, quantity: 2, phone: '+1 555 0100' }] })
export type Booking = z.infer<typeof Booking>

/** GET /part/{id}/limit. */
export const BookingLimit = z
  .strictObject({ most: z.int().min(0) })
  .describe('How many units of the part the caller could book at once now.')
export type BookingLimit = z.infer<typeof BookingLimit>

export const Order = z
  .strictObject({
    ...answersOf(orderFieldNames),
    paid: z.boolean(),
  })
  .describe(
    'An order as its customer sees it. `holdExpiresAt` is null while it holds no stock. Times are ISO 8601.',
  )
export type Order = z.infer<typeof Order>

export const AdminOrder = Order.extend({
  dispute: z
    .enum(['open', 'lost'])
    .nullable()
    .describe('Whether the customer disputes the payment at the bank, or took the money back so.'),
  remindedAt: z.iso.datetime().nullable().describe('When the last payment reminder went out.'),
  heldAgainAt: z.iso
    .datetime()
    .nullable()
    .describe('When the customer last got a new hold after one that had ended.'),
  deletedAt: z.iso.datetime().nullable(),
  deletedBy: z
    .enum(['customer', 'admin', 'shop'])
    .nullable()
    .describe('Who deleted it; `shop` when it stayed unpaid too long.'),
}).describe('An order as admins see it, in a list or alone.')
export type AdminOrder = z.infer<typeof AdminOrder>

/**
 * PATCH /order/{id}: the client sends the payment's id, and the server checks the payment at the
 * card provider.
 */
export const PaymentReport = z
  .object({
    order: z.string().optional(),
    transactionId: z.string().regex(/^pi_[A-Za-z0-9_]{3,200}$/, 'must be a payment id (pi_…)'),
  })
  .meta({ examples: [{ transactionId: 'pi_1a2B3c4D5e6F' }] })
export type PaymentReport = z.infer<typeof PaymentReport>

/** POST /create-payment-intent. Our client always sends `orderId`. */
export const PaymentRequest = z
  .object({
    totalPrice: amountRule('Total price', 0.01).describe('The total of the goods.'),
    due: Amount.optional().describe('The same with shipping and tax, where there are any.'),
    orderId: Id.optional(),
  })
  .meta({ examples: [{ totalPrice: 100, orderId: exampleId }] })
export const PaymentStarted = z.strictObject({ clientSecret: z.string() })

/** POST /stripe/webhook: the event as the card provider sends it, and the acknowledgement. */
export const ProviderEvent = z.looseObject({ id: z.string(), type: z.string() })
export const EventReceived = z.strictObject({ received: z.literal(true) })

const label = (name: string) =>
  line(name, 60)
    .transform((typed) => typed || undefined)
    .optional()

/**
 * PUT /order/{id}/shipped and PUT /order/{id}/shipment; the latter replaces both fields. Both are
 * optional.
 */
export const Shipment = z
  .object({
    carrier: label('Carrier'),
    trackingNumber: label('Tracking number'),
  })
  .meta({ examples: [{ carrier: 'UPS', trackingNumber: '1Z999AA10123456784' }] })
export type Shipment = z.infer<typeof Shipment>

/** Tracking pages of well-known carriers. */
const tracked: [carrier: RegExp, address: (number: string) => string][] = [
  [/^ups\b/, (number) => `https://www.ups.com/track?tracknum=${number}`],
  [/^fed ?ex\b/, (number) => `https://www.fedex.com/fedextrack/?trknbr=${number}`],
  [/^usps\b/, (number) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`],
  [/^dhl\b/, (number) => `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${number}`],
  [/^dpd\b/, (number) => `https://tracking.dpd.de/status/en_US/parcel/${number}`],
  [/^gls\b/, (number) => `https://gls-group.com/track/${number}`],
  [
    /^royal mail\b/,
    (number) => `https://www.royalmail.com/track-your-item#/tracking-results/${number}`,
  ],
  [
    /^canada post\b/,
    (number) =>
      `https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=${number}`,
  ],
]

type Shipped = { carrier: string | null; trackingNumber: string | null }

/** The parcel's tracking page; null without a number, or for an unknown carrier. */
export function trackingUrl({ carrier, trackingNumber }: Shipped): string | null {
  const number = trackingNumber?.replaceAll(/[ -]/g, '') ?? ''
  if (!/^[A-Za-z0-9]{4,40}$/.test(number)) return null
  const name = carrier?.trim().toLowerCase() ?? ''
  return tracked.find(([carrierPattern]) => carrierPattern.test(name))?.[1](number) ?? null
}
