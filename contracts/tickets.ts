/** What customers ask for after paying: returns, warranty and questions, each a thread. */
import { z } from 'zod'
import { exampleId, Id, Inserted, Version } from './api.ts'
import { maxLines } from './basket.ts'
import { line } from './line.ts'
import { csvFormat, Page } from './lists.ts'
import { Quantity } from './orders.ts'
import { paragraphs } from './paragraphs.ts'
import { type TicketType, ticketStates, ticketTypes } from './ticket-rules.ts'
import { Email } from './users.ts'

/** Characters of a message; messages and pictures of a thread. */
export const ticketLimits = { text: 5000, messages: 200, pictures: 10 } as const

const types = Object.keys(ticketTypes) as [TicketType, ...TicketType[]]

const message = (label: string) => paragraphs(label, ticketLimits.text)

const lines = z
  .array(z.object({ orderId: Id, quantity: Quantity }))
  .max(maxLines, `${maxLines} are the most`)
  .refine(
    (all) => new Set(all.map(({ orderId }) => orderId)).size === all.length,
    'name each order once',
  )

const exampleLines = [{ orderId: exampleId, quantity: 1 }]

/** POST /checkout/{id}/tickets. `undelivered` is an admin's to open. */
export const NewTicket = z
  .object({
    type: z.enum(types),
    lines: lines.default([]),
    text: message('Message').optional(),
  })
  .refine(({ type, lines: named }) => type === 'question' || named.length > 0, {
    path: ['lines'],
    message: 'name at least one order',
  })
  .refine(({ type, text }) => type === 'withdrawal' || type === 'undelivered' || text, {
    path: ['text'],
    message: 'Message is required',
  })
  .meta({ examples: [{ type: 'warranty', lines: exampleLines, text: 'One fan stopped turning.' }] })
export type NewTicket = z.infer<typeof NewTicket>

/** The ticket, with the moment from which its time limit counts. */
export const TicketOpened = Inserted.extend({ number: z.string(), at: z.iso.datetime() })
export type TicketOpened = z.infer<typeof TicketOpened>

/** POST /ticket/{id}/messages. */
export const TicketMessage = z
  .object({ text: message('Message') })
  .meta({ examples: [{ text: 'It turns again, thank you.' }] })

/** PUT /ticket/{id}: what an admin makes of it, based on the version as it was read. */
export const TicketEdit = z
  .object({
    version: Version,
    state: z.enum(ticketStates),
    received: z
      .array(
        z.object({
          orderId: Id,
          received: z.int().min(0).max(100_000),
          restock: z.int().min(0).max(100_000),
        }),
      )
      .max(maxLines)
      .default([])
      .describe('Units that came back, and how many of them can be sold again.'),
    text: message('Message').optional().describe('For the customer.'),
  })
  .meta({ examples: [{ version: 1, state: 'accepted', text: 'Please send it back.' }] })
export type TicketEdit = z.infer<typeof TicketEdit>

const Line = z.strictObject({
  orderId: Id,
  number: z.string(),
  product: z.string(),
  quantity: z.int(),
  received: z.int().describe('Units that came back.'),
  restock: z.int().describe('Of these, units that can be sold again.'),
})

export const Ticket = z
  .strictObject({
    _id: Id,
    number: z.string().describe('Short enough to read out: T-1001.'),
    type: z.enum(types),
    state: z.enum(ticketStates),
    version: Version,
    name: z.string(),
    email: z.string(),
    checkoutId: Id.nullable().describe('Null: a question without an order.'),
    createdAt: z.iso.datetime(),
    waitingSince: z.iso
      .datetime()
      .nullable()
      .describe('Since when it waits for the shop; or null.'),
    lines: z.array(Line),
    pictures: z.array(Id).describe('Of its customer; GET /ticket/{id}/pictures/{picture}.'),
    messages: z.array(
      z.strictObject({
        _id: Id,
        author: z.enum(['customer', 'shop']),
        at: z.iso.datetime(),
        state: z.enum(ticketStates).nullable().describe('What the ticket became with it.'),
        text: z.string().describe('Empty after its author’s account was deleted.'),
      }),
    ),
  })
  .describe('A ticket with its thread, the oldest message first.')
export type Ticket = z.infer<typeof Ticket>

export const TicketSummary = Ticket.pick({
  _id: true,
  number: true,
  type: true,
  state: true,
  name: true,
  email: true,
  checkoutId: true,
  createdAt: true,
  waitingSince: true,
})
export type TicketSummary = z.infer<typeof TicketSummary>

export const ticketViews = ['waiting', 'open', 'ended'] as const
export const ticketSorts = ['waiting', 'newest', 'oldest'] as const

/** GET /ticket/{id}/pictures/{picture} */
export const TicketPictureParams = z.object({ id: Id, picture: Id })
export const TicketPicture = z.file().meta({ contentMediaType: 'image/webp' })

/** GET /allTickets: what waits for the shop, what is open, or what has ended. */
export const TicketFilter = z.object({
  view: z.enum(ticketViews).optional(),
  type: z.enum(types).optional(),
  q: line('', 100).optional().describe('Searches: number, name, e-mail, order numbers.'),
})
export type TicketFilter = z.infer<typeof TicketFilter>
export const TicketCsv = TicketFilter.extend(csvFormat)
export const TicketList = TicketFilter.extend({
  ...Page.shape,
  sort: z.enum(ticketSorts).default('newest'),
})
export type TicketList = z.infer<typeof TicketList>

/** POST /questions: the contact form. */
export const Question = z
  .object({ name: line('Name', 80, 1), email: Email, text: message('Message') })
  .meta({
    examples: [{ name: 'Ann Ada', email: 'ann@example.com', text: 'Do you sell used parts?' }],
  })
export type Question = z.infer<typeof Question>

/** POST /withdrawals: asks for the link to withdraw from an order without a login. */
export const WithdrawalRequest = z
  .object({
    number: z
      .string('Order number is required')
      .trim()
      .toUpperCase()
      .regex(/^F-\d{1,15}$/, 'Order number must be like F-1042'),
    email: Email,
  })
  .meta({ examples: [{ number: 'F-1042', email: 'ann@example.com' }] })

/** Hours for which the link of that mail works. */
export const withdrawalLinkHours = 24

/** A key from the link of a mail. */
const Key = z.string().max(200)
const exampleKey = `${exampleId}.m1abcdef.Zm9yIGFuIGV4YW1wbGU`
/** POST /withdrawals/read. */
export const WithdrawalKey = z.object({ key: Key }).meta({ examples: [{ key: exampleKey }] })
/** POST /withdrawals/confirm. */
export const Withdrawal = z
  .object({ key: Key, lines: lines.min(1, 'name at least one order') })
  .meta({ examples: [{ key: exampleKey, lines: exampleLines }] })

export const WithdrawalOffer = z
  .strictObject({
    lines: z.array(
      z.strictObject({
        orderId: Id,
        number: z.string(),
        product: z.string(),
        quantity: z.int().describe('Units that can still be withdrawn.'),
      }),
    ),
    until: z.iso.date().nullable().describe('The last day; null while something is not shipped.'),
  })
  .describe('What a customer can withdraw from with the link of a mail.')
export type WithdrawalOffer = z.infer<typeof WithdrawalOffer>
