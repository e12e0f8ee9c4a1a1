/**
 * Whatever customers do, in any order and at once, the shop never oversells and never loses a unit.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import type { QueuePlace } from '#contracts/queue.ts'
import { atLength, seed } from '#tests/support/length.ts'
import {
  call,
  confirmCard,
  createUsers,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

const onHand = 24
let shop: TestShop
let people: Person[]
let owner: Person

beforeAll(async () => {
  shop = await openTestShop()
  people = await createUsers(shop, 4)
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

type Step = {
  who: number
  what:
    | 'book'
    | 'pay'
    | 'decline'
    | 'delete'
    | 'ship'
    | 'expire'
    | 'wait'
    | 'accept'
    | 'leave'
    | 'offer expires'
  quantity: number
  which: number
}
const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat(3),
  what: fc.constantFrom(
    ...(['book', 'book', 'book', 'pay', 'pay', 'ship', 'decline', 'delete', 'expire'] as const),
    ...(['wait', 'wait', 'wait', 'accept', 'leave', 'offer expires'] as const),
  ),
  quantity: fc.integer({ min: 1, max: 5 }),
  which: fc.nat(20),
})

/** Does one customer's step. Refusals are fine, server errors are not. */
async function act(
  part: Part,
  orders: { id: string; owner: Person }[],
  { who, what, quantity, which }: Step,
) {
  const person = people[who] as Person
  if (what === 'book') {
    const { status, body } = await person.call('POST', '/api/order', {
      partId: part._id,
      quantity,
      phone: '+1 555 0100',
    })
    expect(status).toBeLessThan(500)
    if (status === 200) orders.push({ id: body.insertedId, owner: person })
    return
  }
  if (what === 'wait') {
    const input = { partId: part._id, quantity: quantity + 2 }
    expect((await person.call('POST', '/api/queue', input)).status).toBeLessThan(500)
    return
  }
  if (what === 'offer expires') {
    const over = `update queue_places set offer_ends_at = now() - interval '1 second' where part_id = $1 and offered_at is not null`
    await shop.pool.query(over, [part._id])
    return
  }
  if (what === 'accept' || what === 'leave') {
    const places: QueuePlace[] = (await person.call('GET', '/api/queue')).body
    const place = places.find(({ partId }) => partId === part._id)
    if (!place) return
    const { status, body } =
      what === 'leave'
        ? await person.call('DELETE', `/api/queue/${place._id}`)
        : await person.call('POST', `/api/queue/${place._id}/order`, { phone: '+1 555 0100' })
    expect(status).toBeLessThan(500)
    if (status === 200 && what === 'accept') orders.push({ id: body.insertedId, owner: person })
    return
  }
  const order = orders[which % Math.max(orders.length, 1)]
  if (!order) return
  if (what === 'delete') {
    expect((await order.owner.call('DELETE', `/api/userProduct/${order.id}`)).status).toBeLessThan(
      500,
    )
  } else if (what === 'ship') {
    const { status } = await owner.call('PUT', `/api/order/${order.id}/shipped`, {})
    expect(status).toBeLessThan(500)
  } else if (what === 'expire') {
    const past = `update orders set hold_expires_at = now() - interval '1 second' where _id = $1 and hold_expires_at is not null`
    await shop.pool.query(past, [order.id])
  } else {
    const payment = await intentFor(order.owner, order.id).catch(() => null)
    if (!payment) return
    const { publishableKey } = shop.deps.payments.browser
    const card = what === 'pay' ? 'pm_card_visa' : 'pm_card_chargeDeclined'
    await confirmCard({ origin: shop.origin, publishableKey }, payment, card)
    const paymentReport = { transactionId: payment.intentId }
    expect(
      (await order.owner.call('PATCH', `/api/order/${order.id}`, paymentReport)).status,
    ).toBeLessThan(500)
  }
}

/**
 * Finds customers who still wait although the free units would serve them and nobody is ahead of
 * them.
 */
async function passedOver({ _id }: Part): Promise<unknown[]> {
  const { rows } = await shop.pool.query(
    `select q.units from parts p, queue_of(p._id) q
     where p._id = $1 and not q.is_offered and not q.is_behind and not q.is_crowded and q.units <= p.on_hand - p.reserved`,
    [_id],
  )
  return rows
}

const stories = atLength ? 12 : 2
const shortest = 84

test('the sum of what is sold and held never exceeds the stock, in any story', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: shortest, maxLength: shortest + 16 }),
      async (steps) => {
        const part = await stockPart(shop.pool, { onHand })
        const orders: { id: string; owner: Person }[] = []
        for (let i = 0; i < steps.length; i += 4) {
          await Promise.all(steps.slice(i, i + 4).map((one) => act(part, orders, one)))
        }
        const { rows } = await shop.pool.query(
          `select coalesce(sum(quantity) filter (where transaction_id is not null), 0)::int as sold,
                coalesce(sum(quantity) filter (where shipped_at is not null), 0)::int as shipped,
                coalesce(sum(quantity) filter (where hold_expires_at is not null), 0)::int as held,
                (select coalesce(sum(quantity), 0)::int from queue_places
                  where part_id = $1 and offered_at is not null) as offered
         from orders where part_id = $1`,
          [part._id],
        )
        const { sold, shipped, held, offered } = rows[0]
        const stock = await stockOf(shop.pool, part._id)
        expect(stock).toEqual({
          onHand: onHand - shipped,
          reserved: sold - shipped + held + offered,
        })
        expect(await passedOver(part)).toEqual([])
        expect(await brokenInvariants(shop.pool)).toEqual([])
      },
    ),
    { numRuns: stories, seed },
  )
}, 180_000)

test('health says the truth', async () => {
  expect((await call(shop.origin, 'GET', '/healthz')).status).toBe(200)
})
