import { Hono } from 'hono'
import type { z } from 'zod'
import { ById, type Deleted, type Inserted, type Modified } from '#contracts/api.ts'
import { OwnOrderFilter, OwnOrderList, type RowCount } from '#contracts/lists.ts'
import { Booking, PaymentClaim, PaymentRequest, type PaymentStarted } from '#contracts/orders.ts'
import { type Caller, isAdmin, ownsOrAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import { claimPayment } from '#server/features/payments/claim-payment.ts'
import { receiveEvent } from '#server/features/payments/receive-event.ts'
import { type StartPaymentDeps, startPayment } from '#server/features/payments/start-payment.ts'
import {
  type Env,
  hashedNetwork,
  idempotencyKey,
  provedBy,
  requireUser,
  valid,
} from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { bookPart } from './book-part.ts'
import { deleteOrder } from './delete-order.ts'
import { countOrdersOf, findOrder, listOrdersOf, toOrder } from './store.ts'

/** Finds the caller's own orders by user id, which never changes; an admin's request by the address of the orders. */
function whoseOrders(caller: Caller, email: string) {
  if (email === caller.email) return { userId: caller._id }
  if (isAdmin(caller)) return { email }
  throw new AppError('FORBIDDEN', 'You may only see your own orders')
}

/** Orders and their payment, for customers. */
export function orderRoutes(deps: StartPaymentDeps) {
  return new Hono<Env>()
    .post('/order', requireUser, valid('json', Booking), async (c) => {
      const insertedId = await bookPart(deps, {
        caller: c.var.caller,
        booking: c.req.valid('json'),
        key: idempotencyKey(c.req.header('idempotency-key')),
        network: hashedNetwork(c),
      })
      return c.json({ acknowledged: true, insertedId } satisfies z.infer<typeof Inserted>)
    })
    .get('/orders', requireUser, valid('query', OwnOrderList), (c) => {
      const { email, ...list } = c.req.valid('query')
      const whose = whoseOrders(c.var.caller, email)
      return streamList(c, list, async (piece) =>
        (await listOrdersOf(deps.db, whose, { ...list, ...piece })).map(toOrder),
      )
    })
    .get('/orders/count', requireUser, valid('query', OwnOrderFilter), async (c) => {
      const { email, ...list } = c.req.valid('query')
      const whose = whoseOrders(c.var.caller, email)
      return c.json((await countOrdersOf(deps.db, whose, list)) satisfies RowCount)
    })
    .get('/order/:id', requireUser, valid('param', ById), async (c) => {
      const order = await findOrder(deps.db, c.req.valid('param').id)
      const seen = order && ownsOrAdmin(c.var.caller, order.userId)
      const hidden = order?.status === 'deleted' && !isAdmin(c.var.caller)
      return c.json(toOrder(found(seen && !hidden ? order : null, 'order')))
    })
    .patch(
      '/order/:id',
      requireUser,
      valid('param', ById),
      valid('json', PaymentClaim),
      async (c) => {
        const modifiedCount = await claimPayment(deps, c.var.caller, {
          orderId: c.req.valid('param').id,
          ...c.req.valid('json'),
        })
        return c.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof Modified>)
      },
    )
    .delete('/userProduct/:id', requireUser, valid('param', ById), async (c) => {
      const deletedCount = Number(await deleteOrder(deps, c.var.caller, c.req.valid('param').id))
      return c.json({ acknowledged: true, deletedCount } satisfies z.infer<typeof Deleted>)
    })
    .post('/create-payment-intent', requireUser, valid('json', PaymentRequest), async (c) => {
      const clientSecret = await startPayment(
        deps,
        c.var.caller,
        c.req.valid('json'),
        hashedNetwork(c),
      )
      return c.json({ clientSecret } satisfies z.infer<typeof PaymentStarted>)
    })
    .post('/stripe/webhook', provedBy('signature'), async (c) => {
      await receiveEvent(deps, await c.req.text(), c.req.header('stripe-signature'))
      return c.json({ received: true })
    })
}
