/** The owner's desk: notes, the mails of an order, and a customer's page. */
import { z } from 'zod'
import { Amount } from './amount.ts'
import { Id } from './api.ts'
import { line } from './line.ts'
import { paragraphs } from './paragraphs.ts'
import { TicketSummary } from './tickets.ts'
import { ListedUser } from './users.ts'

export const noteLimit = 2000

const text = paragraphs('Note', noteLimit)

/** POST /checkout/{id}/notes. */
export const NewOrderNote = z
  .object({
    text,
    isForCustomer: z
      .boolean()
      .describe('Whether the customer reads it on the order, and gets a mail with it.'),
  })
  .meta({ examples: [{ text: 'Calls back on Monday.', isForCustomer: false }] })
export type NewOrderNote = z.infer<typeof NewOrderNote>

/** POST /customer/{id}/notes. */
export const NewCustomerNote = z
  .object({ text })
  .meta({ examples: [{ text: 'Builds PCs for a school.' }] })

export const Note = z.strictObject({
  _id: Id,
  at: z.iso.datetime(),
  text: z.string(),
  isForCustomer: z.boolean(),
  by: z.string().nullable().describe('The admin’s e-mail; null for customers.'),
})
export type Note = z.infer<typeof Note>

/** PUT /order/{id}/serials: scanned when it is packed, or corrected; an empty list forgets them. */
export const SerialNumbers = z
  .object({
    serialNumbers: z
      .array(line('Serial number', 60, 1))
      .max(1000, '1000 are the most')
      .refine((all) => new Set(all).size === all.length, 'name each number once'),
  })
  .meta({ examples: [{ serialNumbers: ['SN-204417'] }] })

/** GET /order/{id}/mails. */
export const OrderMail = z
  .strictObject({
    _id: Id,
    template: z.string(),
    subject: z.string(),
    recipient: z.string(),
    createdAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    error: z.string().nullable().describe('Why the last try failed.'),
  })
  .describe('A mail about an order or the others of its checkout; mails are kept for 90 days.')
export type OrderMail = z.infer<typeof OrderMail>

/** POST /customer/{id}/tickets: writes to a customer. */
export const CustomerMessage = z
  .object({ text: paragraphs('Message', 5000) })
  .meta({ examples: [{ text: 'Your parcel is at the post office.' }] })

/** GET /customer/{id}. */
export const CustomerPage = z
  .strictObject({
    user: ListedUser,
    orders: z.int().min(0).describe('Orders, without deleted ones.'),
    paidOrders: z.int().min(0),
    turnover: Amount.describe('What was paid, less what was refunded.'),
    notes: z.array(Note),
    tickets: z.array(TicketSummary),
  })
  .describe('A customer as the shop knows them.')
export type CustomerPage = z.infer<typeof CustomerPage>
