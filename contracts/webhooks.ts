/**
 * Outgoing webhooks: the owner's programs receive order events, as in the Standard Webhooks
 * specification.
 */
import { z } from 'zod'
import { exampleId, Id } from './api.ts'
import { currencyCodes } from './money.ts'
import { answersOf, orderFieldsWith, orderStatuses } from './orders.ts'
import { Ticket } from './tickets.ts'

const namesOf = <T extends object>(events: T) =>
  Object.keys(events) as [keyof T & string, ...(keyof T & string)[]]

/** The types of events, and when each happens. */
const orderEvents = {
  'order.booked': 'An order was booked',
  'order.paid': 'An order was paid',
  'order.shipped': 'An order was shipped',
  'order.canceled': 'An unpaid order was deleted or expired',
  'order.refunded': 'An order was refunded in full or in part',
  'order.refund_failed': 'A bank sent a refund back',
} as const
const ticketEvents = {
  'ticket.opened': 'A customer asked a question or for a return',
  'ticket.changed': 'A ticket’s state changed',
} as const
export const webhookEvents = { ...orderEvents, ...ticketEvents }
const orderEventTypes = namesOf(orderEvents)
export const eventTypes = namesOf(webhookEvents)

export const endpointsLimit = 5
/** An endpoint with more waiting messages than this is switched off. */
export const waitingLimit = 10_000
/** An endpoint that fails for this many days is switched off. */
export const failingDays = 5
/** How long messages are still signed with the old secret, too. */
export const oldSecretHours = 24
/** The timeout of an endpoint, in seconds. */
export const answerSeconds = 15

/** The body of a message about an order. */
export const OrderEvent = z
  .strictObject({
    type: z.enum(orderEventTypes),
    timestamp: z.iso.datetime().describe('When it happened.'),
    data: z.strictObject({
      ...answersOf(orderFieldsWith('isTold')),
      status: z.enum(orderStatuses).describe('As it was at that moment.'),
      currency: z.enum(currencyCodes),
    }),
  })
  .describe(
    'What happened to an order. It names no customer: `GET /order/{id}` does, by an API key.',
  )
export type OrderEvent = z.infer<typeof OrderEvent>

/** The body of a message about a ticket. */
export const TicketEvent = z
  .strictObject({
    type: z.enum(namesOf(ticketEvents)),
    timestamp: z.iso.datetime().describe('When it happened.'),
    data: Ticket.pick({ _id: true, number: true, type: true, state: true, checkoutId: true }),
  })
  .describe('What happened to a ticket. `GET /ticket/{id}` names its customer.')

export const WebhookEvent = z.discriminatedUnion('type', [OrderEvent, TicketEvent])
export type WebhookEvent = z.infer<typeof WebhookEvent>

const Url = z
  .string('URL is required')
  .trim()
  .min(1, 'URL is required')
  .max(500, 'URL must not be longer than 500 characters')
  .pipe(z.url({ protocol: /^https?$/, error: 'URL must be a web address, like https://…' }))
const Events = z
  .array(z.enum(eventTypes), 'Choose at least one event')
  .min(1, 'Choose at least one event')
  .max(eventTypes.length)
  .transform((types) => [...new Set(types)])

/** POST /webhook. */
export const NewEndpoint = z.object({ url: Url, events: Events }).meta({
  examples: [{ url: 'https://warehouse.example/hooks', events: ['order.paid'] }],
})
export type NewEndpoint = z.infer<typeof NewEndpoint>

/** PUT /webhook/{id}. */
export const EndpointChange = NewEndpoint.extend({
  isOn: z
    .boolean()
    .describe('An endpoint that is off gets no messages, and misses what happens meanwhile.'),
}).meta({
  examples: [{ url: 'https://warehouse.example/hooks', events: ['order.paid'], isOn: true }],
})
export type EndpointChange = z.infer<typeof EndpointChange>

const secret = z.string().describe('The secret of the signatures, `whsec_` and base64. Shown once.')
export const MadeEndpoint = z.strictObject({
  acknowledged: z.literal(true),
  insertedId: Id,
  secret,
})
export type MadeEndpoint = z.infer<typeof MadeEndpoint>
export const NewSecret = z.strictObject({
  acknowledged: z.literal(true),
  secret,
  oldUntil: z.iso.datetime().describe('Until then the previous secret also signs.'),
})
export type NewSecret = z.infer<typeof NewSecret>

export const Endpoint = z
  .strictObject({
    _id: Id,
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    createdAt: z.iso.datetime(),
    failingSince: z.iso
      .datetime()
      .nullable()
      .describe('Since when every message failed; null after one that arrived.'),
    disabledAt: z.iso.datetime().nullable().describe('When it was switched off.'),
    disabledWhy: z.string().nullable().describe('Null when an admin did it.'),
    waiting: z.int().describe('Messages that are still to be sent.'),
  })
  .describe('A webhook: an address that receives the events of orders.')
export type Endpoint = z.infer<typeof Endpoint>

export const Message = z
  .strictObject({
    _id: Id.describe('With `msg_` before it, the header `webhook-id`.'),
    type: z.string(),
    order: z
      .strictObject({ _id: Id, number: z.string() })
      .nullable()

      .describe('Null for a test message, and for one about a ticket.'),
    ticket: z.strictObject({ _id: Id, number: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    attempts: z.int(),
    status: z.int().nullable().describe('The HTTP status of the last answer, if one came.'),
    error: z.string().nullable().describe('Why the last try failed.'),
    deliveredAt: z.iso.datetime().nullable(),
    givenUpAt: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable().describe('Null once it arrived or was given up.'),
  })
  .describe('A message to a webhook, and what became of it.')
export type Message = z.infer<typeof Message>

export const exampleEvent: OrderEvent = {
  type: 'order.paid',
  timestamp: '2026-01-31T12:00:00.000Z',
  data: {
    ...{
      _id: exampleId,
      number: 'F-1042',
      checkoutId: exampleId,
      status: 'paid',
      partId: exampleId,
    },
    ...{ product: 'Slipstream NVMe 2TB', quantity: 2, currency: 'USD', price: 129 },
    ...{ totalPrice: 258, taxTotal: 0, refunded: 0 },
    ...{ method: 'Parcel', carrier: null, trackingNumber: null },
  },
}
