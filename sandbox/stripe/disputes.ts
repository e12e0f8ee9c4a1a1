import type Stripe from 'stripe'
import type { Cause } from './call.ts'
import { emit } from './events.ts'
import { save } from './store.ts'

/** How a bank may end a dispute; the last is what it calls an inquiry that it drops. */
export const disputeEnds = ['won', 'lost', 'warning_closed'] as const

/** Ends the open dispute of an intent as its bank would. @returns whether there was one */
export async function endDisputeOf(
  cause: Cause,
  intent: string,
  status: (typeof disputeEnds)[number],
): Promise<boolean> {
  const { rows } = await cause.db.query<{ body: Stripe.Dispute }>(
    `select body from sandbox_stripe.objects where kind = 'dispute'
      and body->>'payment_intent' = $1 and body->>'status' = 'needs_response' for update`,
    [intent],
  )
  const dispute = rows[0]?.body
  if (!dispute) return false
  const ended = { ...dispute, status }
  await save(cause.db, { body: ended, hidden: {} })
  await emit(cause, 'charge.dispute.closed', ended, { status: dispute.status })
  return true
}
