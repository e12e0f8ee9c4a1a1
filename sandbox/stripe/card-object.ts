import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import type { Card } from './cards.ts'
import { nested, type Params, text } from './form.ts'
import { newId, nowSeconds } from './store.ts'

export type CardEntry = {
  card: Card
  last4: string
  fingerprint: string
  expMonth: number
  expYear: number
  hasCvc: boolean
}

/** A stable mark of a number that does not reveal it. */
export const fingerprint = (number: string, secret: string) =>
  createHmac('sha256', secret).update(number).digest('base64url').replace(/[-_]/g, '').slice(0, 16)

export function billingDetails(params: Params): Stripe.PaymentMethod.BillingDetails {
  const given = nested(params, 'billing_details')
  const address = nested(given, 'address')
  const part = (name: string) => text(address, name) ?? null
  return {
    address: {
      city: part('city'),
      country: part('country'),
      line1: part('line1'),
      line2: part('line2'),
      postal_code: part('postal_code'),
      state: part('state'),
    },
    email: text(given, 'email') ?? null,
    name: text(given, 'name') ?? null,
    phone: text(given, 'phone') ?? null,
    tax_id: text(given, 'tax_id') ?? null,
  }
}

/** A new card payment method; holds the last four digits and never more of the number. */
export function newPaymentMethod(
  entry: CardEntry,
  billing: Stripe.PaymentMethod.BillingDetails,
  metadata: Record<string, string>,
): Stripe.PaymentMethod {
  const { brand, country, funding } = entry.card
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: {
      brand,
      checks: {
        address_line1_check: billing.address?.line1 ? 'unchecked' : null,
        address_postal_code_check: billing.address?.postal_code ? 'unchecked' : null,
        cvc_check: entry.hasCvc ? 'unchecked' : null,
      },
      country,
      display_brand: brand,
      exp_month: entry.expMonth,
      exp_year: entry.expYear,
      fingerprint: entry.fingerprint,
      funding,
      generated_from: null,
      last4: entry.last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    type: 'card',
  }
}
