/**
 * The API of the queue for sold-out parts: joining, getting an offer, accepting it or not, and what
 * may happen meanwhile.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { placesLimit, type QueuePlace } from '#contracts/queue.ts'
import { migratedDatabase } from '#tests/support/database.ts'
import {
  type Answer,
  bookingOf,
  call,
  createUsers,
  login,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let bob: Person
let cyd: Person

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', OPEN_HOLDS: '2', OFFER_HOURS: '0.5' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

/**
 * Creates new customers, so that tests stay independent. Customers who have paid get offers for all
 * units that they wait for.
 */
async function people({ paid = false } = {}): Promise<void> {
  const three = (await createUsers(shop, 3)) as [Person, Person, Person]
  if (paid)
    await havePaid(
      shop.pool,
      three.map(({ email }) => email),
    )
  ;[ada, bob, cyd] = three
}
const statusAndCode = ({ status, body }: Answer) => [status, body.error?.code]
const join = (person: Person, { _id: partId }: Part, quantity = 1) =>
  person.call('POST', '/api/queue', { partId, quantity })
const joined = async (person: Person, part: Part, quantity = 1): Promise<QueuePlace> => {
  const { status, body } = await join(person, part, quantity)
  if (status !== 200) throw new Error(`no place: ${JSON.stringify(body)}`)
  return body
}
const placesOf = async (person: Person): Promise<QueuePlace[]> =>
  (await person.call('GET', '/api/queue')).body
const leave = (person: Person, { _id }: QueuePlace) => person.call('DELETE', `/api/queue/${_id}`)
const accept = (person: Person, { _id }: QueuePlace, more: object = {}) =>
  person.call('POST', `/api/queue/${_id}/order`, { phone: '+1 555 0100', ...more })
const soldOut = () => stockPart(shop.pool, { onHand: 0 })
const receive = ({ _id }: Part, units: number) =>
  shop.pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', $2)`,
    [_id, units],
  )
const mailsTo = async ({ email }: Person): Promise<string[]> => {
  const { rows } = await shop.pool.query(
    'select subject from mail_queue where recipient = $1 order by created_at',
    [email],
  )
  return rows.map(({ subject }) => subject)
}
const isBack = 'Back in stock, and set aside for you'
/** Lets the offers of a part expire. */
const endOffers = ({ _id }: Part) =>
  shop.pool.query(
    `update queue_places set offer_ends_at = now() - interval '1 second' where part_id = $1 and offered_at is not null`,
    [_id],
  )
const isAnnounced = (person: Person) =>
  expect.poll(async () => (await placesOf(person))[0]?.offerEndsAt).toBeTruthy()

test('joining takes one place, returns its position, and is refused with a sentence', async () => {
  await people({ paid: true })
  const part = await stockPart(shop.pool, { onHand: 3, minimum: 2 })
  const waiting = async () =>
    (await call(shop.origin, 'GET', `/api/part/${part._id}/queue`)).body.waiting
  const inStock = await join(ada, part, 3)
  expect(statusAndCode(inStock)).toEqual([409, 'IN_STOCK'])
  expect(inStock.body.error.message).toBe('3 are in stock now: book instead of waiting.')
  for (const [quantity, limits] of [
    [1, '2 to 9,999'],
    [10_000, '2 to 9,999'],
    [-1, '1 to 100,000'],
    [999_999, '1 to 100,000'],
  ] as const) {
    const refused = await join(ada, part, quantity)
    expect(statusAndCode(refused)).toEqual([400, 'INVALID'])
    const quantityField = refused.body.error.fields.quantity
    expect(quantityField).toBe(`You can wait for ${limits} units`)
  }
  const [stranger] = (await createUsers(shop, 1, { verified: false })) as [Person]
  expect(statusAndCode(await join(stranger, part, 4))).toEqual([409, 'NOT_VERIFIED'])
  expect(statusAndCode(await join(ada, { ...part, _id: crypto.randomUUID() }, 4))).toEqual([
    404,
    'NOT_FOUND',
  ])
  expect(await waiting()).toBe(0)

  // several tabs at once
  const tabs = await Promise.all([1, 2, 3, 4].map(() => joined(ada, part, 4)))
  expect(new Set(tabs.map(({ _id }) => _id)).size).toBe(1)
  expect((await joined(bob, part, 4)).position).toBe(2)
  // a new quantity keeps the place; it is refused if that many units are available
  expect(await joined(ada, part, 6)).toMatchObject({ position: 1, quantity: 6, isOffered: false })
  expect(statusAndCode(await join(ada, part, 2))).toEqual([409, 'IN_STOCK'])
  expect(await waiting()).toBe(2)
  const line = { partId: part._id, quantity: 12, cost: null }
  const goods = { supplier: 'Kiln', reference: '', expectedOn: '2100-12-03', lines: [line] }
  expect((await owner.call('POST', '/api/delivery', goods)).status).toBe(200)
  const expected = { units: 12, on: '2100-12-03' }
  const queue = await call(shop.origin, 'GET', `/api/part/${part._id}/queue`)
  expect(queue.body).toEqual({ waiting: 2, expected })
  expect((await placesOf(ada))[0]?.expected).toEqual(expected)
  const { body } = await owner.call('GET', `/api/product/${part._id}`)
  expect(body).toMatchObject({ waiting: 2, waitingUnits: 10 })

  const [place] = (await placesOf(ada)) as [QueuePlace]
  // no other user can give up her place
  expect((await leave(bob, place)).body.deletedCount).toBe(0)
  expect((await leave(ada, place)).body.deletedCount).toBe(1)
  expect((await leave(ada, place)).body.deletedCount).toBe(0)
  expect((await placesOf(bob))[0]?.position).toBe(1)
})

test(`a customer waits for at most ${placesLimit} parts`, async () => {
  await people()
  for (let i = 0; i < placesLimit; i += 1) await joined(ada, await soldOut())
  expect(statusAndCode(await join(ada, await soldOut()))).toEqual([429, 'TOO_MANY'])
})

test('units of a deleted order are offered before any other customer can book them', async () => {
  await people({ paid: true })
  const part = await stockPart(shop.pool, { onHand: 2, price: 40 })
  const order = await bookingOf(cyd, part, { quantity: 2 })
  const first = await joined(ada, part, 2)
  await joined(bob, part, 1)
  expect(statusAndCode(await accept(ada, first))).toEqual([409, 'OFFER_GONE'])
  await cyd.call('DELETE', `/api/userProduct/${order}`)
  await expect(bookingOf(cyd, part)).rejects.toThrow('STOCK_GONE')
  expect(await placesOf(ada)).toMatchObject([{ isOffered: true, position: 1, price: 40 }])
  expect(await placesOf(bob)).toMatchObject([{ isOffered: false, position: 2 }])
  await isAnnounced(ada)
  expect(await mailsTo(ada)).toEqual([isBack])
  expect(await mailsTo(bob)).toEqual([])
  const [{ offerEndsAt }] = (await placesOf(ada)) as [QueuePlace]
  const minutes = (Date.parse(offerEndsAt ?? '') - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(28)
  expect(minutes).toBeLessThanOrEqual(30.1)

  // the order costs the current price, and the request must contain the current total
  await shop.pool.query('update parts set price_cents = 4500 where _id = $1', [part._id])
  const stale = await accept(ada, first, { totalPrice: 80 })
  expect(statusAndCode(stale)).toEqual([409, 'PRICE_CHANGED'])
  expect(stale.body.error.totalPrice).toBe(90)
  // a minimum that rises later does not invalidate an offer
  await shop.pool.query('update parts set minimum_order_quantity = 3 where _id = $1', [part._id])
  expect(statusAndCode(await accept(bob, first))).toEqual([404, 'NOT_FOUND'])
  const tabs = await Promise.all([1, 2, 3].map(() => accept(ada, first, { totalPrice: 90 })))
  expect(new Set(tabs.map(({ body }) => body.insertedId)).size).toBe(1)
  const { insertedId } = (await accept(ada, first)).body
  expect(insertedId).toBe(tabs[0]?.body.insertedId)
  const booked = await orderOf(ada, insertedId)
  expect(booked).toMatchObject({ status: 'unpaid', quantity: 2, totalPrice: 90 })
  const holdMinutes = (Date.parse(booked.holdExpiresAt ?? '') - Date.now()) / 60_000
  expect(holdMinutes).toBeGreaterThan(28)
  expect(await placesOf(ada)).toEqual([])
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 2, reserved: 2 })
  expect(await brokenInvariants(shop.pool)).toEqual([])
})

test('an offer is no open hold, and comes after the pause that follows a hold', async () => {
  await people()
  const part = await stockPart(shop.pool, { onHand: 1 })
  const other = await stockPart(shop.pool, { onHand: 9 })
  // her own hold of the part has just ended
  const order = await bookingOf(ada, part)
  await shop.pool.query(
    `update orders set hold_expires_at = now() - interval '1 second', hold_limit_at = now() - interval '1 second' where _id = $1`,
    [order],
  )
  await expect.poll(() => stockOf(shop.pool, part._id)).toEqual({ onHand: 1, reserved: 0 })
  expect(
    statusAndCode(
      await ada.call('POST', '/api/order', { partId: part._id, quantity: 1, phone: '+1 555 0100' }),
    ),
  ).toEqual([409, 'HOLD_REFUSED'])
  await bookingOf(bob, part)
  const place = await joined(ada, part)
  await receive(part, 1)
  expect((await placesOf(ada))[0]?.isOffered).toBe(false)
  await shop.pool.query('update abandoned_holds set pause_until = now() where part_id = $1', [
    part._id,
  ])
  await expect.poll(async () => (await placesOf(ada))[0]?.isOffered).toBe(true)
  // two open holds are allowed, and the offer does not count as one
  const [one] = [await bookingOf(ada, other), await bookingOf(ada, other)]
  expect(statusAndCode(await accept(ada, place))).toEqual([429, 'TOO_MANY'])
  expect((await placesOf(ada))[0]?.isOffered).toBe(true)
  await ada.call('DELETE', `/api/userProduct/${one}`)
  const { status, body } = await accept(ada, place)
  expect(status).toBe(200)
  expect((await orderOf(ada, body.insertedId)).holdExpiresAt).toBeTruthy()
})

test('an offer that ends unused costs the place, and the next is offered', async () => {
  await people()
  const part = await soldOut()
  const place = await joined(ada, part)
  await joined(bob, part)
  await receive(part, 1)
  await isAnnounced(ada)
  await endOffers(part)
  await isAnnounced(bob)
  expect(await placesOf(ada)).toEqual([])
  expect(statusAndCode(await accept(ada, place))).toEqual([404, 'NOT_FOUND'])
  expect(await mailsTo(ada)).toEqual([isBack, 'Your offer has ended'])
  // an expired offer is not an order, and does not count as an unpaid order
  const { body } = await ada.call('GET', `/api/orders?email=${ada.email}`)
  expect(body).toEqual([])
  const [next] = (await placesOf(bob)) as [QueuePlace]
  await leave(bob, next)
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 1, reserved: 0 })
  const ledger = (await owner.call('GET', `/api/product/${part._id}/stock`)).body
  expect(ledger.map(({ type }: { type: string }) => type)).toEqual([
    'withdraw',
    'offer',
    'withdraw',
    'offer',
    'receive',
  ])
  expect(ledger[2].reason).toBe('offer expired')
})

test('a part that is no longer sold ends its queue with a mail, also for those with an offer', async () => {
  await people()
  const part = await soldOut()
  const place = await joined(ada, part)
  await joined(bob, part)
  await receive(part, 1)
  await isAnnounced(ada)
  await owner.call('DELETE', `/api/adminProduct/${part._id}`)
  expect(statusAndCode(await accept(ada, place))).toEqual([404, 'NOT_FOUND'])
  for (const one of [ada, bob]) await expect.poll(() => placesOf(one)).toEqual([])
  // the job ends the places, sends the mails and frees the units
  await expect.poll(() => mailsTo(bob)).toEqual(['A part you were waiting for is no longer sold'])
  await expect.poll(() => stockOf(shop.pool, part._id)).toEqual({ onHand: 1, reserved: 0 })
})

test('a draft pauses its queue: offers stay, and their time starts over', async () => {
  await people()
  const part = await soldOut()
  const place = await joined(ada, part)
  await joined(bob, part)
  await receive(part, 1)
  await isAnnounced(ada)
  const setState = (state: string) =>
    shop.pool.query('update parts set state = $2 where _id = $1', [part._id, state])
  await setState('draft')
  await expect.poll(async () => (await placesOf(ada))[0]?.offerEndsAt).toBeNull()
  expect(statusAndCode(await accept(ada, place))).toEqual([404, 'NOT_FOUND'])
  expect(statusAndCode(await join(cyd, part))).toEqual([404, 'NOT_FOUND'])
  await receive(part, 1)
  expect((await placesOf(bob))[0]?.isOffered).toBe(false)
  await setState('on sale')
  expect((await placesOf(bob))[0]?.isOffered).toBe(true)
  await isAnnounced(ada)
  expect(await mailsTo(ada)).toEqual([isBack, isBack])
  expect((await accept(ada, place)).status).toBe(200)
})

test('a blocked or deleted account gives way; an export has the places', async () => {
  await people()
  const part = await soldOut()
  for (const one of [ada, bob, cyd]) await joined(one, part)
  await receive(part, 1)
  const mine = (await bob.call('GET', '/api/me/data')).body
  expect(mine.places).toMatchObject([{ product: part.name, quantity: 1 }])
  const { rows } = await shop.pool.query('select _id from users where email = $1', [ada.email])
  const block = { reason: 'A bot.', hideReviews: false }
  expect((await owner.call('POST', `/api/user/${rows[0]._id}/block`, block)).status).toBe(200)
  expect((await placesOf(bob))[0]).toMatchObject({ isOffered: true, position: 1 })
  expect((await bob.call('DELETE', '/api/me', { email: bob.email })).status).toBe(200)
  expect((await placesOf(cyd))[0]).toMatchObject({ isOffered: true, position: 1 })
  const left = await shop.pool.query('select from queue_places where part_id = $1', [part._id])
  expect(left.rowCount).toBe(1)
})

test('deliveries, blocks, leaving and joining at once never deadlock', async () => {
  const [one, two] = [await soldOut(), await soldOut()]
  const crowd = await createUsers(shop, 12)
  await Promise.all(
    crowd.flatMap((person, i) =>
      (i % 2 ? [one, two] : [two, one]).map((part) => join(person, part)),
    ),
  )
  const block = ({ email }: Person) =>
    shop.pool.query('update users set disabled_at = now() where email = $1', [email])
  for (let i = 0; i + 2 < crowd.length; i += 3) {
    const [blocked, leaving, again] = crowd.slice(i, i + 3) as [Person, Person, Person]
    const places = [...(await placesOf(leaving)), ...(await placesOf(again))]
    const answers = await Promise.all([
      ...places.map((place, n) => leave(n < 2 ? leaving : again, place)),
      join(again, one),
      receive(two, 2),
      block(blocked),
      receive(one, 1),
      join(again, two),
    ])
    expect(answers.filter((answer) => 'status' in answer && answer.status >= 500)).toEqual([])
  }
  expect(await brokenInvariants(shop.pool)).toEqual([])
})

test('an offer that a dead process never mailed is mailed by the next one, and its time begins then', async () => {
  const database = await migratedDatabase()
  const part = await stockPart(database.pool, { onHand: 0 })
  await database.pool.query(
    `with waits as (
       insert into users (issuer, subject, email, name, email_verified)
       values ('test', 'one', 'one@example.com', 'One', true) returning _id)
     insert into queue_places (user_id, part_id, quantity) select _id, $1, 1 from waits`,
    [part._id],
  )
  await database.pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 1)`,
    [part._id],
  )
  const next = await openTestShop({ DEMO: 'off' }, { shared: database })
  const mailed = `select (offer_ends_at > now() + interval '11 hours') as "isWhole",
      (select count(*)::int from mail_queue where template = 'queue-offer') as mails from queue_places`
  await expect
    .poll(async () => (await database.pool.query(mailed)).rows)
    .toEqual([{ isWhole: true, mails: 1 }])
  await next.close()
  await database.drop()
})

test('leaving races with an offer, accepting with its expiry: one wins, no unit is lost', async () => {
  for (let round = 0; round < 6; round += 1) {
    // new customers each time, because nobody gets more than three offers
    const crowd = await createUsers(shop, 4)
    const part = await soldOut()
    const places = await Promise.all(crowd.map((one) => joined(one, part)))
    const [first, second] = places.toSorted((a, b) => a.position - b.position)
    const whoHas = (place?: QueuePlace) => crowd[places.indexOf(place as QueuePlace)] as Person
    const [left] = await Promise.all([leave(whoHas(first), first as QueuePlace), receive(part, 1)])
    expect(left.body.deletedCount).toBe(1)
    // whichever request came first, the second in line has the offer now
    await isAnnounced(whoHas(second))
    const [accepted] = await Promise.all([
      accept(whoHas(second), second as QueuePlace),
      endOffers(part),
      bookingOf(whoHas(first), part).catch(() => null),
    ])
    expect([200, 404, 409]).toContain(accepted.status)
    const { rows } = await shop.pool.query(
      `select (select count(*)::int from orders where part_id = $1 and hold_expires_at is not null)
         + (select count(*)::int from queue_places where part_id = $1 and offered_at is not null) as taken`,
      [part._id],
    )
    expect(rows[0].taken).toBe(1)
    expect(await brokenInvariants(shop.pool)).toEqual([])
    if (accepted.status === 200)
      await whoHas(second).call('DELETE', `/api/userProduct/${accepted.body.insertedId}`)
  }
})
