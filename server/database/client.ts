import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { sessionTimeouts } from './session-timeouts.ts'

export type Database = NodePgDatabase & { $client: pg.Pool }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** A connection of the pool, as the driver gives it. */
export type Client = pg.PoolClient
/** What stores take: the pool, or the transaction the caller is in. */
export type Queryable = Database | Transaction

/** Longer than anything may hold a connection that broke. */
const breakGraceMs = 30_000

/**
 * The pool listens to idle connections only: one that breaks inside a transaction would end the process. And when it
 * breaks at `begin`, Drizzle never hands it back: the pool takes it back itself, or it would be one short for ever.
 */
function surviveBreaks(pool: pg.Pool): void {
  const overdue = new Map<pg.PoolClient, NodeJS.Timeout>()
  const held = new Set<pg.PoolClient>()
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
 * Opens the pool. Nothing is connected until the first query.
 * @param onIdleError told when an idle connection breaks; without a listener the process would die
 */
export function connect(url: string, onIdleError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    ...sessionTimeouts,
    application_name: 'ferrite',
  })
  pool.on('error', onIdleError)
  surviveBreaks(pool)
  return drizzle(pool)
}

/**
 * One transaction, on the driver's own client: for statements written by hand that are to be planned once a connection.
 * Every other goes by `db.transaction`.
 */
export async function onOneClient<T>(
  { $client: pool }: Database,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const done = await work(client)
    await client.query('commit')
    client.release()
    return done
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}

/** SQLSTATE of a database failure, wherever the driver's error is wrapped; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code)) return e.code
  }
  return undefined
}

/** Name of the constraint that refused, or undefined. */
export function refusedBy(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('constraint' in e && typeof e.constraint === 'string') return e.constraint
  }
  return undefined
}

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])
const lost =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered|Client was closed/
/** Connection lost, shutting down or starting, out of connections, or cut off for taking too long. */
const passing = /^(08...|57P..|53300|57014|25P0[34]|40001|40P01|55P03)$/

/** Is the database away (stopped, restarting, overloaded), so that the same request may work later? */
export function isUnavailable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e && typeof e.code === 'string' ? e.code : ''
    if (unreachable.has(code) || passing.test(code) || lost.test(e.message)) return true
  }
  return false
}
