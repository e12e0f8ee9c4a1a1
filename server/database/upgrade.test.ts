/** After an upgrade, a shop with sales still has all its data. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase, wholeDatabase } from '#tests/support/database.ts'
import { laterMigrations } from '#tests/support/migrations.ts'
import { withLines } from '#tests/support/money.ts'
import { brokenInvariants, stockOf } from '#tests/support/stock.ts'
import { assertMigrated, knownMigrations, migrate, withMigrationsUpTo } from './migrate.ts'

let database: TestDatabase
/** The database that the first release made, with a year's variety of rows. */
let before: Record<string, string[]>
beforeEach(async () => {
  database = await testDatabase()
  await withMigrationsUpTo(knownMigrations()[0] as number, (folder) =>
    migrate(database.url, folder),
  )
  await database.pool.query(soldByFirstRelease)
  before = await wholeDatabase(database.url)
})
afterEach(() => database.drop())

const partId = '00000000-0000-4000-8000-00000000000a'

/**
 * Rows of most tables in the first release's format; never change this text. Each of the part's
 * orders has two units: unpaid and held, paid, shipped, refunded, deleted.
 */
const soldByFirstRelease = `
  begin;
  insert into users (issuer, subject, email, name, role, email_verified)
    values ('old', '1', 'ada@example.com', 'Ada', 'admin', true);
  insert into profiles select _id, 'School', 'Leeds', '12345', 'https://www.linkedin.com/in/ada' from users;
  insert into parts (_id, name, kind, image, description, minimum_order_quantity, price)
    values ('${partId}', 'Old fan', 'fan', '/i', 'It turns.', 1, 100);
  insert into stock_movements (part_id, type, on_hand_delta) values ('${partId}', 'receive', 20);
  insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price, total_price,
      status, transaction_id, hold_expires_at, hold_limit_at, paid_at, shipped_at, carrier, created_at)
    select u._id, '${partId}', 'Old fan', '/i', 'Ada', u.email, '12345', 2, 100, 200, status,
      case when status in ('paid', 'shipped') then 'pi_' || age end,
      case status when 'unpaid' then now() + interval '1 hour' end,
      case status when 'unpaid' then now() + interval '1 hour' end,
      case when status in ('paid', 'shipped') then now() end,
      case status when 'shipped' then now() end, case status when 'shipped' then 'DHL' end,
      now() - age * interval '1 day'
    from users u, unnest(array['unpaid', 'paid', 'shipped', 'paid', 'deleted']) with ordinality old(status, age);
  insert into stock_movements (part_id, order_id, type, reserved_delta)
    select part_id, _id, 'hold', 2 from orders where status <> 'deleted';
  insert into stock_movements (part_id, order_id, type, on_hand_delta, reserved_delta)
    select part_id, _id, 'sell', -2, -2 from orders where transaction_id is not null;
  insert into payments (intent_id, order_id, amount, status)
    select transaction_id, _id, 20000, 'succeeded' from orders where transaction_id is not null;
  insert into refunds (intent_id, cause, amount, state, provider_id)
    values ('pi_4', 'provider', 20000, 'succeeded', 're_1');
  insert into payments (intent_id, order_id, amount, status)
    select 'pi_late', _id, 20000, 'unmatched' from orders where status = 'deleted';
  insert into refunds (intent_id, cause, amount, state, reason)
    values ('pi_late', 'unmatched_payment', 20000, 'requested', 'the order is deleted');
  insert into payments (intent_id, order_id, amount)
    select 'pi_open', _id, 20000 from orders where status = 'unpaid';
  insert into reviews (user_id, name, email, review, ratings)
    select _id, 'Ada', email, 'It turned for years.', 5 from users;
  insert into mail_queue (template, dedupe, recipient, subject, text, html, order_id)
    select 'order-paid', 'paid ' || _id, email, 'Paid', 'Thanks', '<p>Thanks</p>', _id from orders where paid_at is not null;
  insert into audit_log (actor_id, action, order_id)
    select user_id, 'order shipped', _id from orders where status = 'shipped';
  commit`

const stateOfOrders = `select number, status, carrier, price_cents, total_cents, refunded_cents from orders order by number`

test('from the first release to this one: nothing is lost, and the rules hold', async () => {
  await migrate(database.url)
  await assertMigrated(database.url)

  const after = await wholeDatabase(database.url)
  // of the two paid, unshipped orders, one was refunded
  for (const [table, rows] of Object.entries(before))
    if (table === 'public.stock_movements') expect(after[table]?.length).toBe(rows.length + 1)
    else if (table !== 'migrations')
      expect([table, after[table]?.length]).toEqual([table, rows.length])
  expect(await brokenInvariants(database.pool)).toEqual([])
  // two units are held and two are to be shipped, so all four are still on the shelf
  expect(await stockOf(database.pool, partId)).toEqual({ onHand: 16, reserved: 4 })
  expect((await database.pool.query(stateOfOrders)).rows).toEqual([
    {
      number: 'F-1001',
      status: 'unpaid',
      carrier: null,
      price_cents: 10000,
      total_cents: 20000,
      refunded_cents: 0,
    },
    {
      number: 'F-1002',
      status: 'paid',
      carrier: null,
      price_cents: 10000,
      total_cents: 20000,
      refunded_cents: 0,
    },
    {
      number: 'F-1003',
      status: 'shipped',
      carrier: 'DHL',
      price_cents: 10000,
      total_cents: 20000,
      refunded_cents: 0,
    },
    {
      number: 'F-1004',
      status: 'refunded',
      carrier: null,
      price_cents: 10000,
      total_cents: 20000,
      refunded_cents: 20000,
    },
    {
      number: 'F-1005',
      status: 'deleted',
      carrier: null,
      price_cents: 10000,
      total_cents: 20000,
      refunded_cents: 0,
    },
  ])
  const { rows: amounts } = await database.pool.query(
    'select p.price_cents, i.price_cents as listed from parts p join part_index i on i.part_id = p._id',
  )
  expect(amounts).toEqual([{ price_cents: 10000, listed: 10000 }])
  // what was shipped is in its customer's machine
  const { rows: machine } = await database.pool.query(
    'select m.name, m.quantity, o.number from machine_parts m join orders o on o._id = m.order_id',
  )
  expect(machine).toEqual([{ name: 'Old fan', quantity: 2, number: 'F-1003' }])
  // each payment belongs to its order's checkout, and only refunded orders have a refund line
  const { rows: checkouts } = await database.pool.query(
    `select p.intent_id, o.number, (select count(*)::int from refund_lines l join refunds r on r._id = l.refund_id
       where r.intent_id = p.intent_id and l.order_id = o._id) as lines
     from payments p join orders o using (checkout_id) order by 1`,
  )
  expect(checkouts).toEqual([
    { intent_id: 'pi_2', number: 'F-1002', lines: 0 },
    { intent_id: 'pi_3', number: 'F-1003', lines: 0 },
    { intent_id: 'pi_4', number: 'F-1004', lines: 1 },
    { intent_id: 'pi_late', number: 'F-1005', lines: 0 },
    { intent_id: 'pi_open', number: 'F-1001', lines: 0 },
  ])
  // the triggers act on rows from before the upgrade
  await database.pool.query(
    withLines(`insert into refunds (intent_id, cause, amount, state, provider_id)
      select transaction_id, 'provider', 20000, 'succeeded', 're_2' from orders where number = 'F-1002'`),
  )
  const refunded = `select number from orders where status = 'refunded' order by number`
  expect((await database.pool.query(refunded)).rows).toEqual([
    { number: 'F-1002' },
    { number: 'F-1004' },
  ])
  await expect(database.pool.query('update parts set on_hand = 8')).rejects.toThrow(
    'stock changes only',
  )
})

test('a profile that was never saved gets the phone of the newest order', async () => {
  await database.pool.query(
    `insert into users (issuer, subject, email, name) values ('old', '2', 'bob@example.com', 'Bob');
     insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price, total_price, created_at)
       select _id, '${partId}', 'Old fan', '/i', 'Bob', email, '555 0' || age, 1, 100, 100, now() - age * interval '1 day'
       from users, generate_series(2, 4) age where email = 'bob@example.com'`,
  )
  await migrate(database.url)
  const { rows } = await database.pool.query(
    'select name, phone from profiles join users on _id = user_id order by name',
  )
  expect(rows).toEqual([
    { name: 'Ada', phone: '12345' },
    { name: 'Bob', phone: '555 02' },
  ])
})

test('kinds get the fields that rules of fit read, and a field with a name of lists another', async () => {
  const { pool } = database
  await pool.query(
    `insert into kinds (slug, name) values ('case', 'case');
     insert into spec_fields (kind, key, label, type, position, is_builtin) values ('case', 'slots', 'Slots', 'number', 0, true);
     insert into spec_fields (kind, key, label, type, position) values ('case', 'fits', 'Fits well', 'yes', 1);
     insert into parts (name, kind, image, description, minimum_order_quantity, price, specs)
       values ('Old case', 'case', '/i', 'It stands.', 1, 100, '{"slots": 3, "fits": true}')`,
  )
  await migrate(database.url)
  const { rows } = await pool.query(
    `select key, is_builtin as "isBuiltin" from spec_fields where kind = 'case' order by position`,
  )
  expect(rows).toEqual([
    { key: 'slots', isBuiltin: true },
    { key: 'fits_', isBuiltin: false },
    { key: 'fan_sizes_mm', isBuiltin: true },
    { key: 'plugs_at_back', isBuiltin: true },
  ])
  const { rows: parts } = await pool.query(
    `select p.specs, i.facets @> '{fits_=yes}' as "isListed" from parts p join part_index i on part_id = _id where name = 'Old case'`,
  )
  expect(parts).toEqual([{ specs: { slots: 3, fits_: true }, isListed: true }])
})

test('what was offered to a customer stays set aside, and goes to the next when the offer ends', async () => {
  const { pool } = database
  // all but the two held units leave the shelf, two customers wait, and three units come in
  await pool.query(
    `insert into users (issuer, subject, email, name, email_verified)
       select 'old', name, name || '@example.com', name, true from unnest(array['bob', 'cleo']) name;
     insert into stock_movements (part_id, type, on_hand_delta, reason) values ('${partId}', 'adjust', -12, 'lost');
     insert into queue_places (user_id, part_id, quantity)
       select _id, '${partId}', 3 from users where name in ('bob', 'cleo') order by name;
     insert into stock_movements (part_id, type, on_hand_delta) values ('${partId}', 'receive', 3)`,
  )
  const places = `select name, q.quantity, offered_at is not null as "isOffered"
    from queue_places q join users u on u._id = user_id order by turn`
  const waiting = [
    { name: 'bob', quantity: 3, isOffered: true },
    { name: 'cleo', quantity: 3, isOffered: false },
  ]
  expect((await pool.query(places)).rows).toEqual(waiting)

  await migrate(database.url)
  expect((await pool.query(places)).rows).toEqual(waiting)
  // held, to be shipped, offered
  expect(await stockOf(pool, partId)).toEqual({ onHand: 7, reserved: 2 + 2 + 3 })
  expect(await brokenInvariants(pool)).toEqual([])
  await pool.query(`delete from queue_places where offered_at is not null`)
  const [{ name, isOffered } = { name: '', isOffered: false }] = (await pool.query(places)).rows
  expect([name, isOffered]).toEqual(['cleo', true])
  expect(await brokenInvariants(pool)).toEqual([])
})

test('to a later one, which changes a table and a function', async () => {
  const later = await laterMigrations([
    'alter table parts add column warranty_months int not null default 24',
    `create or replace function refuse_change() returns trigger language plpgsql as $$
       begin raise exception '% never changes', tg_table_name using errcode = 'restrict_violation'; end $$`,
  ])
  await migrate(database.url)
  await expect(assertMigrated(database.url, later)).rejects.toThrow(
    'The database is that of an older version: start the shop once, which brings it up to this one, and try again.',
  )
  await migrate(database.url, later)
  await assertMigrated(database.url, later)
  expect(await brokenInvariants(database.pool)).toEqual([])
  const { rows } = await database.pool.query('select name, warranty_months from parts')
  expect(rows).toEqual([{ name: 'Old fan', warranty_months: 24 }])
  await expect(database.pool.query('truncate audit_log')).rejects.toThrow('never changes')
})

test('one that a row contradicts changes nothing, with those that came before it', async () => {
  await migrate(database.url)
  const whole = await wholeDatabase(database.url)
  const wrongMigrations = await laterMigrations([
    'alter table parts add column warranty_months int not null default 24',
    `alter table orders add constraint all_are_paid check (status = 'paid')`,
  ])
  await expect(migrate(database.url, wrongMigrations)).rejects.toThrow()
  expect(await wholeDatabase(database.url)).toEqual(whole)
})
