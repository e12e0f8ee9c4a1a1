import type Stripe from 'stripe'
import type { Cause } from './call.ts'
import { settle } from './charging.ts'
import { emit } from './events.ts'
import { type Database, find, type Stored, save } from './store.ts'

export const challengeOutcomes = ['complete', 'fail'] as const
export type ChallengeOutcome = (typeof challengeOutcomes)[number]

/** What the customer is asked to authenticate; undefined once the challenge is over. */
export async function openChallenge(
  db: Database,
  source: string,
): Promise<Stripe.PaymentIntent | undefined> {
  return (await byChallenge(db, 'read', source))?.body
}

/**
 * Ends a 3-D Secure challenge, named by its secret source. A challenge ends once: a later answer
 * changes nothing and gives false.
 */
export async function endChallenge(
  cause: Cause,
  source: string,
  outcome: ChallengeOutcome,
): Promise<boolean> {
  const intent = await byChallenge(cause.db, 'locked', source)
  const methodId = intent?.hidden.challenged
  if (!intent || methodId === undefined) return false
  const options = { lock: true, param: 'payment_method' }
  const method = await find<Stripe.PaymentMethod>(cause.db, 'payment_method', methodId, options)
  if (outcome === 'complete') await settle(cause, intent, method, true)
  else await notAuthenticated(cause, intent, method.body)
  return true
}

/** Ends the open challenge of an intent; false when it has none. */
export async function endChallengeOf(
  cause: Cause,
  intentId: string,
  outcome: ChallengeOutcome,
): Promise<boolean> {
  const { hidden } = await find<Stripe.PaymentIntent>(cause.db, 'payment_intent', intentId)
  return hidden.challenge === undefined ? false : endChallenge(cause, hidden.challenge, outcome)
}

async function byChallenge(
  db: Database,
  how: 'read' | 'locked',
  source: string,
): Promise<Stored<Stripe.PaymentIntent> | undefined> {
  const { rows } = await db.query<Stored<Stripe.PaymentIntent>>(
    `select body, hidden from sandbox_stripe.objects
      where kind = 'payment_intent' and hidden->>'challenge' = $1
      ${how === 'locked' ? 'for update' : ''}`,
    [source],
  )
  return rows[0]
}

async function notAuthenticated(
  cause: Cause,
  intent: Stored<Stripe.PaymentIntent>,
  method: Stripe.PaymentMethod,
): Promise<void> {
  intent.body.status = 'requires_payment_method'
  intent.body.payment_method = null
  intent.body.next_action = null
  intent.body.last_payment_error = {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    doc_url: 'https://docs.stripe.com/error-codes/payment-intent-authentication-failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method,
  }
  intent.hidden = {}
  await save(cause.db, intent)
  await emit(cause, 'payment_intent.payment_failed', intent.body)
}
