/**
 * What one customer and one network may hold, with the real limits, and with rate limits on and
 * off.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import {
  type Answer,
  bookingOf,
  call,
  createUsers,
  intentFor,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, havePaid, stockDemo, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop

const book = (person: Person, part: Part, quantity = 1, address?: string): Promise<Answer> =>
  person.call(
    'POST',
    '/api/order',
    { partId: part._id, quantity, phone: '+1 555 0100' },
    address ? { 'x-forwarded-for': address } : {},
  )
const pay = (person: Person, orderId: string, totalPrice: number): Promise<Answer> =>
  person.call('POST', '/api/create-payment-intent', { totalPrice, orderId })
const statusAndCode = ({ status, body }: Answer) => [status, body.error?.code]

async function holdOf(orderId: string) {
  const { rows } = await shop.pool.query(
    `select extract(epoch from hold_expires_at - now())::float8 / 60 as minutes,
       extract(epoch from hold_limit_at - now())::float8 / 60 as "limit", networks
     from orders where _id = $1`,
    [orderId],
  )
  return rows[0] as { minutes: number | null; limit: number | null; networks: string[] }
}
/** Moves the hold of this order this many minutes into the past. */
const passMinutes = (orderId: string, minutes: number) =>
  shop.pool.query(
    `update orders set hold_expires_at = hold_expires_at - make_interval(mins => $2),
       hold_limit_at = hold_limit_at - make_interval(mins => $2) where _id = $1`,
    [orderId, minutes],
  )
const isOver = (orderId: string) =>
  expect.poll(async () => (await holdOf(orderId)).minutes).toBeNull()
const endHold = async (orderId: string) => {
  await shop.pool.query(
    `update orders set hold_expires_at = now() - interval '1 second' where _id = $1`,
    [orderId],
  )
  await isOver(orderId)
}
async function some(count: number, options?: { verified: boolean }) {
  return (await createUsers(shop, count, options)) as [Person, Person, Person, Person, Person]
}

describe.each(['on', 'off'])('with rate limits %s', (RATE_LIMIT) => {
  beforeAll(async () => {
    shop = await openTestShop({ DEMO: 'off', RATE_LIMIT, TRUST_PROXY: 'on' })
  })
  afterEach(async () => {
    expect(await brokenInvariants(shop.pool)).toEqual([])
  })
  afterAll(() => shop.close())

  test('a customer holds ten orders at a time, however many are booked at once', async () => {
    const [ada, eve] = await some(2)
    const part = await stockPart(shop.pool, { onHand: 100 })
    const all = await Promise.all(Array.from({ length: 14 }, () => book(ada, part)))
    const booked = all.filter(({ status }) => status === 200)
    const refused = all.filter(({ status }) => status === 429)
    expect([booked.length, refused.length]).toEqual([10, 4])
    expect(refused[0]?.body.error.message).toMatch(/^We keep parts for 10 unpaid orders/)
    expect((await stockOf(shop.pool, part._id)).reserved).toBe(10)
    await bookingOf(eve, part)
    const first = booked[0]?.body.insertedId
    expect((await ada.call('DELETE', `/api/userProduct/${first}`)).status).toBe(200)
    await bookingOf(ada, part)
  })

  test('an order whose hold ended gets no new one at Pay while its customer has ten others', async () => {
    const [ada] = await some(1)
    const part = await stockPart(shop.pool, { onHand: 100, price: 10 })
    const old = await bookingOf(ada, part)
    await endHold(old)
    for (let i = 0; i < 10; i += 1) await bookingOf(ada, part)
    expect(statusAndCode(await pay(ada, old, 10))).toEqual([429, 'TOO_MANY'])
    expect((await holdOf(old)).minutes).toBeNull()
  })

  test('without a verified address it is one order, until the address is verified', async () => {
    const [ada] = await some(1, { verified: false })
    const part = await stockPart(shop.pool, { onHand: 100, price: 10 })
    const old = await bookingOf(ada, part)
    await endHold(old)
    const all = await Promise.all(Array.from({ length: 6 }, () => book(ada, part)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = all.find(({ status }) => status !== 200) as Answer
    expect(statusAndCode(refused)).toEqual([409, 'NOT_VERIFIED'])
    expect(refused.body.error.message).toMatch(/one unpaid order .* confirmed.*link in our mail/)
    expect(statusAndCode(await pay(ada, old, 10))).toEqual([409, 'NOT_VERIFIED'])
    await shop.pool.query('update users set email_verified = true where email = $1', [ada.email])
    await bookingOf(ada, part)
  })

  test('customers of one network without a verified address hold three orders together', async () => {
    const people = await some(12, { verified: false })
    const part = await stockPart(shop.pool, { onHand: 100, price: 10 })
    const all = await Promise.all(people.map((person) => book(person, part, 1, '203.0.113.7')))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = all.find(({ status }) => status !== 200) as Answer
    expect(statusAndCode(refused)).toEqual([409, 'NETWORK_LIMIT'])
    expect(refused.body.error.message).toMatch(/^Several customers of your network/)
    // the limit does not apply to customers with a verified address or on another network
    const [ada] = await some(1)
    expect((await book(ada, part, 1, '203.0.113.7')).status).toBe(200)
    const [zoe] = await some(1, { verified: false })
    expect((await book(zoe, part, 1, '203.0.113.8')).status).toBe(200)
    // a hold that ends makes room for another
    const held = all.find(({ status }) => status === 200) as Answer
    const holder = people[all.indexOf(held)] as Person
    const { insertedId } = held.body
    expect((await holdOf(insertedId)).networks).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect((await holder.call('DELETE', `/api/userProduct/${insertedId}`)).status).toBe(200)
    expect((await holdOf(insertedId)).networks).toEqual([])
    const [eve] = await some(1, { verified: false })
    expect((await book(eve, part, 1, '203.0.113.7')).status).toBe(200)
  })

  test('what an unverified customer let go, another of the network gets after others', async () => {
    const [ada, bob, eve] = await some(3, { verified: false })
    const part = await stockPart(shop.pool, { onHand: 1 })
    const held = await book(ada, part, 1, '203.0.113.20')
    await passMinutes(held.body.insertedId, 61)
    await isOver(held.body.insertedId)
    const refused = await book(bob, part, 1, '203.0.113.20')
    expect(statusAndCode(refused)).toEqual([409, 'HOLD_REFUSED'])
    expect(refused.body.error.message).toMatch(/your network, .* 59 minutes.*link in our mail/)
    const other = await book(eve, part, 1, '203.0.113.21')
    expect(other.status).toBe(200)
    expect((await eve.call('DELETE', `/api/userProduct/${other.body.insertedId}`)).status).toBe(200)
    await shop.pool.query('update users set email_verified = true where email = $1', [bob.email])
    expect((await book(bob, part, 1, '203.0.113.20')).status).toBe(200)
  })

  test('the addresses of one IPv6 network are one network', async () => {
    const people = await some(5, { verified: false })
    const part = await stockPart(shop.pool, { onHand: 100 })
    const answers = []
    for (const [i, person] of people.entries())
      answers.push(await book(person, part, 1, `2001:db8:0:${RATE_LIMIT.length}::${i + 1}`))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409, 409])
  })

  test('a customer who let three holds end unpaid within a day holds one order', async () => {
    const [ada] = await some(1)
    const part = await stockPart(shop.pool, { onHand: 100, price: 10 })
    const ids = []
    for (let i = 0; i < 3; i += 1) ids.push(await bookingOf(ada, part))
    for (const id of ids) await endHold(id)
    const all = await Promise.all(Array.from({ length: 4 }, () => book(ada, part)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = all.find(({ status }) => status !== 200) as Answer
    expect(statusAndCode(refused)).toEqual([429, 'TOO_MANY'])
    expect(refused.body.error.message).toMatch(/^We kept parts for you 3 times since yesterday/)
    expect(statusAndCode(await pay(ada, ids[0] as string, 10))).toEqual([429, 'TOO_MANY'])
    // after a day they no longer count
    await shop.pool.query(
      `update abandoned_holds set created_at = created_at - interval '25 hours'`,
    )
    await bookingOf(ada, part)
  })
})

describe('the limit of a hold', () => {
  let ada: Person
  let bob: Person
  beforeAll(async () => {
    shop = await openTestShop({ DEMO: 'off' })
  })
  beforeEach(async () => {
    ;[ada, bob] = await some(2)
    // a customer who has paid may hold all of a part
    await havePaid(shop.pool, [ada.email, bob.email])
  })
  afterAll(async () => {
    expect(await brokenInvariants(shop.pool)).toEqual([])
    await shop.close()
  })

  test('is 60 minutes after its start, however often a hold is renewed', async () => {
    const part = await stockPart(shop.pool, { onHand: 3, price: 10 })
    const id = await bookingOf(ada, part, { quantity: 3 })
    expect((await holdOf(id)).limit).toBeCloseTo(60, 0)
    await passMinutes(id, 29)
    await intentFor(ada, id)
    expect((await holdOf(id)).minutes).toBeCloseTo(30, 0)
    await passMinutes(id, 21)
    await intentFor(ada, id)
    expect((await holdOf(id)).minutes).toBeCloseTo(10, 0)
    await passMinutes(id, 11)
    await isOver(id)
  })

  test('then others have priority for as long again, at booking and at Pay', async () => {
    const part = await stockPart(shop.pool, { onHand: 3, price: 10 })
    const id = await bookingOf(ada, part, { quantity: 3 })
    await passMinutes(id, 61)
    await isOver(id)
    const refused = await pay(ada, id, 30)
    expect(statusAndCode(refused)).toEqual([409, 'HOLD_REFUSED'])
    expect(refused.body.error.message).toMatch(/others go first for 59 minutes/)
    expect(refused.headers.get('retry-after')).toMatch(/^35\d\d$/)
    expect(statusAndCode(await book(ada, part, 2))).toEqual([409, 'HOLD_REFUSED'])
    // one of three units leaves two for others; a second would leave only one
    const one = await bookingOf(ada, part)
    expect(statusAndCode(await book(ada, part))).toEqual([409, 'HOLD_REFUSED'])
    await bookingOf(bob, part, { quantity: 2 })
    await ada.call('DELETE', `/api/userProduct/${one}`)
    await shop.pool.query(
      `with passed as (update orders set hold_limit_at = hold_limit_at - interval '60 minutes' where _id = $1)
       update abandoned_holds set pause_until = pause_until - interval '60 minutes' where order_id = $1`,
      [id],
    )
    await bookingOf(ada, part)
  })

  test('is not extended by deleting and booking again, nor by a second order', async () => {
    const part = await stockPart(shop.pool, { onHand: 2, price: 10 })
    const first = await bookingOf(ada, part, { quantity: 2 })
    await passMinutes(first, 50)
    expect((await ada.call('DELETE', `/api/userProduct/${first}`)).status).toBe(200)
    const second = await bookingOf(ada, part, { quantity: 2 })
    const hold = await holdOf(second)
    expect(hold.limit).toBeCloseTo(10, 0)
    expect(hold.minutes).toBeCloseTo(10, 0)
    const { rows } = await shop.pool.query(`select text from mail_queue where dedupe = $1`, [
      `booked ${second}`,
    ])
    // its limit is that of the first: opening the payment adds nothing
    expect(rows[0].text).toMatch(/hold your parts for (9|10) minutes\. After that/)
    await passMinutes(second, 11)
    await isOver(second)
    expect(statusAndCode(await book(ada, part))).toEqual([200, undefined])
    expect(statusAndCode(await book(ada, part))).toEqual([409, 'HOLD_REFUSED'])
  })

  test('does not apply to a part of which as many units stay free', async () => {
    const part = await stockPart(shop.pool, { onHand: 20, price: 10 })
    const first = await bookingOf(ada, part)
    await passMinutes(first, 50)
    const second = await bookingOf(ada, part)
    expect((await holdOf(second)).limit).toBeCloseTo(60, 0)
  })

  test('concurrent bookings take only as many units as stay free for others', async () => {
    const part = await stockPart(shop.pool, { onHand: 9, price: 10 })
    const id = await bookingOf(ada, part, { quantity: 9 })
    await passMinutes(id, 61)
    await isOver(id)
    const all = await Promise.all(Array.from({ length: 9 }, () => book(ada, part)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  test('a hold that ends is mailed once', async () => {
    const part = await stockPart(shop.pool, { onHand: 3, price: 10 })
    const id = await bookingOf(ada, part)
    await endHold(id)
    const { rows } = await shop.pool.query(
      `select subject, text from mail_queue where recipient = $1 and template = 'hold-ended'`,
      [ada.email],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].subject).toBe('Your hold has ended')
    expect(rows[0].text).toContain('You haven’t been charged')
    expect(rows[0].text).toContain(`/dashboard/payment/${id}`)
  })
})

describe.each(['on', 'off'])('thirty accounts from one address, rate limits %s', (RATE_LIMIT) => {
  beforeAll(async () => {
    shop = await openTestShop({ DEMO: 'off', RATE_LIMIT })
    await stockDemo(shop.pool)
  })
  afterAll(() => shop.close())

  test('leave at least 20 of 27 parts bookable', async () => {
    const accounts = await some(30, { verified: false })
    const parts: Part[] = (await call(shop.origin, 'GET', '/api/part')).body
    expect(parts).toHaveLength(27)
    await Promise.all(
      accounts.map(async (account, i) => {
        // each account starts at another part and tries to book everything, part after part
        for (let n = 0; n < 4; n += 1) {
          const part = parts[(i + n) % parts.length] as Part
          if (part.availableQuantity >= part.minimumOrderQuantity)
            await book(account, part, part.availableQuantity)
        }
      }),
    )
    const after: Part[] = (await call(shop.origin, 'GET', '/api/part')).body
    const bookable = after.filter((part) => part.availableQuantity >= part.minimumOrderQuantity)
    expect(bookable.length).toBeGreaterThanOrEqual(20)
    const ada = await register(shop.origin)
    const [open] = bookable as [Part]
    expect((await book(ada, open, open.minimumOrderQuantity)).status).toBe(200)
  })
})
