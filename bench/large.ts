/**
 * npm run bench:large [-- folder]: how long visitors, a customer and the owner wait for each list,
 * search and page of the shop of `npm run seed:large`, and what a complete export needs.
 * Milliseconds over HTTP, one request after the other. The last column is the processor time of
 * server and database per response (on Linux); on a busy machine, requests also wait.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import pg from 'pg'
import { orderSorts, partSorts, partStates, shownStatuses, userSorts } from '#contracts/lists.ts'
import { partPath } from '#contracts/part-address.ts'
import { roles } from '#contracts/users.ts'
import { accessTokens } from '#server/http/auth.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { readSecrets } from '#server/secrets.ts'
import { call, register } from '#tests/support/people.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { type Answered, book, makeCustomers } from './booking-load.ts'
import { countWork, postmasterOf } from './measure.ts'
import { queries } from './queries.ts'

// The requests of the screens, with words and positions that differ from one request to the next.

/** The rows of a page, plus one that shows whether there is a next page. */
const limit = 51

const pathOf = (path: string, query: Record<string, string> = {}) =>
  `/api/${path}?${new URLSearchParams({ ...query, limit: String(limit) })}`

type Calls = Record<string, string[]>

function listCalls(path: string, sorts: readonly string[], ids: string[]): Calls {
  const places = sorts.flatMap((sort) => ids.map((after) => pathOf(path, { sort, after })))
  return {
    [`${path}, first page`]: [pathOf(path)],
    ...Object.fromEntries(
      sorts.map((sort) => [`${path}, first page by ${sort}`, [pathOf(path, { sort })]]),
    ),
    [`${path}, any page in any order`]: places.toSorted(),
  }
}

function searches(path: string, sorts: readonly string[], words: Calls): Calls {
  return Object.fromEntries(
    Object.entries(words).map(([what, some]) => [
      `${path}, search: ${what}`,
      some.flatMap((q) => sorts.map((sort) => pathOf(path, { q, sort }))),
    ]),
  )
}

/** Different numbers up to a maximum, spread evenly. */
const spread = (most: number, many = 8) =>
  Array.from({ length: many }, (_, i) => Math.floor((most * (i + 0.5)) / many))

async function read(pool: Pool, query: string): Promise<Record<string, string>[]> {
  return (await pool.query<Record<string, string>>(query)).rows
}

const common = ['ada', 'hopper', 'linus knuth', 'example.com', 'a', 'gr', 'al li']
const nothing = ['zzzqqq', 'ada zzzqqq', 'corsair keyboard qqqz', 'xx']
const things = ['corsair', 'keyboard', 'graphics card', 'rtx 4070', 'fan 120', 'noctua rev. 7']

async function orderCalls(pool: Pool): Promise<Calls> {
  const some = await read(
    pool,
    `select _id, transaction_id, email from orders where _id > gen_random_uuid() and status <> 'unpaid'
     order by _id limit 8`,
  )
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const days = [0, 1, 7, 30, 365].map((ago) => ({ from: day(ago + 30), to: day(ago) }))
  const path = 'allOrders'
  return {
    ...listCalls(
      path,
      orderSorts,
      some.map(({ _id = '' }) => _id),
    ),
    ...searches(path, orderSorts, {
      'common words': common,
      'names of parts': things,
      'an order, a payment, an e-mail': some.flatMap(
        ({ _id = '', transaction_id = '', email = '' }) => [_id, transaction_id, email],
      ),
      'nothing found': nothing,
    }),
    ...Object.fromEntries(
      shownStatuses.map((status) => [
        `${path}, ${status}, in any order`,
        orderSorts.map((sort) => pathOf(path, { status, sort })),
      ]),
    ),
    [`${path}, a month, in any order`]: orderSorts.flatMap((sort) =>
      days.map((span) => pathOf(path, { ...span, sort })),
    ),
    [`${path}, a word, a status and a month`]: shownStatuses.flatMap((status) =>
      days.flatMap((span) =>
        ['ada', 'keyboard 77', 'zzzqqq'].map((q) => pathOf(path, { ...span, status, q })),
      ),
    ),
    'order/:id': some.map(({ _id }) => `/api/order/${_id}`),
    audit: [pathOf('audit')],
    'audit about an order': some.map(({ _id }) => pathOf('audit', { about: `order:${_id}` })),
  }
}

async function partCalls(pool: Pool): Promise<Calls> {
  const all = await read(pool, 'select _id from parts order by position')
  const ids = spread(all.length).map((i) => all[i]?._id ?? '')
  const path = 'products'
  return {
    ...listCalls(path, partSorts, ids),
    ...searches(path, partSorts, {
      'common words': things,
      'a part': ids,
      'nothing found': nothing,
    }),
    ...Object.fromEntries(
      partStates.map((state) => [
        `${path}, ${state}, in any order`,
        partSorts.map((sort) => pathOf(path, { state, sort })),
      ]),
    ),
    'product/:id': ids.map((id) => `/api/product/${id}`),
    'product/:id/stock': ids.map((id) => `/api/product/${id}/stock?limit=21`),
  }
}

async function userCalls(pool: Pool): Promise<Calls> {
  const all = await read(pool, 'select _id, email from users order by email')
  const some = spread(all.length).map((i) => all[i])
  const path = 'user'
  return {
    ...listCalls(
      path,
      userSorts,
      some.map((user) => user?._id ?? ''),
    ),
    ...searches(path, userSorts, {
      'common words': common,
      'a user': some.map((user) => user?.email ?? ''),
      'nothing found': nothing,
    }),
    ...Object.fromEntries(
      roles.map((role) => [
        `${path}, ${role}, in any order`,
        userSorts.map((sort) => pathOf(path, { role, sort })),
      ]),
    ),
  }
}

async function visitorCalls(pool: Pool): Promise<Calls> {
  const parts = await read(
    pool,
    `select number, parts.name, slug from parts join kinds on kinds.name = kind where number % 997 = 7
     order by number limit 8`,
  )
  const addresses = parts.map(({ number, name = '' }) => partPath({ number: Number(number), name }))
  const kinds = [...new Set(parts.map(({ slug }) => slug))]
  const narrowed = kinds.flatMap((kind) => [
    `${kind}?price-max=400&stock=in`,
    `${kind}?sort=-price&after=48`,
  ])
  const words = queries.filter((_, i) => i % 7 === 0).map(([q]) => new URLSearchParams({ q }))
  return {
    'home page': ['/'],
    'page of all parts': ['/parts'],
    'page of a kind': kinds.map((kind) => `/parts/${kind}`),
    'page of a kind, narrowed': narrowed.map((list) => `/parts/${list}`),
    'page of what was searched': words.map((query) => `/parts?${query}`),
    'page of a part': addresses,
    'search while typing': words.map((query) => `/api/search?${query}`),
    'reviews of a part': parts.map(({ number }) => `/api/parts/${number}/reviews`),
    reviews: ['/reviews', '/api/review'],
    sitemap: ['/sitemap.xml', '/api/sitemap?page=1'],
  }
}

/** The calls of a customer with orders. */
function customerCalls(address: string): Calls {
  const email = encodeURIComponent(address)
  return {
    'my orders': [`/api/orders?email=${email}&limit=51`],
    'my orders, counted': [`/api/orders/count?email=${email}`],
    'my account': ['/api/me', '/api/me/data', '/api/sessions', '/api/queue', '/api/me/reviews'],
  }
}

const few: Calls = {
  counts: ['allOrders', 'products', 'user', 'audit', 'reviews', 'deliveries'].map(
    (path) => `/api/${path}/count`,
  ),
  'money, mail, words': ['/api/money', '/api/mail', '/api/words'],
  'reviews, deliveries': [pathOf('reviews'), pathOf('deliveries')],
}

/** Paths of the owner's calls, grouped by what they show. */
async function ownerCalls(pool: Pool): Promise<Calls> {
  return {
    overview: ['UTC', 'Europe/Vienna'].map((timeZone) => `/api/overview?timeZone=${timeZone}`),
    ...few,
    ...(await orderCalls(pool)),
    ...(await partCalls(pool)),
    ...(await userCalls(pool)),
  }
}

/** Rounds per group of calls. */
const rounds = 20
/** How often each path is requested. */
const same = 3
const budgetMs = 50

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../data-large'))
if (!existsSync(folder)) {
  console.error(`There is no ${folder}: npm run seed:large makes it.`)
  process.exit(1)
}
const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'bench:large' })
const settings = { DEMO: 'off', JOB_SECONDS: '3600', LOG_LEVEL: 'error' }
// its secrets are also in the folder
const shop = await startShop({ DATABASE_URL: database.url, ...settings }, folder)
const pool = new pg.Pool({ connectionString: database.url, max: 1 })

async function ownerToken(): Promise<string> {
  const { email, token } = await register(shop.origin, 'Bench Owner')
  const make = `update users set role = 'admin', email_verified = true where email = $1`
  await pool.query(make, [email])
  return token
}

/** The customer with the most orders. */
async function someCustomer(): Promise<{ email: string; token: string }> {
  const [user] = await read(
    pool,
    `select u._id, u.email, u.name from (select user_id from orders where created_at > now() - interval '90 days'
       group by user_id order by count(*) desc limit 1) o join users u on u._id = o.user_id`,
  )
  const { _id: userId = '', email = '', name = '' } = user ?? {}
  const secrets = await readSecrets(undefined, join(folder, 'secrets'))
  const tokens = accessTokens(secrets.derive('access-token'), shop.origin)
  const token = await tokens.issue({ userId, sessionId: userId, version: 0 }, { name, email })
  return { email, token }
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** The process ids of the server and the database. */
const workers = async () => [shop.pid ?? 0, await postmasterOf(pool)]

/**
 * Sorted times of a group of calls: how long each response took, and the processor time of server
 * and database for it.
 */
async function ask(token: string | undefined, paths: string[], pids: number[]) {
  const waited: number[] = []
  const worked: number[] = []
  for (let i = 0; i < rounds; i += 1) {
    const path = paths[i % paths.length] ?? ''
    const work = await countWork(...pids)
    for (let n = 0; n < same; n += 1) {
      const began = performance.now()
      const { status } = await call(shop.origin, 'GET', path, { token })
      waited.push(performance.now() - began)
      if (status !== 200) console.log(`${path}: ${status}`)
    }
    worked.push((await work()) / same)
  }
  const ascending = (a: number, b: number) => a - b
  return { waited: waited.toSorted(ascending), worked: worked.toSorted(ascending) }
}

const figure = (ms: number) => ms.toFixed(1).padStart(10)

async function screens(token: string): Promise<void> {
  const pids = await workers()
  const above = { waited: 0, worked: 0 }
  const customer = await someCustomer()
  const all: [token: string | undefined, Calls][] = [
    [undefined, await visitorCalls(pool)],
    [customer.token, customerCalls(customer.email)],
    [token, await ownerCalls(pool)],
  ]
  const each = all.flatMap(([who, calls]) =>
    Object.entries(calls).map(([what, paths]) => ({ who, what, paths })),
  )
  for (const { who, what, paths } of each) {
    const { waited, worked } = await ask(who, paths, pids)
    const [wait, work] = [at(waited, 0.95), at(worked, 0.95)]
    above.waited += Number(wait > budgetMs)
    above.worked += Number(work > budgetMs)
    const mark = work > budgetMs ? '   above' : ''
    console.log(`${what.padEnd(52)}${figure(at(waited, 0.5))}${figure(wait)}${figure(work)}${mark}`)
  }
  console.log(`above ${budgetMs} ms: ${above.waited} waited, ${above.worked} worked\n`)
}

/** Resident megabytes of the server process, where the system reports them. */
async function resident(): Promise<number> {
  const status = await readFile(`/proc/${shop.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** Streams a whole file, and reads the server's memory about every tenth of a megabyte. */
async function exportAll(token: string, path: string): Promise<void> {
  const before = await resident()
  const began = performance.now()
  const answer = await fetch(`${shop.origin}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  let bytes = 0
  let most = before
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    most = Math.max(most, await resident())
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const size = (bytes / 2 ** 20).toFixed(1)
  console.log(`${path}: ${size} MB in ${seconds} s; memory ${before} MB before, ${most} MB at most`)
}

async function importAll(token: string): Promise<void> {
  const { body } = await call(shop.origin, 'GET', '/api/products.csv', { token })
  const dearer = body.replaceAll(/,(\d+),(\d+),(\d+),(\d+),(\d+),/g, ',7,$2,$3,$4,$5,')
  for (const [what, sheet] of [
    ['as they are', body],
    ['all changed', dearer],
  ]) {
    const began = performance.now()
    const headers = { 'content-type': 'text/csv' }
    const options = { token, body: sheet, headers }
    const answer = await call(shop.origin, 'POST', '/api/products/import?dryRun=true', options)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const { problems, ...report } = answer.body
    console.log(
      `import of all products, ${what}: ${seconds} s`,
      answer.status,
      report,
      problems?.length,
    )
  }
}

/**
 * Imports a supplier's new prices for nearly every part, and measures how long concurrent bookings
 * wait.
 */
async function importBesideBookings(token: string): Promise<void> {
  const parts = await read(
    pool,
    'select _id, version, price_cents / 100 + 1 as price from parts where deleted_at is null order by _id limit 9900',
  )
  const lines = parts.map(({ _id, version, price }) => `${_id},${version},${price}`)
  const customers = await makeCustomers(pool, { folder, origin: shop.origin, count: 400 })
  const began = performance.now()
  const importing = call(shop.origin, 'POST', '/api/products/import', {
    token,
    body: ['_id,version,price', ...lines].join('\n'),
    headers: { 'content-type': 'text/csv' },
  })
  let isOver = false
  const over = importing.finally(() => {
    isOver = true
  })
  const agent = new Agent({ keepAlive: true })
  const bookings: Promise<Answered>[] = []
  for (const { token: customer } of customers) {
    if (isOver) break
    const { _id: partId } = parts[(bookings.length * 37) % parts.length] ?? {}
    const body = JSON.stringify({ partId, quantity: 1, phone: '+1 555 0100' })
    const key = crypto.randomUUID()
    const url = new URL('/api/order', shop.origin)
    bookings.push(book(url, agent, { token: customer, key, body }, performance.now()))
    await pause(100)
  }
  const { status, body } = await over
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const answered = await Promise.all(bookings)
  const longest = Math.round(Math.max(...answered.map(({ ms }) => ms)))
  const unavailable = answered.filter((one) => one.status >= 500 || one.status === 0).length
  agent.destroy()
  console.log(
    `import of ${parts.length} prices: ${status}, ${body.updated} updated in ${seconds} s; of ${answered.length} bookings meanwhile ${unavailable} were not served, the longest took ${longest} ms`,
  )
}

try {
  // an import that was undone earlier left dead rows behind
  await pool.query('vacuum (full, analyze) parts')
  const token = await ownerToken()
  const head = ['median', '95 %', '95 % work'].map((name) => name.padStart(10)).join('')
  console.log(`${'milliseconds'.padEnd(52)}${head}`)
  await screens(token)
  for (let again = 0; again < 5; again += 1) await exportAll(token, '/api/allOrders.csv')
  await exportAll(token, '/api/products.csv')
  await importAll(token)
  await importBesideBookings(token)
} finally {
  await shop.end('SIGTERM')
  await pool.end()
  await database.stop()
}
