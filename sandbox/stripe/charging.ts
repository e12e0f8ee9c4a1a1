import type Stripe from 'stripe'
import { type Call, type Cause, ok, type Reply } from './call.ts'
import { type Decline, type Outcome, outcomes } from './cards.ts'
import { newCharge } from './charge-object.ts'
import { newDispute } from './dispute-object.ts'
import { emit } from './events.ts'
import { shown } from './intent-object.ts'
import { newBalanceTransaction } from './money-objects.ts'
import { insert, newId, type Stored, save } from './store.ts'

type Intent = Stored<Stripe.PaymentIntent>
type Method = Stored<Stripe.PaymentMethod>

/** Charges a locked intent, or asks for authentication first when the card wants it. */
export async function attempt(call: Call, intent: Intent, method: Method): Promise<Reply> {
  const outcome = outcomes[method.hidden.outcome ?? ''] ?? {}
  if (outcome.challenge) return challenge(call, intent, method)
  const declined = await settle(call, intent, method, false)
  return declined
    ? { status: 402, body: { error: cardError(call, intent.body) } }
    : ok(shown(intent.body, call.publishable))
}

async function challenge(call: Call, intent: Intent, method: Method): Promise<Reply> {
  const source = newId('src')
  intent.body.status = 'requires_action'
  intent.body.payment_method = method.body.id
  intent.body.last_payment_error = null
  intent.body.next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', source, stripe_js: '' },
  }
  intent.hidden = { ...intent.hidden, challenge: source, challenged: method.body.id }
  await save(call.db, intent)
  await emit(call, 'payment_intent.requires_action', intent.body)
  return ok(shown(intent.body, call.publishable))
}

/** Moves the money or refuses it; returns the decline, if any. The intent's row must be locked. */
export async function settle(
  cause: Cause,
  intent: Intent,
  method: Method,
  authenticated: boolean,
): Promise<Decline | undefined> {
  const outcome = outcomes[method.hidden.outcome ?? ''] ?? {}
  const charge = newCharge(intent.body, method.body, outcome.decline, authenticated)
  intent.body.latest_charge = charge.id
  intent.body.next_action = null
  intent.hidden = {}
  if (outcome.decline) await refuse(cause, intent, method, charge, outcome.decline)
  else await pay(cause, intent, method, charge, outcome)
  return outcome.decline
}

async function refuse(
  cause: Cause,
  intent: Intent,
  method: Method,
  charge: Stripe.Charge,
  decline: Decline,
): Promise<void> {
  await insert(cause.db, charge)
  intent.body.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    code: decline.code,
    ...(decline.declineCode ? { decline_code: decline.declineCode } : {}),
    doc_url: `https://docs.stripe.com/error-codes/${decline.code.replaceAll('_', '-')}`,
    message: decline.message,
    ...(decline.param ? { param: decline.param } : {}),
    payment_method: method.body,
  }
  intent.body.payment_method = null
  intent.body.status = 'requires_payment_method'
  await save(cause.db, intent)
  await emit(cause, 'charge.failed', charge)
  await emit(cause, 'payment_intent.payment_failed', intent.body)
}

async function pay(
  cause: Cause,
  intent: Intent,
  method: Method,
  charge: Stripe.Charge,
  outcome: Outcome,
): Promise<void> {
  const { amount, currency, description } = charge
  const id = String(charge.balance_transaction)
  const movement = { id, amount, currency, source: charge.id, description }
  await insert(cause.db, newBalanceTransaction('charge', movement))
  const stored = {
    body: charge,
    hidden: outcome.refund ? { outcome: outcome.refund } : {},
  }
  await insert(cause.db, charge, stored.hidden)
  intent.body.status = 'succeeded'
  intent.body.amount_received = intent.body.amount
  intent.body.payment_method = method.body.id
  intent.body.last_payment_error = null
  method.hidden.used = true
  await save(cause.db, method)
  await save(cause.db, intent)
  await emit(cause, 'charge.succeeded', charge)
  await emit(cause, 'payment_intent.succeeded', intent.body)
  if (outcome.disputed) await dispute(cause, stored)
}

async function dispute(cause: Cause, charge: Stored<Stripe.Charge>): Promise<void> {
  charge.body.disputed = true
  await save(cause.db, charge)
  await emit(cause, 'charge.dispute.created', await insert(cause.db, newDispute(charge.body)))
}

function cardError(call: Call, intent: Stripe.PaymentIntent): object {
  return { ...intent.last_payment_error, payment_intent: shown(intent, call.publishable) }
}
