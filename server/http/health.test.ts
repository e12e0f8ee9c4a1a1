import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorBody } from '#contracts/errors.ts'
import { diskGuard } from '#server/http/limits/disk-guard.ts'
import { bookingOf, call, createUsers, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'
import { createApp } from './app.ts'
import { healthRoutes } from './health.ts'

const token = 'figures for those who watch'
let shop: TestShop
let ada: Person

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', METRICS_TOKEN: token })
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(() => shop.close())

/** Metrics as Prometheus reads them: each line's name with its labels, and its value. */
async function figures(): Promise<Map<string, number>> {
  const headers = { authorization: `Bearer ${token}` }
  const { status, body } = await call(shop.origin, 'GET', '/metrics', { headers })
  expect(status).toBe(200)
  const lines = (body as string).split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

test('metrics need the token, and contain no personal data', async () => {
  for (const authorization of ['', 'Bearer wrong', 'Bearer ', token]) {
    const { status } = await call(shop.origin, 'GET', '/metrics', { headers: { authorization } })
    expect(status).toBe(401)
  }
  const part = await stockPart(shop.pool, { onHand: 5 })
  const order = await bookingOf(ada, part)
  await ada.call('GET', `/api/orders?email=${encodeURIComponent(ada.email)}`)
  const metricNames = [...(await figures()).keys()].join('\n')
  for (const secret of [ada.email, order, part._id, token])
    expect(metricNames).not.toContain(secret)
})

test('/healthz names the version', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  expect((await call(shop.origin, 'GET', '/healthz')).body).toEqual({ status: 'ok', version })
})

test('a shop without METRICS_TOKEN has no metrics', async () => {
  const plain = await openTestShop({ DEMO: 'off' })
  const { status } = await call(plain.origin, 'GET', '/metrics', {
    headers: { authorization: 'Bearer ' },
  })
  await plain.close()
  expect(status).toBe(404)
})

test('holds, mails, requests and responses are counted', async () => {
  const before = await figures()
  await bookingOf(ada, await stockPart(shop.pool, { onHand: 5 }))
  await call(shop.origin, 'GET', '/api/order/nothing')
  const after = await figures()
  const grew = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(grew('ferrite_holds')).toBe(1)
  expect(
    grew('http_request_duration_seconds_count{method="POST",route="/api/order",status="200"}'),
  ).toBe(1)
  expect(grew('http_requests_total{method="GET",route="/api/*",status="401"}')).toBe(1)
  expect(after.get('ferrite_database_up')).toBe(1)
  expect(after.get('ferrite_database_connections{state="waiting"}')).toBe(0)
  await expect
    .poll(async () =>
      (await figures()).get('ferrite_job_runs_total{job="send_mail",outcome="done"}'),
    )
    .toBeGreaterThan(after.get('ferrite_job_runs_total{job="send_mail",outcome="done"}') ?? 0)
})

test('on a nearly full disk writes are refused, reads succeed, and health is degraded', async () => {
  let bytes = 100 * 1024 * 1024
  const disk = diskGuard([shop.dataDir], shop.deps.log, async () => bytes)
  const deps = { ...shop.deps, disk }
  const app = createApp(deps)
  const health = healthRoutes({ deps, isClosing: () => false, metricsToken: undefined })
  const status = async () =>
    ((await (await health.request('/healthz')).json()) as { status: string }).status
  const part = await stockPart(shop.pool, { onHand: 5 })
  const book = () =>
    app.request('/api/order', {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ partId: part._id, product: part.name, quantity: 1, phone: '12345' }),
    })
  const held = async () => {
    const { rows } = await shop.pool.query('select reserved from parts where _id = $1', [part._id])
    return rows[0].reserved
  }
  expect(await status()).toBe('ok')
  await disk.look()
  const refused = await book()
  expect([refused.status, ((await refused.json()) as ErrorBody).error.code]).toEqual([
    503,
    'STORAGE_LOW',
  ])
  expect(await held()).toBe(0)
  expect((await app.request('/api/part')).status).toBe(200)
  expect(await status()).toBe('degraded')
  bytes = 300 * 1024 * 1024
  await disk.look()
  expect(await status()).toBe('ok')
  expect((await book()).status).not.toBe(503)
})

test('a process that stops is not ready', async () => {
  let closing = false
  const health = healthRoutes({
    deps: shop.deps,
    isClosing: () => closing,
    metricsToken: undefined,
  })
  expect((await health.request('/readyz')).status).toBe(200)
  closing = true
  expect((await health.request('/readyz')).status).toBe(503)
})

test('health and metrics are not cached, everything else as long as it may be', async () => {
  const keptFor = async (path: string) =>
    (await fetch(shop.origin + path)).headers.get('cache-control')
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect(await keptFor(path)).toBe('no-store')
  expect(await keptFor('/identity/jwks')).toBe('public, max-age=300')
})
