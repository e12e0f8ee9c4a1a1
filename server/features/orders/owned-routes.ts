import { Hono } from 'hono'
import { z } from 'zod'
import { OrderList } from '#contracts/lists.ts'
import { type Modified, Shipment } from '#contracts/orders.ts'
import { Id } from '#contracts/parts.ts'
import type { Acknowledged } from '#contracts/profiles.ts'
import { type Env, requireAdmin, valid } from '#server/http.ts'
import { streamList } from '#server/streamed-list.ts'
import { listAllOrders } from './owned-store.ts'
import { remindCustomer } from './remind-customer.ts'
import { type OwnerDeps, shipOrder } from './ship-order.ts'

const ById = z.object({ id: Id })

/** What admins do with orders: list all, ship, remind of the payment. */
export function ownedOrderRoutes(deps: OwnerDeps) {
  return new Hono<Env>()
    .get('/allOrders', requireAdmin, valid('query', OrderList), (c) => {
      const query = c.req.valid('query')
      return streamList(c, query, (piece) => listAllOrders(deps.db, { ...query, ...piece }))
    })
    .put(
      '/order/:id/shipped',
      requireAdmin,
      valid('param', ById),
      valid('json', Shipment),
      async (c) => {
        const { id } = c.req.valid('param')
        const shipped = await shipOrder(deps, c.var.caller, id, c.req.valid('json'))
        const modifiedCount = shipped ? 1 : 0
        return c.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof Modified>)
      },
    )
    .post('/order/:id/reminder', requireAdmin, valid('param', ById), async (c) => {
      await remindCustomer(deps, c.var.caller, c.req.valid('param').id)
      return c.json({ acknowledged: true } satisfies z.infer<typeof Acknowledged>)
    })
}
