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
  status: 'succeeded' | 'pending'
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
    status: fields.status,
    transfer_reversal: null,
  }
}
