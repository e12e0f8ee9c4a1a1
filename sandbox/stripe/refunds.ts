import type Stripe from 'stripe'
import { expands, move, withMovements } from './balance.ts'
import { invalid, unexpected } from './errors.ts'
import { emit } from './events.ts'
import { allow, integer, metadata, requiredText, text } from './form.ts'
import type { Call, Cause } from './store.ts'
import {
  endsAfter,
  find,
  insert,
  newId,
  nowSeconds,
  page,
  type Stored,
  save,
  takeDue,
} from './store.ts'

/**
 * POST /v1/refunds: everything that is left of a payment, or `amount` of it in the smallest unit.
 */
export async function createRefund(call: Call): Promise<Stripe.Refund> {
  allow(call.fields, ['payment_intent', 'amount', 'metadata'])
  const charge = await chargeToRefund(call)
  const ending = charge.hidden.outcome?.refund
  const refund: Stripe.Refund = {
    id: newId('re'),
    object: 'refund',
    amount: amountToRefund(charge.body, integer(call.fields, 'amount')),
    balance_transaction: null,
    charge: charge.body.id,
    created: nowSeconds(),
    currency: charge.body.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: metadata(call.fields),
    payment_intent: charge.body.payment_intent,
    payment_method: charge.body.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: ending === 'waits' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  }
  refund.balance_transaction = (await moveRefund(call, refund, -refund.amount)).id
  await insert(call.db, refund, ending && { endsAt: Date.now() + endsAfter })
  await changeRefunded(call, charge, refund.amount)
  await emit(call, 'refund.created', refund)
  await emit(call, 'charge.refunded', charge.body)
  const [shown = refund] = await expanded(call, [refund])
  return shown
}

/** A refund costs nothing, and gives no fee back. */
const moveRefund = (cause: Cause, { id, currency, status }: Stripe.Refund, amount: number) => {
  const type = status === 'failed' ? 'refund_failure' : 'refund'
  return move(cause, { source: id, type, category: type, amount, currency })
}

const movements = ['balance_transaction', 'failure_balance_transaction'] as const

/** Replaces the ids of movements that a call expands. */
const expanded = ({ db, fields }: Call, refunds: Stripe.Refund[]): Promise<Stripe.Refund[]> =>
  withMovements(
    db,
    refunds,
    movements.filter((name) => expands(fields, name)),
  )

async function chargeToRefund({ db, fields }: Call): Promise<Stored<Stripe.Charge>> {
  const param = 'payment_intent'
  const id = requiredText(fields, param)
  const { body } = await find<Stripe.PaymentIntent>(db, 'payment_intent', id, { param })
  if (body.status !== 'succeeded') {
    const message = `This PaymentIntent (${id}) does not have a successful charge to refund.`
    throw unexpected(message, { code: 'payment_intent_unexpected_state' })
  }
  return find<Stripe.Charge>(db, 'charge', String(body.latest_charge), { lock: true })
}

function amountToRefund(charge: Stripe.Charge, requestedAmount: number | undefined): number {
  if (charge.disputed) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`
    throw unexpected(message, { code: 'charge_disputed' })
  }
  if (charge.refunded) {
    const message = `Charge ${charge.id} has already been refunded.`
    throw unexpected(message, { code: 'charge_already_refunded' })
  }
  const left = charge.amount - charge.amount_refunded
  const amount = requestedAmount ?? left
  const param = 'amount'
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.'
    throw invalid(message, { code: 'parameter_invalid_integer', param })
  }
  if (amount > left) {
    const money = (cents: number) => `$${(cents / 100).toFixed(2)}`
    throw unexpected(
      `Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`,
      { param },
    )
  }
  return amount
}

async function changeRefunded({ db }: Cause, charge: Stored<Stripe.Charge>, amount: number) {
  charge.body.amount_refunded += amount
  charge.body.refunded = charge.body.amount_refunded === charge.body.amount
  await save(db, charge)
}

/** GET /v1/refunds */
export async function listRefunds(call: Call): Promise<object> {
  const { db, fields, path } = call
  const intent = text(fields, 'payment_intent')
  const found = await page<Stripe.Refund>(db, 'refund', fields, {
    payment_intent: intent ? [intent] : undefined,
  })
  return { object: 'list', url: path, ...found, data: await expanded(call, found.data) }
}

/**
 * Ends one due refund: a pending one succeeds, a successful one fails. @returns false when none is
 * due
 */
export async function endDueRefund(cause: Cause): Promise<boolean> {
  const refund = await takeDue<Stripe.Refund>(cause.db, 'refund')
  if (!refund) return false
  const { body } = refund
  const waited = body.status === 'pending'
  body.status = waited ? 'succeeded' : 'failed'
  if (!waited) {
    body.failure_reason = 'unknown'
    body.failure_balance_transaction = (await moveRefund(cause, body, body.amount)).id
    const id = String(body.charge)
    const charge = await find<Stripe.Charge>(cause.db, 'charge', id, { lock: true })
    await changeRefunded(cause, charge, -body.amount)
  }
  refund.hidden = {}
  await save(cause.db, refund)
  // Stripe reports a change as an event of the charge and as one of the refund.
  await emit(cause, 'charge.refund.updated', body)
  await emit(cause, 'refund.updated', body)
  if (!waited) await emit(cause, 'refund.failed', body)
  return true
}
