import type Stripe from 'stripe'
import type { Call } from './call.ts'
import { invalid, missing, unexpected } from './faults.ts'
import { text } from './form.ts'
import { shown } from './intent-object.ts'
import { find, type Stored } from './store.ts'

/** The statuses in which an intent can still be paid, changed or canceled. */
export const openStatuses = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** The intent of a call; with the publishable key only together with its client secret. */
export async function findIntent(
  call: Call,
  id: string,
  lock: boolean,
): Promise<Stored<Stripe.PaymentIntent>> {
  const intent = await find<Stripe.PaymentIntent>(call.db, 'payment_intent', id, {
    lock,
    param: 'intent',
  })
  const secret = text(call.params, 'client_secret')
  if (call.publishable && secret === undefined) throw missing('client_secret')
  if (secret !== undefined && secret !== intent.body.client_secret) {
    throw invalid(
      'The client_secret provided does not match the client_secret on the PaymentIntent.',
      {
        code: 'payment_intent_invalid_parameter',
        param: 'client_secret',
      },
    )
  }
  return intent
}

/** The refusal of what cannot be done in the intent's state; it carries the intent. */
export function stateFault(intent: Stripe.PaymentIntent, message: string, publishable = false) {
  return unexpected(message, {
    code: 'payment_intent_unexpected_state',
    payment_intent: shown(intent, publishable),
  })
}
