import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Inserted } from '#contracts/api.ts'
import { ErrorBody } from '#contracts/errors.ts'
import { messages } from '#contracts/messages.ts'
import { Order } from '#contracts/orders.ts'
import { migratedDatabase } from '#tests/support/database.ts'
import { databaseWay } from '#tests/support/database-way.ts'
import { atLength } from '#tests/support/length.ts'
import {
  bookingOf,
  call,
  createUsers,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let ada: Person

beforeAll(async () => {
  shop = await openTestShop()
})
beforeEach(async () => {
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(() => shop.close())

const book = (person: Person, body: object, headers?: Record<string, string>) =>
  person.call('POST', '/api/order', { phone: '+1 555 0100', ...body }, headers)

describe('booking a part', () => {
  test('the shop fills in name, picture, price and customer, and holds the stock', async () => {
    const part = await stockPart(shop.pool, { onHand: 10, price: 459 })
    const { status, body } = await book(ada, { partId: part._id, quantity: 3 })
    expect(status).toBe(200)
    const { insertedId } = Inserted.parse(body)
    const order = Order.parse(await orderOf(ada, insertedId))
    expect(order).toMatchObject({
      product: part.name,
      image: part.image,
      customer: ada.name,
      email: ada.email,
      quantity: 3,
      price: 459,
      totalPrice: 1377,
      paid: false,
      status: 'unpaid',
      transactionId: null,
    })
    const minutes = (Date.parse(order.holdExpiresAt ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(29)
    expect(minutes).toBeLessThanOrEqual(30.1)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 3 })
  })

  test('looks its rows up, also where PostgreSQL planned it for a table of one page', async () => {
    const part = await stockPart(shop.pool, { onHand: 1 })
    const scans = async () => {
      const { $client: connections } = shop.deps.db
      // an idle connection may wait ten seconds before it reports its statistics
      const reporting = Array.from({ length: connections.totalCount }, () =>
        connections.query('select pg_stat_force_next_flush()'),
      )
      await Promise.all(reporting)
      const { rows } = await shop.pool.query(
        `select seq_scan::int as sequential, coalesce(idx_scan, 0)::int as "byIndex"
         from pg_stat_user_tables where relname = 'stock_movements'`,
      )
      return rows[0]
    }
    await shop.pool.query('analyze stock_movements')
    const before = await scans()
    expect((await book(ada, { partId: part._id, quantity: 1 })).status).toBe(200)
    await expect.poll(async () => (await scans()).byIndex).toBeGreaterThan(before.byIndex)
    expect((await scans()).sequential).toBe(before.sequential)
  })

  test('a part can be named by its product name, as older clients do', async () => {
    const part = await stockPart(shop.pool, { onHand: 1, name: 'Named Part' })
    const { body } = await book(ada, { product: 'named part', quantity: 1 })
    expect((await orderOf(ada, body.insertedId)).partId).toBe(part._id)
  })

  test('what a client says about price, payment, role or identity counts for nothing', async () => {
    const part = await stockPart(shop.pool, { onHand: 5, price: 200 })
    const { body } = await book(ada, {
      partId: part._id,
      quantity: 1,
      paid: true,
      status: 'paid',
      transactionId: 'pi_forged',
      price: 1,
      email: 'somebody@example.com',
      customer: 'Somebody Else',
      image: 'https://evil.example/x.png',
      role: 'admin',
      _id: '00000000-0000-4000-8000-000000000000',
      userId: '00000000-0000-4000-8000-000000000000',
      __proto__: { admin: true },
    })
    expect(await orderOf(ada, body.insertedId)).toMatchObject({
      paid: false,
      transactionId: null,
      totalPrice: 200,
      email: ada.email,
      customer: ada.name,
      image: part.image,
    })
    const { body: admin } = await ada.call('GET', `/api/admin/${ada.email}`)
    expect(admin).toEqual({ admin: false })
  })

  test('a total price other than the shop’s is refused, so no customer books at an unseen price', async () => {
    const part = await stockPart(shop.pool, { onHand: 5, price: 200 })
    for (const totalPrice of [0, 1, -1, 199, 201]) {
      const { status, body } = await book(ada, { partId: part._id, quantity: 1, totalPrice })
      expect(status).toBe(409)
      expect(ErrorBody.parse(body).error.code).toBe('PRICE_CHANGED')
    }
    for (const totalPrice of [0.01, '200', null, [200], Number.POSITIVE_INFINITY]) {
      const { status } = await book(ada, { partId: part._id, quantity: 1, totalPrice })
      expect([400, 409]).toContain(status)
    }
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 5, reserved: 0 })
  })

  test('quantity below the minimum or above what is available is refused in the words of the shop', async () => {
    const part = await stockPart(shop.pool, { onHand: 8, minimum: 4 })
    const low = await book(ada, { partId: part._id, quantity: 3 })
    expect(low.status).toBe(400)
    expect(low.body.error.fields).toEqual({ quantity: messages.quantityTooLow })
    const high = await book(ada, { partId: part._id, quantity: 9 })
    expect(high.status).toBe(409)
    expect(high.body.error.fields).toEqual({ quantity: messages.quantityTooHigh })
    for (const quantity of [0, -1, 1.5, '2', 1e9, 2 ** 53, [4], { $gt: 0 }, null]) {
      expect((await book(ada, { partId: part._id, quantity })).status).toBe(400)
    }
    expect((await book(ada, { partId: part._id })).status).toBe(400)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 8, reserved: 0 })
  })

  test('a refused booking draws no order number', async () => {
    const part = await stockPart(shop.pool, { onHand: 4, price: 200 })
    const first = await book(ada, { partId: part._id, quantity: 1 }, { 'Idempotency-Key': 'one' })
    const refused = [
      { partId: part._id, quantity: 5 },
      { partId: part._id, quantity: 1, totalPrice: 1 },
      { partId: '00000000-0000-4000-8000-000000000000', quantity: 1 },
      { product: 'no such part', quantity: 1 },
    ]
    for (const body of refused) {
      expect((await book(ada, body)).status).toBeGreaterThanOrEqual(400)
    }
    await book(ada, { partId: part._id, quantity: 1 }, { 'Idempotency-Key': 'one' })
    const next = await book(ada, { partId: part._id, quantity: 1 })
    const numberOf = async (id: string) =>
      Number(String((await orderOf(ada, id)).number).replace('F-', ''))
    const number = await numberOf(next.body.insertedId)
    expect(number).toBe((await numberOf(first.body.insertedId)) + 1)
    const { rows } = await shop.pool.query(
      `select text, html from mail_queue where order_id = $1 and template = 'order-booked'`,
      [next.body.insertedId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].text).toContain(`Order: F-${number}\n`)
    expect(rows[0].html).toContain(`<td>F-${number}</td>`)
  })

  test('a phone number is required and must look like one', async () => {
    const part = await stockPart(shop.pool, { onHand: 8 })
    for (const phone of [undefined, '', '   ', 'call me', '1', '1'.repeat(40), 12345]) {
      const { status, body } = await book(ada, { partId: part._id, quantity: 1, phone })
      expect(status).toBe(400)
      expect(Object.keys(body.error.fields)).toEqual(['phone'])
    }
  })

  test('an unknown part is 404, an invalid id is 400', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await book(ada, { partId: unknown, quantity: 1 })).status).toBe(404)
    expect((await book(ada, { partId: "' or 1=1 --", quantity: 1 })).status).toBe(400)
    expect((await book(ada, { product: 'no such thing', quantity: 1 })).status).toBe(404)
  })

  test('a total over the card provider’s limit is refused', async () => {
    const part = await stockPart(shop.pool, { onHand: 5000, price: 999 })
    const { status, body } = await book(ada, { partId: part._id, quantity: 2000 })
    expect(status).toBe(400)
    expect(body.error.message).toContain('$999,999')
  })

  test('visitors are told to log in', async () => {
    expect((await call(shop.origin, 'POST', '/api/order', { body: {} })).status).toBe(401)
  })
})

describe('many people at once', () => {
  const many = atLength ? 200 : 40

  test(`${many} want the last unit: one gets it, the others are refused clearly`, async () => {
    const part = await stockPart(shop.pool, { onHand: 1 })
    const people = await createUsers(shop, many)
    const answers = await Promise.all(
      people.map((person) => book(person, { partId: part._id, quantity: 1 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]))
    expect(new Set(refused.map(({ body }) => body.error.message))).toEqual(
      new Set([messages.quantityTooHigh]),
    )
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 1, reserved: 1 })
    const { body: parts } = await call(shop.origin, 'GET', '/api/part')
    const listedPart = parts.find((p: { _id: string }) => p._id === part._id)
    expect(listedPart.availableQuantity).toBe(0)
  })

  test('the same booking ten times with one Idempotency-Key is one order', async () => {
    const part = await stockPart(shop.pool, { onHand: 50 })
    const key = { 'idempotency-key': crypto.randomUUID() }
    const input = { partId: part._id, quantity: 2 }
    const answers = await Promise.all(Array.from({ length: 10 }, () => book(ada, input, key)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.insertedId)).size).toBe(1)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 50, reserved: 2 })
    const other = await book(ada, { ...input, quantity: 3 }, key)
    expect(other.status).toBe(422)
    expect(other.body.error.code).toBe('KEY_REUSED')
  })

  test('a key is its user’s own: another customer’s same key makes another order', async () => {
    const part = await stockPart(shop.pool, { onHand: 50 })
    const key = { 'idempotency-key': 'same-key' }
    const [one, two] = (await createUsers(shop, 2)) as [Person, Person]
    const first = await book(one, { partId: part._id, quantity: 1 }, key)
    const second = await book(two, { partId: part._id, quantity: 1 }, key)
    expect(first.body.insertedId).not.toBe(second.body.insertedId)
  })

  test('the key still answers when the stock has run out meanwhile', async () => {
    const part = await stockPart(shop.pool, { onHand: 1 })
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await book(ada, { partId: part._id, quantity: 1 }, key)
    const again = await book(ada, { partId: part._id, quantity: 1 }, key)
    expect(again.body).toEqual(first.body)
  })
})

describe('reading orders', () => {
  test('an order is visible only to its customer', async () => {
    const part = await stockPart(shop.pool, { onHand: 5 })
    const id = await bookingOf(ada, part)
    const [eve] = (await createUsers(shop, 1)) as [Person]
    expect((await eve.call('GET', `/api/order/${id}`)).status).toBe(404)
    expect((await eve.call('DELETE', `/api/userProduct/${id}`)).status).toBe(404)
    expect((await eve.call('GET', `/api/orders?email=${ada.email}`)).status).toBe(403)
    const paymentReport = { transactionId: 'pi_123456' }
    expect((await eve.call('PATCH', `/api/order/${id}`, paymentReport)).status).toBe(404)
    const pay = { totalPrice: 100, orderId: id }
    expect((await eve.call('POST', '/api/create-payment-intent', pay)).status).toBe(404)
    expect((await ada.call('GET', `/api/orders?email=${ada.email}&email=x@y.zz`)).status).toBe(400)
  })

  test('a customer’s own orders are listed newest first, in the contract’s shape', async () => {
    const part = await stockPart(shop.pool, { onHand: 5 })
    const first = await bookingOf(ada, part)
    const second = await bookingOf(ada, part)
    const { body } = await ada.call('GET', `/api/orders?email=${encodeURIComponent(ada.email)}`)
    expect(
      Order.array()
        .parse(body)
        .map((order) => order._id),
    ).toEqual([second, first])
  })
})

test('after all of this every invariant holds', async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
})

test('a booking waits three times for the database (who calls, what decides it, the order with its commit), and plans nothing', async () => {
  const database = await migratedDatabase()
  const way = await databaseWay(database.url)
  const shared = { ...database, url: way.url }
  const behind = await openTestShop({ JOB_SECONDS: '3600' }, { shared })
  try {
    const grace = await register(behind.origin, 'Grace Customer')
    const part = await stockPart(behind.pool, { onHand: 9 })
    const input = { partId: part._id, quantity: 1 }
    expect((await book(grace, input)).status).toBe(200)
    const statements = [
      'begin',
      'commit',
      'insert into orders',
      'from mailbox',
      'from parts',
      'from "users"',
    ]
    const trips: string[][] = []
    let last = 'answered'
    await behind.stopJobs()
    way.watch(({ text, moment }) => {
      if (moment === 'asked' && last === 'answered') trips.push([])
      if (moment === 'asked') {
        trips.at(-1)?.push(statements.find((one) => text.includes(one)) ?? text)
      }
      last = moment
      return false
    })
    expect((await book(grace, input)).status).toBe(200)
    way.watch(null)
    expect(trips).toEqual([
      ['from "users"'],
      ['begin', 'from mailbox', 'from parts'],
      ['insert into orders', 'commit'],
    ])
    const { $client: pool } = behind.deps.db
    const planned = `select custom_plans::int as times from pg_prepared_statements where name like 'booking%'`
    const all = await Promise.all(Array.from({ length: 5 }, () => pool.query(planned)))
    const customPlans = all.flatMap(({ rows }) => rows.map(({ times }) => times))
    expect(customPlans.length, 'statements of bookings').toBeGreaterThan(0)
    expect(Math.max(...customPlans), 'plans for one run alone').toBe(0)
  } finally {
    await behind.close()
    way.close()
    await database.drop()
  }
})

describe('a part that changes between the decision and the order', () => {
  /**
   * Books while an uncommitted transaction changes the part, and returns the response after the
   * commit.
   */
  async function bookDuring(partId: string, change: string, more: object = {}) {
    const admin = await shop.pool.connect()
    try {
      await admin.query('begin')
      await admin.query(change, [partId])
      const booking = book(ada, { partId, quantity: 1, ...more })
      const waiting = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into orders%'`
      const untilItWaits = async () => {
        await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBe(1)
      }
      // a booking that is refused early never waits for the lock
      const early = await Promise.race([untilItWaits(), booking])
      expect(early, 'answered before it waited').toBeUndefined()
      await admin.query('commit')
      return await booking
    } finally {
      await admin.query('rollback')
      admin.release()
    }
  }
  const setPrice = 'update parts set price_cents = 25000 where _id = $1'
  const takeAll = `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'adjust', -3)`

  test('is booked at its current price', async () => {
    const part = await stockPart(shop.pool, { onHand: 3, price: 200 })
    const { body } = await bookDuring(part._id, setPrice)
    expect(await orderOf(ada, body.insertedId)).toMatchObject({ price: 250, totalPrice: 250 })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 3, reserved: 1 })
  })

  test('is not booked at a price that the customer did not see', async () => {
    const part = await stockPart(shop.pool, { onHand: 3, price: 200 })
    const { status, body } = await bookDuring(part._id, setPrice, { totalPrice: 200 })
    expect(status).toBe(409)
    expect(ErrorBody.parse(body).error.code).toBe('PRICE_CHANGED')
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 3, reserved: 0 })
  })

  test('is not booked once its last unit is gone, or it is off sale', async () => {
    const part = await stockPart(shop.pool, { onHand: 3 })
    const gone = ErrorBody.parse((await bookDuring(part._id, takeAll)).body).error
    expect(gone.code).toBe('STOCK_GONE')
    expect(gone.fields).toHaveProperty('quantity')
    const other = await stockPart(shop.pool, { onHand: 3 })
    const off = await bookDuring(other._id, 'update parts set deleted_at = now() where _id = $1')
    expect(off.status).toBe(404)
    expect(await brokenInvariants(shop.pool)).toEqual([])
  })

  test('is refused while its part stays locked: a waiting booking would keep a connection from others', async () => {
    const part = await stockPart(shop.pool, { onHand: 9 })
    const admin = await shop.pool.connect()
    try {
      await admin.query('begin')
      await admin.query(setPrice, [part._id])
      expect((await book(ada, { partId: part._id, quantity: 1 })).status).toBe(503)
    } finally {
      await admin.query('rollback')
      admin.release()
    }
    expect((await book(ada, { partId: part._id, quantity: 1 })).status).toBe(200)
  })

  test('is booked although another customer took some units', async () => {
    const part = await stockPart(shop.pool, { onHand: 9 })
    expect((await bookDuring(part._id, takeAll)).status).toBe(200)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 6, reserved: 1 })
  })
})
