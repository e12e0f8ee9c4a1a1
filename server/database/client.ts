import { setTimeout as pause } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

export type Database = NodePgDatabase & { $client: pg.Pool }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** The driver's connection from the pool. */
export type Client = pg.PoolClient
/** A connection or a pool, where SQL is written by hand and no transaction is needed. */
export type QueryRunner = Pick<pg.ClientBase, 'query'>
/** What stores take: the pool or the caller's transaction. */
export type Queryable = Database | Transaction

/** Timeouts of every connection, in milliseconds. */
export const sessionTimeouts = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
}

/** Longer than any query may hold a broken connection. */
const breakGraceMs = 30_000

/** The connections of a pool that run queries or transactions. */
const inUse = new WeakMap<pg.Pool, ReadonlySet<pg.PoolClient>>()

/**
 * Handles connections that break in use. The pool listens only to idle ones, so an error inside a transaction would end the
 * process; and when one breaks at `begin`, Drizzle never returns it, so the pool would stay one short.
 */
function surviveBreaks(pool: pg.Pool): void {
  const overdue = new Map<pg.PoolClient, NodeJS.Timeout>()
  const held = new Set<pg.PoolClient>()
  inUse.set(pool, held)
  pool.on('acquire', (client) => held.add(client))
  pool.on('release', (_, client) => {
    held.delete(client)
    clearTimeout(overdue.get(client))
    overdue.delete(client)
  })
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      if (!held.has(client) || overdue.has(client)) return
      overdue.set(
        client,
        setTimeout(() => client.release(error), breakGraceMs),
      )
    }),
  )
}

/**
 * The connections of one of several workers: they share what one process has, and each keeps enough for its jobs not to
 * hold up its customers. Load shedding and the share of a network follow from it.
 */
export const connectionsFor = (workers: number): number => Math.max(5, Math.ceil(20 / workers))

/**
 * Opens the pool. Nothing is connected until the first query.
 * @param onIdleError called when an idle connection breaks; without a listener the process would end
 * @param size `max` connections, and what differs from other pools
 */
export function connect(
  url: string,
  onIdleError: (error: Error) => void,
  size: pg.PoolConfig & { max: number },
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // statements that do not wait for each other's results leave without waiting
    pipeline: true,
    ...sessionTimeouts,
    application_name: 'ferrite',
    ...size,
  })
  pool.on('error', onIdleError)
  surviveBreaks(pool)
  return drizzle(pool)
}

/** The process of PostgreSQL that serves a connection; the driver's types leave it out. */
const backendOf = (client: pg.PoolClient) => (client as { processID?: number }).processID

/**
 * Ends the pool. PostgreSQL is told to end what still runs after `graceMs`, such as a wait for a lock: the commit may have
 * left with it, and its request was cut off.
 */
export async function disconnect({ $client: pool }: Database, graceMs: number): Promise<void> {
  const ended = pool.end().then(() => true)
  if (await Promise.race([ended, pause(graceMs, false, { ref: false })])) return
  const last = new pg.Client({ ...pool.options, connectionTimeoutMillis: graceMs })
  const backends = [...(inUse.get(pool) ?? [])].map(backendOf)
  const terminate = 'select pg_terminate_backend(pid) from unnest($1::int[]) as pid'
  await last
    .connect()
    .then(() => last.query(terminate, [backends]))
    // without a database nothing can be committed either
    .catch(() => {})
  await last.end().catch(() => {})
}

/** Runs `send` and gives PostgreSQL everything that it queries in one write. */
function inOneWrite<T>(client: Client, send: () => T): T {
  const { stream } = client.connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

/** Commits a transaction in the same write as its last statements. @param send queries them @returns their result */
type CommitWith = <T>(send: () => Promise<T>) => Promise<T>

/** A transaction that waits for a part's lock keeps a connection from all others. */
const lockTimeoutMs = 10_000

/**
 * PostgreSQL would plan some prepared statements again at each run, which is a tenth of its work for a booking. A plan that is
 * kept must also fit the table of tomorrow: in a new shop it would read whole tables, until they are analyzed.
 */
const beginPlanned = `begin; set local lock_timeout to ${lockTimeoutMs}; set local plan_cache_mode to force_generic_plan; set local enable_seqscan to off`

/**
 * Runs a transaction of handwritten statements, which are prepared and planned once per connection, in as few round trips
 * as it has waits: `begin` leaves with the first statements of `work`, `commit` with its last. All others use `db.transaction`.
 */
export async function inFewTrips<T>(
  { $client: pool }: Database,
  work: (client: Client, commitWith: CommitWith) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    let committed = false
    const results = await inOneWrite(client, () => {
      const begun = client.query(beginPlanned)
      const commitWith: CommitWith = async (send) => {
        // outside a transaction every statement would commit by itself
        await begun
        committed = true
        const [last] = await inOneWrite(client, () => Promise.all([send(), client.query('commit')]))
        return last
      }
      return Promise.all([work(client, commitWith), begun])
    })
    if (!committed) await client.query('commit')
    client.release()
    return results[0]
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}

/** The SQLSTATE of a database error, also a wrapped one; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code)) return e.code
  }
  return undefined
}

/** The name of the constraint that refused, or undefined. */
export function refusedBy(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('constraint' in e && typeof e.constraint === 'string') return e.constraint
  }
  return undefined
}

const unreachable = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  // the name of its machine
  ...['ENOTFOUND', 'EAI_AGAIN'],
])
const lost =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered|Client was closed/
/** Connection lost, shutting down or starting, out of connections, or cut off for taking too long. */
const passing = /^(08...|57P..|53300|57014|25P0[34]|40001|40P01|55P03)$/

/** Whether the database is away (stopped, restarting, overloaded), so that a retry may work. */
export function isUnavailable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e && typeof e.code === 'string' ? e.code : ''
    if (unreachable.has(code) || passing.test(code) || lost.test(e.message)) return true
  }
  return false
}
