/**
 * The rules of the queue for sold-out parts that the database enforces: order, units, ends,
 * refusals.
 */
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { atLength } from '#tests/support/length.ts'
import { brokenInvariants, havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

let database: TestDatabase
let pool: Pool
let people: string[]

/** Accounts with verified addresses that have never paid. */
async function createPeople(count: number): Promise<string[]> {
  const { rows } = await pool.query<{ _id: string }>(
    `insert into users (issuer, subject, email, name, email_verified)
     select 'queue', gen_random_uuid(), gen_random_uuid() || '@example.com', 'One', true from generate_series(1, $1) returning _id`,
    [count],
  )
  return rows.map(({ _id }) => _id)
}

beforeAll(async () => {
  database = await migratedDatabase()
  pool = database.pool
  // customers who have paid get offers for everything they wait for
  people = await createPeople(6)
  const { rows } = await pool.query<{ email: string }>('select email from users')
  await havePaid(
    pool,
    rows.map(({ email }) => email),
  )
})
afterAll(() => database.drop())

const refusal = (query: string, values: unknown[] = []) =>
  pool.query(query, values).then(
    () => 'accepted',
    (error) => error.constraint ?? error.message,
  )

const soldOut = (minimum = 1) => stockPart(pool, { onHand: 0, minimum })
const join = (partId: string, userId: string | undefined, quantity = 1) =>
  refusal('insert into queue_places (user_id, part_id, quantity) values ($1, $2, $3)', [
    userId,
    partId,
    quantity,
  ])
const receive = (partId: string, units: number) =>
  pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', $2)`,
    [partId, units],
  )
const leave = (partId: string, userId: string | undefined) =>
  pool.query('delete from queue_places where part_id = $1 and user_id = $2', [partId, userId])
/** The customers with an offer, by index. */
async function offered(partId: string): Promise<number[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    'select user_id from queue_places where part_id = $1 and offered_at is not null order by turn',
    [partId],
  )
  return rows.map(({ user_id }) => people.indexOf(user_id))
}

test('new units are offered in the order of joining, to customers whose whole quantity is there', async () => {
  const { _id } = await soldOut()
  for (const [who, quantity] of [2, 4, 1, 1, 2].entries()) await join(_id, people[who], quantity)
  await receive(_id, 3)
  expect(await offered(_id)).toEqual([0, 2])
  expect(await stockOf(pool, _id)).toEqual({ onHand: 3, reserved: 3 })
  // the second in line keeps the place, and is next as soon as four units are available
  await receive(_id, 4)
  expect(await offered(_id)).toEqual([0, 1, 2])
  await leave(_id, people[0])
  expect(await offered(_id)).toEqual([1, 2, 3])
  await receive(_id, 10)
  expect(await offered(_id)).toEqual([1, 2, 3, 4])
  // units that no place waits for are on open sale
  expect(await stockOf(pool, _id)).toEqual({ onHand: 17, reserved: 8 })
  expect(await brokenInvariants(pool)).toEqual([])
})

test('a transaction that frees units and takes them again offers none', async () => {
  const part = await soldOut()
  await join(part._id, people[0])
  await receive(part._id, 1)
  await join(part._id, people[1])
  const client = await pool.connect()
  await client.query('begin')
  await client.query('delete from queue_places where part_id = $1 and user_id = $2', [
    part._id,
    people[0],
  ])
  const order = await client.query(
    `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents,
       hold_expires_at, hold_limit_at)
     values ($1, $2, 'P', '/i', 'One', 'one@example.com', '12345', 1, 10000, 10000, now() + interval '1 h', now() + interval '1 h')
     returning _id`,
    [people[0], part._id],
  )
  await client.query(
    `insert into stock_movements (part_id, order_id, type, reserved_delta) values ($1, $2, 'hold', 1)`,
    [part._id, order.rows[0]._id],
  )
  await client.query('commit')
  client.release()
  expect(await offered(part._id)).toEqual([])
  expect(await stockOf(pool, part._id)).toEqual({ onHand: 1, reserved: 1 })
  expect(await brokenInvariants(pool)).toEqual([])
})

test('a lowered minimum and a restored part offer units like new stock', async () => {
  const { _id } = await soldOut()
  await join(_id, people[0], 2)
  await pool.query('update parts set minimum_order_quantity = 3 where _id = $1', [_id])
  await receive(_id, 2)
  expect(await offered(_id)).toEqual([])
  await pool.query('update parts set deleted_at = now() where _id = $1', [_id])
  await pool.query('update parts set minimum_order_quantity = 2 where _id = $1', [_id])
  expect(await offered(_id)).toEqual([])
  await pool.query('update parts set deleted_at = null where _id = $1', [_id])
  expect(await offered(_id)).toEqual([0])
})

test('a customer who is blocked, or whose address is no longer verified, gives way to the next', async () => {
  const [blocked, unverified] = await createPeople(2)
  const { _id } = await soldOut()
  for (const who of [blocked, unverified, people[0]]) await join(_id, who)
  await receive(_id, 1)
  await pool.query('update users set disabled_at = now() where _id = $1', [blocked])
  await pool.query('update users set email_verified = false where _id = $1', [unverified])
  expect(await offered(_id)).toEqual([0])
  expect(await stockOf(pool, _id)).toEqual({ onHand: 1, reserved: 1 })
  expect(await join(_id, blocked)).toBe('queue_places_verified')
  expect(await join(_id, unverified)).toBe('queue_places_verified')
})

test('the database refuses duplicate and needless places, and offers without units', async () => {
  const part = await stockPart(pool, { onHand: 2, minimum: 2 })
  expect(await join(part._id, people[0], 2)).toBe('queue_places_sold_out')
  expect(await join(part._id, people[0], 1)).toBe('queue_places_sold_out')
  expect(await join(part._id, people[0], 3)).toBe('accepted')
  expect(await join(part._id, people[0], 3)).toBe('queue_places_one')
  const place = 'where part_id = $1'
  expect(await refusal(`update queue_places set quantity = 2 ${place}`, [part._id])).toBe(
    'queue_places_sold_out',
  )
  expect(await refusal(`update queue_places set turn = 0 ${place}`, [part._id])).toMatch(/frozen/)
  // an offer of units that are out of stock
  expect(await refusal(`update queue_places set offered_at = now() ${place}`, [part._id])).toBe(
    'parts_reserved',
  )
  expect(await refusal(`update queue_places set offer_ends_at = now() ${place}`, [part._id])).toBe(
    'queue_places_offer',
  )
  const line = (type: string, units: number) =>
    refusal(
      `insert into stock_movements (part_id, place_id, type, reserved_delta)
       select part_id, _id, $2, $3 from queue_places where part_id = $1`,
      [part._id, type, units],
    )
  expect(await line('offer', 1)).toBe('stock_movements_offer')
  await receive(part._id, 1)
  expect(await line('withdraw', -3)).toBe('stock_movements_offer')
  expect(await refusal(`update queue_places set quantity = 4 ${place}`, [part._id])).toMatch(
    /frozen/,
  )
  expect(await refusal(`update queue_places set offered_at = null ${place}`, [part._id])).toMatch(
    /frozen/,
  )
  expect(await brokenInvariants(pool)).toEqual([])
})

test('the doctor sees an offer without its units, and units without an offer', async () => {
  const { _id } = await soldOut()
  await join(_id, people[0])
  await receive(_id, 1)
  const asleep = (query: string) =>
    pool.query(`alter table queue_places disable trigger user; ${query};
      alter table queue_places enable trigger user`)
  await asleep(`update queue_places set quantity = 2 where part_id = '${_id}'`)
  const broken = [
    'reserved units belong to orders with a hold, to paid ones that are not shipped, and to offers',
    'an offer has its units on the ledger',
  ]
  expect(await brokenInvariants(pool)).toEqual(broken)
  await asleep(`delete from queue_places where part_id = '${_id}'`)
  expect(await brokenInvariants(pool)).toEqual(broken)
  await asleep(
    `insert into queue_places (_id, user_id, part_id, quantity, offered_at)
     select place_id, '${people[0]}', part_id, 1, now() from stock_movements where part_id = '${_id}' and type = 'offer'`,
  )
  expect(await brokenInvariants(pool)).toEqual([])
})

const crowd = atLength ? 1000 : 60

test(`${crowd} wait and five come, again and again: the first five of each time are offered`, async () => {
  const { _id } = await soldOut()
  const waiting = await createPeople(crowd)
  await Promise.all(waiting.map((who) => join(_id, who)))
  const { rows } = await pool.query<{ user_id: string }>(
    'select user_id from queue_places where part_id = $1 order by turn',
    [_id],
  )
  const line = rows.map(({ user_id }) => user_id)
  expect(line).toHaveLength(crowd)
  for (let next = 0; next < crowd; next += 5) {
    await receive(_id, 5)
    const { rows: now } = await pool.query<{ user_id: string }>(
      'select user_id from queue_places where part_id = $1 and offered_at is not null order by turn',
      [_id],
    )
    expect(now.map(({ user_id }) => user_id)).toEqual(line.slice(next, next + 5))
    // the offered units leave stock, and the part is sold out again
    await pool.query(
      `with left_now as (delete from queue_places where part_id = $1 and offered_at is not null returning quantity)
       insert into stock_movements (part_id, type, on_hand_delta) select $1, 'adjust', -sum(quantity) from left_now`,
      [_id],
    )
  }
  expect(await stockOf(pool, _id)).toEqual({ onHand: 0, reserved: 0 })
})
