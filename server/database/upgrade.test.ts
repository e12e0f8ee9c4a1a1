/** A shop that has been selling opens after an upgrade with everything it had. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { type TestDatabase, testDatabase } from '#tests/support/database.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

const migrations = join(import.meta.dirname, '../../drizzle')
let database: TestDatabase
let old: string

beforeAll(async () => {
  database = await testDatabase()
  old = await mkdtemp(join(tmpdir(), 'ferrite-migrations-'))
})
afterAll(async () => {
  await database.drop()
  await rm(old, { recursive: true, force: true })
})

/** The migrations up to and with this one, as an older version of the shop had them. */
async function upTo(name: string): Promise<string> {
  await cp(migrations, old, { recursive: true })
  const path = join(old, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8'))
  const last = journal.entries.findIndex(({ tag }: { tag: string }) => tag === name)
  expect(last).toBeGreaterThan(0)
  journal.entries.length = last + 1
  await writeFile(path, JSON.stringify(journal))
  return old
}

/** Orders of two units each: unpaid and held, paid, shipped, deleted. */
async function sold(partId: string): Promise<void> {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(
    `insert into users (issuer, subject, email, name, role, email_verified)
     values ('old', '1', 'ada@example.com', 'Ada', 'admin', true)`,
  )
  await client.query(
    `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price, total_price,
       status, transaction_id, hold_expires_at, paid_at, shipped_at, carrier, created_at)
     select u._id, $1, 'Old fan', '/i', 'Ada', u.email, '12345', 2, 100, 200, status,
       'pi_' || nullif(nullif(status, 'unpaid'), 'deleted'),
       case status when 'unpaid' then now() + interval '1 hour' end,
       case when status in ('paid', 'shipped') then now() end,
       case status when 'shipped' then now() end, case status when 'shipped' then 'DHL' end,
       now() - age * interval '1 day'
     from users u, unnest(array['unpaid', 'paid', 'shipped', 'deleted']) with ordinality old(status, age)`,
    [partId],
  )
  await client.query(`
    insert into stock_movements (part_id, order_id, kind, reserved_delta)
      select part_id, _id, 'hold', 2 from orders where status <> 'deleted';
    insert into stock_movements (part_id, order_id, kind, on_hand_delta, reserved_delta)
      select part_id, _id, 'sell', -2, -2 from orders where transaction_id is not null;
    insert into payments (intent_id, order_id, amount, status)
      select transaction_id, _id, 20000, 'succeeded' from orders where transaction_id is not null;
    insert into audit_log (actor_id, deed, order_id)
      select user_id, 'order shipped', _id from orders where status = 'shipped'`)
  await client.query('commit')
  client.release()
}

test('from before there were refunds: nothing is lost, and what was paid can be given back', async () => {
  await migrate(database.url, await upTo('0007_shipping'))
  const part = await stockPart(database.pool, { onHand: 10, name: 'Old fan' })
  await sold(part._id)
  await migrate(database.url, migrations)

  expect(await brokenInvariants(database.pool)).toEqual([])
  expect(await stockOf(database.pool, part._id)).toEqual({ onHand: 6, reserved: 2 })
  const { rows } = await database.pool.query(
    'select number, status, carrier, refunded_cents from orders order by status',
  )
  expect(rows).toEqual([
    { number: 'F-1001', status: 'deleted', carrier: null, refunded_cents: 0 },
    { number: 'F-1003', status: 'paid', carrier: null, refunded_cents: 0 },
    { number: 'F-1002', status: 'shipped', carrier: 'DHL', refunded_cents: 0 },
    { number: 'F-1004', status: 'unpaid', carrier: null, refunded_cents: 0 },
  ])
  expect((await database.pool.query('select from audit_log')).rowCount).toBe(1)
  await database.pool.query(
    `insert into refunds (order_id, amount, state, provider_id)
     select _id, 20000, 'succeeded', 're_' || status from orders where transaction_id is not null`,
  )
  expect(await brokenInvariants(database.pool)).toEqual([])
  const given = await database.pool.query(`select from orders where status = 'refunded'`)
  expect(given.rowCount).toBe(2)
})
