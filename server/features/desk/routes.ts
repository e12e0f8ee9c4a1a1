import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted, Outcome } from '#contracts/api.ts'
import {
  CustomerMessage,
  CustomerPage,
  NewCustomerNote,
  NewOrderNote,
  OrderMail,
} from '#contracts/desk.ts'
import type { Currency } from '#contracts/money.ts'
import { TicketOpened } from '#contracts/tickets.ts'
import type { TicketDeps } from '#server/features/tickets/about.ts'
import { writeToCustomer } from '#server/features/tickets/open-ticket.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import type { MailDeps } from '#server/mail/send.ts'
import { readCustomer } from './customer.ts'
import { addCustomerNote, addOrderNote, removeNote } from './notes.ts'
import { listOrderMails, sendAgain } from './order-mails.ts'

/** The owner's desk: notes, mails of an order, and customers' pages. */
export function deskRoutes(deps: TicketDeps & MailDeps & { currency: Currency }) {
  const { db } = deps
  return new Hono<Env>()
    .post(
      '/checkout/:id/notes',
      requireAdmin({
        summary: 'Notes something about a checkout, for admins or for its customer.',
        answer: Inserted,
        errors: ['NOT_FOUND', 'TOO_MANY'],
        description: 'A note for the customer stands on the order, and a mail brings it.',
      }),
      valid('param', ById),
      valid('json', NewOrderNote),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(inserted(await addOrderNote(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .delete(
      '/note/:id',
      requireAdmin({ summary: 'Removes a note.', answer: Deleted }),
      valid('param', ById),
      async (c) => c.json(deleted(await removeNote(db, c.var.caller, c.req.valid('param').id))),
    )
    .get(
      '/order/:id/mails',
      requireAdmin({
        summary: 'Lists the mails to the customer about an order and the others of its checkout.',
        answer: z.array(OrderMail),
      }),
      valid('param', ById),
      async (c) =>
        c.json((await listOrderMails(db, c.req.valid('param').id)) satisfies OrderMail[]),
    )
    .post(
      '/mail/:id/again',
      requireAdmin({
        summary: 'Sends a mail about an order again, to its customer’s address of now.',
        limit: perMinute(20),
        answer: Outcome,
        errors: ['NOT_FOUND', 'IN_USE', 'TOO_MANY'],
      }),
      valid('param', ById),
      async (c) =>
        c.json((await sendAgain(deps, c.var.caller, c.req.valid('param').id)) satisfies Outcome),
    )
    .get(
      '/customer/:id',
      requireAdmin({
        summary: 'Reads what the shop knows of a customer: turnover, notes, tickets.',
        answer: CustomerPage,
        errors: ['NOT_FOUND'],
        description: '`GET /allOrders?q=` with the e-mail lists the orders.',
      }),
      valid('param', ById),
      async (c) => c.json((await readCustomer(db, c.req.valid('param').id)) satisfies CustomerPage),
    )
    .post(
      '/customer/:id/notes',
      requireAdmin({
        summary: 'Notes something about a customer, for admins.',
        answer: Inserted,
        errors: ['NOT_FOUND', 'TOO_MANY'],
      }),
      valid('param', ById),
      valid('json', NewCustomerNote),
      async (c) => {
        const { id } = c.req.valid('param')
        const { text } = c.req.valid('json')
        return c.json(inserted(await addCustomerNote(db, c.var.caller, id, text)))
      },
    )
    .post(
      '/customer/:id/tickets',
      requireAdmin({
        summary: 'Writes to a customer: opens a question, whose thread a mail leads to.',
        answer: TicketOpened,
        errors: ['NOT_FOUND', 'TOO_MANY'],
      }),
      valid('param', ById),
      valid('json', CustomerMessage),
      async (c) => {
        const { id } = c.req.valid('param')
        const { text } = c.req.valid('json')
        return c.json((await writeToCustomer(deps, c.var.caller, id, text)) satisfies TicketOpened)
      },
    )
}
