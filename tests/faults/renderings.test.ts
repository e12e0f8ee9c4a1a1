/** Uncached pages, rendered thousands of times: no rendering leaks memory. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { atLength } from '#tests/support/length.ts'
import { call } from '#tests/support/people.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockDemo } from '#tests/support/stock.ts'

const renderings = atLength ? 20_000 : 120
/**
 * Megabytes. A leak per rendering would fill it before the end; in the gate, the allowed rest
 * would.
 */
const heap = atLength ? 1024 : 192
const staying = atLength ? 50 : 15
const metricsToken = 'a token of sixteen'

let database: TestDatabase
let shop: ShopProcess
beforeAll(async () => {
  database = await migratedDatabase()
  await stockDemo(database.pool)
  shop = await startShop({
    DATABASE_URL: database.url,
    DEMO: 'off',
    METRICS_TOKEN: metricsToken,
    NODE_OPTIONS: `--max-old-space-size=${heap}`,
  })
}, 90_000)
afterAll(async () => {
  await shop.remove()
  await database.drop()
})

/** The response includes every committed change. */
const newest = { cookie: 'ferrite.catalogue=changed' }
async function render(path: string): Promise<void> {
  const { status } = await call(shop.origin, 'GET', path, { headers: newest })
  expect(status, path).toBe(200)
}

/**
 * Renderings of each type: pages that an edit just changed, two pages with a query, and pages with
 * an id.
 */
async function renderEach(n: number): Promise<void> {
  await database.pool.query(`insert into catalogue_changes (topic) values ('parts'), ('reviews')`)
  await render('/')
  await render('/reviews')
  await render(`/login?google=${n}`)
  await render(`/purchase/${n}`)
  await render(`/parts?price-max=${999_000 - n}`)
}

async function figure(name: string): Promise<number> {
  const { body } = await call(shop.origin, 'GET', '/metrics', { token: metricsToken })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1] ?? 0)
}
const timers = () => figure('nodejs_active_resources{type="Timeout"}')
const heapUsed = async () => (await figure('nodejs_heap_size_used_bytes')) / 2 ** 20

async function renderMany(count: number): Promise<void> {
  let left = count / 5
  const one = async () => {
    while (left > 0) {
      left -= 1
      await renderEach(left)
    }
  }
  await Promise.all(Array.from({ length: 4 }, one))
}

/**
 * Sends one request on each of `size` connections at the same moment.
 * @returns the responses
 */
async function askAtOnce(size: number, path: string): Promise<string[]> {
  const { hostname, port, host } = new URL(shop.origin)
  const sockets = Array.from({ length: size }, () => connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return Promise.all(
    sockets.map(async (socket) => (await socket.setEncoding('utf8').toArray()).join('')),
  )
}

test('many clients that request different pages: one is rendered at a time, 32 wait, the others are refused for now', async () => {
  const shed = await figure('ferrite_requests_shed_total')
  const answers = await askAtOnce(200, '/login?google=many')
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503'))
  const pages = answers.filter((answer) => answer.startsWith('HTTP/1.1 200'))
  expect(refused.length + pages.length).toBe(200)
  expect(pages.length).toBeGreaterThanOrEqual(33)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) {
    expect(answer).toMatch(/^retry-after: 1\r$/im)
    expect(answer).toContain('The shop is busy for a moment.')
  }
  expect(await figure('ferrite_requests_shed_total')).toBe(shed + refused.length)
  // a log line for each would add to the load
  expect(shop.output()).not.toContain('request_failed')
  // a client that retries gets the page
  expect((await call(shop.origin, 'GET', '/login?google=again')).status).toBe(200)
}, 60_000)

test(
  `${renderings} renderings with a heap of ${heap} MB: the process lives, and its memory is back within ${staying} MB`,
  async () => {
    await renderMany(100)
    const before = {
      heap: await heapUsed(),
      timers: await timers(),
      pages: await figure('ferrite_pages_rendered_total'),
    }
    await renderMany(renderings)
    // concurrent clients share a rendering
    expect(await figure('ferrite_pages_rendered_total')).toBeGreaterThan(
      before.pages + renderings * 0.6,
    )
    expect(await timers()).toBeLessThan(before.timers + 20)
    // the garbage collector runs when it likes: a few more renderings trigger it
    await expect
      .poll(async () => {
        await renderMany(40)
        await pause(100)
        return heapUsed()
      })
      .toBeLessThan(before.heap + staying)
  },
  atLength ? 1_800_000 : 300_000,
)
