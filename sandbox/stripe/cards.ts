import type Stripe from 'stripe'
import { cardRefused, invalid, notFound } from './errors.ts'
import { allow, type Fields, integer, requiredText, text } from './form.ts'
import type { Call } from './store.ts'
import { find, insert, newId, nowSeconds, type Outcome, type Stored } from './store.ts'

const message = 'Your card was declined.'
const declined = (decline_code: string) => ({ code: 'card_declined', decline_code, message })
const noFunds = { ...declined('insufficient_funds'), message: 'Your card has insufficient funds.' }
const expired = { code: 'expired_card', message: 'Your card has expired.' }
const wrongCvc = { code: 'incorrect_cvc', message: "Your card's security code is incorrect." }
const cannotProcess = {
  code: 'processing_error',
  message: 'An error occurred while processing your card. Try again in a little bit.',
}

type TestCard = Outcome & {
  brand: string
  /** Stripe's name for it in calls without a number, after `pm_card_`. */
  name?: string
}

/**
 * Stripe's published test numbers. Other numbers are rejected, so that no real card can end up
 * here.
 */
const testCards: Readonly<Record<string, TestCard>> = {
  4242424242424242: { brand: 'visa', name: 'visa' },
  5555555555554444: { brand: 'mastercard' },
  378282246310005: { brand: 'amex' },
  6011111111111117: { brand: 'discover' },
  36227206271667: { brand: 'diners' },
  3566002020360505: { brand: 'jcb' },
  6200000000000005: { brand: 'unionpay' },
  4000000000000002: {
    brand: 'visa',
    name: 'chargeDeclined',
    decline: declined('generic_decline'),
  },
  4000000000009995: { brand: 'visa', decline: noFunds },
  4000000000009987: { brand: 'visa', decline: declined('lost_card') },
  4000000000009979: { brand: 'visa', decline: declined('stolen_card') },
  4000000000000069: { brand: 'visa', decline: expired },
  4000000000000127: { brand: 'visa', decline: wrongCvc },
  4000000000000119: { brand: 'visa', decline: cannotProcess },
  4000000000000259: { brand: 'visa', name: 'createDispute', disputed: true },
  4000000000005126: { brand: 'visa', name: 'refundFail', refund: 'fails' },
  4000000000007726: { brand: 'visa', name: 'pendingRefund', refund: 'waits' },
  4000002500003155: { brand: 'visa', challenge: true },
  4000000000003220: { brand: 'visa', challenge: true },
  4000008260003178: { brand: 'visa', challenge: true, decline: noFunds },
}

const notATestCard =
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.'

/** POST /v1/payment_methods, from the card frame. */
export async function createPaymentMethod(call: Call): Promise<object> {
  const { fields } = call
  allow(fields, ['type', 'card', 'billing_details'])
  if (requiredText(fields, 'type') !== 'card') {
    throw invalid('Invalid type: must be card', { param: 'type' })
  }
  const number = requiredText(fields, 'card[number]').replace(/[\s-]/g, '')
  if (!Object.hasOwn(testCards, number)) {
    throw cardRefused('card_declined', notATestCard, 'test_mode_live_card')
  }
  return (await insertMethod(call, number)).body
}

/** The payment method of a call, locked; `pm_card_…` names create a new one. */
export function usePaymentMethod(call: Call, id: string): Promise<Stored<Stripe.PaymentMethod>> {
  const name = /^pm_card_(\w+)$/.exec(id)?.[1]
  if (!name) return find(call.db, 'payment_method', id, { lock: true, param: 'payment_method' })
  const named = Object.keys(testCards).find((number) => testCards[number]?.name === name)
  if (!named) throw notFound('payment_method', id, 'payment_method')
  return insertMethod(call, named)
}

/** Stores a new payment method. It contains only the last four digits of the number. */
function insertMethod({ db, fields }: Call, number: string) {
  const { brand = 'unknown', name: _name, ...outcome } = testCards[number] ?? {}
  const billing = billingDetails(fields)
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: billing,
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: billing.address?.postal_code ? 'unchecked' : null,
        cvc_check: 'unchecked',
      },
      country: 'US',
      display_brand: brand,
      exp_month: integer(fields, 'card[exp_month]') ?? 12,
      exp_year: integer(fields, 'card[exp_year]') ?? new Date().getUTCFullYear() + 4,
      fingerprint: null,
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  return insert(db, method, { outcome })
}

function billingDetails(fields: Fields): Stripe.PaymentMethod.BillingDetails {
  const detail = (name: string) => text(fields, `billing_details${name}`) ?? null
  return {
    address: {
      city: detail('[address][city]'),
      country: detail('[address][country]'),
      line1: detail('[address][line1]'),
      line2: detail('[address][line2]'),
      postal_code: detail('[address][postal_code]'),
      state: detail('[address][state]'),
    },
    email: detail('[email]'),
    name: detail('[name]'),
    phone: detail('[phone]'),
    tax_id: null,
  }
}
