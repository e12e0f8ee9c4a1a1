import Stripe from 'stripe'
import { AppError } from '#server/errors.ts'
import type { Payments, Refund } from './port.ts'
import { providerDown } from './stripe-failures.ts'

const disputed =
  'the customer disputes this payment, so their bank decides about the money. Answer the dispute at the card provider.'
/** What an admin can do about a refusal, by Stripe's code for it. */
const advice: Record<string, string> = {
  charge_disputed: disputed,
  refund_disputed_payment: disputed,
  charge_already_refunded: 'all of the payment was given back there already.',
}

/** Says what an admin can do about a request that Stripe understood and refuses, and then Stripe's own sentence. */
function refused(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    const words = advice[error.code ?? ''] ?? 'look the payment up there.'
    throw new AppError('REFUND_REFUSED', `${words} The card provider says: ${error.message}`)
  }
  return providerDown(error)
}

const ended = new Set(['failed', 'canceled'])

function toRefund({ id, amount, status, metadata }: Stripe.Refund): Refund {
  const state =
    status === 'succeeded' ? 'succeeded' : ended.has(status ?? '') ? 'failed' : 'pending'
  return { id, amount, state, reference: metadata?.refundId ?? null }
}

const intentOf = ({ payment_intent: intent }: Stripe.Refund) =>
  typeof intent === 'string' ? intent : (intent?.id ?? null)

/** The part of the port that gives money back. */
export function stripeRefunds(
  stripe: Stripe,
): Pick<Payments, 'refund' | 'listRefunds' | 'refundsSince'> {
  return {
    refund: ({ intentId, amount, reference, idempotencyKey }) =>
      stripe.refunds
        .create(
          { payment_intent: intentId, amount, metadata: { refundId: reference } },
          { idempotencyKey },
        )
        .then(toRefund)
        .catch(refused),
    listRefunds: (intentId) =>
      stripe.refunds
        .list({ payment_intent: intentId, limit: 100 })
        .autoPagingToArray({ limit: 1000 })
        .then((made) => made.map(toRefund))
        .catch(refused),
    refundsSince: (moment) =>
      stripe.refunds
        .list({ created: { gte: Math.floor(moment.getTime() / 1000) }, limit: 100 })
        .autoPagingToArray({ limit: 10_000 })
        .then((made) => made.map((refund) => ({ ...toRefund(refund), intentId: intentOf(refund) })))
        .catch(providerDown),
  }
}
