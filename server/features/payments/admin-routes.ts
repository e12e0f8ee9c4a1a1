import { Hono } from 'hono'
import { ById } from '#contracts/api.ts'
import { CheckoutRefund } from '#contracts/checkouts.ts'
import { CsvFile, PaymentCsv, PaymentSpan } from '#contracts/lists.ts'
import { PaymentSums, RefundAnswer, RefundRequest } from '#contracts/refunds.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { type Env, perMinute, requireAdmin, requiredKey, valid } from '#server/http/guards.ts'
import { streamCsv } from '#server/http/lists.ts'
import { listMovements, paymentColumns, sumMovements } from './csv.ts'
import { listMonths, monthColumns } from './months.ts'
import { type RefundOrdersDeps, refundOrders } from './refund-orders.ts'

/** What admins do with money: refund an order, and export payments and refunds. */
export function adminPaymentRoutes(deps: RefundOrdersDeps & { reading: ReadSource }) {
  return new Hono<Env>()
    .post(
      '/order/:id/refund',
      requireAdmin({
        summary: 'Refunds a paid order, in whole or in part.',
        asksCode: true,
        answer: RefundAnswer,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'REFUND_REFUSED'],
        idempotencyKey: 'required',
      }),
      valid('param', ById),
      valid('json', RefundRequest),
      async (c) => {
        const { reason, ...line } = c.req.valid('json')
        const answer = await refundOrders(deps, {
          caller: c.var.caller,
          checkoutId: null,
          lines: [{ orderId: c.req.valid('param').id, ...line }],
          reason,
          key: requiredKey(c.req.header('idempotency-key')),
        })
        return c.json(answer satisfies RefundAnswer)
      },
    )
    .post(
      '/checkout/:id/refund',
      requireAdmin({
        summary:
          'Refunds orders of a paid checkout and its shipping, in whole or in part, as one refund.',
        asksCode: true,
        answer: RefundAnswer,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'REFUND_REFUSED'],
        idempotencyKey: 'required',
      }),
      valid('param', ById),
      valid('json', CheckoutRefund),
      async (c) => {
        const { lines = [], ...refund } = c.req.valid('json')
        const answer = await refundOrders(deps, {
          caller: c.var.caller,
          checkoutId: c.req.valid('param').id,
          lines: lines.map((line, i) => ({ ...line, prefix: `lines.${i}.` })),
          ...refund,
          key: requiredKey(c.req.header('idempotency-key')),
        })
        return c.json(answer satisfies RefundAnswer)
      },
    )
    .get(
      '/payments/sums',
      requireAdmin({
        summary: 'Adds up payments and refunds.',
        scope: 'payments:read',
        answer: PaymentSums,
      }),
      valid('query', PaymentSpan),
      async (c) =>
        c.json((await sumMovements(deps.db, c.req.valid('query'))) satisfies PaymentSums),
    )
    .get(
      '/months.csv',
      requireAdmin({
        summary:
          'Exports what each month adds up to, as CSV: tax by rate and region, received money, card fees.',
        scope: 'payments:read',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', PaymentCsv),
      (c) => {
        const { decimals, ...days } = c.req.valid('query')
        const columns = monthColumns(deps.currency)
        return streamCsv(
          c,
          { name: 'months', columns, decimals, reading: deps.reading },
          (db, page) => listMonths(db, { ...days, ...page }),
        )
      },
    )
    .get(
      '/payments.csv',
      requireAdmin({
        summary: 'Exports payments and refunds as CSV.',
        scope: 'payments:read',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', PaymentCsv),
      (c) => {
        const { decimals, ...days } = c.req.valid('query')
        return streamCsv(
          c,
          {
            name: 'payments',
            columns: paymentColumns(deps.currency),
            decimals,
            reading: deps.reading,
          },
          (db, page) => listMovements(db, { ...days, ...page }),
        )
      },
    )
}
