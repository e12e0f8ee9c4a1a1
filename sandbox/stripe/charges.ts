import type Stripe from 'stripe'
import { accountOf, chargeFee, move, reinstate, withdraw } from './balance.ts'
import { emit } from './events.ts'
import {
  type Cause,
  type Decline,
  endsAfter,
  insert,
  newId,
  nowSeconds,
  type Stored,
  save,
  takeDue,
} from './store.ts'

type Intent = Stored<Stripe.PaymentIntent>
type Method = Stored<Stripe.PaymentMethod>

/** Moves the money or declines. The intent's row must be locked. */
export async function settle(cause: Cause, intent: Intent, method: Method) {
  const { decline, refund, disputed } = method.hidden.outcome ?? {}
  const charge = newCharge(intent.body, method.body, decline)
  const { isLate } = decline ? {} : await accountOf(cause)
  if (!decline && !isLate) charge.balance_transaction = (await moveCharge(cause, charge)).id
  const stored = await insert(cause.db, charge, {
    ...(refund && { outcome: { refund } }),
    ...(isLate && { endsAt: Date.now() + endsAfter }),
  })
  intent.body.latest_charge = charge.id
  intent.body.next_action = null
  intent.hidden = {}
  if (decline) {
    const error = { type: 'card_error', charge: charge.id, payment_method: method.body } as const
    await endUnpaid(cause, intent, { ...error, ...decline })
    return 'declined'
  }
  intent.body.status = 'succeeded'
  intent.body.amount_received = intent.body.amount
  intent.body.payment_method = method.body.id
  intent.body.last_payment_error = null
  await save(cause.db, intent)
  await emit(cause, 'payment_intent.succeeded', intent.body)
  if (disputed) await openDispute(cause, stored)
  return 'paid'
}

const moveCharge = (cause: Cause, { id, amount, currency }: Stripe.Charge) =>
  move(cause, {
    ...{ source: id, type: 'charge', category: 'charge', amount, currency },
    feeOf: chargeFee,
  })

/** Reports the fee of one charge that waits for it. @returns false when none is due */
export async function reportDueCharge(cause: Cause): Promise<boolean> {
  const charge = await takeDue<Stripe.Charge>(cause.db, 'charge')
  if (!charge) return false
  const { endsAt: _, ...hidden } = charge.hidden
  charge.hidden = hidden
  charge.body.balance_transaction = (await moveCharge(cause, charge.body)).id
  await save(cause.db, charge)
  await emit(cause, 'charge.updated', charge.body)
  return true
}

/** Lets the customer try another card. */
export async function endUnpaid(
  cause: Cause,
  intent: Intent,
  error: Stripe.PaymentIntent.LastPaymentError,
): Promise<void> {
  intent.body.last_payment_error = error
  intent.body.next_action = null
  intent.body.payment_method = null
  intent.body.status = 'requires_payment_method'
  intent.hidden = {}
  await save(cause.db, intent)
  await emit(cause, 'payment_intent.payment_failed', intent.body)
}

/** The charge of one attempt. Details that the shop never reads are null. */
function newCharge(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline | undefined,
): Stripe.Charge {
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: !decline,
    created: nowSeconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: null,
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

/** The evidence that the shop can submit to the bank at Stripe, all empty. */
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

/** The customer's bank takes the whole charge back, and the shop has a week to respond. */
async function openDispute(cause: Cause, charge: Stored<Stripe.Charge>): Promise<void> {
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
  dispute.balance_transactions.push(await withdraw(cause, dispute))
  charge.body.disputed = true
  await save(cause.db, charge)
  await insert(cause.db, dispute)
  await emit(cause, 'charge.dispute.created', dispute)
}

/** How a bank can end a dispute; the last one is a dropped inquiry. */
export const disputeEnds = ['won', 'lost', 'warning_closed'] as const

/** Ends the open dispute of an intent like its bank. @returns whether there was one */
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
  if (status !== 'lost') {
    const back = await reinstate(cause, dispute.body, status === 'warning_closed')
    dispute.body.balance_transactions.push(back)
  }
  await save(cause.db, dispute)
  await emit(cause, 'charge.dispute.closed', dispute.body)
  return true
}
