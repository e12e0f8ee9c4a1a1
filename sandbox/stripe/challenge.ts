import type Stripe from 'stripe'
import type { Cause } from './call.ts'
import { endUnpaid, settle } from './charges.ts'
import { type Database, find, type Stored } from './store.ts'

/** What the customer is asked to authenticate; undefined once the challenge is over. */
export async function findChallenge(
  db: Database,
  source: string,
  { lock = false } = {},
): Promise<Stored<Stripe.PaymentIntent> | undefined> {
  const { rows } = await db.query<Stored<Stripe.PaymentIntent>>(
    `select body, hidden from sandbox_stripe.objects
      where kind = 'payment_intent' and hidden->>'challenge' = $1 ${lock ? 'for update' : ''}`,
    [source],
  )
  return rows[0]
}

const notAuthenticated = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const

/**
 * Ends a 3-D Secure challenge, named by its secret source. A challenge ends once.
 * @returns false when it was over already, and then nothing changes
 */
export async function endChallenge(
  cause: Cause,
  source: string,
  outcome: 'complete' | 'fail',
): Promise<boolean> {
  const intent = await findChallenge(cause.db, source, { lock: true })
  const id = intent?.hidden.challenged
  if (!intent || id === undefined) return false
  const method = await find<Stripe.PaymentMethod>(cause.db, 'payment_method', id)
  if (outcome === 'complete') await settle(cause, intent, method)
  else await endUnpaid(cause, intent, { ...notAuthenticated, payment_method: method.body })
  return true
}
