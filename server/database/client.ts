import { setTimeout as pause } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

export type Database = NodePgDatabase & { $client: pg.Pool }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** A connection of the driver, from the pool. */
export type Client = pg.PoolClient
/** A connection or a pool, for handwritten SQL that needs no transaction. */
export type QueryRunner = Pick<pg.ClientBase, 'query'>
/** The pool or the caller's transaction. Stores accept both. */
export type Queryable = Database | Transaction

/** Timeouts of every connection, in milliseconds. */
export const sessionTimeouts = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
}

/** Longer than any query may occupy a broken connection. */
const breakGraceMs = 30_000

/** Each pool's connections that are in use. */
const inUse = new WeakMap<pg.Pool, ReadonlySet<pg.PoolClient>>()

/**
 * Handles connections that break while in use. The pool listens only to idle connections, so an
 * error inside a transaction would end the process. When a connection breaks at `begin`, Drizzle
 * never returns it, and the pool would stay one connection short.
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
 * The number of connections per worker. Workers share the connections that a single process has.
 * Each keeps enough for its jobs not to delay its customers. The limits of load shedding and of
 * each network depend on it.
 */
export const connectionsFor = (workers: number): number => Math.max(5, Math.ceil(20 / workers))

/**
 * Opens the pool. The first query makes the first connection.
 * @param onIdleError called when an idle connection breaks; without a listener the process would
 * end
 * @param size `max` connections, and other differing pool settings
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
    // statements that do not depend on each other's results are sent without waiting
    pipeline: true,
    ...sessionTimeouts,
    application_name: 'ferrite',
    ...size,
  })
  pool.on('error', onIdleError)
  surviveBreaks(pool)
  return drizzle(pool)
}

/** The PostgreSQL process that serves a connection; the driver's types omit it. */
const backendOf = (client: pg.PoolClient) => (client as { processID?: number }).processID

/**
 * Closes the pool. After `graceMs`, terminates the statements that still run, such as one that
 * waits for a lock: its commit may already be sent, although the request was aborted.
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
    // without a database, nothing can be committed
    .catch(() => {})
  await last.end().catch(() => {})
}

/** Runs `send` and writes all its queries to PostgreSQL at once. */
function inOneWrite<T>(client: Client, send: () => T): T {
  const { stream } = client.connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

/**
 * Sends `commit` in the same write as the last statements. @param send queries them @returns their
 * result
 */
type CommitWith = <T>(send: () => Promise<T>) => Promise<T>

/** A transaction that waits for a part's lock occupies a connection. */
const lockTimeoutMs = 10_000

/**
 * By default, PostgreSQL would plan some prepared statements again at each run, which costs a tenth
 * of a booking. A cached plan must also suit a table that grows: in a new shop it would scan whole
 * tables until they are analyzed.
 */
const beginPlanned = `begin; set local lock_timeout to ${lockTimeoutMs}; set local plan_cache_mode to force_generic_plan; set local enable_seqscan to off`

/**
 * Runs a transaction of handwritten statements in as few round trips as possible. Each connection
 * prepares and plans them once. `begin` is sent with the first statements of `work`, `commit` with
 * its last. All other code uses `db.transaction`.
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
        // outside a transaction, every statement would commit on its own
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

/** The SQLSTATE of a database error, even when wrapped; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code)) return e.code
  }
  return undefined
}

/** The name of the violated constraint, or undefined. */
export function refusedBy(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('constraint' in e && typeof e.constraint === 'string') return e.constraint
  }
  return undefined
}

const unreachable = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  // the name of the database's machine does not resolve
  ...['ENOTFOUND', 'EAI_AGAIN'],
])
const lost =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered|Client was closed/
/** Connection lost, shutting down or starting, out of connections, or canceled after a timeout. */
const passing = /^(08...|57P..|53300|57014|25P0[34]|40001|40P01|55P03)$/

/** Whether the database is away (stopped, restarting, overloaded), so that a retry may work. */
export function isUnavailable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e && typeof e.code === 'string' ? e.code : ''
    if (unreachable.has(code) || passing.test(code) || lost.test(e.message)) return true
  }
  return false
}
