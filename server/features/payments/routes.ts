import { Hono } from 'hono'
import type { z } from 'zod'
import { ById, Modified, modified } from '#contracts/api.ts'
import {
  EventReceived,
  PaymentReport,
  PaymentRequest,
  PaymentStarted,
  ProviderEvent,
} from '#contracts/orders.ts'
import {
  type Env,
  hashedNetworks,
  perMinute,
  requireUser,
  valid,
  verifiedInHandler,
} from '#server/http/guards.ts'
import { receiveEvent } from './receive-event.ts'
import { reportPayment } from './report-payment.ts'
import { type StartPaymentDeps, startPayment } from './start-payment.ts'

/**
 * The payment routes: customers open a payment, browsers report its success, and the card provider
 * sends events.
 */
export function paymentRoutes(deps: StartPaymentDeps) {
  return new Hono<Env>()
    .post(
      '/create-payment-intent',
      requireUser({
        summary: 'Opens the payment of an order, and renews its hold.',
        limit: perMinute(10),
        inTurns: 'payments',
        answer: PaymentStarted,
        errors: [
          'NOT_FOUND',
          'AMBIGUOUS',
          'ALREADY_PAID',
          'ORDER_GONE',
          'PRICE_CHANGED',
          'DELIVERY_ENDED',
          'STOCK_GONE',
          'TERMS_CHANGED',
          'PAYMENT_IN_PROGRESS',
          'HOLD_REFUSED',
          'NOT_VERIFIED',
          'NETWORK_LIMIT',
          'PROVIDER_DOWN',
        ],
        description:
          'The browser confirms the card with `clientSecret` at the card provider; card data never reaches the shop. Without `orderId`, the call is for the caller’s only unpaid checkout with that total.',
      }),
      valid('json', PaymentRequest),
      async (c) => {
        const request = c.req.valid('json')
        const clientSecret = await startPayment(deps, c.var.caller, request, hashedNetworks(c))
        return c.json({ clientSecret } satisfies z.infer<typeof PaymentStarted>)
      },
    )
    .patch(
      '/order/:id',
      requireUser({
        summary: 'Reports a successful payment; the shop asks the card provider.',
        // a report may cause a request to the card provider, which accepts a hundred a second
        limit: perMinute(30),
        inTurns: 'payments',
        answer: Modified,
        errors: ['NOT_FOUND', 'NOT_PAID', 'PAYMENT_REFUNDED', 'ALREADY_PAID', 'PROVIDER_DOWN'],
      }),
      valid('param', ById),
      valid('json', PaymentReport),
      async (c) => {
        const { id } = c.req.valid('param')
        const modifiedCount = await reportPayment(deps, c.var.caller, id, c.req.valid('json'))
        return c.json(modified(modifiedCount))
      },
    )
    .post(
      '/stripe/webhook',
      verifiedInHandler('signature', {
        summary: 'Receives an event of the card provider.',
        answer: EventReceived,
        errors: ['PROVIDER_DOWN'],
        body: ProviderEvent,
        description: 'The header `Stripe-Signature` proves who sends it.',
        limit: 'none',
        maxBody: { bytes: 256 * 1024 },
      }),
      async (c) => {
        await receiveEvent(deps, await c.req.text(), c.req.header('stripe-signature'))
        return c.json({ received: true })
      },
    )
}
