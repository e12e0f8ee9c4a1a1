import pg from 'pg'
import { StartError } from '#server/start-error.ts'

/**
 * Asks a database of the owner's for a sign of life.
 * @param url as in DATABASE_URL
 * @throws StartError with the reason when it does not answer, or does not let us in
 */
export async function mustAnswer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const why = error instanceof AggregateError ? error.errors[0] : error
    throw new StartError(
      `The database of DATABASE_URL can not be used (${why instanceof Error ? why.message : why}): start it, or correct DATABASE_URL.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}
