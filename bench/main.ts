/** npm run bench: figures as ratios within one run. Budgets are in docs/architecture.md; nothing here is a test. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { insertBooking, lockForBooking } from '#server/features/orders/booking-store.ts'
import { bookedMail } from '#server/mail/order-mails.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { call, type Person, register } from '#tests/support/people.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'
import { middleOfThree, shareOfBare, throughHttp, timed } from './measure.ts'

const bookings = 700
const lanes = 8
const folder = await dataFolder()
const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'bench' })
const shop = await startShop({
  DATABASE_URL: database.url,
  DEMO: 'on',
  JOB_SECONDS: '60',
  // few customers book all of it
  OPEN_HOLDS: '10000',
  SANDBOX_CONTROLS: 'off',
})
const pool = new pg.Pool({ connectionString: database.url, max: lanes })
// at the end the database may close a connection before the pool has
pool.on('error', () => {})
const rows: [string, string, string][] = []
const holdSeconds = 30 * 60
const limitSeconds = 60 * 60
let mail: ReturnType<typeof bookedMail> | undefined
const percent = (share: number) => share.toFixed(2)

/** The booking's own transaction, its mail written beforehand, straight to PostgreSQL. */
async function bookDirectly(partId: string, userId: string): Promise<void> {
  const client = await pool.connect()
  await client.query('begin')
  const asker = { userId, key: null, network: 'bench', pauseSeconds: limitSeconds }
  const { part, number } = await lockForBooking(client, { partId, product: undefined }, asker)
  if (!part || !number) throw new Error('there is no such part')
  const order = {
    _id: randomUUID(),
    number,
    userId,
    partId,
    product: part.name,
    image: part.image,
    customer: 'Bench Customer',
    email: 'bench@example.com',
    phone: '+1 555 0100',
    quantity: 1,
    price: part.price,
    totalPrice: part.price,
    holdSeconds,
    limitSeconds,
    network: null,
    idempotencyKey: null,
    requestHash: null,
  }
  mail ??= bookedMail(order, shop.origin, holdSeconds)
  await insertBooking(client, order, mail, true)
  await client.query('commit')
  client.release()
}

async function catalogue(): Promise<void> {
  const {
    rows: [{ count }],
  } = await pool.query('select count(*)::int from parts')
  for (let i = count; i < 100; i += 1)
    await stockPart(pool, { onHand: 50, name: `Bench part ${i}` })
  const part = await shareOfBare(`${shop.origin}/api/part`)
  rows.push(['GET /api/part, 100 parts, of a bare server', percent(part), '≥ 0.85'])
  const home = await shareOfBare(`${shop.origin}/`)
  rows.push(['GET / for visitors, of a bare server', percent(home), '≥ 0.90'])
}

async function booking(): Promise<void> {
  // one customer's bookings wait for each other
  const people: Person[] = []
  for (let i = 0; i < lanes; i += 1) people.push(await register(shop.origin, 'Bench Customer'))
  const emails = people.map(({ email }) => email)
  const { rows: users } = await pool.query('select _id from users where email = any($1)', [emails])
  const userOf = (i: number) => users[i % lanes]._id
  const parts = await Promise.all(
    Array.from({ length: lanes }, () => stockPart(pool, { onHand: bookings * 4 })),
  )
  const partOf = (i: number) => parts[i % lanes]?._id ?? ''
  const wishes = Array.from({ length: lanes }, (_, i) => ({
    path: '/api/order',
    method: 'POST' as const,
    headers: { authorization: `Bearer ${people[i]?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ partId: partOf(i), quantity: 1, phone: '+1 555 0100' }),
  }))
  await throughHttp(shop.origin, wishes, 200, lanes)
  await timed(200, lanes, (i) => bookDirectly(partOf(i), userOf(i)))
  // in turn: each booking counts its customer's orders, so the last ones of a run cost the most
  const share = await middleOfThree(async () => {
    const direct = await timed(bookings, lanes, (i) => bookDirectly(partOf(i), userOf(i)))
    return direct / (await throughHttp(shop.origin, wishes, bookings, lanes))
  })
  rows.push(['booking, of the same SQL run directly', percent(share), '≥ 0.50'])
}

async function sizes(): Promise<void> {
  const html = await (await fetch(`${shop.origin}/`)).text()
  const linked = (pattern: RegExp) =>
    new Set([...html.matchAll(pattern)].map(([, path]) => path as string))
  const weigh = async (paths: Set<string>) => {
    let bytes = 0
    for (const path of paths)
      bytes += gzipSync(await (await fetch(shop.origin + path)).bytes()).length
    return `${(bytes / 1024).toFixed(1)} kB`
  }
  rows.push([
    'home page script, gzip',
    await weigh(linked(/["'](\/assets\/[^"']+\.js)["']/g)),
    '≤ 130 kB',
  ])
  rows.push([
    'home page style, gzip',
    await weigh(linked(/href="(\/assets\/[^"#]+\.css)/g)),
    '≤ 15 kB',
  ])
}

/** Resident memory of the server process, where the system tells it. */
async function memory(): Promise<void> {
  const status = await readFile(`/proc/${shop.pid}/status`, 'utf8').catch(() => '')
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  if (kilobytes)
    rows.push(['memory after the load', `${Math.round(kilobytes / 1024)} MB`, '≤ 200 MB'])
}

async function restart(): Promise<void> {
  await shop.end('SIGTERM')
  const began = performance.now()
  const again = await shop.restart()
  rows.push([
    'second start to ready',
    `${((performance.now() - began) / 1000).toFixed(2)} s`,
    '≤ 2 s',
  ])
  await again.end('SIGTERM')
}

try {
  await catalogue()
  await booking()
  await sizes()
  const { status } = await call(shop.origin, 'GET', '/healthz')
  if (status !== 200) throw new Error('the shop is not well after the load')
  await memory()
  await restart()
  for (const [what, figure, budget] of rows)
    console.log(`${what.padEnd(48)}${figure.padStart(10)}   ${budget}`)
} finally {
  await shop.end('SIGKILL')
  await pool.end()
  await database.stop()
  await removeDataFolder(folder)
}
