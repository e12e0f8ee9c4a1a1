/**
 * npm run bench: figures as ratios within one run. Budgets are in docs/scaling.md; nothing here is
 * a test.
 */
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { partPath } from '#contracts/part-address.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { call } from '#tests/support/people.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'
import { besideEncoding } from './beside-encoding.ts'
import { besideFiles } from './beside-files.ts'
import { bookingCost } from './booking-cost.ts'
import { groupCost } from './group-cost.ts'
import { shareOfBare, timesAsMany } from './measure.ts'

const folder = await dataFolder()
const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'bench' })
const settings = {
  DATABASE_URL: database.url,
  DEMO: 'on',
  JOB_SECONDS: '60',
  LOG_LEVEL: 'info',
  SANDBOX_CONTROLS: 'off',
}
const shop = await startShop(settings)
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
// at the end, the database may close a connection before the pool does
pool.on('error', () => {})
const rows: [string, string, string][] = []
const percent = (share: number) => share.toFixed(2)

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
  const { body } = await call(shop.origin, 'GET', '/api/home-parts')
  const pages = { 'a list': '/parts/graphics-card', 'a part’s page': partPath(body.parts[0]) }
  for (const [what, path] of Object.entries(pages)) {
    const share = await shareOfBare(shop.origin + path)
    rows.push([`${what} for visitors, of a bare server`, percent(share), '≥ 0.90'])
  }
}

async function booking(): Promise<void> {
  const { origin, pid, dataDir: folder } = shop
  const cost = await bookingCost({ origin, pid, folder, databaseUrl: database.url })
  rows.push(['booking, of the same SQL run directly', percent(cost.share), '≥ 0.50'])
  rows.push(['booking, of the same without the index of parts', percent(cost.indexed), '≤ 1.05'])
  rows.push(['bookings of one part, of many parts', percent(cost.hot), '≥ 0.80'])
  rows.push(['a booking works in the shop', `${cost.shopMs.toFixed(2)} ms`, ''])
  rows.push(['a booking works in PostgreSQL', `${cost.databaseMs.toFixed(2)} ms`, ''])
  const { single, group } = await groupCost({ origin, folder, pool })
  rows.push(['a checkout of eight parts, of a booking', (group / single).toFixed(2), '≤ 3'])
}

async function encoding(): Promise<void> {
  const { origin, dataDir: folder } = shop
  const { p50, p95 } = await besideEncoding({ origin, folder, pool })
  rows.push(['a booking while pictures are encoded, of one without, p50', percent(p50), ''])
  rows.push(['the same, p95', percent(p95), ''])
}

async function files(): Promise<void> {
  const { origin, dataDir: folder } = shop
  const { p95, longest } = await besideFiles({ origin, folder, pool })
  const figure = (ms: number) => `${ms.toFixed(1)} ms`
  rows.push(['the home page while hostile files are read, p95', figure(p95), '≤ 100 ms'])
  rows.push(['the same, the longest', figure(longest), ''])
}

/**
 * Two workers against one process. The sender of the requests uses the same processors. So on two
 * processors, a second worker gains little, except where a single process leaves one idle, as it
 * intentionally does between renderings.
 */
async function workers(): Promise<void> {
  const two = await startShop({ ...settings, WORKERS: '2' }, shop.dataDir)
  const gain = async (path: string) =>
    percent(await timesAsMany(shop.origin + path, two.origin + path))
  const cores = `${availableParallelism()} processors, sender included`
  rows.push(['GET /api/part, two workers, of one process', await gain('/api/part'), cores])
  const { rows: parts } = await pool.query<{ _id: string }>('select _id from parts limit 1')
  const page = `/purchase/${parts[0]?._id}`
  rows.push(['a part’s page, two workers, of one process', await gain(page), cores])
  await two.end('SIGTERM')
}

/** Resident memory of the server process, where the system reports it. */
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
  await encoding()
  await files()
  const { status } = await call(shop.origin, 'GET', '/healthz')
  if (status !== 200) throw new Error('the shop is not well after the load')
  await memory()
  await workers()
  await restart()
  for (const [what, figure, budget] of rows)
    console.log(`${what.padEnd(60)}${figure.padStart(10)}   ${budget}`)
} finally {
  await shop.end('SIGKILL')
  await pool.end()
  await database.stop()
  await removeDataFolder(folder)
}
