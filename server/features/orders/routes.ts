import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted } from '#contracts/api.ts'
import { CheckoutBooked, CheckoutBooking } from '#contracts/checkouts.ts'
import { OwnOrderFilter, OwnOrderList, RowCount } from '#contracts/lists.ts'
import { totalPriceOf } from '#contracts/money.ts'
import { AdminOrder, Booking, BookingLimit, Order } from '#contracts/orders.ts'
import { type Caller, isAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import type { SettleDeps } from '#server/features/payments/settle.ts'
import {
  type Env,
  hashedNetworks,
  idempotencyKey,
  perMinute,
  requireUser,
  valid,
} from '#server/http/guards.ts'
import type { DeletionTurns } from '#server/http/limits/load-shedding.ts'
import { streamList } from '#server/http/lists.ts'
import { findAdminOrder } from './admin-store.ts'
import { bookParts } from './book-parts.ts'
import { deleteOrder } from './delete-order.ts'
import { mostUnits } from './hold-rules.ts'
import { readHoldState } from './hold-state.ts'
import type { HoldRules } from './hold-times.ts'
import { countOrdersOf, findOrder, findPartOnSale, listOrdersOf, toOrder } from './store.ts'

/**
 * Selects the caller's own orders by user id, which never changes. Admins may select orders by
 * e-mail address.
 */
function customerOf(caller: Caller, email: string) {
  if (email === caller.email) return { userId: caller._id }
  if (isAdmin(caller)) return { email }
  throw new AppError('FORBIDDEN', 'You may only see your own orders')
}

/** Who books, from where, and under which key. */
const booker = (c: Context<Env & { Variables: { caller: Caller } }>) => ({
  caller: c.var.caller,
  key: idempotencyKey(c.req.header('idempotency-key')),
  networks: hashedNetworks(c),
})

/** What customers do with their orders: book, list, read, delete. Paying is in payments. */
export function orderRoutes(deps: SettleDeps & HoldRules & { deletionTurns: DeletionTurns }) {
  return new Hono<Env>()
    .post(
      '/order',
      requireUser({
        summary: 'Books a part: makes an unpaid order and holds its units.',
        limit: perMinute(20),
        inTurns: 'holds',
        answer: Inserted,
        errors: [
          'NOT_FOUND',
          'STOCK_GONE',
          'PRICE_CHANGED',
          'HOLD_REFUSED',
          'NOT_VERIFIED',
          'NETWORK_LIMIT',
        ],
        idempotencyKey: 'optional',
        description:
          '`partId` or `product`, its name, says which part. The shop computes name, picture, customer and price itself; a `totalPrice` that differs from its own is refused. Beyond what a customer’s paid orders cover, some units of a part stay free for others: more than one minimum order may be answered HOLD_REFUSED. All accounts of a mailbox count as one customer.',
      }),
      valid('json', Booking),
      async (c) => {
        const { partId, product, quantity, ...booking } = c.req.valid('json')
        const lines = [{ partId, product, quantity }]
        const { orderIds } = await bookParts(deps, { booking: { lines, ...booking }, ...booker(c) })
        return c.json(inserted(orderIds[0]))
      },
    )
    .post(
      '/orders',
      requireUser({
        summary: 'Books several parts as one checkout: all of them, or none.',
        limit: perMinute(20),
        inTurns: 'holds',
        answer: CheckoutBooked,
        errors: ['STOCK_GONE', 'PRICE_CHANGED', 'HOLD_REFUSED', 'NOT_VERIFIED', 'NETWORK_LIMIT'],
        idempotencyKey: 'optional',
        description:
          'Makes an unpaid order for each line; one payment pays them all. A refusal names every refused line, as `lines.0`. More than one line requires a verified e-mail address; a customer who never paid has one such checkout at a time, or single orders.',
      }),
      valid('json', CheckoutBooking),
      async (c) => {
        const booking = c.req.valid('json')
        const { checkoutId, orderIds } = await bookParts(deps, { booking, ...booker(c) })
        return c.json({ ...inserted(checkoutId), orderIds } satisfies CheckoutBooked)
      },
    )
    .get(
      '/part/:id/limit',
      requireUser({
        summary: 'Says how many units of a part the caller could book at once now.',
        limit: perMinute(60),
        answer: BookingLimit,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const { id } = c.req.valid('param')
        const part = found(await findPartOnSale(deps.db, id), 'part')
        const state = await readHoldState(deps.db, deps, {
          userId: c.var.caller._id,
          partId: id,
          networks: hashedNetworks(c),
          cost: totalPriceOf(part.minimumOrderQuantity, part.price),
        })
        // the booking decides again, under its locks
        const most = mostUnits(state, { ...part, available: part.availableQuantity })
        return c.json({ most } satisfies BookingLimit)
      },
    )
    .get(
      '/orders',
      requireUser({
        summary: 'Lists the caller’s orders; admins may list those of any address.',
        answer: z.array(Order),
        errors: ['FORBIDDEN'],
      }),
      valid('query', OwnOrderList),
      (c) => {
        const { email, ...list } = c.req.valid('query')
        const customer = customerOf(c.var.caller, email)
        return streamList(c, list, async (page) =>
          (await listOrdersOf(deps.db, customer, { ...list, ...page })).map(toOrder),
        )
      },
    )
    .get(
      '/orders/count',
      requireUser({
        summary: 'Counts the caller’s orders that match a filter.',
        answer: RowCount,
        errors: ['FORBIDDEN'],
      }),
      valid('query', OwnOrderFilter),
      async (c) => {
        const { email, ...list } = c.req.valid('query')
        const customer = customerOf(c.var.caller, email)
        return c.json((await countOrdersOf(deps.db, customer, list)) satisfies RowCount)
      },
    )
    .get(
      '/order/:id',
      requireUser({
        summary: 'Reads an order of the caller, or any order for admins.',
        scope: 'orders:read',
        answer: z.union([AdminOrder, Order]),
        errors: ['NOT_FOUND'],
        description: 'Admins get the fields of `AdminOrder` as well.',
      }),
      valid('param', ById),
      async (c) => {
        const { id } = c.req.valid('param')
        if (isAdmin(c.var.caller)) return c.json(found(await findAdminOrder(deps.db, id), 'order'))
        const order = await findOrder(deps.db, id)
        const isOwn = order?.userId === c.var.caller._id && order.status !== 'deleted'
        return c.json(toOrder(found(isOwn ? order : null, 'order')))
      },
    )
    .delete(
      '/userProduct/:id',
      requireUser({
        summary: 'Deletes an unpaid order and releases its stock.',
        description:
          'A hold that a customer who never paid deletes counts like one that expired. After ten within an hour, or thirty within a day, the customer books again later.',
        answer: Deleted,
        errors: ['NOT_FOUND', 'ALREADY_PAID', 'PAYMENT_IN_PROGRESS', 'PROVIDER_DOWN'],
      }),
      valid('param', ById),
      async (c) => {
        const inTurn = deps.deletionTurns(c)
        const { id } = c.req.valid('param')
        return c.json(deleted(await deleteOrder({ ...deps, inTurn }, c.var.caller, id)))
      },
    )
}
