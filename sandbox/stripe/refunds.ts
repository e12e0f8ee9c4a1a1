import type Stripe from 'stripe'
import { type Call, type Cause, ok, type Reply } from './call.ts'
import { emit } from './events.ts'
import { invalid, missing, unexpected } from './faults.ts'
import { allow, integer, metadata, oneOf, text } from './form.ts'
import { newBalanceTransaction, newRefund } from './money-objects.ts'
import { find, insert, type Stored, save } from './store.ts'

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

/** POST /v1/refunds: all that is left of a charge, or `amount` of it in the smallest unit. */
export async function createRefund(call: Call): Promise<Reply> {
  const { params } = call
  allow(params, ['payment_intent', 'charge', 'amount', 'reason', 'metadata'])
  const asked = integer(params, 'amount')
  const sent = oneOf(params, 'reason', reasons)
  const charge = await chargeToRefund(call)
  const amount = amountToRefund(charge.body, asked)
  const refund = newRefund(charge.body, {
    amount,
    reason: reasons.find((reason) => reason === sent) ?? null,
    metadata: metadata(params),
    status: charge.hidden.outcome === 'refundWaits' ? 'pending' : 'succeeded',
  })
  await insert(call.db, refund)
  const movement = movementOf(refund, String(refund.balance_transaction), -amount)
  await insert(call.db, newBalanceTransaction('refund', movement))
  const previous = await changeRefunded(call, charge, amount)
  await emit(call, 'refund.created', refund)
  await emit(call, 'charge.refunded', charge.body, previous)
  if (charge.hidden.outcome) await endLater(call, refund.id)
  return ok(refund)
}

export const movementOf = (refund: Stripe.Refund, id: string, amount: number) => ({
  id,
  amount,
  currency: refund.currency,
  source: refund.id,
  description: 'REFUND FOR CHARGE',
})

async function chargeToRefund(call: Call): Promise<Stored<Stripe.Charge>> {
  const intentId = text(call.params, 'payment_intent')
  const chargeId = text(call.params, 'charge')
  if (intentId === undefined) {
    if (chargeId === undefined) throw missing('payment_intent')
    return find<Stripe.Charge>(call.db, 'charge', chargeId, { lock: true, param: 'charge' })
  }
  const { body } = await find<Stripe.PaymentIntent>(call.db, 'payment_intent', intentId, {
    param: 'payment_intent',
  })
  if (body.status !== 'succeeded') {
    const message = `This PaymentIntent (${intentId}) does not have a successful charge to refund.`
    throw unexpected(message, { code: 'payment_intent_unexpected_state' })
  }
  const latest = String(body.latest_charge)
  return find<Stripe.Charge>(call.db, 'charge', latest, { lock: true, param: 'charge' })
}

function amountToRefund(charge: Stripe.Charge, asked: number | undefined): number {
  if (!charge.paid) {
    throw unexpected(`Charge ${charge.id} has not been paid and cannot be refunded.`, {
      param: 'charge',
    })
  }
  if (charge.disputed) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`
    throw unexpected(message, { code: 'charge_disputed' })
  }
  if (charge.refunded) {
    const message = `Charge ${charge.id} has already been refunded.`
    throw unexpected(message, { code: 'charge_already_refunded' })
  }
  const left = charge.amount - charge.amount_refunded
  const amount = asked ?? left
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.'
    throw invalid(message, { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (amount > left) {
    const money = (cents: number) => `$${(cents / 100).toFixed(2)}`
    throw unexpected(
      `Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`,
      { param: 'amount' },
    )
  }
  return amount
}

/** Adds to what is refunded; returns the values before, for the event. */
export async function changeRefunded(cause: Cause, charge: Stored<Stripe.Charge>, amount: number) {
  const { body } = charge
  const previous = { amount_refunded: body.amount_refunded, refunded: body.refunded }
  body.amount_refunded += amount
  body.refunded = body.amount_refunded === body.amount
  await save(cause.db, charge)
  return body.refunded === previous.refunded
    ? { amount_refunded: previous.amount_refunded }
    : previous
}

async function endLater(cause: Cause, refund: string): Promise<void> {
  await cause.db.query(
    `insert into sandbox_stripe.later (refund, due)
      values ($1, clock_timestamp() + interval '2 seconds')`,
    [refund],
  )
}
