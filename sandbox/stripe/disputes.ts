import type Stripe from 'stripe'
import { emit } from './events.ts'
import type { Cause } from './store.ts'
import { insert, newId, nowSeconds, type Stored, save } from './store.ts'

/** What the shop may tell the bank at Stripe, all of it still unsaid. */
const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

/** The customer's bank takes the whole charge back, and the shop has a week to answer. */
export async function openDispute(cause: Cause, charge: Stored<Stripe.Charge>): Promise<void> {
  const { id, amount, currency, payment_intent } = charge.body
  const created = nowSeconds()
  const dispute: Stripe.Dispute = {
    id: newId('dp'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: id,
    created,
    currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: created + 7 * 24 * 3600,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
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
  const { rows } = await cause.db.query<Stored<Stripe.Dispute>>(
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
