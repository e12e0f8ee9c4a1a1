/** Overload: the shop refuses what it cannot serve, serves the rest, and loses nothing. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  bookingOf,
  call,
  cardsOf,
  confirmCard,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

const metricsToken = 'a token of sixteen'
let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop({
    METRICS_TOKEN: metricsToken,
    OPEN_HOLDS: '1000',
    TRUST_PROXY: 'on',
  })
})
afterAll(() => shop.close())

test('300 bookings at once by 30 customers of 3 parts: each is stored once, no unit is sold twice', async () => {
  const people = await createUsers(shop, 30)
  // a customer who has paid may hold everything
  await havePaid(
    shop.pool,
    people.map(({ email }) => email),
  )
  const stock = [30, 70, 200]
  const parts = await Promise.all(stock.map((onHand) => stockPart(shop.pool, { onHand })))
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const part = parts[i % 3]
      const input = { partId: part?._id, quantity: 1, phone: '+1 555 0100' }
      return { part, ...(await people[i % 30]?.call('POST', '/api/order', input)) }
    }),
  )
  const booked = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['STOCK_GONE']))
  const { rows } = await shop.pool.query(`select _id from orders where status = 'unpaid'`)
  expect(rows.map(({ _id }) => _id).toSorted()).toEqual(
    booked.map(({ body }) => body.insertedId).toSorted(),
  )
  for (const [i, reserved] of [30, 70, 100].entries()) {
    expect(await stockOf(shop.pool, parts[i]?._id ?? '')).toEqual({ onHand: stock[i], reserved })
  }
  expect(await brokenInvariants(shop.pool)).toEqual([])
})

test('thirty users who sign up at once all succeed, and leave the database to the others', async () => {
  const { $client } = shop.deps.db
  let busiest = 0
  const look = setInterval(() => {
    busiest = Math.max(busiest, $client.totalCount - $client.idleCount + $client.waitingCount)
  }, 2)
  const signUp = (i: number) =>
    call(shop.origin, 'POST', '/identity/sign-up/email', {
      body: { name: 'Ada', email: `crowd.${i}@example.com`, password: 'correct horse' },
      headers: { origin: shop.origin },
    })
  const statuses = (await Promise.all(Array.from({ length: 30 }, (_, i) => signUp(i)))).map(
    ({ status }) => status,
  )
  clearInterval(look)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(busiest).toBeLessThan(20)
})

// what waits is the hashing, not the calls
const halfOfReal = String(2 ** 14)

test('a login does not wait for those of networks that send many at once', async () => {
  vi.stubEnv('SCRYPT_COST', halfOfReal)
  const ada = await register(shop.origin, 'Ada Login', { verified: false })
  let answered = 0
  const logIn = async (email: string, address: string) => {
    const headers = { origin: shop.origin, 'x-forwarded-for': address }
    const body = { email, password: 'correct horse' }
    const { status } = await call(shop.origin, 'POST', '/identity/sign-in/email', { body, headers })
    answered += 1
    return status
  }
  // eight at once is what one /48 may have in progress
  const crowd = Array.from({ length: 5 * 8 }, (_, i) =>
    logIn(`nobody.${i}@example.com`, `2001:db8:${i % 5}:${i}00::1`),
  )
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(0)
  expect(await logIn(ada.email, '203.0.113.7')).toBe(200)
  // behind all that came before it, it would be the last of forty-one
  expect(answered).toBeLessThan(30)
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([401]))
  vi.unstubAllEnvs()
})

test('nor for passwords that a crowd tries for deleting an account', async () => {
  vi.stubEnv('SCRYPT_COST', halfOfReal)
  const ada = await register(shop.origin, 'Ada Password', { verified: false })
  const eve = await register(shop.origin, 'Eve Deletes', { verified: false })
  let answered = 0
  const guesses = Array.from({ length: 40 }, async (_, i) => {
    const from = { 'x-forwarded-for': `198.51.100.${i}` }
    const { status } = await eve.call('DELETE', '/api/me', { password: 'a guess' }, from)
    answered += 1
    return status
  })
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(0)
  const entry = await call(shop.origin, 'POST', '/identity/sign-in/email', {
    body: { email: ada.email, password: 'correct horse' },
    headers: { origin: shop.origin },
  })
  expect(entry.status).toBe(200)
  expect(answered).toBeLessThan(30)
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([400]))
  vi.unstubAllEnvs()
})

test('the searches of a crowd of networks take few connections, and another visitor’s comes in turn', async () => {
  const [ada] = await createUsers(shop, 1)
  let answered = 0
  const search = async (n: number, address: string) => {
    const path = `/api/search?q=made up ${n}`
    const headers = { 'x-forwarded-for': address }
    const { status } = await call(shop.origin, 'GET', path, { headers })
    answered += 1
    return status
  }
  const holder = await shop.pool.connect()
  await holder.query('begin; lock table parts in access exclusive mode')
  const { max } = shop.deps.db.$client.options
  const atTheLock = `select count(*)::int n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const crowd = Array.from({ length: 20 * 8 }, (_, i) => search(i, `198.51.100.${i % 20}`))
  const last = search(999, '203.0.113.7')
  try {
    await expect
      .poll(async () => {
        // within a transaction, this view does not change by itself
        await holder.query('select pg_stat_clear_snapshot()')
        return (await holder.query(atTheLock)).rows[0].n
      })
      .toBeGreaterThanOrEqual(max / 4)
    const profile = {
      education: 'Yale',
      location: 'Leeds',
      phone: '+1 555 0177',
      linkedIn: 'https://www.linkedin.com/in/ada',
    }
    const saved = await ada?.call('PUT', `/api/profile/${ada.email}`, profile)
    expect(saved?.status).toBe(200)
  } finally {
    await holder.query('commit')
    holder.release()
  }
  expect(await last).toBe(200)
  expect(answered).toBeLessThan(40)
  await Promise.all(crowd)
})

test('papers that are made as PDFs delay no other visitor’s reads', async () => {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const id = await bookingOf(ada, await stockPart(shop.pool, { onHand: 1 }))
  const payment = await intentFor(ada, id)
  await confirmCard(cardsOf(shop), payment)
  await ada.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
  const { checkoutId } = await orderOf(ada, id)
  const [invoice] = (await ada.call('GET', `/api/checkout/${checkoutId}`)).body.invoices
  const headers = (i: number) => ({
    ...{ authorization: `Bearer ${ada.token}`, 'x-forwarded-for': `198.51.100.${i}` },
  })
  let made = 0
  const crowd = Array.from({ length: 10 }, async (_, i) => {
    const pdf = await fetch(`${shop.origin}/api/invoice/${invoice._id}/pdf`, {
      headers: headers(i),
    })
    await pdf.arrayBuffer()
    made += 1
    return pdf.status
  })
  // one call after them
  await fetch(`${shop.origin}/healthz`)
  const search = await call(shop.origin, 'GET', '/api/search?q=made up paper', {
    headers: { 'x-forwarded-for': '203.0.113.8' },
  })
  expect([search.status, made < 3]).toEqual([200, true])
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]))
})

test('a crowd at one queue takes few connections: who books another part does not wait for it', async () => {
  const crowd = await createUsers(shop, 40)
  const wanted = await stockPart(shop.pool, { onHand: 0 })
  await waitAtPart(wanted._id, () =>
    crowd.map((person, i) =>
      person.call('POST', '/api/queue', { partId: wanted._id, quantity: 1 }, networkOf(i)),
    ),
  )
})

test('nor for those who delete their orders of one part', async () => {
  const crowd = await createUsers(shop, 40)
  const part = await stockPart(shop.pool, { onHand: 400 })
  const orders = await Promise.all(
    crowd.map(async (person) => orderOf(person, await bookingOf(person, part))),
  )
  await waitAtPart(part._id, () =>
    crowd.map((person, i) => {
      const path =
        i % 2 ? `/api/userProduct/${orders[i]?._id}` : `/api/checkout/${orders[i]?.checkoutId}`
      return person.call('DELETE', path, undefined, networkOf(i))
    }),
  )
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 400, reserved: 0 })
})

describe('while the card provider does not answer', () => {
  /** Customers with an open payment each, whose calls wait for the provider until `letGo`. */
  async function payers(count: number) {
    const part = await stockPart(shop.pool, { onHand: 400 })
    const people = await Promise.all(
      (await createUsers(shop, count)).map(async (person) => {
        const id = await bookingOf(person, part)
        return { person, id, ...(await intentFor(person, id)) }
      }),
    )
    const holder = await shop.pool.connect()
    await holder.query('begin; lock table sandbox_stripe.objects in access exclusive mode')
    const letGo = async () => {
      await holder.query('commit')
      holder.release()
    }
    return { part, people, letGo }
  }

  test('a deletion does not wait for those of open payments', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    const { part, people, letGo } = await payers(8)
    const own = await bookingOf(ada, part)
    const deleted = people.map(({ person, id }, i) =>
      person.call('DELETE', `/api/userProduct/${id}`, undefined, networkOf(i)),
    )
    try {
      await expect.poll(waitingForLocks).toBeGreaterThanOrEqual(people.length)
      expect((await ada.call('DELETE', `/api/userProduct/${own}`)).status).toBe(200)
    } finally {
      await letGo()
    }
    const statuses = (await Promise.all(deleted)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('it is asked about few payments at a time', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    const { part, people, letGo } = await payers(12)
    const reported = people.map(({ person, id, intentId }, i) =>
      person.call('PATCH', `/api/order/${id}`, { transactionId: intentId }, networkOf(i)),
    )
    const { max } = shop.deps.db.$client.options
    try {
      await expect.poll(waitingForLocks).toBeGreaterThanOrEqual(max / 5)
      await bookingOf(ada, part)
      // the provider's own webhooks may wait, too
      expect(await waitingForLocks()).toBeLessThanOrEqual(max / 5 + 2)
    } finally {
      await letGo()
    }
    const codes = (await Promise.all(reported)).map(({ body }) => body.error.code)
    expect(new Set(codes)).toEqual(new Set(['NOT_PAID']))
  })
})

const networkOf = (i: number) => ({ 'x-forwarded-for': `198.51.100.${i}` })

/**
 * Makes the calls while the part is locked, and checks that they leave the other connections to a
 * booking of another part. All of them succeed afterwards.
 */
async function waitAtPart(partId: string, makeCalls: () => Promise<{ status: number }>[]) {
  const [ada] = await createUsers(shop, 1)
  const other = await stockPart(shop.pool, { onHand: 9 })
  const { max } = shop.deps.db.$client.options
  const holder = await shop.pool.connect()
  await holder.query('begin')
  await holder.query('select 1 from parts where _id = $1 for update', [partId])
  const calls = makeCalls()
  try {
    await expect.poll(waitingForLocks).toBeGreaterThanOrEqual(max / 5)
    const input = { partId: other._id, quantity: 1, phone: '+1 555 0100' }
    expect((await ada?.call('POST', '/api/order', input))?.status).toBe(200)
    expect(await waitingForLocks()).toBeLessThanOrEqual(max / 5 + 1)
  } finally {
    await holder.query('commit')
    holder.release()
  }
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
}

/** Connections that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  // not from the lock's holder: within a transaction, this view does not change
  const waits = `select count(*)::int n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return (await shop.pool.query(waits)).rows[0].n
}

test('of hundreds of bookings of one part, a few wait with a connection, and what no line holds gets 503', async () => {
  const [person] = await createUsers(shop, 1)
  const part = await stockPart(shop.pool, { onHand: 1_000 })
  const book = () => {
    const input = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
    return person?.call('POST', '/api/order', input)
  }
  const holder = await shop.pool.connect()
  await holder.query('begin')
  await holder.query('select 1 from parts where _id = $1 for update', [part._id])
  const { max } = shop.deps.db.$client.options
  const atWork = Array.from({ length: 620 }, book)
  try {
    await expect.poll(waitingForLocks).toBeGreaterThanOrEqual(max / 5)
    // others have the other connections
    const refused = await call(shop.origin, 'POST', '/identity/sign-in/email', {
      body: { email: 'nobody@example.com', password: 'correct horse' },
      headers: { origin: shop.origin },
    })
    expect(refused.status).toBe(401)
    expect(await waitingForLocks()).toBeLessThanOrEqual(max / 5 + 1)
  } finally {
    await holder.query('commit')
    holder.release()
  }
  const answers = await Promise.all(atWork)
  const booked = answers.filter((answer) => answer?.status === 200)
  const shed = answers.filter((answer) => answer?.status !== 200)
  expect(booked.length).toBeGreaterThanOrEqual(500)
  expect(new Set(shed.map((a) => `${a?.status} ${a?.headers.get('retry-after')}`))).toEqual(
    new Set(['503 1']),
  )
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 1_000, reserved: booked.length })
  expect((await book())?.status).toBe(200)
}, 60_000)

test('when hundreds wait for the database, further requests get 503 with Retry-After', async () => {
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  // what admins read has no line
  const read = () => owner.call('GET', '/api/products?limit=1')
  const holder = await shop.pool.connect()
  await holder.query('begin; lock table parts in access exclusive mode')
  const { $client } = shop.deps.db
  const atWork = Array.from({ length: $client.options.max }, read)
  try {
    // a job may use one connection; with the others waiting for the lock, further calls wait for a
    // connection
    await expect.poll(waitingForLocks).toBeGreaterThanOrEqual($client.options.max - 1)
    atWork.push(...Array.from({ length: 600 }, read))
    await expect.poll(() => $client.waitingCount).toBeGreaterThanOrEqual(300)
    const outside = [
      await read(),
      await call(shop.origin, 'POST', '/identity/sign-in/email', { body: {} }),
    ]
    for (const answer of outside) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(JSON.stringify(answer.body)).toContain('"UNAVAILABLE"')
    }
  } finally {
    await holder.query('commit')
    holder.release()
  }
  const statuses = (await Promise.all(atWork)).map(
    ({ status, headers }) => `${status} ${headers.get('retry-after')}`,
  )
  expect(new Set(statuses)).toEqual(new Set(['200 null', '503 1']))
  expect((await read()).status).toBe(200)
  const figures = await call(shop.origin, 'GET', '/metrics', { token: metricsToken })
  expect(
    Number(/^ferrite_requests_shed_total (\d+)$/m.exec(figures.body)?.[1]),
  ).toBeGreaterThanOrEqual(2)
})

test('hundreds of slow senders block no other client', async () => {
  const [person] = await createUsers(shop, 1)
  const part = await stockPart(shop.pool, { onHand: 9 })
  const slow = Array.from({ length: 420 }, (_, i) => {
    const path = i < 410 ? '/api/order' : '/identity/sign-in/email'
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const one = request(`${shop.origin}${path}`, { method: 'POST', headers, agent: false })
    one.on('error', () => {}).write('{')
    return one
  })
  await Promise.all(slow.map((one) => once(one, 'socket')))
  const input = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
  // repeated, so that all slow requests have reached the server before the last of these
  for (let again = 0; again < 3; again += 1) {
    expect((await person?.call('POST', '/api/order', input))?.status).toBe(200)
  }
  expect((await call(shop.origin, 'GET', '/identity/jwks')).status).not.toBe(503)
  for (const one of slow) one.destroy()
})
