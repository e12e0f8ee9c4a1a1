import type Stripe from 'stripe'
import { emit } from './events.ts'
import type { Cause } from './store.ts'
import { insert, newId, nowSeconds, type Stored, save } from './store.ts'

/** The fields of a dispute that the shop reads, and those that name it. */
type Dispute = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'charge' | 'created' | 'currency' | 'payment_intent' | 'reason'
> & { status: Stripe.Dispute.Status; evidence_details: { due_by: number } }

/** The customer's bank takes the whole charge back, and the shop has a week to answer. */
export async function openDispute(cause: Cause, charge: Stored<Stripe.Charge>): Promise<void> {
  const { id, amount, currency, payment_intent } = charge.body
  const created = nowSeconds()
  const dispute: Dispute = {
    id: newId('dp'),
    object: 'dispute',
    amount,
    charge: id,
    created,
    currency,
    evidence_details: { due_by: created + 7 * 24 * 3600 },
    payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  }
  charge.body.disputed = true
  await save(cause.db, charge)
  await insert(cause.db, dispute)
  await emit(cause, 'charge.dispute.created', dispute)
}

/** How a bank may end a dispute; the last is what it calls an inquiry that it drops. */
export const disputeEnds = ['won', 'lost', 'warning_closed'] as const

/** Ends the open dispute of an intent as its bank would. @returns whether there was one */
export async function endDispute(
  cause: Cause,
  intent: string,
  status: (typeof disputeEnds)[number],
): Promise<boolean> {
  const { rows } = await cause.db.query<Stored<Dispute>>(
    `select body, hidden from sandbox_stripe.objects where kind = 'dispute'
      and body->>'payment_intent' = $1 and body->>'status' = 'needs_response' for update`,
    [intent],
  )
  const [dispute] = rows
  if (!dispute) return false
  dispute.body.status = status
  await save(cause.db, dispute)
  await emit(cause, 'charge.dispute.closed', dispute.body)
  return true
}
