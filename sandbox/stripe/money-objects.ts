import type Stripe from 'stripe'
import { newId, nowSeconds } from './store.ts'

type Movement = Pick<
  Stripe.BalanceTransaction,
  'id' | 'amount' | 'currency' | 'source' | 'description'
>

/** The line that a charge or refund leaves in the account's balance; amounts in the smallest unit. */
export function newBalanceTransaction(
  type: 'charge' | 'refund' | 'refund_failure',
  movement: Movement,
): Stripe.BalanceTransaction {
  const fee = type === 'charge' ? Math.round(movement.amount * 0.029) + 30 : 0
  const created = nowSeconds()
  const cost = {
    amount: fee,
    application: null,
    currency: movement.currency,
    description: 'Stripe processing fees',
    type: 'stripe_fee',
  }
  return {
    id: movement.id,
    object: 'balance_transaction',
    amount: movement.amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency: movement.currency,
    description: movement.description,
    exchange_rate: null,
    fee,
    fee_details: fee > 0 ? [cost] : [],
    net: movement.amount - fee,
    reporting_category: type,
    source: movement.source,
    status: 'available',
    type,
  }
}

export type RefundFields = {
  amount: number
  reason: Stripe.Refund.Reason | null
  metadata: Record<string, string>
}

export function newRefund(charge: Stripe.Charge, fields: RefundFields): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount: fields.amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: fields.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: fields.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

const emptyEvidence: Stripe.Dispute.Evidence = {
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

/** A fraud dispute over the whole charge. */
export function newDispute(charge: Stripe.Charge): Stripe.Dispute {
  const created = nowSeconds()
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  return {
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: emptyEvidence,
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
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
  }
}
