import pg from 'pg'
import { StartError } from '#server/errors.ts'
import { sessionTimeouts } from './client.ts'

/** PostgreSQL's code, which poolers send for parameters that they do not pass on. */
const protocolViolation = '08P01'

function explain(error: unknown): StartError {
  const why = error instanceof AggregateError ? error.errors[0] : error
  const message = why instanceof Error ? why.message : String(why)
  if (why instanceof pg.DatabaseError && why.code === protocolViolation) {
    return new StartError(
      `DATABASE_URL leads to a pooler that does not pass on what every connection begins with (${message}): use the direct address of the database, or let PgBouncer pool sessions with ignore_startup_parameters = ${Object.keys(sessionTimeouts).join(', ')}.`,
    )
  }
  return new StartError(
    `The database of DATABASE_URL can not be used (${message}): start it, or correct DATABASE_URL.`,
  )
}

/**
 * Checks that a prepared statement survives while another connection has a transaction: a pooler in transaction mode hands
 * one connection's session to the other.
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
 * Tests DATABASE_URL, on connections like the shop's own.
 * @param url as in DATABASE_URL
 * @throws StartError with the reason when it does not answer, refuses us, or is behind a pooler that breaks the shop
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
