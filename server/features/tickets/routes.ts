import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { Acknowledged, acknowledged, ById, Inserted, inserted } from '#contracts/api.ts'
import { ticketKeyHeader } from '#contracts/ticket-rules.ts'
import {
  NewTicket,
  Question,
  Ticket,
  TicketMessage,
  TicketOpened,
  TicketPicture,
  TicketPictureParams,
  TicketSummary,
  Withdrawal,
  WithdrawalKey,
  WithdrawalOffer,
  WithdrawalRequest,
} from '#contracts/tickets.ts'
import { type Caller, isAdmin } from '#contracts/users.ts'
import type { EncodePhoto } from '#server/adapters/images/port.ts'
import { AppError, found } from '#server/errors.ts'
import { pictureBody, readUpload } from '#server/features/pictures/pictures.ts'
import {
  anyone,
  type Env,
  idempotencyKey,
  perHour,
  perMinute,
  requiredKey,
  requireUser,
  valid,
  verifiedInHandler,
} from '#server/http/guards.ts'
import { workInTurns } from '#server/http/limits/load-shedding.ts'
import type { TicketDeps } from './about.ts'
import { writeMessage } from './change-ticket.ts'
import { askQuestion, openTicket } from './open-ticket.ts'
import { findTicket, listTicketsOf, toTicket } from './store.ts'
import { addTicketPicture, readTicketPicture } from './ticket-pictures.ts'
import { confirmWithdrawal, readWithdrawal, requestWithdrawal } from './withdraw.ts'

/** Uploads that wait for their turn, each in memory. */
const waitingPictures = 20

/**
 * The routes of customers: tickets on their orders, the contact form, and withdrawal without a
 * login. A ticket is its customer's, an admin's, or whoever's has its key.
 */
export function ticketRoutes(deps: TicketDeps & { encodePhoto: EncodePhoto }) {
  const { db, ticketKeys } = deps
  const pictureTurns = workInTurns(1, waitingPictures)

  /** The ticket, if the caller may read it. @throws AppError NOT_FOUND */
  async function ticketFor(caller: Caller | null, id: string, key?: string) {
    const ticket = await findTicket(db, id)
    const isCustomers = caller !== null && ticket?.userId === caller._id
    const hasKey = key !== undefined && ticketKeys.isOfTicket(key, id)
    const isAdmins = caller !== null && isAdmin(caller)
    const isReadable = isCustomers || hasKey || isAdmins
    return { ...found(isReadable ? ticket : null, 'ticket'), isOwn: isCustomers || hasKey }
  }

  /**
   * The ticket's id, if the caller may write as its customer.
   * @throws AppError NOT_FOUND, FORBIDDEN
   */
  async function ownTicketFor(caller: Caller | null, id: string, key?: string): Promise<string> {
    const { _id, isOwn } = await ticketFor(caller, id, key)
    if (isOwn) return _id
    throw new AppError('FORBIDDEN', 'Only its customer writes here. Admins answer with PUT.')
  }

  const keyOf = (c: Context<Env>) => c.req.header(ticketKeyHeader)

  return new Hono<Env>()
    .post(
      '/checkout/:id/tickets',
      requireUser({
        summary:
          'Opens a ticket on a paid checkout of the caller: withdrawal, return, warranty or question.',
        limit: perHour(30),
        answer: TicketOpened,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'TOO_LATE', 'TOO_MANY', 'FORBIDDEN'],
        idempotencyKey: 'required',
        description:
          'A mail acknowledges it with date and time. Admins open tickets for customers, also of parcels that came back (`undelivered`).',
      }),
      valid('param', ById),
      valid('json', NewTicket),
      async (c) =>
        c.json(
          (await openTicket(deps, {
            caller: c.var.caller,
            checkoutId: c.req.valid('param').id,
            ticket: c.req.valid('json'),
            key: requiredKey(c.req.header('idempotency-key')),
          })) satisfies TicketOpened,
        ),
    )
    .get(
      '/tickets',
      requireUser({
        summary: 'Lists the caller’s tickets, newest first.',
        answer: z.array(TicketSummary),
      }),
      async (c) =>
        c.json((await listTicketsOf(db, { userId: c.var.caller._id })) satisfies TicketSummary[]),
    )
    .get(
      '/ticket/:id',
      verifiedInHandler('proof', {
        summary: 'Reads a ticket with its thread.',
        answer: Ticket,
        errors: ['NOT_FOUND'],
        limit: perMinute(60),
        description:
          'For its customer and admins, and for whoever sends the key of its mail in the header `Ticket-Key`.',
      }),
      valid('param', ById),
      async (c) => {
        c.header('cache-control', 'no-store')
        const { isOwn: _, ...ticket } = await ticketFor(
          c.var.caller,
          c.req.valid('param').id,
          keyOf(c),
        )
        return c.json((await toTicket(db, ticket)) satisfies Ticket)
      },
    )
    .post(
      '/ticket/:id/messages',
      verifiedInHandler('proof', {
        summary: 'Writes below a ticket, as its customer.',
        answer: Acknowledged,
        errors: ['NOT_FOUND', 'FORBIDDEN', 'TOO_MANY', 'IN_USE'],
        limit: perMinute(10),
        description:
          'For its customer, and for whoever sends its key. An ended ticket opens again. Admins answer with PUT.',
      }),
      valid('param', ById),
      valid('json', TicketMessage),
      async (c) => {
        const _id = await ownTicketFor(c.var.caller, c.req.valid('param').id, keyOf(c))
        await writeMessage(deps, _id, c.req.valid('json').text)
        return c.json(acknowledged)
      },
    )
    .post(
      '/ticket/:id/pictures',
      requireUser({
        summary: 'Adds a picture to a ticket of the caller about an order.',
        limit: {
          ...perMinute(12),
          message: 'You can upload 12 pictures in a minute. Try again later.',
        },
        ...pictureBody,
        answer: Inserted,
        errors: ['NOT_FOUND', 'FORBIDDEN', 'ORDER_REFUNDED', 'TOO_MANY', 'UNSUPPORTED'],
        description: 'The body is the file: JPEG, PNG or WebP. Only the caller and admins see it.',
      }),
      valid('param', ById),
      async (c) => {
        const _id = await ownTicketFor(c.var.caller, c.req.valid('param').id)
        // one at a time of all customers, in turns of accounts: the shop's own pictures wait for one
        const inTurn = pictureTurns([c.var.caller._id], c.req.raw.signal)
        const encodePhoto: EncodePhoto = (bytes) => inTurn(() => deps.encodePhoto(bytes))
        const read = () => readUpload(c.req.raw)
        return c.json(inserted(await addTicketPicture({ ...deps, encodePhoto }, _id, read)))
      },
    )
    .get(
      '/ticket/:id/pictures/:picture',
      requireUser({
        summary: 'Reads a picture of a ticket of the caller, or of any ticket for admins.',
        answer: TicketPicture,
        errors: ['NOT_FOUND'],
      }),
      valid('param', TicketPictureParams),
      async (c) => {
        const { id, picture } = c.req.valid('param')
        const { _id } = await ticketFor(c.var.caller, id)
        const bytes = await readTicketPicture(db, _id, picture)
        return c.body(new Uint8Array(bytes), 200, {
          'content-type': 'image/webp',
          'cache-control': 'private, max-age=86400',
        })
      },
    )
    .post(
      '/questions',
      anyone({
        summary: 'Asks the shop a question without an order: the contact form.',
        answer: Acknowledged,
        errors: ['TOO_MANY'],
        limit: { max: 10, seconds: 86_400 },
        description:
          'A mail acknowledges it, with a link to the thread. After 200 of a day without an account, only confirmed addresses get one.',
      }),
      valid('json', Question),
      async (c) => {
        await askQuestion(deps, c.var.caller, c.req.valid('json'))
        return c.json(acknowledged)
      },
    )
    .post(
      '/withdrawals',
      anyone({
        summary: 'Mails the link to withdraw from an order without a login.',
        answer: Acknowledged,
        limit: perHour(10),
        description: 'The answer is the same whether order number and address match or not.',
      }),
      valid('json', WithdrawalRequest),
      async (c) => {
        await requestWithdrawal(deps, c.req.valid('json'))
        return c.json(acknowledged)
      },
    )
    .post(
      '/withdrawals/read',
      verifiedInHandler('proof', {
        summary: 'Reads what the holder of a mailed link can withdraw from.',
        answer: WithdrawalOffer,
        errors: ['FORBIDDEN'],
        limit: perMinute(30),
      }),
      valid('json', WithdrawalKey),
      async (c) =>
        c.json((await readWithdrawal(deps, c.req.valid('json').key)) satisfies WithdrawalOffer),
    )
    .post(
      '/withdrawals/confirm',
      verifiedInHandler('proof', {
        summary: 'Withdraws from orders with a mailed link.',
        answer: TicketOpened,
        errors: ['FORBIDDEN', 'NOT_FOUND', 'TOO_LATE', 'TOO_MANY'],
        idempotencyKey: 'optional',
        limit: perMinute(10),
        description:
          'Without an Idempotency-Key, the same lines by the same link are the same withdrawal.',
      }),
      valid('json', Withdrawal),
      async (c) => {
        const key = idempotencyKey(c.req.header('idempotency-key'))
        const opened = await confirmWithdrawal(deps, c.req.valid('json'), key)
        return c.json(opened satisfies TicketOpened)
      },
    )
}
