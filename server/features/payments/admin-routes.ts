import { Hono } from 'hono'
import { ById } from '#contracts/api.ts'
import { CsvFile, PaymentCsv, PaymentSpan } from '#contracts/lists.ts'
import { PaymentSums, RefundAnswer, RefundRequest } from '#contracts/refunds.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { AppError } from '#server/errors.ts'
import { type Env, idempotencyKey, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import { streamCsv } from '#server/http/lists.ts'
import { listMovements, paymentsAsCsv, sumMovements } from './csv.ts'
import { refundOrder } from './refund-order.ts'
import type { SettleDeps } from './settle.ts'

/** The admin routes of payments: refund an order, and sum up or export the movements of money. */
export function adminPaymentRoutes(deps: SettleDeps & { reading: ReadSource }) {
  return new Hono<Env>()
    .post(
      '/order/:id/refund',
      requireAdmin({
        summary: 'Refunds a paid order, in whole or in part.',
        answer: RefundAnswer,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'REFUND_REFUSED'],
        idempotencyKey: 'required',
      }),
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
    .get(
      '/payments/sums',
      requireAdmin({
        summary: 'Adds up the money that came and went.',
        scope: 'payments:read',
        answer: PaymentSums,
      }),
      valid('query', PaymentSpan),
      async (c) =>
        c.json((await sumMovements(deps.db, c.req.valid('query'))) satisfies PaymentSums),
    )
    .get(
      '/payments.csv',
      requireAdmin({
        summary: 'Exports the money that came and went as CSV.',
        scope: 'payments:read',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', PaymentCsv),
      (c) => {
        const { decimals, ...days } = c.req.valid('query')
        return streamCsv(
          c,
          { ...paymentsAsCsv(deps.currency), decimals, reading: deps.reading },
          (db, page) => listMovements(db, { ...days, ...page }),
        )
      },
    )
}
