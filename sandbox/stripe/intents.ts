import type Stripe from 'stripe'
import { expands, withMovements } from './balance.ts'
import { usePaymentMethod } from './cards.ts'
import { settle } from './charges.ts'
import { invalid, missing, unexpected } from './errors.ts'
import { emit } from './events.ts'
import { allow, type Fields, integer, list, metadata, requiredText, text } from './form.ts'
import type { Call } from './store.ts'
import { find, insert, newId, nowSeconds, page, type Stored, save } from './store.ts'

type Intent = Stripe.PaymentIntent

/** POST /v1/payment_intents */
export async function createIntent({ db, fields }: Call): Promise<Intent> {
  const describing = ['metadata', 'description', 'receipt_email']
  allow(fields, ['amount', 'currency', 'allowed_payment_method_types', ...describing])
  const param = 'allowed_payment_method_types'
  const other = list(fields, param).find((type) => type !== 'card')
  if (other !== undefined) {
    throw invalid(`The payment method type "${other}" is invalid.`, { param })
  }
  return (await insert(db, newIntent(fields))).body
}

/** Stripe's minimum charge, where it is not 50 cents. */
const leastOf: Record<string, number> = {
  ...{ aed: 200, czk: 1500, dkk: 250, gbp: 30, hkd: 400, mxn: 1000, myr: 200, nok: 300, pln: 200 },
  ...{ ron: 200, sek: 300, thb: 1000 },
}

function amountOf(fields: Fields): number {
  const amount = integer(fields, 'amount')
  const param = 'amount'
  if (amount === undefined) throw missing(param)
  const currency = requiredText(fields, 'currency').toLowerCase()
  if (!/^[a-z]{3}$/.test(currency))
    throw invalid(`Invalid currency: ${currency}.`, { param: 'currency' })
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const text = (cents: number) => `${format.format(cents / 100)} ${currency}`
  const least = leastOf[currency] ?? 50
  if (amount < least)
    throw invalid(`Amount must be at least ${text(least)}`, { code: 'amount_too_small', param })
  if (amount > 99_999_999) {
    const message = `Amount must be no more than ${text(99_999_999)}`
    throw invalid(message, { code: 'amount_too_large', param })
  }
  return amount
}

/** A new payment intent with every field of the current API version. */
function newIntent(fields: Fields): Intent {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: amountOf(fields),
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newId('x', 25).slice(2)}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency: requiredText(fields, 'currency').toLowerCase(),
    customer: null,
    customer_account: null,
    description: text(fields, 'description') ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: metadata(fields),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: text(fields, 'receipt_email') ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}

/** The intent as the caller may see it: metadata and charges stay hidden from browsers. */
function visibleIntent(intent: Intent, { publishable }: Pick<Call, 'publishable'>): object {
  const { metadata: _metadata, latest_charge: _charge, ...visible } = intent
  return publishable ? visible : intent
}

/** The intent of a call; with the publishable key, only together with its client secret. */
async function findIntent(call: Call, id: string, lock = false): Promise<Stored<Intent>> {
  const intent = await find<Intent>(call.db, 'payment_intent', id, { lock, param: 'intent' })
  const secret = text(call.fields, 'client_secret')
  if (call.publishable && secret === undefined) throw missing('client_secret')
  if (secret !== undefined && secret !== intent.body.client_secret) {
    throw invalid(
      'The client_secret provided does not match the client_secret on the PaymentIntent.',
      { code: 'payment_intent_invalid_parameter', param: 'client_secret' },
    )
  }
  return intent
}

/**
 * Replaces the id of the last charge with the charge, when a call with the secret key expands it, and
 * that of its movement likewise.
 */
async function expanded({ db, fields, publishable }: Call, intents: Intent[]): Promise<Intent[]> {
  const expandsMovement = expands(fields, 'latest_charge.balance_transaction')
  if (publishable || !(expandsMovement || expands(fields, 'latest_charge'))) return intents
  const { rows } = await db.query<{ body: Stripe.Charge }>(
    "select body from sandbox_stripe.objects where kind = 'charge' and id = any($1)",
    [intents.map((intent) => intent.latest_charge)],
  )
  const found = rows.map(({ body }) => body)
  const shown = expandsMovement ? await withMovements(db, found, ['balance_transaction']) : found
  const charges = new Map(shown.map((charge) => [charge.id, charge]))
  return intents.map((intent) => ({
    ...intent,
    latest_charge: charges.get(String(intent.latest_charge)) ?? intent.latest_charge,
  }))
}

/** GET /v1/payment_intents/:id */
export async function retrieveIntent(call: Call, id: string): Promise<object> {
  const { body } = await findIntent(call, id)
  const [intent = body] = await expanded(call, [body])
  return visibleIntent(intent, call)
}

/** GET /v1/payment_intents */
export async function listIntents(call: Call): Promise<object> {
  const found = await page<Intent>(call.db, 'payment_intent', call.fields)
  return { object: 'list', url: call.path, ...found, data: await expanded(call, found.data) }
}

/** The statuses in which an intent can still be paid or canceled. */
const openStatuses = ['requires_payment_method', 'requires_confirmation', 'requires_action']

const stateError = (intent: Intent, call: Call, message: string) =>
  unexpected(message, {
    code: 'payment_intent_unexpected_state',
    payment_intent: visibleIntent(intent, call),
  })

/** POST /v1/payment_intents/:id/confirm */
export async function confirmIntent(call: Call, id: string): Promise<object> {
  allow(call.fields, ['payment_method', 'use_stripe_sdk'])
  const intent = await findIntent(call, id, true)
  const { status } = intent.body
  if (!openStatuses.includes(status)) {
    const why =
      status === 'succeeded'
        ? 'it has already succeeded after being previously confirmed.'
        : `it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.`
    const message = `You cannot confirm this PaymentIntent because ${why}`
    throw stateError(intent.body, call, message)
  }
  const methodId = requiredText(call.fields, 'payment_method')
  return attempt(call, intent, await usePaymentMethod(call, methodId))
}

/** Charges a locked intent, or first requests authentication when the card requires it. */
export async function attempt(
  call: Call,
  intent: Stored<Intent>,
  method: Stored<Stripe.PaymentMethod>,
): Promise<object> {
  if (method.hidden.outcome?.challenge) await askForAuthentication(call, intent, method)
  else if ((await settle(call, intent, method)) === 'declined') {
    const payment_intent = visibleIntent(intent.body, call)
    return { error: { ...intent.body.last_payment_error, payment_intent } }
  }
  return visibleIntent(intent.body, call)
}

async function askForAuthentication(
  call: Call,
  intent: Stored<Intent>,
  method: Stored<Stripe.PaymentMethod>,
): Promise<void> {
  const source = newId('src')
  intent.body.status = 'requires_action'
  intent.body.payment_method = method.body.id
  intent.body.last_payment_error = null
  intent.body.next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', source, stripe_js: '' },
  }
  intent.hidden = { challenge: source, challenged: method.body.id }
  await save(call.db, intent)
}

/** POST /v1/payment_intents/:id/cancel */
export async function cancelIntent(call: Call, id: string): Promise<object> {
  allow(call.fields, [])
  const intent = await findIntent(call, id, true)
  const { body } = intent
  if (!openStatuses.includes(body.status)) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${body.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`
    throw stateError(body, call, message)
  }
  body.status = 'canceled'
  body.canceled_at = nowSeconds()
  body.next_action = null
  intent.hidden = {}
  await save(call.db, intent)
  await emit(call, 'payment_intent.canceled', body)
  return body
}
