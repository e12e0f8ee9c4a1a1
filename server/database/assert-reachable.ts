import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartError, waitText } from '#server/errors.ts'
import { isUnavailable, sessionTimeouts } from './client.ts'

/** PostgreSQL's error code that poolers send for parameters that they do not support. */
const protocolViolation = '08P01'

/** PgBouncer's messages, with the same code, while it cannot reach the database. */
const poolerWaits = /server login|cannot connect to server|query_wait_timeout|shutting down/

/** Why a connection failed. For a name with several addresses, the reason of the first. */
function reasonOf(error: unknown): string {
  const why = error instanceof AggregateError ? error.errors[0] : error
  return why instanceof Error ? why.message : String(why)
}

/**
 * Whether the database may become available without a change: it is down or starting. Any other
 * error is a refusal.
 */
function isLate(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code === protocolViolation)
    return poolerWaits.test(error.message)
  return isUnavailable(error)
}

function explain(error: unknown): StartError {
  const message = reasonOf(error)
  const isPooler = error instanceof pg.DatabaseError && error.code === protocolViolation
  if (isPooler && !isLate(error)) {
    return new StartError(
      `DATABASE_URL leads to a pooler that does not pass on what every connection begins with (${message}): use the direct address of the database, or let PgBouncer pool sessions with ignore_startup_parameters = ${Object.keys(sessionTimeouts).join(', ')}.`,
    )
  }
  return new StartError(
    `The database of DATABASE_URL cannot be used (${message}): start it, or correct DATABASE_URL.`,
    { cause: error },
  )
}

/**
 * Checks that a prepared statement survives while another connection has a transaction open: a
 * pooler in transaction mode gives one connection's session to the other.
 * @throws StartError when it does not
 */
async function assertKeepsStatements(client: pg.Client, other: pg.Client): Promise<void> {
  const prepared = { name: 'ferrite_start', text: 'select 1' }
  await client.query(prepared)
  await other.query('begin')
  try {
    await client.query(prepared)
  } catch (error) {
    throw new StartError(
      `DATABASE_URL leads to a pooler in transaction mode that keeps no prepared statements (${error instanceof Error ? error.message : error}): use the direct address of the database, or set max_prepared_statements of PgBouncer (1.21 or newer).`,
    )
  } finally {
    await other.query('rollback')
  }
}

/**
 * Tests DATABASE_URL with connections like the shop's own.
 * @param url as in DATABASE_URL
 * @throws StartError with the reason when the database does not respond, refuses us, or is behind a
 * pooler that breaks the shop
 */
export async function assertReachable(url: string): Promise<void> {
  const settings = { connectionString: url, connectionTimeoutMillis: 10_000, ...sessionTimeouts }
  const clients = [new pg.Client(settings), new pg.Client(settings)] as const
  for (const client of clients) client.on('error', () => {})
  try {
    for (const client of clients) {
      await client.connect().catch((error: unknown) => {
        throw explain(error)
      })
    }
    await assertKeepsStatements(...clients)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

type Times = { forMs: number; everyMs: number; repeatMs: number }

/** After a power cut, a database may need minutes to recover. */
export const patientTimes: Times = { forMs: 10 * 60_000, everyMs: 1_000, repeatMs: 60_000 }

/**
 * Waits for a database that is down or starting, as after a power cut, and tests it like
 * `assertReachable`.
 * @param say gets a sentence at once, and again every `repeatMs`
 * @throws StartError at once when the database refuses, and after `forMs` when it does not respond
 */
export async function awaitDatabase(
  url: string,
  say: (sentence: string) => void,
  { forMs, everyMs, repeatMs } = patientTimes,
): Promise<void> {
  const began = performance.now()
  let nextWord = began
  for (;;) {
    try {
      return await assertReachable(url)
    } catch (error) {
      // a connection may break during the test as well
      const cause = error instanceof StartError ? error.cause : error
      const now = performance.now()
      if (!isLate(cause)) throw error
      if (now >= nextWord) {
        nextWord = now + repeatMs
        const seconds = Math.max(1, (forMs - (now - began)) / 1000)
        say(
          `The database of DATABASE_URL does not answer yet (${reasonOf(cause)}): the shop waits for it, up to ${waitText(seconds)}.`,
        )
      }
      if (now - began >= forMs) throw error
    }
    await pause(everyMs)
  }
}
