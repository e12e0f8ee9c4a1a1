/**
 * Three processes behind nginx, on a PostgreSQL with a synchronous replica behind PgBouncer. While
 * customers shop, one process is killed, then the database is lost and its replica promoted.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isRoot } from '#server/postgres/accounts.ts'
import { findViolations, waitUntilIdle } from '#tests/support/crashes/after-crash.ts'
import { filesArrived, openMarket } from '#tests/support/crashes/kill-rounds.ts'
import {
  busyDay,
  fillShelves,
  type Market,
  manyHolds,
  type Plan,
} from '#tests/support/crashes/workload.ts'
import { dataFolder } from '#tests/support/data-folder.ts'
import { call, idToken, register } from '#tests/support/people.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { startBouncer } from '#tests/support/servers/pgbouncer.ts'
import {
  type PostgresServer,
  replicaName,
  startPostgres,
} from '#tests/support/servers/postgres-server.ts'
import { describeServer, findProgram, NotHere } from '#tests/support/servers/real-server.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const soon = { timeout: 60_000, interval: 50 }
const long = { timeout: 120_000, interval: 200 }
/** The recovery time that the shop promises, in milliseconds. */
const goesOnWithinMs = 10_000
const staleMs = 2_000

/** The PostgreSQL programs, including the tool that copies a server. */
function debian(): string {
  const folder = '/usr/lib/postgresql/15'
  if (existsSync(`${folder}/bin/pg_basebackup`)) return folder
  throw new NotHere('PostgreSQL 15 is not installed: apt-get install postgresql-15')
}

/**
 * nginx with the configuration of deploy/ and the lines of docs/server.md for several processes,
 * without TLS.
 */
async function startNginx(program: string, port: number, shops: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-nginx-'))
  const deploy = await readFile(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
  const upstream = /^upstream[^}]*}/m.exec(deploy)?.[0] ?? ''
  const location = /\tlocation \/ {\n\t\tproxy_pass[^}]*}/.exec(deploy)?.[0] ?? ''
  const servers = shops.map((origin) => `server ${new URL(origin).host};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (use) => `${use}_temp_path ${folder}/${use};`,
  )
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error;${isRoot() ? ' user root;' : ''}
     events {}
     http {
       access_log off; ${temporary.join(' ')}
       ${upstream.replace('server 127.0.0.1:3000;', servers.join(' '))}
       server {
         listen 127.0.0.1:${port}; client_max_body_size 6m;
         ${location.replace('proxy_next_upstream off;', 'proxy_next_upstream error timeout;').replace('$host;', '$http_host;')}
       }
     }`,
  )
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: 'ignore',
  })
  return async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Keeps changing one part's name, and reads it from every process.
 * @returns stop: reports the reads that were too old
 */
function watchAge(pool: pg.Pool, id: string, origins: string[]) {
  const written: { n: number; at: number }[] = [{ n: 0, at: performance.now() }]
  const stale: string[] = []
  let reads = 0
  let open = true
  async function write() {
    for (let n = 1; open; n += 1) {
      await pool
        .query('update parts set name = $1 where _id = $2', [`Stamp ${n} of many`, id])
        .then(
          () => written.push({ n, at: performance.now() }),
          () => {},
        )
      await pause(250)
    }
  }
  async function read(origin: string, path: string) {
    for (; open; await pause(100)) {
      const began = performance.now()
      const answer = await call(origin, 'GET', path).catch(() => null)
      if (answer?.status !== 200) continue
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      const shownNumber = Number(/Stamp (\d+) of many/.exec(text)?.[1] ?? -1)
      const due = written.findLast(({ at }) => at <= began - staleMs)
      reads += 1
      if (due && shownNumber < due.n)
        stale.push(`${origin}${path} shows ${shownNumber} instead of ${due.n}`)
    }
  }
  const all = Promise.all([
    write(),
    ...origins.flatMap((origin) => ['/', '/api/part'].map((path) => read(origin, path))),
  ])
  return async () => {
    open = false
    await all
    return { reads, changes: written.length, stale }
  }
}

const everyone: Plan = {
  customers: [1, 2, 3].map((n) =>
    (['book', 'pay', 'book', 'pay', 'delete', 'book'] as const).map((what, i) => ({
      what,
      which: n * 7 + i,
    })),
  ),
  owner: (['refund', 'ship', 'upload'] as const).map((what, which) => ({ what, which })),
}

/** Milliseconds until a request sent after `fault` is acknowledged and no later one is refused. */
async function recovery(market: Market, fault: () => Promise<unknown>): Promise<number> {
  const { acknowledged } = market
  const began = performance.now()
  await fault()
  // requests in flight may still be answered
  const before = acknowledged.booked.size + market.customers.length
  await expect.poll(() => acknowledged.booked.size, soon).toBeGreaterThan(before)
  const took = performance.now() - began
  await pause(Math.max(0, goesOnWithinMs - took))
  acknowledged.faults.length = 0
  const later = acknowledged.booked.size
  await expect.poll(() => acknowledged.booked.size, soon).toBeGreaterThan(later + 5)
  expect(acknowledged.faults).toEqual([])
  return took
}

await describeServer(
  'nginx, PgBouncer and PostgreSQL with a replica',
  () => ({
    nginx: findProgram('nginx'),
    bouncer: findProgram('pgbouncer'),
    binaries: debian(),
  }),
  (programs) => {
    const ending: Array<() => Promise<unknown>> = []
    let primary: PostgresServer
    let replica: PostgresServer
    let bouncer: Awaited<ReturnType<typeof startBouncer>>
    let pool: pg.Pool
    let shops: ShopProcess[]
    /** Each process's own origin. */
    let origins: string[]
    let settings: Record<string, string>
    let folder: string
    let market: Market

    /** The shop's database on a server, as an unprivileged user. */
    const addressOn = ({ url }: PostgresServer) => {
      const address = new URL(url)
      address.username = 'ferrite'
      address.pathname = '/ferrite'
      return address.href
    }

    beforeAll(async () => {
      const { binaries } = programs
      primary = await startPostgres({ binaries })
      ending.push(() => primary.remove())
      const admin = new pg.Client({ connectionString: primary.url })
      admin.on('error', () => {})
      await admin.connect()
      await admin.query('create role ferrite login')
      await admin.query('create database ferrite owner ferrite')
      replica = await startPostgres({ binaries, replicaOf: primary })
      ending.push(() => replica.remove())
      await admin.query(`alter system set synchronous_standby_names = '${replicaName}'`)
      await admin.query('select pg_reload_conf()')
      await vi.waitFor(async () => {
        const { rows } = await admin.query('select sync_state from pg_stat_replication')
        expect(rows).toEqual([{ sync_state: 'sync' }])
      }, soon)
      await admin.end()
      bouncer = await startBouncer(programs.bouncer, {
        to: addressOn(primary),
        mode: 'session',
        account: primary.account,
      })
      ending.push(() => bouncer.stop())
      pool = new pg.Pool({ connectionString: bouncer.url, max: 2, connectionTimeoutMillis: 20_000 })
      pool.on('error', () => {})
      ending.push(() => pool.end())

      const ports = [await freePort(), await freePort(), await freePort(), await freePort()]
      const [front = '', ...each] = ports.map((port) => `http://127.0.0.1:${port}`)
      origins = each
      folder = await dataFolder()
      settings = {
        ...manyHolds,
        PUBLIC_URL: front,
        DATABASE_URL: bouncer.url,
        DATABASE_READ_URL: addressOn(replica),
        DEMO: 'off',
        SANDBOX_CONTROLS: 'on',
        JOB_SECONDS: '0.5',
      }
      shops = await Promise.all(origins.map(openAt))
      ending.push(() => Promise.all(shops.map((shop) => shop.remove())))
      ending.push(await startNginx(programs.nginx, ports[0] ?? 0, origins))
      await vi.waitFor(() => call(front, 'GET', '/readyz'), soon)
      const shop = { ...(shops[0] as ShopProcess), origin: front }
      market = await openMarket({
        shop,
        pool,
        arrived: filesArrived(folder),
        restore: async () => {},
      })
    })
    afterAll(async () => {
      for (const end of ending.reverse()) await end()
    })
    const openAt = (origin: string) =>
      startShop({ ...settings, PORT: new URL(origin).port }, folder)

    test('a sign-in at one process counts at all', async () => {
      const ada = await register(market.origin, 'Ada Everywhere', { verified: false })
      const path = `/api/orders?email=${encodeURIComponent(ada.email)}`
      for (const origin of origins) {
        expect(await idToken(origin, ada.cookie)).toMatch(/^ey/)
        expect((await call(origin, 'GET', path, { token: ada.token })).status).toBe(200)
      }
    })

    const isLogged = (reason: string) =>
      shops.some((shop) => shop.output().includes(`"reason":"${reason}"`))
    const figuresAge = async () => {
      const { status, body } = await market.owner.call('GET', '/api/overview')
      return status === 200 ? body.figuresAge : status
    }
    const exportAge = async () => {
      const { status, headers } = await market.owner.call('GET', '/api/allOrders.csv')
      return status === 200 ? headers.get('x-data-age') : status
    }

    test('exports and figures come from the replica, with their age', async () => {
      await expect.poll(figuresAge, soon).toBe(0)
      expect(await exportAge()).toBe('0')
      const onReplica = new pg.Client({ connectionString: replica.url })
      await onReplica.connect()
      await onReplica.query('select pg_wal_replay_pause()')
      await pool.query(`update parts set description = 'Not copied yet'`)
      await expect.poll(figuresAge, soon).toBeGreaterThanOrEqual(1)
      expect(Number(await exportAge())).toBeGreaterThanOrEqual(1)
      // after a minute it is too old, and the owner gets everything from the database
      await expect.poll(figuresAge, long).toBe(null)
      expect(isLogged('it is too far behind')).toBe(true)
      await onReplica.query('select pg_wal_replay_resume()')
      await expect.poll(figuresAge, long).toBe(0)
      await onReplica.end()
    })

    async function addPart(name: string): Promise<string> {
      const image = market.parts[0]?.image
      const fields = { name, description: 'Its name changes.', image }
      const numbers = { price: 20, minimumOrderQuantity: 1, availableQuantity: 5 }
      const { body } = await market.owner.call('POST', '/api/product', { ...fields, ...numbers })
      return body.insertedId
    }

    test('the loss of a process and of the database loses no order, and all go on within ten seconds', async ({
      task,
    }) => {
      const { acknowledged } = market
      const stamped = await addPart('Stamp 0 of many')
      const endWatch = watchAge(pool, stamped, [market.origin, ...origins])
      let open = true
      const day = busyDay(market, everyone, () => open)
      const filling = (async () => {
        for (; open; await pause(200)) await fillShelves(market).catch(() => {})
      })()
      await expect.poll(() => acknowledged.charged.size, soon).toBeGreaterThan(3)
      expect(acknowledged.faults).toEqual([])

      const ofProcess = await recovery(market, () => (shops[2] as ShopProcess).end('SIGKILL'))
      shops[2] = await openAt(origins[2] ?? '')
      const ofDatabase = await recovery(market, async () => {
        await primary.end('SIGKILL')
        await replica.promote()
        await bouncer.leadTo(addressOn(replica))
      })
      const mendedAt = Date.now() / 1000
      open = false
      await Promise.all([day, filling])
      const { reads, changes, stale } = await endWatch()
      task.meta.measured =
        `after the loss of a process ${Math.round(ofProcess)} ms, of the database ${Math.round(ofDatabase)} ms; ` +
        `${acknowledged.booked.size} orders, ${reads} pages read over ${changes} changes`
      expect(Math.max(ofProcess, ofDatabase)).toBeLessThan(goesOnWithinMs)
      expect(stale).toEqual([])
      acknowledged.faults.length = 0
      await waitUntilIdle(market, mendedAt)
      expect(await findViolations(market, filesArrived(folder), 2)).toEqual([])
      expect([await figuresAge(), await exportAge()]).toEqual([null, null])
      expect(isLogged('it is no longer a replica')).toBe(true)
      for (const shop of shops) expect(await shop.end('SIGTERM')).toBe(0)
    })
  },
)
