import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStandIn, payByBrowser, type StandIn } from '#tests/support/stripe-stand-in.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())

/** Pays with a card that asks for authentication; gives the way the dialog's frame answers. */
async function challenged(number: string) {
  const { intent, method, answer } = await payByBrowser(standIn, number)
  expect(answer.body).toMatchObject({
    status: 'requires_action',
    next_action: { type: 'use_stripe_sdk' },
    payment_method: method.body.id,
  })
  const source = String(answer.body.next_action?.use_stripe_sdk?.source)
  const respond = async (outcome: string, origin = 'null') => {
    const reply = await fetch(`${standIn.base}/3ds`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ source, outcome }),
    })
    return { status: reply.status, body: (await reply.json()) as { ended: boolean } }
  }
  return { intent, source, respond, now: () => standIn.stripe.paymentIntents.retrieve(intent.id) }
}

describe('authentication completed', () => {
  test.each(['4000002500003155', '4000002760003184', '4000000000003220', '4000000000003063'])(
    '%s pays',
    async (number) => {
      const { now, respond } = await challenged(number)
      expect((await now()).latest_charge).toBeNull()
      expect(await respond('complete')).toEqual({ status: 200, body: { ended: true } })
      const paid = await now()
      expect(paid).toMatchObject({ status: 'succeeded', next_action: null, amount_received: 2000 })
      const charge = await standIn.stripe.charges.retrieve(String(paid.latest_charge))
      expect(charge.payment_method_details?.card?.three_d_secure?.result).toBe('authenticated')
    },
  )

  test.each([
    ['4000008260003178', 'insufficient_funds'],
    ['4000008400001629', 'generic_decline'],
  ])('%s is declined afterwards: %s', async (number, decline_code) => {
    const { now, respond } = await challenged(number)
    await respond('complete')
    expect(await now()).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code },
    })
  })
})

test('failed authentication moves no money, and another card can pay', async () => {
  const { intent, now, respond } = await challenged('4000000000003220')
  await respond('fail')
  expect(await now()).toMatchObject({
    status: 'requires_payment_method',
    next_action: null,
    latest_charge: null,
    last_payment_error: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    },
  })
  const paid = await standIn.stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
  })
  expect(paid.status).toBe('succeeded')
})

test('a challenge ends once, whoever is first', async () => {
  const { now, respond } = await challenged('4000000000003220')
  const both = await Promise.all([respond('complete'), respond('fail')])
  expect(both.map(({ body }) => body.ended).sort()).toEqual([false, true])
  const won = both[0]?.body.ended ? 'succeeded' : 'requires_payment_method'
  expect((await now()).status).toBe(won)
})

test('a guessed challenge changes nothing, and nothing but its two answers is taken', async () => {
  const { source, respond, now } = await challenged('4000000000003220')
  const guess = await fetch(`${standIn.base}/3ds`, {
    method: 'POST',
    body: new URLSearchParams({ source: `${source.slice(0, -1)}_`, outcome: 'complete' }),
  })
  expect(await guess.json()).toEqual({ ended: false })
  expect((await respond('succeed')).status).toBe(400)
  expect((await now()).status).toBe('requires_action')
})

test('an intent that was canceled meanwhile cannot be completed', async () => {
  const { intent, respond, now } = await challenged('4000000000003220')
  await standIn.stripe.paymentIntents.cancel(intent.id)
  expect(await respond('complete')).toEqual({ status: 200, body: { ended: false } })
  expect(await now()).toMatchObject({ status: 'canceled', amount_received: 0 })
})

test('the dialog shows the price and hides nothing executable', async () => {
  const { source } = await challenged('4000000000003220')
  const page = await (await fetch(`${standIn.base}/3ds?source=${source}&theme=dark`)).text()
  expect(page).toContain('$20.00')
  expect(page).toContain('data-theme="dark"')
  const attack = encodeURIComponent('"><script>alert(1)</script>')
  const hurt = await (await fetch(`${standIn.base}/3ds?source=${attack}`)).text()
  expect(hurt).not.toContain('<script>alert')
})
