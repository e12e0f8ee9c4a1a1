import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireHolds } from '#server/features/orders/end-holds.ts'
import { expireOrders } from '#server/features/orders/expire-orders.ts'
import { bookingOf, createUsers, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'
import { applyRetention } from './retention.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', JOB_SECONDS: '3600' })
})
afterAll(() => shop.close())

test('expired rows are deleted, others stay', async () => {
  const ada = await register(shop.origin)
  const before = await applyRetention(shop.deps.db)
  expect(Object.values(before).every((count) => count === 0)).toBe(true)
  const mail = `insert into mail_queue (template, recipient, subject, text, html, created_at, sent_at)
    select 'order-paid', 'a@example.com', 's', 't', 'h', now() - age, sent
    from (values (interval '91 days', now() - interval '91 days'), (interval '89 days', now() - interval '89 days'),
      (interval '200 days', null)) m (age, sent)`
  await shop.pool.query(mail)
  await shop.pool.query(
    `insert into mail_queue (template, recipient, subject, text, html, given_up_at)
     values ('given-up', 'a@example.com', 's', 't', 'h', now() - interval '91 days')`,
  )
  await shop.pool.query(
    `insert into ended_sessions values ('old', now() - interval '3 hours'), ('new', now() - interval '1 hour')`,
  )
  await shop.pool.query(
    `insert into webhook_events (event_id, type, received_at) values ('evt_old', 'x', now() - interval '31 days'), ('evt_new', 'x', now())`,
  )
  await shop.pool.query(
    `insert into identity.verification (id, identifier, value, expires_at)
     values ('old', 'x', 'x', now() - interval '1 minute'), ('new', 'x', 'x', now() + interval '1 minute')`,
  )
  const part = await stockPart(shop.pool, { onHand: 0 })
  const other = await stockPart(shop.pool, { onHand: 0 })
  await shop.pool.query(
    `insert into queue_places (user_id, part_id, quantity, created_at)
     select _id, part, 1, now() - days * interval '1 day' from users, (values ($1::uuid, 366), ($2, 364)) p (part, days)
     where email = $3`,
    [part._id, other._id, ada.email],
  )
  await shop.pool.query(
    `insert into search_log (day, words, found, asked) values (current_date - 91, 'old', 0, 1), (current_date, 'new', 0, 1)`,
  )
  await shop.pool.query(
    `insert into batches (type, name, created_by, created_at)
     select 'import', 'old', _id, now() - days * interval '1 day' from users, (values (91), (89)) d (days) where email = $1`,
    [ada.email],
  )
  await shop.pool.query(
    `with e as (insert into webhook_endpoints (url, events) values ('https://a.example', '{order.paid}') returning _id)
     insert into webhook_messages (endpoint_id, type, payload, delivered_at)
     select _id, 'test', '{}', now() - days * interval '1 day' from e, (values (31), (29), (null)) d (days)`,
  )
  await shop.pool.query(
    `insert into picture_queue (part_id, name, content, address, place, created_by, added_at, given_up_at)
     select $1, 'x', content, address, 0, _id, now() - added * interval '1 day', now() - given * interval '1 day'
     from users, (values ('a', '', 2, null), ('b', '', 0, null), ('', 'http://a', 99, null), ('c', '', null, 31),
       ('d', '', null, 29)) p (content, address, added, given) where email = $2`,
    [part._id, ada.email],
  )
  await shop.pool.query(
    `insert into abandoned_holds (mailbox, part_id, cause, created_at, pause_until)
     select '', $1, cause, now() - past * interval '1 hour', now() + pause * interval '1 hour'
     from (values ('hold expired', 25, -24), ('hold expired', 25, 1), ('hold expired', 23, -22), ('offer left', 73, -70),
       ('offer left', 71, -70)) a (cause, past, pause)`,
    [part._id],
  )
  expect(await applyRetention(shop.deps.db)).toEqual({
    ended_sessions: 1,
    session: 0,
    verification: 1,
    mail_queue: 2,
    queue_places: 1,
    abandoned_holds: 2,
    payments: 0,
    orders: 0,
    ticket_messages: 0,
    ticket_pictures: 0,
    tickets: 0,
    users: 0,
    deleted_users: 0,
    accounts: 0,
    batches: 1,
    picture_queue: 2,
    search_log: 1,
    webhook_messages: 1,
    webhook_events: 1,
  })
  expect((await ada.call('GET', `/api/orders?email=${ada.email}`)).status).toBe(200)
  const { rows } = await shop.pool.query(
    `select extract(day from now() - created_at)::int as age from mail_queue where template = 'order-paid' order by age`,
  )
  expect(rows).toEqual([{ age: 89 }, { age: 200 }])
})

test('an order that was deleted unpaid, or expired, is removed 90 days later with its lines, and no other order is', async () => {
  const part = await stockPart(shop.pool, { onHand: 20 })
  const [buyer, other] = (await createUsers(shop, 2)) as [Person, Person]
  const deletedId = await bookingOf(buyer, part)
  const youngId = await bookingOf(buyer, part, { quantity: 2 })
  const openId = await bookingOf(other, part, { quantity: 3 })
  const expiredId = await bookingOf(other, part)
  await shop.pool.query(
    `update orders set created_at = now() - interval '200 days', hold_expires_at = now(), end_announced_at = now() - interval '2 days'
     where _id = $1`,
    [expiredId],
  )
  const statusOf = async (id: string) =>
    (await shop.pool.query('select status from orders where _id = $1', [id])).rows[0]?.status
  await expireHolds(shop.deps)
  await expireOrders(shop.deps)
  expect(await statusOf(expiredId)).toBe('deleted')
  for (const id of [deletedId, youngId])
    expect((await buyer.call('DELETE', `/api/userProduct/${id}`)).status).toBe(200)
  const stock = async () => {
    const { rows } = await shop.pool.query(
      `select on_hand, reserved, (select sum(on_hand_delta) from stock_movements where part_id = p._id) as received,
        (select sum(reserved_delta) from stock_movements where part_id = p._id) as held from parts p where _id = $1`,
      [part._id],
    )
    return rows
  }
  const before = await stock()
  const isAudited = `select from audit_log where order_id = $1 and action = 'order expired'`
  expect((await shop.pool.query(isAudited, [expiredId])).rowCount).toBe(1)
  // the retention period starts with the deletion
  expect((await applyRetention(shop.deps.db)).orders).toBe(0)
  await shop.pool.query(
    `update orders set created_at = now() - interval '200 days',
       deleted_at = deleted_at - case when _id = $2 then interval '89 days' else interval '91 days' end where _id = any($1)`,
    [[deletedId, openId, youngId, expiredId], youngId],
  )
  // a mail still refers to it
  expect((await applyRetention(shop.deps.db)).orders).toBe(0)
  await shop.pool.query('delete from mail_queue; delete from abandoned_holds')
  expect((await applyRetention(shop.deps.db)).orders).toBe(2)
  expect((await shop.pool.query(isAudited, [expiredId])).rowCount).toBe(0)
  const { rows } = await shop.pool.query('select _id from orders where part_id = $1', [part._id])
  expect(rows.map(({ _id }) => _id).toSorted()).toEqual([youngId, openId].toSorted())
  expect(await stock()).toEqual(before)
  for (const refused of [
    `delete from orders where _id = '${openId}'`,
    `delete from orders where _id = '${youngId}'`,
    `delete from stock_movements where order_id = '${youngId}'`,
    `delete from stock_movements where part_id = '${part._id}'`,
  ])
    await expect(shop.pool.query(refused), refused).rejects.toThrow('append-only')
  expect(await brokenInvariants(shop.pool)).toEqual([])
})

test('a deleted account that nothing refers to is removed after 30 days', async () => {
  const part = await stockPart(shop.pool, { onHand: 9 })
  const [gone, booked] = [
    await register(shop.origin, 'Gus Gone'),
    await register(shop.origin, 'Bea Booked'),
  ]
  await bookingOf(booked, part)
  for (const person of [gone, booked])
    expect((await person.call('DELETE', '/api/me', { password: 'correct horse' })).status).toBe(200)
  expect((await applyRetention(shop.deps.db)).deleted_users).toBe(0)
  await shop.pool.query(
    `update users set deleted_at = deleted_at - interval '31 days' where deleted_at is not null`,
  )
  expect((await applyRetention(shop.deps.db)).deleted_users).toBe(1)
})

test('an account that was never verified and never used is removed after 30 days', async () => {
  const people: Person[] = []
  for (let i = 0; i < 5; i += 1)
    people.push(await register(shop.origin, 'Una Used', { verified: false }))
  const [unused, loggedIn, booked, verified, young] = people as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  await bookingOf(booked, await stockPart(shop.pool, { onHand: 1 }))
  // what belongs to an account alone does not keep it
  expect((await unused.call('PUT', '/api/me/basket', { parts: '1' })).status).toBe(200)
  const address = {
    ...{ name: 'Una', company: '', line1: 'Ring 1', line2: '', city: 'Wien', region: '' },
    ...{ postcode: '1010', country: 'AT' },
  }
  expect((await unused.call('POST', '/api/addresses', { address })).status).toBe(200)
  const emailsOf = (...of: Person[]) => of.map(({ email }) => email).toSorted()
  const old = emailsOf(unused, loggedIn, booked, verified)
  for (const table of ['users', 'identity.user']) {
    await shop.pool.query(`update ${table} set email_verified = true where email = $1`, [
      verified.email,
    ])
    await shop.pool.query(
      `update ${table} set created_at = now() - interval '31 days' where email = any($1)`,
      [old],
    )
  }
  await shop.pool.query(
    `delete from identity.session where user_id in (select id from identity.user where email = any($1))`,
    [emailsOf(unused, booked, verified)],
  )
  const { users, accounts } = await applyRetention(shop.deps.db)
  expect([users, accounts]).toEqual([1, 1])
  for (const table of ['users', 'identity.user']) {
    const { rows } = await shop.pool.query(`select email from ${table} where email = any($1)`, [
      people.map(({ email }) => email),
    ])
    expect(rows.map(({ email }) => email).toSorted()).toEqual(
      emailsOf(loggedIn, booked, verified, young),
    )
  }
})

test('every table that refers to an account ends with it, or keeps it', async () => {
  const { rows } = await shop.pool.query<{ table: string }>(
    `select distinct conrelid::regclass::text as table from pg_constraint
     where contype = 'f' and confrelid = 'users'::regclass and confdeltype = 'a' order by 1`,
  )
  const retention = await readFile('server/database/retention.ts', 'utf8')
  // what only admins write: the audit log names them, too
  const ofAdmins = [
    ...['batches', 'deliveries', 'notes', 'picture_queue', 'pictures', 'refunds'],
    'ticket_messages',
  ]
  // its orders keep the account
  const ofOrders = ['checkouts']
  const forgotten = rows.filter(
    ({ table }) =>
      ![...ofAdmins, ...ofOrders].includes(table) && !retention.includes(`(select from ${table} `),
  )
  expect(forgotten).toEqual([])
})
