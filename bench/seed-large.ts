/**
 * npm run seed:large [-- folder [parts [orders [users]]]]: a large shop in its own data folder, by
 * default ./data-large with 10,000 parts, 100,000 orders and 100,000 users.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient } from 'pg'
import pg from 'pg'
import { migrate } from '#server/database/migrate.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { insertParts, makeParts } from './parts.ts'

const [
  folder = resolve(import.meta.dirname, '../data-large'),
  parts = 10_000,
  orders = 100_000,
  users = 100_000,
] = process.argv.slice(2).map((word, i) => (i === 0 ? resolve(word) : Number(word))) as [
  string?,
  number?,
  number?,
  number?,
]

/** Orders per transaction. */
const ordersAtOnce = 10_000

const first = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Katherine', 'Linus', 'Radia']
const last = ['Lovelace', 'Hopper', 'Turing', 'Liskov', 'Knuth', 'Johnson', 'Perlman', 'Hamilton']
const people = `
  insert into users (issuer, subject, email, name, email_verified, role, created_at)
  select 'seed', n::text, lower(f || '.' || l) || '.' || n || '@example.com', f || ' ' || l, true,
    case when n % 5000 = 0 then 'admin' else 'customer' end, now() - ($1 - n) * (interval '800 days' / $1)
  from generate_series(1, $1::int) n, lateral (select
    ($2::text[])[1 + n % cardinality($2::text[])] f, ($3::text[])[1 + n / 7 % cardinality($3::text[])] l) names`

const numbered = [
  `create temp table seed_people as
   select row_number() over (order by created_at) place, _id, name, email from users where issuer = 'seed'`,
  'alter table seed_people add primary key (place)',
  `create temp table seed_goods as select row_number() over (order by position) place, _id, name, image, price_cents,
     minimum_order_quantity smallest from parts`,
  'alter table seed_goods add primary key (place)',
]

/**
 * Orders number `from` to `to` of `all`, in chronological order: the oldest were shipped long ago,
 * and many of the newest are still to be shipped or paid.
 */
const bookings = (from: number, to: number, all: number) => `
  create temp table booked as select gen_random_uuid() _id, p._id part_id, u._id user_id, p.name product, p.image, u.name customer, u.email,
    p.smallest * (1 + n % 3)::int quantity, p.price_cents, 'pi_' || substr(md5(n::text), 1, 24) intent,
    now() - (${all} - n) * (interval '730 days' / ${all}) as moment,
    case when n % 33 = 0 then 'unpaid' when n > ${all} * 0.95 and n % 3 > 0 then 'paid' else 'shipped' end status,
    n % 33 = 0 and n > ${all} * 0.995 held
  from generate_series(${from}::bigint, ${to}) n
    join seed_goods p on p.place = 1 + n * 7919 % (select count(*) from seed_goods)
    join seed_people u on u.place = 1 + n * 104729 % (select count(*) from seed_people)`

const orderSteps = [
  `insert into orders (_id, user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents,
     status, transaction_id, hold_expires_at, hold_limit_at, created_at, paid_at, shipped_at, checkout_id)
   select _id, user_id, part_id, product, image, customer, email, '+1 555 0100', quantity, price_cents, quantity * price_cents,
     status, case when status <> 'unpaid' then intent end, case when held then now() + interval '25 minutes' end, case when held then now() + interval '55 minutes' end, moment,
     case when status <> 'unpaid' then moment + interval '5 minutes' end,
     case when status = 'shipped' then moment + interval '1 day' end, _id
   from booked order by moment`,
  `insert into payments (intent_id, checkout_id, amount, status, created_at, checked_at, received_at)
   select intent, _id, quantity * price_cents, 'succeeded', moment, moment, moment + interval '5 minutes' from booked where status <> 'unpaid'`,
  `insert into stock_movements (part_id, order_id, type, reserved_delta, created_at)
   select part_id, _id, 'hold', quantity, moment from booked where held or status <> 'unpaid'`,
  `insert into stock_movements (part_id, order_id, type, on_hand_delta, reserved_delta, created_at)
   select part_id, _id, 'sell', 0, 0, moment from booked where status <> 'unpaid'`,
  `insert into stock_movements (part_id, order_id, type, on_hand_delta, reserved_delta, created_at)
   select part_id, _id, 'ship', -quantity, -quantity, moment + interval '1 day' from booked where status = 'shipped'`,
]

const received = `
  insert into stock_movements (part_id, type, on_hand_delta, reason)
  select _id, 'receive', 1000, 'first stock' from seed_goods`

/** One part in 20 ends up with a few units, one in 30 with none. */
const counted = `
  insert into stock_movements (part_id, type, on_hand_delta, reason)
  select p._id, 'adjust', (case when place % 30 = 0 then 0 else smallest * 3 end) - (p.on_hand - p.reserved), 'counted'
  from seed_goods g join parts p on p._id = g._id where place % 20 = 0 or place % 30 = 0`

/**
 * Triggers for a million orders would take hours, so they are disabled, and the counters are summed
 * up at the end.
 */
const ledger = ['orders', 'payments', 'stock_movements', 'parts']
const triggers = (state: 'enable' | 'disable') =>
  ledger.map((table) => `alter table ${table} ${state} trigger user`).join('; ')

const summedUp = `
  update parts set on_hand = all_of.on_hand, reserved = all_of.reserved, to_ship = all_of.to_ship
  from (select m.part_id, sum(on_hand_delta) on_hand, sum(reserved_delta) reserved,
      coalesce(sum(reserved_delta) filter (where o.status = 'paid'), 0) to_ship
    from stock_movements m left join orders o on o._id = m.order_id group by m.part_id) all_of
  where part_id = _id`

async function book(client: PoolClient, from: number, to: number): Promise<void> {
  await client.query('begin')
  await client.query('drop table if exists booked')
  await client.query(bookings(from, to, orders))
  for (const step of orderSteps) await client.query(step)
  await client.query('commit')
}

/**
 * Fills an empty database of a migrated shop.
 * @throws Error when it already has a part or an order, so that it never touches a real shop
 */
async function fillLargeShop(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query(
      'select _id from parts union all select _id from orders limit 1',
    )
    if (rows.length > 0) throw new Error('this database holds a shop already: nothing was written')
    await client.query(people, [users, first, last])
    await insertParts(client, makeParts(parts))
    for (const step of [...numbered, triggers('disable'), received]) await client.query(step)
    for (let n = 1; n <= orders; n += ordersAtOnce)
      await book(client, n, Math.min(n + ordersAtOnce - 1, orders))
    await client.query(summedUp)
    await client.query(counted)
    await client.query(summedUp)
    await client.query(triggers('enable'))
    // in a real shop, PostgreSQL vacuums between orders
    await client.query('vacuum full parts')
    await client.query('vacuum analyze')
  } finally {
    client.release(true)
  }
}

if (existsSync(folder)) {
  console.error(`${folder} is there already: name another folder, or remove it first.`)
  process.exit(1)
}
const database = await startEmbedded({ dataDir: folder, log: console.log, owner: 'seed:large' })
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
try {
  await migrate(database.url)
  await seedKinds(drizzle(pool))
  const count = (n: number) => n.toLocaleString('en')
  console.log(`Writing ${count(users)} users, ${count(parts)} parts and ${count(orders)} orders`)
  await fillLargeShop(pool)
  console.log(`Done. See it with: DATA_DIR=${folder} DEMO=off npm start`)
} finally {
  await pool.end()
  await database.stop()
}
