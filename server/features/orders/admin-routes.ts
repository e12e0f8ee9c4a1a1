import { Hono } from 'hono'
import type { z } from 'zod'
import { type Acknowledged, ById, type Modified } from '#contracts/api.ts'
import { OrderCsv, OrderFilter, OrderList, PaymentCsv, type RowCount } from '#contracts/lists.ts'
import { Shipment } from '#contracts/orders.ts'
import { type RefundAnswer, RefundRequest } from '#contracts/refunds.ts'
import { AppError } from '#server/errors.ts'
import { paymentsAsCsv } from '#server/features/payments/csv.ts'
import { refundOrder } from '#server/features/payments/refund-order.ts'
import type { SettleDeps } from '#server/features/payments/settle.ts'
import { listTransactions } from '#server/features/payments/transactions.ts'
import { type Env, idempotencyKey, requireAdmin, valid } from '#server/http/guards.ts'
import { streamCsv, streamList } from '#server/http/lists.ts'
import { countAllOrders, listAllOrders } from './admin-store.ts'
import { ordersAsCsv } from './csv.ts'
import { releaseHold } from './release-hold.ts'
import { remindCustomer } from './remind-customer.ts'
import { shipOrder } from './ship-order.ts'

/** Orders for admins: list, export, ship, refund, release, remind. */
export function adminOrderRoutes(deps: SettleDeps) {
  return new Hono<Env>()
    .get('/allOrders', requireAdmin, valid('query', OrderList), (c) => {
      const query = c.req.valid('query')
      return streamList(c, query, (piece) => listAllOrders(deps.db, { ...query, ...piece }))
    })
    .get('/allOrders/count', requireAdmin, valid('query', OrderFilter), async (c) =>
      c.json((await countAllOrders(deps.db, c.req.valid('query'))) satisfies RowCount),
    )
    .get('/allOrders.csv', requireAdmin, valid('query', OrderCsv), (c) => {
      const { decimals, ...query } = c.req.valid('query')
      return streamCsv(c, { ...ordersAsCsv, decimals }, (piece) =>
        listAllOrders(deps.db, { ...query, ...piece }),
      )
    })
    .get('/payments.csv', requireAdmin, valid('query', PaymentCsv), (c) => {
      const { decimals, ...days } = c.req.valid('query')
      return streamCsv(c, { ...paymentsAsCsv, decimals }, (piece) =>
        listTransactions(deps.db, { ...days, ...piece }),
      )
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
    .post(
      '/order/:id/refund',
      requireAdmin,
      valid('param', ById),
      valid('json', RefundRequest),
      async (c) => {
        const key = idempotencyKey(c.req.header('idempotency-key'))
        if (!key) throw new AppError('INVALID', 'Idempotency-Key is required')
        const answer = await refundOrder(deps, {
          caller: c.var.caller,
          orderId: c.req.valid('param').id,
          request: c.req.valid('json'),
          key,
        })
        return c.json(answer satisfies RefundAnswer)
      },
    )
    .delete('/order/:id/hold', requireAdmin, valid('param', ById), async (c) => {
      const released = await releaseHold(deps, c.var.caller, c.req.valid('param').id)
      const modifiedCount = released ? 1 : 0
      return c.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof Modified>)
    })
    .post('/order/:id/reminder', requireAdmin, valid('param', ById), async (c) => {
      await remindCustomer(deps, c.var.caller, c.req.valid('param').id)
      return c.json({ acknowledged: true } satisfies z.infer<typeof Acknowledged>)
    })
}
