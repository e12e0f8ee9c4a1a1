import type Stripe from 'stripe'
import { type Call, ok, type Reply } from './call.ts'
import { attempt } from './charging.ts'
import { confirming } from './confirming.ts'
import { emit } from './events.ts'
import { invalid, missing } from './faults.ts'
import { allow, list, metadata, nested, oneOf, type Params, requiredText, text } from './form.ts'
import { amountOf, largestAmount, newIntent, shown, smallestAmount } from './intent-object.ts'
import { findIntent, openStatuses, stateFault } from './intent-state.ts'
import { usePaymentMethod } from './payment-methods.ts'
import { insert, save } from './store.ts'

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

/** POST /v1/payment_intents/:id. The amount is fixed once the intent succeeded or was canceled. */
export async function updateIntent(call: Call, id: string): Promise<Reply> {
  const { params } = call
  allow(params, describing)
  const intent = await findIntent(call, id, true)
  const { body } = intent
  const asked = ['amount', 'currency', 'payment_method'].find((name) => name in params)
  if (asked !== undefined && !openStatuses.includes(body.status)) {
    throw stateFault(
      body,
      `This PaymentIntent's ${asked} could not be updated because it has a status of ${body.status}. You may only update the ${asked} of a PaymentIntent with one of the following statuses: ${openStatuses.join(', ')}.`,
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
