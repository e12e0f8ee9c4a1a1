import type Stripe from 'stripe'
import { type Call, ok, type Reply } from './call.ts'
import { attempt } from './charging.ts'
import { emit } from './events.ts'
import { invalid, missing, unexpected } from './faults.ts'
import { allow, list, metadata, nested, oneOf, type Params, requiredText, text } from './form.ts'
import { amountOf, largestAmount, newIntent, shown, smallestAmount } from './intent-object.ts'
import { usePaymentMethod } from './payment-methods.ts'
import { find, insert, nowSeconds, type Stored, save } from './store.ts'

type Intent = Stored<Stripe.PaymentIntent>

const describing = [
  'amount',
  'currency',
  'metadata',
  'description',
  'receipt_email',
  'payment_method',
  'payment_method_types',
  'allowed_payment_method_types',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'transfer_group',
]
const confirming = [
  'payment_method',
  'return_url',
  'use_stripe_sdk',
  'off_session',
  'receipt_email',
]

/** POST /v1/payment_intents; with `confirm=true` it is charged at once. */
export async function createIntent(call: Call): Promise<Reply> {
  const { params } = call
  const rest = ['automatic_payment_methods', 'capture_method', 'confirmation_method', 'confirm']
  allow(params, [...describing, ...confirming, ...rest])
  const automatic = nested(params, 'automatic_payment_methods')
  const body = newIntent(params, {
    ...price(params),
    automatic:
      text(automatic, 'enabled') === 'true' || typeLists.every((name) => !(name in params)),
    redirects:
      oneOf(automatic, 'allow_redirects', ['always', 'never']) === 'never' ? 'never' : 'always',
    captureMethod:
      oneOf(params, 'capture_method', ['automatic', 'automatic_async']) === 'automatic'
        ? 'automatic'
        : 'automatic_async',
  })
  cardOnly(params)
  const methodId = text(params, 'payment_method')
  const method = methodId === undefined ? undefined : await usePaymentMethod(call, methodId)
  if (method) attach(body, method.body.id)
  const stored = { body: await insert(call.db, body), hidden: {} }
  await emit(call, 'payment_intent.created', body)
  if (text(params, 'confirm') !== 'true') return ok(body)
  if (!method) throw missing('payment_method')
  return attempt(call, stored, method)
}

function price(params: Params): { amount: number; currency: string } {
  const amount = amountOf(params)
  if (amount === undefined) throw missing('amount')
  const currency = requiredText(params, 'currency').toLowerCase()
  if (!/^[a-z]{3}$/.test(currency)) {
    throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' })
  }
  checkAmount(amount, currency)
  return { amount, currency }
}

function checkAmount(amount: number, currency: string): void {
  const param = 'amount'
  if (amount < 0) {
    const message = 'This value must be greater than or equal to 1.'
    throw invalid(message, { code: 'parameter_invalid_integer', param })
  }
  if (amount < smallestAmount(currency)) {
    const least = (smallestAmount(currency) / 100).toFixed(2)
    const message = `Amount must be at least ${currency === 'usd' ? '$' : ''}${least} ${currency}`
    throw invalid(message, { code: 'amount_too_small', param })
  }
  if (amount > largestAmount) {
    const message = `Amount must be no more than ${currency === 'usd' ? '$' : ''}999,999.99 ${currency}`
    throw invalid(message, { code: 'amount_too_large', param })
  }
}

/** The same wish by its name before and since the 2026 versions of the API. */
const typeLists = ['payment_method_types', 'allowed_payment_method_types']

function cardOnly(params: Params): void {
  for (const param of typeLists) {
    const other = list(params, param).find((type) => type !== 'card')
    if (other !== undefined)
      throw invalid(`The payment method type "${other}" is invalid.`, { param })
  }
}

function attach(intent: Stripe.PaymentIntent, methodId: string): void {
  intent.payment_method = methodId
  intent.status = 'requires_confirmation'
}

/** GET /v1/payment_intents/:id; with the publishable key only together with the client secret. */
export async function retrieveIntent(call: Call, id: string): Promise<Reply> {
  const { body } = await findIntent(call, id, false)
  return ok(shown(body, call.publishable))
}

async function findIntent(call: Call, id: string, lock: boolean): Promise<Intent> {
  const intent = await find<Stripe.PaymentIntent>(call.db, 'payment_intent', id, {
    lock,
    param: 'intent',
  })
  const secret = text(call.params, 'client_secret')
  if (call.publishable && secret === undefined) throw missing('client_secret')
  if (secret !== undefined && secret !== intent.body.client_secret) {
    throw invalid(
      'The client_secret provided does not match the client_secret on the PaymentIntent.',
      {
        code: 'payment_intent_invalid_parameter',
        param: 'client_secret',
      },
    )
  }
  return intent
}

const open = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** POST /v1/payment_intents/:id. The amount is fixed once the intent succeeded or was canceled. */
export async function updateIntent(call: Call, id: string): Promise<Reply> {
  const { params } = call
  allow(params, describing)
  const intent = await findIntent(call, id, true)
  const { body } = intent
  const asked = ['amount', 'currency', 'payment_method'].find((name) => name in params)
  if (asked !== undefined && !open.includes(body.status)) {
    throw stateFault(
      body,
      `This PaymentIntent's ${asked} could not be updated because it has a status of ${body.status}. You may only update the ${asked} of a PaymentIntent with one of the following statuses: ${open.join(', ')}.`,
    )
  }
  cardOnly(params)
  const currency = text(params, 'currency')?.toLowerCase() ?? body.currency
  const amount = amountOf(params) ?? body.amount
  checkAmount(amount, currency)
  const methodId = text(params, 'payment_method')
  if (methodId !== undefined) attach(body, (await usePaymentMethod(call, methodId)).body.id)
  // What was authenticated was the old price: it has to be confirmed again.
  if (amount !== body.amount && body.next_action) attach(body, String(body.payment_method))
  if (body.status !== 'requires_action') {
    body.next_action = null
    intent.hidden = {}
  }
  body.amount = amount
  body.currency = currency
  body.metadata = metadata(params, body.metadata)
  body.description = text(params, 'description') ?? body.description
  body.receipt_email = text(params, 'receipt_email') ?? body.receipt_email
  await save(call.db, intent)
  return ok(body)
}

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
  if (!open.includes(body.status)) {
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
  if (!open.includes(body.status)) {
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

function stateFault(intent: Stripe.PaymentIntent, message: string, publishable = false) {
  return unexpected(message, {
    code: 'payment_intent_unexpected_state',
    payment_intent: shown(intent, publishable),
  })
}
