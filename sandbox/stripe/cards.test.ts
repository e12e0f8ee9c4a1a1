import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cardFields,
  openStandIn,
  payByBrowser,
  type StandIn,
} from '#tests/support/stripe-stand-in.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())

const paying = {
  '4242424242424242': 'visa',
  '4000056655665556': 'visa',
  '5555555555554444': 'mastercard',
  '2223003122003222': 'mastercard',
  '5200828282828210': 'mastercard',
  '5105105105105100': 'mastercard',
  '378282246310005': 'amex',
  '371449635398431': 'amex',
  '6011111111111117': 'discover',
  '30569309025904': 'diners',
  '36227206271667': 'diners',
  '3566002020360505': 'jcb',
  '6200000000000005': 'unionpay',
}

test.each(Object.entries(paying))('%s (%s) pays', async (number, brand) => {
  const { intent, method, answer } = await payByBrowser(standIn, number)
  expect(answer).toMatchObject({ status: 200, body: { status: 'succeeded', next_action: null } })
  expect(method.body).toMatchObject({ card: { brand, last4: number.slice(-4), exp_year: 2034 } })
  const paid = await standIn.stripe.paymentIntents.retrieve(intent.id, {
    expand: ['latest_charge.balance_transaction'],
  })
  expect(paid).toMatchObject({
    amount_received: 2000,
    latest_charge: {
      amount_captured: 2000,
      balance_transaction: { amount: 2000, fee: 88, net: 1912 },
      outcome: { type: 'authorized' },
      payment_intent: intent.id,
      payment_method_details: { card: { brand, checks: { cvc_check: 'pass' } } },
    },
  })
})

const declined = 'Your card was declined.'
const refused: [number: string, code: string, decline: string | undefined, message: string][] = [
  ['4000000000000002', 'card_declined', 'generic_decline', declined],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000009987', 'card_declined', 'lost_card', declined],
  ['4000000000009979', 'card_declined', 'stolen_card', declined],
  [
    '4000000000006975',
    'card_declined',
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ],
  ['4000000000000069', 'expired_card', undefined, 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
  [
    '4000000000000119',
    'processing_error',
    undefined,
    'An error occurred while processing your card. Try again in a little bit.',
  ],
  ['4100000000000019', 'card_declined', 'fraudulent', declined],
  ['4000000000000341', 'card_declined', 'generic_decline', declined],
]

test.each(refused)('%s is refused: %s %s', async (number, code, decline, message) => {
  const { intent, method, answer } = await payByBrowser(standIn, number)
  expect(answer.status).toBe(402)
  const { error } = answer.body
  expect(error).toMatchObject({ type: 'card_error', code, message })
  expect(error.decline_code).toBe(decline)
  expect(error.doc_url).toBe(`https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`)
  const now = await standIn.stripe.paymentIntents.retrieve(intent.id)
  expect(now).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    amount_received: 0,
    last_payment_error: { code, message, payment_method: { id: method.body.id } },
  })
  const charge = await standIn.stripe.charges.retrieve(String(error.charge))
  expect(charge).toMatchObject({ status: 'failed', paid: false, failure_message: message })
  const again = await standIn.stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_mastercard',
  })
  expect(again).toMatchObject({ status: 'succeeded', last_payment_error: null })
})

test('a disputed card pays, then the dispute is announced', async () => {
  const { intent } = await payByBrowser(standIn, '4000000000000259')
  const { data } = await standIn.stripe.events.list({ type: 'charge.dispute.created' })
  expect(data[0]?.data.object).toMatchObject({
    object: 'dispute',
    payment_intent: intent.id,
    amount: 2000,
    reason: 'fraudulent',
  })
})

describe('entering a card', () => {
  const enter = (fields: Record<string, string>) => standIn.browser('/v1/payment_methods', fields)

  test.each([
    ['a number with a wrong digit', { 'card[number]': '4242424242424241' }, 'incorrect_number'],
    ['a month that does not exist', { 'card[exp_month]': '13' }, 'invalid_expiry_month'],
    ['a year that has passed', { 'card[exp_year]': '2020' }, 'invalid_expiry_year'],
    ['a short security code', { 'card[cvc]': '12' }, 'invalid_cvc'],
  ])('%s is refused', async (_name, change, code) => {
    const { status, body } = await enter({ ...cardFields('4242424242424242'), ...change })
    expect(status).toBe(402)
    expect(body.error).toMatchObject({ type: 'card_error', code })
  })

  test('a number that is no test card is refused, so real cards stay out', async () => {
    const { status, body } = await enter(cardFields('4539578763621486'))
    expect(status).toBe(402)
    expect(body.error.decline_code).toBe('test_mode_live_card')
  })

  test('a card pays once; a second intent needs it entered again', async () => {
    const { method } = await payByBrowser(standIn, '4242424242424242')
    const next = await standIn.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    const reuse = standIn.stripe.paymentIntents.confirm(next.id, { payment_method: method.body.id })
    await expect(reuse).rejects.toThrow('may not be used again')
  })

  test('the secret key cannot send numbers', async () => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' }
    const call = standIn.stripe.paymentMethods.create({ type: 'card', card })
    await expect(call).rejects.toThrow('generally unsafe')
  })

  test('neither number nor security code is kept or repeated', async () => {
    const { body } = await enter(cardFields('4242424242424242', { 'card[cvc]': '987' }))
    expect(JSON.stringify(body)).not.toMatch(/42424242|987"/)
    const { rows } = await standIn.pool.query(
      `select count(*)::int as n from sandbox_stripe.objects
        where body::text || hidden::text ~ '[0-9]{14,16}'`,
    )
    expect(rows[0].n).toBe(0)
  })
})
