/**
 * A page is rendered once per change of its content, whichever process made the change, and is at
 * most a second old.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { catalogueCache } from '#server/database/catalogue-cache.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DatabaseWay, databaseWay } from '#tests/support/database-way.ts'
import {
  bookingOf,
  call,
  cardsOf,
  confirmCard,
  createUsers,
  intentFor,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'
import { builtWeb } from './web-build.ts'

const metricsToken = 'a token of sixteen'

let database: TestDatabase
/** Two processes of one shop. All their queries go through a proxy that counts them. */
let way: DatabaseWay
let shop: TestShop
let other: TestShop
let part: Part
let ada: Person

beforeAll(async () => {
  database = await migratedDatabase()
  way = await databaseWay(database.url)
  const settings = {
    METRICS_TOKEN: metricsToken,
    // the job that counts sales changes parts, so a run past its interval would see another list
    JOB_SECONDS: '3600',
    APP_SECRET: 'one secret of two processes, long enough',
  }
  const web = await builtWeb()
  shop = await openTestShop(settings, { shared: { ...database, url: way.url }, web })
  other = await openTestShop(settings, { shared: database, dataDir: shop.dataDir, web })
  part = await stockPart(shop.pool, { onHand: 90 })
  ;[ada] = (await createUsers(shop, 1)) as [Person]
}, 90_000)
afterAll(async () => {
  await other.close()
  await shop.close()
  way.close()
  await database.drop()
})

async function figure(name: string, { origin } = shop): Promise<number> {
  const { body } = await call(origin, 'GET', '/metrics', { token: metricsToken })
  const at = (body as string).split('\n').find((line) => line.startsWith(`${name} `))
  return Number(at?.split(' ').at(-1) ?? 0)
}
const rendered = (of = shop) => figure('ferrite_pages_rendered_total', of)
const listed = (of = shop) =>
  figure('http_request_duration_seconds_count{method="GET",route="/api/part",status="200"}', of)

const available = (parts: Part[]) => parts.find(({ _id }) => _id === part._id)?.availableQuantity
async function readAvailable(of = shop, headers: Record<string, string> = {}) {
  return available((await call(of.origin, 'GET', '/api/part', { headers })).body)
}
/** Requests with this cookie get the state of the database at that moment. */
const newest = { cookie: 'ferrite.catalogue=changed' }
async function makeAll(): Promise<void> {
  for (const path of ['/', '/reviews', '/api/part', '/api/review'])
    await call(shop.origin, 'GET', path, { headers: newest })
}
const profile = { education: 'School', location: 'Here', phone: '', linkedin: '' }
const receive = (count: number) =>
  database.pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', $2)`,
    [part._id, count],
  )
/** The response's cookie, as a browser sends it back. */
const cookieIn = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? ''

test('a visitor sees a change by any process, or by none, within a second', async () => {
  const before = (await readAvailable()) ?? 0
  await receive(10)
  await expect.poll(() => readAvailable()).toBe(before + 10)
  await expect.poll(() => readAvailable(other)).toBe(before + 10)
})

describe('who changes what all see', () => {
  test('has a cookie of five seconds, and sees it at once from the process that answers, whichever it is', async () => {
    for (let i = 0; i < 5; i += 1) {
      const left = (await readAvailable(other)) ?? 0
      await expect.poll(() => readAvailable()).toBe(left)
      const booked = await call(shop.origin, 'POST', '/api/order', {
        token: ada.token,
        body: { partId: part._id, quantity: 1, phone: '+1 555 0100' },
      })
      const [cookie = ''] = booked.headers.getSetCookie()
      expect(cookie).toBe('ferrite.catalogue=changed; Path=/; Max-Age=5; HttpOnly; SameSite=Lax')
      expect(await readAvailable(other, { cookie: cookieIn(booked.headers) })).toBe(left - 1)
      const page = await call(other.origin, 'GET', '/', {
        headers: { cookie: `theme=dark; ${cookieIn(booked.headers)}` },
      })
      expect(page.body).toContain(part.name)
      await call(shop.origin, 'DELETE', `/api/order/${booked.body.insertedId}`, {
        token: ada.token,
      })
    }
  })

  test('has none when it was refused', async () => {
    for (const [method, address, body] of [
      ['POST', '/api/order', { partId: part._id, quantity: 0, phone: '' }],
      ['DELETE', '/api/no-such-call', {}],
    ] as const) {
      const answer = await call(shop.origin, method, address, { token: ada.token, body })
      expect(answer.headers.getSetCookie(), address).toEqual([])
    }
  })

  test('costs at most one query, which concurrent requests share, and a booking none', async () => {
    await readAvailable()
    let queryCount = 0
    way.watch(({ text, moment }) => {
      if (moment === 'asked' && text.includes('from catalogue_changes')) queryCount += 1
      return false
    })
    await Promise.all(Array.from({ length: 100 }, () => readAvailable(shop, newest)))
    expect(queryCount).toBeLessThan(100)
    queryCount = 0
    await readAvailable(shop, newest)
    expect(queryCount).toBeLessThanOrEqual(1)
    queryCount = 0
    await ada.call('POST', '/api/order', { partId: part._id, quantity: 1, phone: '+1 555 0100' })
    expect(queryCount).toBe(0)
    way.watch(null)
  })
})

describe('a page is made once', () => {
  test('for all who ask at a time, by GET or HEAD, with any parameter that it does not read', async () => {
    await makeAll()
    const before = { pages: await rendered(), calls: await listed() }
    await receive(1)
    const ask = (method: string, path: string, headers = {}) =>
      call(shop.origin, method, path, { headers })
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        ask(i % 3 ? 'GET' : 'HEAD', i % 2 ? '/' : `/?utm_source=${i}`, newest),
      ),
    )
    await Promise.all(Array.from({ length: 60 }, (_, i) => ask('GET', `/api/part?x=${i}`, newest)))
    expect(await rendered()).toBe(before.pages + 1)
    // one for the page, and one for the clients that requested the list itself
    expect((await listed()) - before.calls).toBeLessThanOrEqual(2)
    const etags = await Promise.all(
      [ask('GET', '/'), ask('HEAD', '/'), ask('GET', '/?x=1'), ask('HEAD', '/?fbclid=2')].map(
        async (answer) => (await answer).headers.get('etag'),
      ),
    )
    expect(new Set(etags).size).toBe(1)
    expect(etags[0]).toMatch(/^"/)
  })

  test('and so is the answer about one part, until it is booked', async () => {
    const { body } = await call(shop.origin, 'GET', `/api/parts/${part._id}`)
    const read = `http_request_duration_seconds_count{method="GET",route="/api/parts/:part",status="200"}`
    const ask = () => call(shop.origin, 'GET', `/api/parts/${body.number}`, { headers: newest })
    await ask()
    const before = await figure(read)
    await Promise.all(Array.from({ length: 40 }, ask))
    expect(await figure(read)).toBe(before)
    await bookingOf(ada, part)
    const answers = await Promise.all(Array.from({ length: 40 }, ask))
    expect(new Set(answers.map((one) => one.body.availableQuantity))).toEqual(
      new Set([body.availableQuantity - 1]),
    )
    expect(await figure(read)).toBe(before + 1)
  })

  test('but not of its id in capital letters, which would be an entry for each spelling', async () => {
    const spelled = `/api/parts/${part._id.toUpperCase()}`
    const answer = await call(shop.origin, 'GET', spelled)
    expect([answer.status, answer.body._id]).toEqual([200, part._id])
    expect(shop.deps.catalogue.get(`call of everybody ${spelled}`, 'this second')).toBe(undefined)
  })

  test.each([
    '/api/%70art',
    '/api/openapi%2Ejson',
    '/site%2Dwebmanifest',
    '/%70arts',
    '/im%61ges/x',
  ])('%s writes letters as numbers, and is refused before it costs anything', async (path) => {
    const { status, body } = await call(shop.origin, 'GET', path)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(/letters as %xx/)])
  })

  test('for all wrong paths, all orders, and all who come to log in', async () => {
    const paths = (i: number) =>
      [
        [`/no/such/page/${i}`, 404],
        [`/dashboard/order/${i}`, 200],
        [`/login?from=/order/${i}`, 200],
        [`/dashboard/manageOrders?q=${i}`, 200],
      ] as const
    const all = async (i: number) => {
      for (const [path, status] of paths(i)) {
        expect((await call(shop.origin, 'GET', path)).status, path).toBe(status)
      }
    }
    await all(0)
    const before = await rendered()
    for (let i = 1; i < 10; i += 1) await all(i)
    expect(await rendered()).toBe(before)
  })

  test('and not again after a login, a saved profile, a refused call or a sale of what was held', async () => {
    const order = await bookingOf(ada, part)
    const payment = await intentFor(ada, order)
    const ask = (path: string) => call(shop.origin, 'GET', path, { headers: newest })
    await makeAll()
    const before = { pages: await rendered(), calls: await listed() }
    await register(shop.origin)
    await ada.call('POST', '/api/order', { partId: part._id, quantity: 0, phone: '' })
    await ada.call('PUT', `/api/profile/${encodeURIComponent(ada.email)}`, profile)
    await confirmCard(cardsOf(shop), payment)
    const paid = await ada.call('PATCH', `/api/order/${order}`, { transactionId: payment.intentId })
    expect(paid.status).toBe(200)
    for (const path of ['/', '/reviews', '/api/part']) await ask(path)
    expect({ pages: await rendered(), calls: await listed() }).toEqual(before)
  })

  test('a review does not outdate lists of parts, nor a booking pages of reviews', async () => {
    await makeAll()
    const calls = await listed()
    await database.pool.query(
      `insert into reviews (name, email, review, ratings) values ('Bo', 'bo@example.com', 'good', 5)`,
    )
    const bodyOf = async (path: string) => (await call(shop.origin, 'GET', path)).body
    await expect.poll(async () => JSON.stringify(await bodyOf('/api/review'))).toContain('"Bo"')
    await bodyOf('/api/part')
    expect(await listed()).toBe(calls)
  })
})

test('a page is rendered once for each query parameter that it reads, and ignores others', async () => {
  const page = async (path: string) => (await call(shop.origin, 'GET', path)).body as string
  expect(await page('/verified')).toContain('confirmed')
  expect(await page('/verified?error=TOKEN_EXPIRED')).toContain('more than an hour old')
  expect(await page('/verified')).not.toContain('more than an hour old')
  expect(await page('/login?x=not-in-it')).not.toContain('not-in-it')
})

describe('a list of parts', () => {
  const list = '/parts/test-part'
  const narrowed = `${list}?price-min=1&price-max=500&stock=in`
  const page = (path: string, headers = {}) => call(shop.origin, 'GET', path, { headers })

  test('has one address, whatever else is in the query', async () => {
    for (const [path, address] of [
      [`${list}?brand=&sort=sold`, list],
      [`${list}?sort=odd&price-max=none&socket=AM5`, list],
      [`${list}?stock=in&x=1&price-max=500&utm_source=x&price-min=01`, narrowed],
      ['/parts?stock=', '/parts'],
    ]) {
      const { status, headers } = await page(`${path}`)
      expect([status, headers.get('location')], path).toEqual([302, address])
    }
    expect((await page(narrowed)).body).toContain(
      `<link rel="canonical" href="${shop.origin}${list}"/><meta name="robots" content="noindex, follow"/>`,
    )
    expect((await page(list)).body).not.toContain('noindex')
    expect((await page('/parts/no-such-kind')).status).toBe(404)
    const none = await page(`${list}?price-min=900000`)
    expect(none.status).toBe(404)
    expect(none.body).toContain('No part has all of this')
    expect(none.body).toContain(part.name)
  })

  test('and a search show in one process what another process, or raw SQL, has just changed', async () => {
    const found = async (q: string) => {
      const of = async (path: string) =>
        (await call(other.origin, 'GET', `/api/${path}`)).body.parts.map(({ name }: Part) => name)
      const [searched, listed] = [await of(`search?q=${q}`), await of(`parts?q=${q}&as=typed`)]
      expect(listed).toEqual(searched)
      return searched
    }
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    const { name } = await stockPart(database.pool, { onHand: 2, name: 'Quasar 400' })
    expect(await found('quasar')).toEqual([name])
    const write = (change: string) =>
      database.pool.query(`update parts set ${change} where name = $1`, [name])
    await write('deleted_at = now()')
    expect(await found('quasar')).toEqual([])
    await write('deleted_at = null')
    expect(await found('quasar')).toEqual([name])
    await write(`mpn = 'Pulsar-9'`)
    expect(await found('pulsar9')).toEqual([name])
    const file =
      'name,description,price,minimumOrderQuantity,availableQuantity\nQuasar 800,New.,9,1,1\n'
    const csv = { 'content-type': 'text/csv' }
    expect((await owner.call('POST', '/api/products/import', file, csv)).status).toBe(200)
    expect((await found('quasar')).toSorted()).toEqual([name, 'Quasar 800'])
    await database.pool.query(
      `update parts set name = 'Blazar' || substr(name, 7) where name like 'Quasar%'`,
    )
    expect(await found('quasar')).toEqual([])
    expect((await found('blazar')).toSorted()).toEqual(['Blazar 400', 'Blazar 800'])
  })

  test('without a query is kept; with one it is made once for all who ask at a time', async () => {
    const etag = async (path: string) => (await page(path)).headers.get('etag')
    await page(list)
    const renderCount = await rendered()
    expect(await etag(`${list}?fbclid=1&utm_medium=mail`)).toBe(await etag(list))
    expect(await rendered()).toBe(renderCount)
    const requests = Array.from({ length: 20 }, (_, i) => page(`${narrowed}&utm_campaign=${i}`))
    const answers = await Promise.all(requests)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await rendered()).toBeLessThan(renderCount + 5)
    const before = await rendered()
    const etagHeader = { 'if-none-match': `${answers[0]?.headers.get('etag')}` }
    expect((await page(narrowed, etagHeader)).status).toBe(304)
    expect(await rendered()).toBe(before + 1)
  })
})

test('the values of a kind are counted once until a part is edited; a booking does not count', async () => {
  let counted = 0
  way.watch(({ text, moment }) => {
    if (moment === 'asked' && text.includes('unnest(facets)')) counted += 1
    return false
  })
  const ask = async () => (await call(shop.origin, 'GET', '/api/parts')).body
  await shop.pool.query('update parts set price_cents = price_cents + 100')
  const { inStock, total, price } = await ask()
  await bookingOf(ada, part)
  expect(await ask()).toMatchObject({ inStock, total })
  way.watch(null)
  expect(counted).toBe(1)
  // a change by no process of the shop counts immediately, too
  await stockPart(shop.pool, { onHand: 1 })
  expect(await ask()).toMatchObject({ inStock: inStock + 1, total: total + 1 })
  await shop.pool.query('update parts set price_cents = $1', [100 * (price.to + 1)])
  expect((await ask()).price).toEqual({ from: price.to + 1, to: price.to + 1 })
})

test('a client that has the answer gets 304, in every encoding', async () => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    const headers = { 'accept-encoding': encoding }
    const etag =
      (await call(shop.origin, 'GET', '/api/part', { headers })).headers.get('etag') ?? ''
    const again = await call(shop.origin, 'GET', '/api/part', {
      headers: { ...headers, 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
    expect(again.body).toBe('')
  }
})

test('the cache is bounded by bytes and drops what nobody has asked for longest; what would fill it is not kept', async () => {
  const cache = catalogueCache(database.url, () => {}, { entries: 10, bytes: 1000 })
  const ask = (key: string, bytes = 400) =>
    cache.getOrSet(key, async () => ({ value: key, shows: [], cacheable: true, bytes }))
  const kept = (...keys: string[]) => keys.filter((key) => cache.get(key, 'now') === key)
  for (const key of ['first', 'second', 'first', 'third']) await ask(key)
  expect(kept('second', 'third', 'first')).toEqual(['third', 'first'])
  await ask('large', 600)
  await ask('fourth')
  expect(kept('large', 'fourth', 'third', 'first')).toEqual(['fourth', 'first'])
  await cache.close()
})

describe('while a slow page is rendered again', () => {
  /** A page that was up to date a moment ago and is being rendered again. */
  async function changing(staleMs: number) {
    const cache = catalogueCache(database.url, () => {})
    const end = Promise.withResolvers<void>()
    let joined = 0
    const ask = (asOf: 'now' | 'this second', text = 'new') =>
      cache.getOrSet(
        'page',
        async () => {
          if (text === 'new') await end.promise
          return { value: text, shows: ['reviews'], cacheable: true }
        },
        asOf,
        {
          staleMs,
          onJoined: () => {
            joined += 1
          },
        },
      )
    await ask('now', 'old')
    await database.pool.query(`insert into catalogue_changes (topic) values ('reviews')`)
    const asks = [ask('now')]
    await cache.databaseAnswers('now')
    return { cache, end, ask, asks, joined: () => joined }
  }

  test('others get the previous version, and the client that made the change the new one', async () => {
    const { cache, end, ask, asks, joined } = await changing(60_000)
    expect(await ask('this second')).toBe('old')
    expect(joined()).toBe(0)
    asks.push(ask('now'))
    await expect.poll(joined).toBe(1)
    end.resolve()
    expect(await Promise.all(asks)).toEqual(['new', 'new'])
    expect(await ask('this second')).toBe('new')
    await cache.close()
  })

  test('others wait for the new one where the previous one is too old', async () => {
    const { cache, end, ask, asks, joined } = await changing(0)
    asks.push(ask('this second'))
    await expect.poll(joined).toBe(1)
    end.resolve()
    expect(await Promise.all(asks)).toEqual(['new', 'new'])
    await cache.close()
  })
})

describe('the changes that a version sums up', () => {
  const rows = async (): Promise<number> =>
    (await shop.pool.query('select count(*)::int as count from catalogue_changes')).rows[0].count

  test('are one for a transaction, however many parts it changes', async () => {
    await stockPart(shop.pool, { onHand: 1 })
    const before = await rows()
    await shop.pool.query('update parts set price_cents = price_cents + 100')
    expect(await rows()).toBe(before + 1)
  })

  test('are merged 10,000 at a time, so that no reader waits for a million of them', async () => {
    const add = `insert into catalogue_changes (topic) select 'parts' from generate_series(1, 25000)`
    await shop.pool.query(add)
    const cache = catalogueCache(database.url, () => {})
    const most = (await rows()) - 10_000
    await cache.databaseAnswers('now')
    await expect.poll(rows).toBeLessThan(25_000)
    expect(await rows()).toBeGreaterThanOrEqual(most)
    await expect
      .poll(async () => {
        await cache.databaseAnswers('now')
        return rows()
      })
      .toBeLessThan(1_000)
    await cache.close()
  })
})

test('health is one query a second, however many request it', async () => {
  let queryCount = 0
  way.watch(({ text, moment }) => {
    if (moment === 'asked' && /^select 1\b|from catalogue_changes/.test(text)) queryCount += 1
    return false
  })
  const since = performance.now()
  for (let i = 0; i < 10; i += 1) {
    const paths = Array.from({ length: 30 }, (_, n) => (n % 2 ? '/readyz' : '/healthz'))
    const answers = await Promise.all(paths.map((path) => call(shop.origin, 'GET', path)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  const seconds = (performance.now() - since) / 1000
  way.watch(null)
  expect(queryCount).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
})

test('a lost database is noticed within a second, and pages without its data are still served', async () => {
  const login = async () => (await call(shop.origin, 'GET', '/login')).status
  expect([await login(), (await call(shop.origin, 'GET', '/api/part')).status]).toEqual([200, 200])
  way.cut()
  await expect.poll(async () => (await call(shop.origin, 'GET', '/api/part')).status).toBe(503)
  expect(await login()).toBe(200)
  way.restore()
  await expect.poll(async () => (await call(shop.origin, 'GET', '/api/part')).status).toBe(200)
})
