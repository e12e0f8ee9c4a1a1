import Stripe from 'stripe'
import { AppError } from '#server/errors.ts'

/** No such object in this account. */
export const isMissing = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/** The intent is paid or cancelled already. */
export const isEnded = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'payment_intent_unexpected_state'

/** Connection trouble, the provider's own 5xx and a key that it refuses become one refusal that says so; the rest are faults of ours. */
export function providerDown(error: unknown): never {
  if (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError ||
    (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 409)
  ) {
    const down = new AppError(
      'PROVIDER_DOWN',
      'The card provider does not answer. Nothing was charged; try again in a minute.',
    )
    // the log says which of them it was
    throw Object.assign(down, { cause: error })
  }
  throw error
}
