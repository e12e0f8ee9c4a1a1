import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { StartError } from '#server/start-error.ts'

/** Any constant: processes that start together queue on it. */
const migrationLock = 0x0fe1217e

/** @throws StartError when the database has a migration that this version does not know: its rules are not these */
async function assertNotNewer(client: pg.Client, folder: string): Promise<void> {
  const { rows: tables } = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!tables[0].there) return
  const known = readMigrationFiles({ migrationsFolder: folder }).map(
    ({ folderMillis }) => folderMillis,
  )
  const { rows } = await client.query<{ at: string }>(
    `select to_char(to_timestamp(max(created_at) / 1000) at time zone 'UTC', 'YYYY-MM-DD') as at
     from drizzle.__drizzle_migrations having max(created_at) <> all ($1::bigint[])`,
    [known],
  )
  if (!rows[0]) return
  throw new StartError(
    `The database is that of a newer Ferrite (it has a migration of ${rows[0].at} that this version does not know): ` +
      'start that version, or restore a backup of before the upgrade.',
  )
}

/**
 * Applies the committed migrations, each in a transaction, one process at a time.
 * @param folder where `drizzle-kit generate` wrote them
 * @throws StartError when the database is that of a newer version
 */
export async function migrate(url: string, folder: string): Promise<void> {
  const settings = { connectionString: url, application_name: 'ferrite-migrate' }
  const [turn, client] = [new pg.Client(settings), new pg.Client(settings)] as const
  try {
    // in a transaction: a lock of a session would stay behind a pooler, with whoever has that session next
    await turn.connect()
    await turn.query('begin')
    await turn.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await client.connect()
    await assertNotNewer(client, folder)
    await applyMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    await Promise.all([turn.end(), client.end()])
  }
}
