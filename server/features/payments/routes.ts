import { Hono } from 'hono'
import type { z } from 'zod'
import { ById, type Modified } from '#contracts/api.ts'
import { PaymentCsv } from '#contracts/lists.ts'
import { PaymentClaim, PaymentRequest, type PaymentStarted } from '#contracts/orders.ts'
import { type RefundAnswer, RefundRequest } from '#contracts/refunds.ts'
import { AppError } from '#server/errors.ts'
import {
  type Env,
  hashedNetwork,
  idempotencyKey,
  requireAdmin,
  requireUser,
  valid,
  verifiedInHandler,
} from '#server/http/guards.ts'
import { streamCsv } from '#server/http/lists.ts'
import { claimPayment } from './claim-payment.ts'
import { listTransactions, paymentsAsCsv } from './csv.ts'
import { receiveEvent } from './receive-event.ts'
import { refundOrder } from './refund-order.ts'
import { type StartPaymentDeps, startPayment } from './start-payment.ts'

/** Paying an order, what the card provider tells of it, refunds, and the books. */
export function paymentRoutes(deps: StartPaymentDeps) {
  return new Hono<Env>()
    .post('/create-payment-intent', requireUser, valid('json', PaymentRequest), async (c) => {
      const request = c.req.valid('json')
      const clientSecret = await startPayment(deps, c.var.caller, request, hashedNetwork(c))
      return c.json({ clientSecret } satisfies z.infer<typeof PaymentStarted>)
    })
    .patch(
      '/order/:id',
      requireUser,
      valid('param', ById),
      valid('json', PaymentClaim),
      async (c) => {
        const claim = { orderId: c.req.valid('param').id, ...c.req.valid('json') }
        const modifiedCount = await claimPayment(deps, c.var.caller, claim)
        return c.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof Modified>)
      },
    )
    .post('/stripe/webhook', verifiedInHandler('signature'), async (c) => {
      await receiveEvent(deps, await c.req.text(), c.req.header('stripe-signature'))
      return c.json({ received: true })
    })
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
    .get('/payments.csv', requireAdmin, valid('query', PaymentCsv), (c) => {
      const { decimals, ...days } = c.req.valid('query')
      return streamCsv(c, { ...paymentsAsCsv, decimals }, (page) =>
        listTransactions(deps.db, { ...days, ...page }),
      )
    })
}
