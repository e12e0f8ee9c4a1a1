import type Stripe from 'stripe'
import { type Call, ok, type Reply } from './call.ts'
import { aliases } from './card-aliases.ts'
import { billingDetails, type CardEntry, fingerprint, newPaymentMethod } from './card-object.ts'
import { luhn, testCards } from './cards.ts'
import { cardRefused, invalid, missing, notFound } from './faults.ts'
import { allow, integer, metadata, nested, type Params, requiredText, text } from './form.ts'
import { find, insert, type Stored } from './store.ts'

/** POST /v1/payment_methods. Numbers come only from the browser, by the publishable key. */
export async function createPaymentMethod(call: Call): Promise<Reply> {
  const { params } = call
  allow(params, ['type', 'card', 'billing_details', 'metadata', 'allow_redisplay'])
  const type = requiredText(params, 'type')
  if (type !== 'card') throw invalid('Invalid type: must be card', { param: 'type' })
  const fields = nested(params, 'card')
  const token = text(fields, 'token')
  if (token) return ok(await fromAlias(call, token.replace(/^tok_/, ''), token, params))
  if (!text(fields, 'number')) throw missing('card[number]')
  if (!call.publishable) throw cardRefused(undefined, rawNumberBySecretKey)
  const method = await fromNumber(call, fields, params)
  return ok(call.publishable ? withoutFingerprint(method) : method)
}

const rawNumberBySecretKey =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.'

/** GET /v1/payment_methods/:id */
export async function retrievePaymentMethod(call: Call, id: string): Promise<Reply> {
  return ok((await find<Stripe.PaymentMethod>(call.db, 'payment_method', id)).body)
}

/** The payment method of a call, locked; `pm_card_…` names make a fresh one. */
export async function usePaymentMethod(
  call: Call,
  id: string,
): Promise<Stored<Stripe.PaymentMethod>> {
  const name = id.startsWith('pm_card_') ? id.slice('pm_card_'.length) : undefined
  const found = name !== undefined ? await fromAlias(call, name, id, {}) : { id }
  const options = { lock: true, param: 'payment_method' }
  const stored = await find<Stripe.PaymentMethod>(call.db, 'payment_method', found.id, options)
  if (stored.hidden.used) {
    throw invalid(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    )
  }
  return stored
}

async function fromAlias(
  call: Call,
  name: string,
  sent: string,
  owner: Params,
): Promise<Stripe.PaymentMethod> {
  const number = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  const card = number && testCards[number]
  if (!number || !card) throw notFound('PaymentMethod', sent, 'payment_method')
  const expires = { expMonth: 12, expYear: new Date().getUTCFullYear() + 4, hasCvc: true }
  return keep(call, number, { card, ...expires }, owner)
}

async function fromNumber(
  call: Call,
  fields: Params,
  owner: Params,
): Promise<Stripe.PaymentMethod> {
  const number = requiredText(fields, 'number').replace(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number) || !luhn(number)) {
    throw cardRefused('incorrect_number', 'Your card number is incorrect.', { param: 'number' })
  }
  const card = Object.hasOwn(testCards, number) ? testCards[number] : undefined
  if (!card) {
    throw cardRefused('card_declined', notATestCard, { decline_code: 'test_mode_live_card' })
  }
  const expiry = expiryOf(fields)
  const cvc = text(fields, 'cvc')
  const length = card.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/
  if (cvc !== undefined && !length.test(cvc)) {
    throw cardRefused('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' })
  }
  return keep(call, number, { card, ...expiry, hasCvc: cvc !== undefined }, owner)
}

const notATestCard =
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.'

function expiryOf(fields: Params): { expMonth: number; expYear: number } {
  const expMonth = integer(fields, 'exp_month')
  const sent = integer(fields, 'exp_year')
  if (expMonth === undefined) throw missing('card[exp_month]')
  if (sent === undefined) throw missing('card[exp_year]')
  if (expMonth < 1 || expMonth > 12) {
    const message = "Your card's expiration month is invalid."
    throw cardRefused('invalid_expiry_month', message, { param: 'exp_month' })
  }
  const now = new Date()
  const expYear = sent < 100 ? 2000 + sent : sent
  const months = (expYear - now.getUTCFullYear()) * 12 + expMonth - (now.getUTCMonth() + 1)
  if (months < 0 || months > 50 * 12) {
    const message = "Your card's expiration year is invalid."
    throw cardRefused('invalid_expiry_year', message, { param: 'exp_year' })
  }
  return { expMonth, expYear }
}

type Entry = Omit<CardEntry, 'last4' | 'fingerprint'>

async function keep(call: Call, number: string, entry: Entry, owner: Params) {
  const mark = fingerprint(number, call.secretKey)
  const full = { ...entry, last4: number.slice(-4), fingerprint: mark }
  const method = newPaymentMethod(full, billingDetails(owner), metadata(owner))
  return insert(call.db, method, { outcome: entry.card.outcome })
}

function withoutFingerprint(method: Stripe.PaymentMethod): object {
  const { metadata: _metadata, card, ...rest } = method
  if (!card) return rest
  const { fingerprint: _fingerprint, ...shown } = card
  return { ...rest, card: shown }
}
