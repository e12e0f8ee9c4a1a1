import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

/** Any constant: processes that start together queue on it. */
const migrationLock = 0x0fe1217e

/**
 * Applies the committed migrations, each in a transaction, one process at a time.
 * @param folder where `drizzle-kit generate` wrote them
 */
export async function migrate(url: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await applyMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.end()
  }
}
