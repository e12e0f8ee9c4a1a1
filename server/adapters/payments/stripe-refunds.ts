import Stripe from 'stripe'
import { AppError } from '#server/errors.ts'
import type { Payments, Refund } from './port.ts'
import { providerDown } from './stripe-failures.ts'

const isRefunded = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'charge_already_refunded'

/** Shows the admin Stripe's own sentence about a request that it understood and refuses. */
function refused(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    throw new AppError('REFUND_REFUSED', error.message)
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
): Pick<Payments, 'refundIntent' | 'refund' | 'listRefunds' | 'refundsSince'> {
  const ofIntent = (id: string) => stripe.refunds.list({ payment_intent: id, limit: 100 })
  return {
    refundIntent: (id) =>
      stripe.refunds
        .create({ payment_intent: id }, { idempotencyKey: `refund-${id}` })
        .catch(async (error) => {
          // by hand in the provider's dashboard, or by us before the key was forgotten
          const [made] = isRefunded(error) ? (await ofIntent(id)).data : []
          return made ?? Promise.reject(error)
        })
        .then((refund) => refund.id)
        .catch(providerDown),
    refund: ({ intentId, amount, reference, idempotencyKey }) =>
      stripe.refunds
        .create(
          { payment_intent: intentId, amount, metadata: { refundId: reference } },
          { idempotencyKey },
        )
        .then(toRefund)
        .catch(refused),
    listRefunds: (intentId) =>
      ofIntent(intentId)
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
