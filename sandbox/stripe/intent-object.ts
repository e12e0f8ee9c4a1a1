import type Stripe from 'stripe'
import type { Params } from './form.ts'
import { integer, metadata, text } from './form.ts'
import { newId, nowSeconds } from './store.ts'

/** A new payment intent with every field of the current API version. */
export function newIntent(params: Params, fields: IntentFields): Stripe.PaymentIntent {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: fields.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: fields.automatic
      ? { allow_redirects: fields.redirects, enabled: true }
      : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: fields.captureMethod,
    client_secret: `${id}_secret_${newId('x', 25).slice(2)}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency: fields.currency,
    customer: null,
    customer_account: null,
    description: text(params, 'description') ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: metadata(params),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: fields.automatic
      ? { id: 'pmc_1SandboxConfiguration', parent: null }
      : null,
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
    receipt_email: text(params, 'receipt_email') ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: text(params, 'statement_descriptor') ?? null,
    statement_descriptor_suffix: text(params, 'statement_descriptor_suffix') ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: text(params, 'transfer_group') ?? null,
  }
}

export type IntentFields = {
  amount: number
  currency: string
  automatic: boolean
  redirects: 'always' | 'never'
  captureMethod: 'automatic' | 'automatic_async'
}

const shownToBrowsers = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[]

/** The intent as a caller may see it: with the publishable key metadata and charges stay hidden. */
export function shown(intent: Stripe.PaymentIntent, publishable: boolean): object {
  if (!publishable) return intent
  return Object.fromEntries(shownToBrowsers.map((field) => [field, intent[field]]))
}

const smallest: Record<string, number> = { gbp: 30, usd: 50, eur: 50 }

export const smallestAmount = (currency: string) => smallest[currency] ?? 50
export const largestAmount = 99_999_999

/** The amount parameter in the smallest unit of the currency, undefined when absent. */
export const amountOf = (params: Params) => integer(params, 'amount')
