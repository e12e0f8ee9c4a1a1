/** Many customers book groups of the same parts while everything else that writes parts goes on. */
import { expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { countSales } from '#server/features/catalogue/best-seller.ts'
import { atLength } from '#tests/support/length.ts'
import { payingShop } from '#tests/support/money.ts'
import { createUsers, intentFor, type Person } from '#tests/support/people.ts'
import { brokenInvariants, havePaid, stockPart } from '#tests/support/stock.ts'

const { shop, owner, confirm, control } = payingShop()

const phone = '+1 555 0100'
const deadlocks = async (): Promise<number> => {
  const query = 'select deadlocks::int from pg_stat_database where datname = current_database()'
  return (await shop.pool.query(query)).rows[0].deadlocks
}

/** Customers who paid before, so that only the stock refuses them. */
async function customersOf(count: number): Promise<Person[]> {
  const people = await createUsers(shop, count)
  await havePaid(
    shop.pool,
    people.map(({ email }) => email),
  )
  return people
}

/** Runs all of them, a limited number at a time. */
async function inLanes<T>(work: (() => Promise<T>)[], lanes: number): Promise<T[]> {
  const results: T[] = []
  const rest = work.values()
  const lane = async () => {
    for (const each of rest) results.push(await each())
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/** How often each of the owner's changes was made: now and then one is outdated by another. */
const made = { many: 0, kind: 0 }

async function asOwner(method: string, path: string, body?: object) {
  const answer = await owner.call(method, `/api/${path}`, body)
  expect(answer.status).toBeLessThan(500)
  return answer
}

const changes = [
  { what: 'price', percent: 10, round: 'cent' },
  { what: 'stock', units: 1 },
]

/** Makes all parts dearer, or puts one more of each on the shelf; and takes that back. */
async function editManyAndUndo(): Promise<void> {
  const filter = { q: 'Test part' }
  for (const change of changes) {
    const { shown } = (await asOwner('POST', 'products/bulk', { filter, change })).body
    const { batch } = (await asOwner('POST', 'products/bulk', { filter, change, shown })).body
    if (!batch) continue
    await asOwner('POST', `batch/${batch}/undo`)
    made.many += 1
  }
}

/** Changes the kind of all parts. */
async function editKind(): Promise<void> {
  const { version, name, drawing, fields } = (await asOwner('GET', 'kinds/fan')).body
  const own = fields.map(
    ({ isBuiltin: _, stated: __, values: ___, ...field }: Record<string, unknown>) => field,
  )
  const otherNames = [`name ${crypto.randomUUID().slice(0, 8)}`]
  const body = { version, name, otherNames, drawing, fields: own }
  if ((await asOwner('PUT', 'kinds/fan', body)).status === 200) made.kind += 1
}

/** Some of the parts, other ones for each `i`. */
const some = (parts: Part[], i: number, count: number) =>
  Array.from({ length: count }, (_, n) => parts[(i * 7 + n * 5) % parts.length] as Part)

const parts = () =>
  Promise.all(Array.from({ length: 24 }, () => stockPart(shop.pool, { onHand: 20, price: 10 })))

test(
  'checkouts are held whole or not at all, without a deadlock',
  async () => {
    const before = await deadlocks()
    for (let round = 0; round < (atLength ? 20 : 1); round += 1) {
      const shelf = await parts()
      const ids = shelf.map(({ _id }) => _id)
      await shop.pool.query(`update parts set kind = 'fan' where _id = any($1)`, [ids])
      const people = await customersOf(atLength ? 100 : 60)
      let isOver = false
      const meanwhile = async (work: () => Promise<unknown>) => {
        while (!isOver) await work()
      }
      const beside = [
        meanwhile(() => countSales(shop.deps)),
        meanwhile(editManyAndUndo),
        meanwhile(editKind),
      ]
      const groups = people.map((person, i) => () => {
        const lines = some(shelf, i, 8).map(({ _id }) => ({ partId: _id, quantity: 1 + (i % 2) }))
        return person.call('POST', '/api/orders', { lines, phone })
      })
      const singles = people.map((person, i) => () => {
        const [part] = some(shelf, i, 1)
        return person.call('POST', '/api/order', { partId: part?._id, quantity: 1, phone })
      })
      const answers = await inLanes(
        groups.flatMap((group, i) => (singles[i] ? [group, singles[i]] : [group])),
        40,
      )
      isOver = true
      await Promise.all(beside)
      expect(answers.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([])
      const booked = answers.filter(({ status }) => status === 200)
      expect(booked.length).toBeGreaterThan(20)
      const { rows } = await shop.pool.query(
        `select count(*)::int as orders from orders o join users u on u._id = o.user_id
       where u.email = any($1) and o.status = 'unpaid' group by o.checkout_id`,
        [people.map(({ email }) => email)],
      )
      expect(rows.every(({ orders }) => orders === 1 || orders === 8)).toBe(true)
      const over = await shop.pool.query(
        `select p._id from parts p where p._id = any($1) and (p.reserved > p.on_hand or p.reserved <>
        (select coalesce(sum(quantity), 0) from orders where part_id = p._id and hold_expires_at is not null))`,
        [ids],
      )
      expect(over.rows).toEqual([])
    }
    expect(await deadlocks()).toBe(before)
    expect(Object.entries(made).filter(([, times]) => times === 0)).toEqual([])
    expect(await brokenInvariants(shop.pool)).toEqual([])
  },
  atLength ? 600_000 : 120_000,
)

test('checkouts are settled once each, by webhook and browser at the same moment', async () => {
  await control('webhooks', { mode: 'normal' })
  const before = await deadlocks()
  const shelf = (await parts()).slice(0, 16)
  for (const { _id } of shelf)
    await shop.pool.query(
      `insert into stock_movements (part_id, type, on_hand_delta, reason) values ($1, 'receive', 60, 'more')`,
      [_id],
    )
  const people = await customersOf(atLength ? 60 : 20)
  const paid = await inLanes(
    people.map((person, i) => async () => {
      const lines = some(shelf, i, 8).map(({ _id }) => ({ partId: _id, quantity: 1 }))
      const { body } = await person.call('POST', '/api/orders', { lines, phone })
      const orderIds: string[] = body.orderIds
      const payment = await intentFor(person, orderIds[0] as string)
      await confirm(payment)
      const report = { transactionId: payment.intentId }
      const claims = await Promise.all(
        [orderIds[0], orderIds[7]].map((id) => person.call('PATCH', `/api/order/${id}`, report)),
      )
      expect(claims.map(({ status }) => status)).toEqual([200, 200])
      return orderIds
    }),
    30,
  )
  const all = paid.flat()
  const count = async (query: string) => (await shop.pool.query(query, [all])).rows[0].count
  expect(
    await count(`select count(*)::int from orders where _id = any($1) and status = 'paid'`),
  ).toBe(8 * people.length)
  expect(
    await count(
      `select count(*)::int from mail_queue where template = 'order-paid' and order_id = any($1)`,
    ),
  ).toBe(people.length)
  expect(await deadlocks()).toBe(before)
})
