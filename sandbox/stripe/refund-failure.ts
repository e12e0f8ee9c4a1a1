import type Stripe from 'stripe'
import type { Cause } from './call.ts'
import { emit } from './events.ts'
import { newBalanceTransaction } from './money-objects.ts'
import { changeRefunded, movementOf } from './refunds.ts'
import { find, insert, newId, save } from './store.ts'

/** The bank sends a refund back: the money is the shop's again. */
export async function failRefund(cause: Cause, id: string): Promise<void> {
  const refund = await find<Stripe.Refund>(cause.db, 'refund', id, { lock: true })
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
  await emit(cause, 'charge.refund.updated', refund.body, { status: 'succeeded' })
  await emit(cause, 'refund.failed', refund.body)
}
