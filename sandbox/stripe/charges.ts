import type Stripe from 'stripe'
import { openDispute } from './disputes.ts'
import { emit } from './events.ts'
import type { Cause } from './store.ts'
import { type Decline, insert, newId, nowSeconds, type Stored, save } from './store.ts'

type Intent = Stored<Stripe.PaymentIntent>
type Method = Stored<Stripe.PaymentMethod>

/** Moves the money or declines. The intent's row must be locked. */
export async function settle(cause: Cause, intent: Intent, method: Method) {
  const { decline, refund, disputed } = method.hidden.outcome ?? {}
  const charge = newCharge(intent.body, method.body, decline)
  const stored = await insert(cause.db, charge, refund && { outcome: { refund } })
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

/** The charge that one attempt leaves behind. Details that the shop never reads are null. */
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
