import type Stripe from 'stripe'
import type { Decline } from './cards.ts'
import { cardDetails } from './charge-card.ts'
import { newId, nowSeconds } from './store.ts'

/** The charge that one attempt leaves behind, paid or refused. */
export function newCharge(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline | undefined,
  authenticated: boolean,
): Stripe.Charge {
  const paid = decline === undefined
  const id = newId('ch')
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? newId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: paid,
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
    outcome: outcomeOf(decline),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'card',
      card: cardDetails(intent, method, paid, authenticated),
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  }
}

function outcomeOf(decline: Decline | undefined): Stripe.Charge.Outcome {
  const blank = { advice_code: null, network_advice_code: null, network_decline_code: null }
  if (!decline) {
    return {
      ...blank,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: 20,
      seller_message: 'Payment complete.',
      type: 'authorized',
    }
  }
  return {
    ...blank,
    network_status: decline.blocked ? 'not_sent_to_network' : 'declined_by_network',
    reason: decline.blocked ? 'highest_risk_level' : (decline.declineCode ?? decline.code),
    risk_level: decline.blocked ? 'highest' : 'normal',
    risk_score: decline.blocked ? 90 : 20,
    seller_message: decline.blocked
      ? 'Stripe blocked this payment as too risky.'
      : 'The bank did not accept this payment.',
    type: decline.blocked ? 'blocked' : 'issuer_declined',
  }
}
