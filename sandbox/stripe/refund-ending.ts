import type Stripe from 'stripe'
import type { Cause } from './call.ts'
import { emit } from './events.ts'
import { newBalanceTransaction } from './money-objects.ts'
import { changeRefunded, movementOf } from './refunds.ts'
import { find, insert, newId, type Stored, save } from './store.ts'

/** Ends a refund as its test card says: one that waited succeeds, one that had succeeded fails. */
export async function endRefund(cause: Cause, id: string): Promise<void> {
  const refund = await find<Stripe.Refund>(cause.db, 'refund', id, { lock: true })
  if (refund.body.status !== 'pending') return failRefund(cause, refund)
  refund.body.status = 'succeeded'
  await save(cause.db, refund)
  await announce(cause, refund.body, 'pending')
}

/** Stripe tells of a change twice: under the charge's name and under the refund's. */
async function announce(cause: Cause, refund: Stripe.Refund, status: string): Promise<void> {
  await emit(cause, 'charge.refund.updated', refund, { status })
  await emit(cause, 'refund.updated', refund, { status })
}

/** The bank sends a refund back: the money is the shop's again. */
async function failRefund(cause: Cause, refund: Stored<Stripe.Refund>): Promise<void> {
  const chargeId = String(refund.body.charge)
  const charge = await find<Stripe.Charge>(cause.db, 'charge', chargeId, { lock: true })
  const back = newId('txn')
  const movement = movementOf(refund.body, back, refund.body.amount)
  await insert(cause.db, newBalanceTransaction('refund_failure', movement))
  refund.body.status = 'failed'
  refund.body.failure_reason = 'unknown'
  refund.body.failure_balance_transaction = back
  await save(cause.db, refund)
  await changeRefunded(cause, charge, -refund.body.amount)
  await announce(cause, refund.body, 'succeeded')
  await emit(cause, 'refund.failed', refund.body)
}
