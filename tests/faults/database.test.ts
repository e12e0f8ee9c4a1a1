/**
 * The database goes down under traffic and comes back: 503 meanwhile, and the same process
 * continues.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DatabaseWay, databaseWay } from '#tests/support/database-way.ts'
import { call, login, type Person, register } from '#tests/support/people.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

const figuresToken = 'figures of this shop'

describe('the way to the database is cut', () => {
  let shop: ShopProcess
  let database: TestDatabase
  let way: DatabaseWay
  let ada: Person
  beforeAll(async () => {
    database = await migratedDatabase()
    way = await databaseWay(database.url)
    shop = await startShop({
      DATABASE_URL: way.url,
      LOG_LEVEL: 'debug',
      METRICS_TOKEN: figuresToken,
    })
    ada = await register(shop.origin, 'Ada Cut')
  })
  afterAll(async () => {
    await shop.remove()
    way.close()
    await database.drop()
  })

  const ask = async () => {
    const { origin } = shop
    const headers = { cookie: ada.cookie }
    const signIn = { body: { email: ada.email, password: 'correct horse' }, headers: { origin } }
    const reset = { body: { newPassword: 'brand new', token: 'top-secret' }, headers: { origin } }
    const answers = await Promise.all([
      ada.call('GET', `/api/orders?email=${ada.email}`),
      call(origin, 'GET', '/api/part'),
      call(origin, 'GET', '/healthz'),
      call(origin, 'GET', '/readyz'),
      call(origin, 'GET', '/identity/token', { headers }),
      call(origin, 'POST', '/identity/sign-in/email', signIn),
      call(origin, 'POST', '/identity/reset-password', reset),
    ])
    return answers.map(({ status }) => status)
  }

  test('every call answers 503, no user is logged out, and all works when it is back', async () => {
    expect(await ask()).toEqual([200, 200, 200, 200, 200, 200, 400])
    way.cut()
    // the shop drops the cached list of parts as soon as its connection is lost
    await expect.poll(ask).toEqual([503, 503, 503, 503, 503, 503, 503])
    const headers = { accept: 'text/html' }
    const followed = await call(shop.origin, 'GET', '/identity/verify-email?token=x', { headers })
    expect(followed.body).toBe('The shop is busy for a moment. Try again.')
    // generated at this first request, without any data from the database
    for (const path of ['/api/docs', '/api/docs.css', '/api/openapi.json'])
      expect((await call(shop.origin, 'GET', path)).status, path).toBe(200)
    const figures = await call(shop.origin, 'GET', '/metrics', {
      headers: { authorization: `Bearer ${figuresToken}` },
    })
    // an unknown figure is left out: 0 would look healthy
    expect(figures.body).toMatch(/^ferrite_database_up 0$/m)
    expect(figures.body).not.toMatch(/^ferrite_(holds|payments|mails_waiting)/m)
    way.restore()
    await expect.poll(ask).toEqual([200, 200, 200, 200, 200, 200, 400])
    expect((await login(shop.origin, ada.email, 'correct horse')).token).toBeTruthy()
  })

  test('a database that hangs does not delay health checks, and continues when it is back', async () => {
    const health = async () => (await call(shop.origin, 'GET', '/healthz')).status
    await expect.poll(health).toBe(200)
    way.freeze()
    // the database's state of the last second still counts
    await expect.poll(health).toBe(503)
    way.thaw()
    await expect.poll(ask).toEqual([200, 200, 200, 200, 200, 200, 400])
  })

  test('the log holds no token, password or address', () => {
    for (const secret of ['top-secret', 'correct horse', ada.token, ada.email]) {
      expect(shop.output()).not.toContain(secret)
    }
  })
})

describe('a database that is late', () => {
  test('is waited for with a sentence, while the shop answers that it is not ready', async () => {
    const database = await migratedDatabase()
    const way = await databaseWay(database.url)
    way.cut()
    const PORT = String(await freePort())
    const starting = startShop({ DATABASE_URL: way.url, PORT })
    try {
      const health = async () =>
        (await call(`http://127.0.0.1:${PORT}`, 'GET', '/healthz').catch(() => null))?.status
      await expect.poll(health).toBe(503)
      await expect.poll(way.refusals).toBeGreaterThan(0)
      way.restore()
      const shop = await starting
      expect(await health()).toBe(200)
      expect(shop.output()).toMatch(
        /does not answer yet \(.+\): the shop waits for it, up to 10 minutes/,
      )
      await shop.remove()
    } finally {
      way.close()
      await database.drop()
    }
  })
})

describe('one connection breaks in the middle of a booking', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await openTestShop()
  })
  afterAll(() => shop.close())

  test('that booking is refused with 503 and the next one works', async () => {
    const ada = await register(shop.origin, 'Ada Broken')
    const part = await stockPart(shop.pool, { onHand: 5 })
    const book = () =>
      ada.call('POST', '/api/order', { partId: part._id, quantity: 1, phone: '+1 555 0100' })
    const other = await shop.pool.connect()
    await other.query('begin')
    await other.query('select 1 from parts where _id = $1 for update', [part._id])
    const booking = book()
    await expect
      .poll(async () => {
        const { rowCount } = await shop.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where wait_event_type = 'Lock' and datname = current_database()`,
        )
        return rowCount
      })
      .toBe(1)
    expect((await booking).status).toBe(503)
    await other.query('rollback')
    other.release()
    expect((await book()).status).toBe(200)
  })
})
