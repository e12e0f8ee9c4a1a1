import { Hono } from 'hono'
import type { z } from 'zod'
import { ById, type Deleted, type Inserted } from '#contracts/api.ts'
import { OwnOrderFilter, OwnOrderList, type RowCount } from '#contracts/lists.ts'
import { Booking } from '#contracts/orders.ts'
import { type Caller, isAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import type { SettleDeps } from '#server/features/payments/settle.ts'
import { type Env, hashedNetwork, idempotencyKey, requireUser, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { findAdminOrder } from './admin-store.ts'
import { bookPart } from './book-part.ts'
import { deleteOrder } from './delete-order.ts'
import type { HoldRules } from './hold-rules.ts'
import { countOrdersOf, findOrder, listOrdersOf, toOrder } from './store.ts'

/** Finds the caller's own orders by user id, which never changes; an admin's request by the address of the orders. */
function customerOf(caller: Caller, email: string) {
  if (email === caller.email) return { userId: caller._id }
  if (isAdmin(caller)) return { email }
  throw new AppError('FORBIDDEN', 'You may only see your own orders')
}

/** What customers do with their orders: book, list, read, delete. Paying is in payments. */
export function orderRoutes(deps: SettleDeps & HoldRules) {
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
      const customer = customerOf(c.var.caller, email)
      return streamList(c, list, async (page) =>
        (await listOrdersOf(deps.db, customer, { ...list, ...page })).map(toOrder),
      )
    })
    .get('/orders/count', requireUser, valid('query', OwnOrderFilter), async (c) => {
      const { email, ...list } = c.req.valid('query')
      const customer = customerOf(c.var.caller, email)
      return c.json((await countOrdersOf(deps.db, customer, list)) satisfies RowCount)
    })
    .get('/order/:id', requireUser, valid('param', ById), async (c) => {
      const { id } = c.req.valid('param')
      if (isAdmin(c.var.caller)) return c.json(found(await findAdminOrder(deps.db, id), 'order'))
      const order = await findOrder(deps.db, id)
      const isOwn = order?.userId === c.var.caller._id && order.status !== 'deleted'
      return c.json(toOrder(found(isOwn ? order : null, 'order')))
    })
    .delete('/userProduct/:id', requireUser, valid('param', ById), async (c) => {
      const deletedCount = Number(await deleteOrder(deps, c.var.caller, c.req.valid('param').id))
      return c.json({ acknowledged: true, deletedCount } satisfies z.infer<typeof Deleted>)
    })
}
