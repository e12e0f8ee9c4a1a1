import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import * as schema from './schema.ts'

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** What stores take: the pool, or the transaction the caller is in. */
export type Queryable = Database | Transaction

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
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'ferrite',
  })
  pool.on('error', onIdleError)
  return drizzle(pool, { schema })
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

/** Is the database away (stopped, restarting, out of connections), so that the same request may work later? */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state) return state.startsWith('08') || state.startsWith('57P') || state === '53300'
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && unreachable.has(e.code)) return true
    if (
      /Connection terminated|timeout exceeded when trying to connect|Client has encountered/.test(
        e.message,
      )
    )
      return true
  }
  return false
}
