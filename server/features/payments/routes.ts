import { Hono } from 'hono'
import type { z } from 'zod'
import { ById, Modified, modified } from '#contracts/api.ts'
import { Cancellation } from '#contracts/checkouts.ts'
import {
  EventReceived,
  PaymentReport,
  PaymentRequest,
  PaymentStarted,
  ProviderEvent,
} from '#contracts/orders.ts'
import { RefundAnswer } from '#contracts/refunds.ts'
import {
  type Env,
  hashedNetworks,
  perMinute,
  requiredKey,
  requireUser,
  valid,
  verifiedInHandler,
} from '#server/http/guards.ts'
import { cancelOrders } from './cancel-orders.ts'
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
      '/checkout/:id/cancel',
      requireUser({
        summary:
          'Cancels paid orders of the caller that are not shipped yet: refunds them, and puts their units on sale again.',
        limit: perMinute(20),
        inTurns: 'payments',
        answer: RefundAnswer,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'ALREADY_SHIPPED', 'REFUND_REFUSED', 'TOO_MANY'],
        idempotencyKey: 'required',
        description: 'The delivery is refunded, too, once nothing of the checkout is left to send.',
      }),
      valid('param', ById),
      valid('json', Cancellation),
      async (c) => {
        const answer = await cancelOrders(deps, {
          caller: c.var.caller,
          checkoutId: c.req.valid('param').id,
          orderIds: c.req.valid('json').orderIds,
          key: requiredKey(c.req.header('idempotency-key')),
        })
        return c.json(answer satisfies RefundAnswer)
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
