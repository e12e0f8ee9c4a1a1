import { Hono } from 'hono'
import type { z } from 'zod'
import { ById, type Modified } from '#contracts/api.ts'
import { PaymentClaim, PaymentRequest, type PaymentStarted } from '#contracts/orders.ts'
import {
  type Env,
  hashedNetwork,
  requireUser,
  valid,
  verifiedInHandler,
} from '#server/http/guards.ts'
import { claimPayment } from './claim-payment.ts'
import { receiveEvent } from './receive-event.ts'
import { type StartPaymentDeps, startPayment } from './start-payment.ts'

/** Paying an order: a payment is opened, the browser claims that it succeeded, and the card provider tells of it. */
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
}
