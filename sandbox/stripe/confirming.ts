import { type Call, ok, type Reply } from './call.ts'
import { attempt } from './charging.ts'
import { emit } from './events.ts'
import { allow, oneOf, text } from './form.ts'
import { findIntent, openStatuses, stateFault } from './intent-state.ts'
import { usePaymentMethod } from './payment-methods.ts'
import { nowSeconds, save } from './store.ts'

/** Parameters of a confirmation, also of one that comes with the creation. */
export const confirming = [
  'payment_method',
  'return_url',
  'use_stripe_sdk',
  'off_session',
  'receipt_email',
]

/** POST /v1/payment_intents/:id/confirm */
export async function confirmIntent(call: Call, id: string): Promise<Reply> {
  const { params } = call
  allow(params, confirming)
  const intent = await findIntent(call, id, true)
  const { body } = intent
  if (body.status === 'succeeded') {
    throw stateFault(
      body,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      call.publishable,
    )
  }
  if (!openStatuses.includes(body.status)) {
    throw stateFault(
      body,
      `You cannot confirm this PaymentIntent because it has a status of ${body.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`,
      call.publishable,
    )
  }
  const methodId = text(params, 'payment_method') ?? body.payment_method
  if (typeof methodId !== 'string') {
    throw stateFault(
      body,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      call.publishable,
    )
  }
  body.receipt_email = text(params, 'receipt_email') ?? body.receipt_email
  return attempt(call, intent, await usePaymentMethod(call, methodId))
}

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] as const

/** POST /v1/payment_intents/:id/cancel */
export async function cancelIntent(call: Call, id: string): Promise<Reply> {
  allow(call.params, ['cancellation_reason'])
  const sent = oneOf(call.params, 'cancellation_reason', reasons)
  const intent = await findIntent(call, id, true)
  const { body } = intent
  if (!openStatuses.includes(body.status)) {
    throw stateFault(
      body,
      `You cannot cancel this PaymentIntent because it has a status of ${body.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    )
  }
  body.status = 'canceled'
  body.canceled_at = nowSeconds()
  body.cancellation_reason = reasons.find((reason) => reason === sent) ?? null
  body.next_action = null
  intent.hidden = {}
  await save(call.db, intent)
  await emit(call, 'payment_intent.canceled', body)
  return ok(body)
}
