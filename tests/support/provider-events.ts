/**
 * Events as the card provider would deliver them: signed with its secret, of any type, about any
 * intent, at any time.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Stripe from 'stripe'
import { readSecrets } from '#server/secrets.ts'
import { type Answer, call } from './people.ts'

type Word = {
  type: string
  intentId: string
  id?: string
  timestamp?: number
  /** What the event is about; without it, the intent. */
  object?: object
}

const { webhooks } = new Stripe('sk_test_none')

/**
 * @returns a function that delivers one event to the shop; its `timestamp` in seconds is the time
 * of signing, by default now
 */
export async function providerOf(shop: { origin: string; dataDir: string }) {
  const secrets = await readSecrets(undefined, join(shop.dataDir, 'secrets'))
  const secret = `whsec_${secrets.derive('stripe-sandbox').toString('hex').slice(40)}`
  return ({ type, intentId, id = randomUUID(), timestamp, ...about }: Word): Promise<Answer> => {
    const created = timestamp ?? Math.floor(Date.now() / 1000)
    const object = about.object ?? { object: 'payment_intent', id: intentId }
    const payload = JSON.stringify({
      ...{ id: `evt_${id}`, object: 'event', type, created, livemode: false },
      data: { object },
    })
    const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp: created })
    return call(shop.origin, 'POST', '/api/stripe/webhook', {
      body: payload,
      headers: { 'stripe-signature': signature },
    })
  }
}
