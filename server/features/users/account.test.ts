import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletedUserName, Me } from '#contracts/account.ts'
import { OwnOrder } from '#contracts/my-data.ts'
import { atLength } from '#tests/support/length.ts'
import { withLines } from '#tests/support/money.ts'
import {
  bookingOf,
  call,
  confirmCard,
  idToken,
  intentFor,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

const password = 'correct horse'
const ownerMail = 'orders@ferrite.example'
let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', OWNER_MAIL: ownerMail })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

const provider = () => ({
  origin: shop.origin,
  publishableKey: shop.deps.payments.browser.publishableKey,
})
const leave = (person: Person, confirmation: object = { password }) =>
  person.call('DELETE', '/api/me', confirmation)
const review = { review: 'Runs cool and says nothing.', ratings: 5 }
const profile = {
  education: 'Yale',
  location: 'New York',
  phone: '+1 555 0177',
  linkedIn: 'https://www.linkedin.com/in/leaving',
}

async function paidOrder(person: Person): Promise<string> {
  const id = await bookingOf(person, await stockPart(shop.pool, { onHand: 5 }))
  const payment = await intentFor(person, id)
  await confirmCard(provider(), payment)
  const paid = await person.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
  expect(paid.status).toBe(200)
  return id
}
const ship = (id: string) => owner.call('PUT', `/api/order/${id}/shipped`, {})

/** Finds every column that contains one of these words, as "table.column". */
async function tracesOf(words: string[]): Promise<string[]> {
  const { rows } = await shop.pool.query(
    `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('public', 'identity') and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    for (const word of words) {
      const hit = await shop.pool.query(
        `select from ${name} t where position($1 in lower(t::text)) > 0 limit 1`,
        [word.toLowerCase()],
      )
      if (hit.rowCount) found.push(`${name}: ${word}`)
    }
  }
  return found
}

/**
 * What stays of a person's rows: product names, texts of the shop, a review without its author's
 * name and, for a day, fingerprints of the mailbox and the network, which limits
 * need.
 */
const impersonal = [
  'abandoned_holds, bytes',
  'abandoned_holds.network',
  'audit_log.action',
  'audit_log.api_key',
  'audit_log.detail',
  'checkouts.tax_name',
  // the law wants invoices as they were issued
  'invoices.document',
  'mail_queue, bytes',
  'mail_queue.dedupe',
  'mail_queue.template',
  'orders.carrier',
  'orders.image',
  'orders.number',
  'orders.product',
  'orders.serial_numbers',
  'orders.tracking_number',
  'provider_fees.movement_id',
  'refunds.idempotency_key',
  'refunds.note',
  'refunds.provider_id',
  'refunds.reason',
  'refunds.request_hash',
  'reviews.hidden_reason',
  'reviews.review',
  'stock_movements.reason',
  // what the shop wrote, and its number
  'ticket_messages.text',
  'tickets.number',
]

/** Columns by which the shop finds what belongs to an account or a payment. */
const keys = [
  ...['users.email', 'users.issuer', 'users.subject', 'mail_queue.recipient'],
  ...['orders.transaction_id', 'payments.intent_id', 'refunds.intent_id'],
  ...['provider_fees.intent_id'],
]

/**
 * Columns whose CHECK limits their values, and `networks`, which is set only while an order is
 * held.
 */
const viennese = {
  name: 'Max Marked',
  company: '',
  line1: 'Stephansplatz 1',
  line2: '',
  city: 'Wien',
  region: '',
  postcode: '1010',
  country: 'AT',
}

const ofKnownValues = [
  ...[
    'abandoned_holds.cause',
    'baskets.parts',
    'builds.parts',
    'checkouts.method_name',
    'checkouts.method_type',
  ],
  ...['checkouts.tax_mode', 'invoices.series', 'machine_parts.kind'],
  ...['orders.networks', 'orders.status'],
  ...['payments.status', 'provider_fees.currency', 'provider_fees.type'],
  ...['refunds.cause', 'refunds.state', 'stock_movements.type'],
  ...['ticket_messages.author', 'ticket_messages.state', 'tickets.state', 'tickets.type'],
  'users.role',
]

/** Tables with rows of admins only, and the table of messages to their programs. */
const ofOthers = [
  ...['api_keys', 'batch_parts', 'batches', 'deliveries', 'home_slides', 'picture_files'],
  ...['picture_queue', 'pictures', 'webhook_messages'],
]

/** How to write a marker into a column of each type. */
const marks: Record<string, (text: string) => string> = {
  // a LinkedIn URL, because one of the columns requires it
  text: (text) => `'https://www.linkedin.com/in/' || ${text}`,
  jsonb: (text) => `jsonb_build_object('mark', ${text})`,
  ARRAY: (text) => `array[${text}]`,
  bytea: (text) => `convert_to(${text}, 'UTF8')`,
}

/**
 * Writes a unique marker into every text, json and bytes column of the rows that belong to this
 * person by any foreign key.
 * @returns the columns that refused the marker because of a CHECK, and the tables in which the
 *   person has no rows
 */
async function markColumnsOf({ email }: Person): Promise<{ refused: string[]; empty: string[] }> {
  const client = await shop.pool.connect()
  const { rows: columns } = await client.query<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column, data_type as type from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and data_type in ('text', 'jsonb', 'bytea', 'ARRAY')
     order by table_name, column_name`,
  )
  const { rows: references } = await client.query<Record<'from' | 'column' | 'to' | 'key', string>>(
    `select f.relname as "from", fa.attname as column, t.relname as to, ta.attname as key
     from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
       join pg_attribute fa on fa.attrelid = f.oid and fa.attnum = c.conkey[1]
       join pg_attribute ta on ta.attrelid = t.oid and ta.attnum = c.confkey[1]
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
  )
  const theirs = new Map([['users', `email = '${email}'`]])
  for (const [table] of theirs)
    for (const { from, column, to, key } of references) {
      if (to !== table || from === table) continue
      const which = `${column} in (select ${key} from ${table} where ${theirs.get(table)})`
      const known = theirs.get(from)
      if (!known?.includes(which)) theirs.set(from, known ? `${known} or ${which}` : which)
    }
  const triggers = (state: 'disable' | 'enable') =>
    [...theirs.keys()].map((table) => `alter table ${table} ${state} trigger user`).join(';')
  // locks the tables, because a job that updates a row now would change its ctid
  await client.query(`begin; ${triggers('disable')}`)
  const places = new Map<string, string[]>()
  for (const [table, which] of theirs) {
    const { rows } = await client.query(`select ctid from ${table} where ${which}`)
    places.set(
      table,
      rows.map(({ ctid }) => ctid),
    )
  }
  const refused: string[] = []
  for (const { table, column, type } of columns) {
    if (!theirs.has(table) || keys.includes(`${table}.${column}`)) continue
    const text = `'mark of ${table}.${column}, ' || gen_random_uuid()`
    const kept: string[] = []
    let isMarked = false
    for (const place of places.get(table) ?? []) {
      await client.query('savepoint one')
      const mark = `update ${table} set ${column} = ${marks[type]?.(text)} where ctid = $1 returning ctid`
      const row = await client.query(mark, [place]).catch(() => null)
      if (!row) await client.query('rollback to savepoint one')
      isMarked ||= row !== null
      kept.push(row?.rows[0].ctid ?? place)
    }
    places.set(table, kept)
    if (!isMarked && kept.length > 0) refused.push(`${table}.${column}`)
  }
  await client.query(`${triggers('enable')}; commit`)
  client.release()
  const tables = new Set(columns.map(({ table }) => table))
  const empty = [...places].filter(([table, rows]) => tables.has(table) && rows.length === 0)
  return { refused, empty: empty.map(([table]) => table).toSorted() }
}

describe('a copy of one’s data', () => {
  test('has all of the user’s own data, none of others’, and no key', async () => {
    const ada = await register(shop.origin, 'Ada Copy')
    const bob = await register(shop.origin, 'Bob Neighbour')
    const part = await stockPart(shop.pool, { onHand: 9 })
    const id = await bookingOf(ada, part)
    await bookingOf(bob, part)
    await ada.call('PUT', `/api/profile/${ada.email}`, profile)
    await ada.call('POST', '/api/review', review)
    const { status, body, headers } = await ada.call('GET', '/api/me/data')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.account).toMatchObject({ name: ada.name, email: ada.email })
    expect(body.profile).toMatchObject(profile)
    expect(body.orders.map((order: unknown) => OwnOrder.parse(order)._id)).toEqual([id])
    expect(body.reviews).toMatchObject([review])
    expect(body.sessions).toHaveLength(1)
    const subjects = body.mails.map(({ subject }: { subject: string }) => subject)
    expect(subjects).toContain('Your order is processing')
    expect(subjects).toContain('Confirm your email address')
    const text = JSON.stringify(body)
    expect(text).not.toContain('verify-email')
    expect(text).not.toContain(bob.email)
    const { rows } = await shop.pool.query(
      `select token as secret from identity.session
       union all select password from identity.account where password is not null
       union all select subject from users
       union all select request_hash from orders where request_hash is not null`,
    )
    for (const { secret } of rows) expect(text).not.toContain(secret)
  })

  test('tells what admins did to the account, but not who', async () => {
    const ivy = await register(shop.origin, 'Ivy Shipped')
    const id = await paidOrder(ivy)
    expect((await ship(id)).status).toBe(200)
    await shop.pool.query('update users set email_verified = true where email = $1', [ivy.email])
    await owner.call('PUT', `/api/user/admin/${ivy.email}`)
    await owner.call('DELETE', `/api/user/admin/${ivy.email}`)
    const { body } = await ivy.call('GET', '/api/me/data')
    expect(body.actions).toMatchObject([
      { action: 'order shipped', orderId: id },
      { action: 'admin made', orderId: null },
      { action: 'admin rights removed', orderId: null },
    ])
    expect(JSON.stringify(body)).not.toContain(owner.email)
  })

  test('comes in batches and whole, however many orders there are', async () => {
    const max = await register(shop.origin, 'Max Many')
    const part = await stockPart(shop.pool, { onHand: 5 })
    await shop.pool.query(
      `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents, status, deleted_at)
       select u._id, $2, 'P', '/i', 'Max', u.email, '12345', 1, 10000, 10000, 'deleted', now()
       from users u, generate_series(1, 1000) where u.email = $1`,
      [max.email, part._id],
    )
    const { body } = await max.call('GET', '/api/me/data')
    expect(new Set(body.orders.map(({ _id }: { _id: string }) => _id)).size).toBe(1000)
  })
})

test('a user who signs up with the address of the owner’s mails can neither read nor end them', async () => {
  await call(shop.origin, 'POST', '/identity/sign-up/email', {
    body: { name: 'Eve Stranger', email: ownerMail, password },
    headers: { origin: shop.origin },
  })
  const eve = await login(shop.origin, ownerMail, password)
  const own = await bookingOf(eve, await stockPart(shop.pool, { onHand: 5 }))
  const id = await paidOrder(await register(shop.origin, 'Vera Victim'))
  const told = () =>
    shop.pool.query(
      `select recipient, text, given_up_at from mail_queue where template = 'owner-paid' and order_id = $1`,
      [id],
    )
  const { rows: before } = await told()
  expect(before).toMatchObject([{ recipient: ownerMail, given_up_at: null }])
  const { body } = await eve.call('GET', '/api/me/data')
  const subjects = body.mails.map(({ subject }: { subject: string }) => subject)
  expect(subjects).toContain('Your order is processing')
  expect(JSON.stringify(body)).not.toContain('Vera Victim')
  expect((await eve.call('DELETE', `/api/userProduct/${own}`)).status).toBe(200)
  expect((await leave(eve)).status).toBe(200)
  expect((await told()).rows).toEqual(before)
})

describe('the end of an account', () => {
  test('asks for the password', async () => {
    const eve = await register(shop.origin, 'Eve Careful')
    expect(Me.parse((await eve.call('GET', '/api/me')).body)).toEqual({
      hasPassword: true,
      emailVerified: true,
      secondFactor: false,
    })
    for (const confirmation of [{}, { password: 'wrong one' }, { email: eve.email }]) {
      const { status, body } = await leave(eve, confirmation)
      expect(status).toBe(400)
      expect(body.error.fields.password).toBeTruthy()
    }
    expect((await eve.call('GET', '/api/me')).status).toBe(200)
  })

  test('asks for the address where there is no password', async () => {
    const gus = await register(shop.origin, 'Gus Google')
    await shop.pool.query(
      `update identity.account set provider_id = 'google', password = null
       where user_id = (select subject from users where email = $1)`,
      [gus.email],
    )
    expect((await gus.call('GET', '/api/me')).body).toMatchObject({ hasPassword: false })
    expect((await leave(gus)).body.error.fields.email).toBeTruthy()
    expect((await leave(gus, { email: 'another@example.com' })).status).toBe(400)
    expect((await leave(gus, { email: ` ${gus.email.toUpperCase()} ` })).status).toBe(200)
  })

  test('leaves text only in columns that say nothing about a person', async () => {
    const max = await register(shop.origin, 'Max Marked')
    const shipped = await paidOrder(max)
    expect((await ship(shipped)).status).toBe(200)
    const key = { 'idempotency-key': crypto.randomUUID() }
    const refund = { amount: 1, reason: 'A scratch.' }
    await owner.call('POST', `/api/order/${shipped}/refund`, refund, key)
    const soldOut = await stockPart(shop.pool, { onHand: 0 })
    await max.call('POST', '/api/queue', { partId: soldOut._id, quantity: 1 })
    const part = await stockPart(shop.pool, { onHand: 9 })
    await max.call('DELETE', `/api/userProduct/${await bookingOf(max, part)}`)
    await max.call('PUT', `/api/profile/${max.email}`, profile)
    await max.call('PUT', '/api/me/basket', { parts: '1,2x3' })
    await max.call('POST', '/api/me/builds', { name: 'His PC', parts: '1' })
    await max.call('POST', '/api/me/machine', { kind: 'fan', name: 'His fan' })
    await max.call('POST', '/api/addresses', { address: viennese })
    await max.call('POST', '/api/review', review)
    const { checkoutId } = (await max.call('GET', `/api/order/${shipped}`)).body
    const lines = [{ orderId: shipped, quantity: 1 }]
    const ticket = { type: 'warranty', lines, text: 'It hums.' }
    const opened = await max.call('POST', `/api/checkout/${checkoutId}/tickets`, ticket, {
      'idempotency-key': crypto.randomUUID(),
    })
    expect(opened.status).toBe(200)
    await owner.call('PUT', `/api/ticket/${opened.body.insertedId}`, {
      ...{ version: 1, state: 'accepted', text: 'Send it.' },
    })
    const noted = { text: 'Calls back.', isForCustomer: false }
    await owner.call('POST', `/api/checkout/${checkoutId}/notes`, noted)
    await shop.pool.query(
      `insert into ticket_pictures (ticket_id, bytes) select _id, 'x' from tickets where email = $1`,
      [max.email],
    )
    await shop.pool.query(
      `update reviews set hidden_at = now(), hidden_reason = 'rude' where email = $1`,
      [max.email],
    )
    const { refused, empty } = await markColumnsOf(max)
    expect(refused).toEqual(ofKnownValues)
    expect(empty).toEqual(ofOthers)
    expect((await leave(max)).status).toBe(200)
    const { rows } = await shop.pool.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns where table_schema = 'public'`,
    )
    const left = new Set<string>()
    for (const { name } of rows) {
      const { rows: marked } = await shop.pool.query<{ mark: string }>(
        `select unnest(regexp_matches(t::text, 'mark of ([a-z_.]+)', 'g')) as mark from ${name} t
         union all select '${name}, bytes' from ${name} t where t::text like '%6d61726b206f6620%'`,
      )
      for (const { mark } of marked) left.add(mark)
    }
    // ignores cut-off markers from a generated column
    expect([...left].filter((mark) => !mark.endsWith('.')).toSorted()).toEqual(impersonal)
  })

  test('leaves the books complete, without personal data', async () => {
    const zed = await register(shop.origin, 'Zed Vanishing')
    const elsewhere = await login(shop.origin, zed.email, password)
    const proof = await idToken(shop.origin, zed.cookie)
    const shipped = await paidOrder(zed)
    expect((await ship(shipped)).status).toBe(200)
    const part = await stockPart(shop.pool, { onHand: 4 })
    await bookingOf(zed, part, { phone: '+1 555 0166' })
    const linkedIn = 'https://www.linkedin.com/in/zed-vanishing'
    await zed.call('PUT', `/api/profile/${zed.email}`, { ...profile, linkedIn })
    await zed.call('POST', '/api/review', { ...review, review: 'Left by a leaver.' })
    expect((await stockOf(shop.pool, part._id)).reserved).toBe(1)

    const { status, body } = await leave(zed)
    expect([status, body]).toEqual([200, { acknowledged: true, deletedCount: 1 }])
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 4, reserved: 0 })
    for (const person of [zed, elsewhere])
      expect((await person.call('GET', '/api/me')).status).toBe(401)
    const back = await call(shop.origin, 'PUT', `/api/user/${zed.email}`, {
      body: { email: zed.email, idToken: proof },
    })
    expect(back.status).toBe(401)
    const cookie = { headers: { cookie: elsewhere.cookie } }
    expect((await call(shop.origin, 'GET', '/identity/token', cookie)).status).toBe(401)

    // its invoice stays as it was issued
    expect(await tracesOf([zed.email, zed.name, linkedIn, '555 0166'])).toEqual([
      `public.invoices: ${zed.name}`,
    ])
    const storedOrder = (await owner.call('GET', `/api/order/${shipped}`)).body
    expect(storedOrder).toMatchObject({
      status: 'shipped',
      customer: deletedUserName.name,
      phone: '-',
    })
    const { body: users } = await owner.call('GET', '/api/user')
    expect(JSON.stringify(users)).not.toContain(deletedUserName.domain)
    const { body: reviews } = await call(shop.origin, 'GET', '/api/review')
    expect(reviews).toContainEqual(
      expect.objectContaining({ name: deletedUserName.name, review: 'Left by a leaver.' }),
    )

    const signUp = await call(shop.origin, 'POST', '/identity/sign-up/email', {
      body: { name: 'Zed Anew', email: zed.email, password: 'another one' },
      headers: { origin: shop.origin },
    })
    expect(signUp.status).toBe(200)
    const again = await login(shop.origin, zed.email, 'another one')
    const { body: data } = await again.call('GET', '/api/me/data')
    expect(data).toMatchObject({
      account: { name: 'Zed Anew' },
      profile: { education: null, phone: null },
      orders: [],
      reviews: [],
    })
    expect((await again.call('GET', `/api/order/${shipped}`)).status).toBe(404)
  })

  test('waits until what was paid is on its way', async () => {
    const pat = await register(shop.origin, 'Pat Paid')
    const id = await paidOrder(pat)
    const refused = await leave(pat)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ACCOUNT_IN_USE'])
    expect(refused.body.error.message).toMatch(/paid order that hasn’t been shipped/)
    await ship(id)
    await shop.pool.query(
      withLines(`insert into refunds (intent_id, cause, amount, state, provider_id)
        select transaction_id, 'provider', 100, 'pending', $2 from orders where _id = $1`),
      [id, `re_${id}`],
    )
    expect((await leave(pat)).body.error.message).toMatch(/You have a refund on its way/)
    await shop.pool.query(`update refunds set state = 'succeeded' where provider_id = $1`, [
      `re_${id}`,
    ])
    expect((await leave(pat)).status).toBe(200)
  })

  test('is not for the last admin', async () => {
    const { status, body } = await leave(owner, { password: 'owner-password' })
    expect([status, body.error.code]).toEqual([409, 'LAST_ADMIN'])
  })

  test('is written down when an admin goes', async () => {
    const una = await register(shop.origin, 'Una Admin')
    await shop.pool.query(
      `update users set role = 'admin', email_verified = true where email = $1`,
      [una.email],
    )
    expect((await leave(una)).status).toBe(200)
    const { body } = await owner.call('GET', '/api/audit?limit=1')
    expect(body).toMatchObject([{ action: 'admin rights removed' }])
    expect(await tracesOf([una.email])).toEqual([])
  })

  const races = atLength ? 8 : 3

  test('and a payment at the same moment: either the order is paid or the account is gone', async () => {
    const ends = await Promise.all(
      Array.from({ length: races }, async (_, i) => {
        const ray = await register(shop.origin, `Ray Racing ${'abcdefgh'[i]}`)
        const part = await stockPart(shop.pool, { onHand: 2 })
        const id = await bookingOf(ray, part)
        const payment = await intentFor(ray, id)
        const pay = async () => {
          await confirmCard(provider(), payment)
          await ray.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
        }
        const [left] = await Promise.all([leave(ray), pay()])
        const { body: order } = await owner.call('GET', `/api/order/${id}`)
        if (left.status === 200) {
          expect(order).toMatchObject({ status: 'deleted', customer: deletedUserName.name })
          expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 2, reserved: 0 })
        } else {
          expect([left.status, order.customer]).toEqual([409, ray.name])
        }
        return left.status
      }),
    )
    expect(ends).toHaveLength(races)
  })

  test('happens once, even when it is requested twice at once', async () => {
    const amy = await register(shop.origin, 'Amy Twice')
    const answers = await Promise.all(Array.from({ length: 4 }, () => leave(amy)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 401, 401, 401])
  })

  test('during a concurrent sign-in: that is refused, not a fault', async () => {
    const sid = await register(shop.origin, 'Sid Entering')
    const client = await shop.pool.connect()
    // simulates a deletion that has not committed when the password check succeeds
    await client.query('begin')
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await client.query('delete from identity.user where email = $1', [sid.email])
    const entering = call(shop.origin, 'POST', '/identity/sign-in/email', {
      body: { email: sid.email, password },
      headers: { origin: shop.origin },
    })
    // its new session waits for this deletion; jobs of the shop may wait for other locks
    const waiting = () =>
      shop.pool.query(
        `select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) and query like 'insert%'`,
        [rows[0].pid],
      )
    await expect.poll(async () => (await waiting()).rowCount).toBe(1)
    await client.query('commit')
    client.release()
    const { status, body } = await entering
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
  })

  test('makes every link that was mailed before worthless', async () => {
    const lou = await register(shop.origin, 'Lou Links')
    await call(shop.origin, 'POST', '/identity/request-password-reset', {
      body: { email: lou.email, redirectTo: '/reset' },
      headers: { origin: shop.origin },
    })
    const { rows } = await shop.pool.query(
      `select template, text from mail_queue where recipient = $1`,
      [lou.email],
    )
    const links = rows.map(({ text }) => /https?:\S+/.exec(text)?.[0] ?? '')
    const reset = links.find((link) => link.includes('reset-password'))
    const token = /reset-password\/([^?]+)/.exec(reset ?? '')?.[1]
    expect([links.length, token]).toEqual([2, expect.any(String)])
    expect((await leave(lou)).status).toBe(200)
    for (const link of links) {
      const { status, headers } = await call('', 'GET', link)
      expect([status, headers.get('location')]).toEqual([302, expect.stringContaining('error=')])
    }
    const { status } = await call(shop.origin, 'POST', '/identity/reset-password', {
      body: { newPassword: 'let me back', token },
      headers: { origin: shop.origin },
    })
    expect(status).toBe(400)
    expect(await tracesOf([lou.email])).toEqual([])
  })

  test('and a booking, a review, a profile at the same moment: all of it is deleted, or refused', async () => {
    const kim = await register(shop.origin, 'Kim Everywhere')
    const part = await stockPart(shop.pool, { onHand: 50 })
    const booking = { partId: part._id, quantity: 1, phone: '+1 555 0155' }
    const [left, ...others] = await Promise.all([
      leave(kim),
      ...Array.from({ length: 5 }, () => kim.call('POST', '/api/order', booking)),
      kim.call('POST', '/api/review', review),
      kim.call('PUT', `/api/profile/${kim.email}`, profile),
      kim.call('PUT', '/api/me/basket', { parts: '1' }),
      kim.call('POST', '/api/me/builds', { name: kim.name, parts: '1' }),
      kim.call('POST', '/api/me/machine', { kind: 'fan', name: kim.name }),
      kim.call('POST', '/api/addresses', { address: { ...viennese, name: kim.name } }),
    ])
    for (const { status } of others) expect([200, 401]).toContain(status)
    expect([200, 409]).toContain(left?.status)
    if (left?.status === 409) expect((await leave(kim)).status).toBe(200)
    expect(await tracesOf([kim.email, kim.name])).toEqual([])
    expect((await stockOf(shop.pool, part._id)).reserved).toBe(0)
  })

  test('the database itself lets nothing new into a closed account', async () => {
    const { rows } = await shop.pool.query(
      `select _id from users where deleted_at is not null limit 1`,
    )
    const inserts = [
      `profiles values ($1, 'a', 'b', 'c', 'https://linkedin.com/in/x')`,
      `baskets values ($1, '1')`,
      `builds (user_id, name, parts) values ($1, 'x', '1')`,
      `machine_parts (user_id, kind, specs, name, quantity) values ($1, 'fan', '{}', 'x', 1)`,
      `addresses (user_id, address, is_default) values ($1, '{}', false)`,
      `notes (user_id, text, is_for_customer, admin_id) values ($1, 'x', false, $1)`,
      `tickets (type, user_id, name, email) values ('question', $1, 'a', 'b')`,
    ]
    for (const insert of inserts) {
      const refusal = await shop.pool
        .query(`insert into ${insert}`, [rows[0]._id])
        .catch((error) => error.constraint)
      expect([insert, refusal]).toEqual([insert, 'users_not_deleted'])
    }
  })
})
