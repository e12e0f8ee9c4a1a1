/** Migrations upgrade a database from one version's schema to the next; they never downgrade. */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { z } from 'zod'
import { StartError } from '#server/errors.ts'

/** The output folder of `npm run migration`. */
export const migrationsFolder = join(import.meta.dirname, '../../drizzle')

/** The key of an advisory lock for processes that start at the same time. */
const migrationLock = 0x0fe1217e

/**
 * Identifies a migration in the database and in backups: its creation time in milliseconds since
 * 1970.
 */
type Time = number

/** The migrations of this version, oldest first. */
export const knownMigrations = (folder = migrationsFolder): Time[] =>
  readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis }) => folderMillis)

/** The migrations applied to a database, oldest first. */
export async function appliedMigrations(client: pg.Client): Promise<Time[]> {
  const { rows } = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!rows[0].there) return []
  const applied = await client.query<{ created_at: string }>(
    'select created_at from drizzle.__drizzle_migrations order by created_at',
  )
  return applied.rows.map(({ created_at }) => Number(created_at))
}

async function hasShopTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select to_regclass('public.stock_movements') is not null as there`,
  )
  return rows[0].there
}

/** @throws StartError when this version cannot migrate the database */
async function assertUpgradable(client: pg.Client, folder: string): Promise<void> {
  const ownMigrations = knownMigrations(folder)
  const applied = await appliedMigrations(client)
  if (applied.length === 0 ? await hasShopTables(client) : applied[0] !== ownMigrations[0]) {
    throw new StartError(
      'The database was made by a Ferrite from before the first release, and this version cannot bring it up to date: ' +
        'start the version that made it, or begin anew with DATA_DIR set to a new folder (or DATABASE_URL to an empty database).',
    )
  }
  const strange = applied.findLast((time) => !ownMigrations.includes(time))
  if (strange === undefined) return
  throw new StartError(
    `The database is that of a newer Ferrite (it has a migration of ${new Date(strange).toISOString().slice(0, 10)} ` +
      'that this version does not know): start that version, or restore a backup of before the upgrade.',
  )
}

/**
 * Applies the missing migrations in one transaction, one process at a time.
 * @throws StartError when a newer version or one before the first release made the database
 */
export async function migrate(url: string, folder = migrationsFolder): Promise<void> {
  const settings = { connectionString: url, application_name: 'ferrite-migrate' }
  const [turn, client] = [new pg.Client(settings), new pg.Client(settings)] as const
  try {
    // a lock of the transaction: behind a pooler, a session's lock would pass to the next client
    await turn.connect()
    await turn.query('begin')
    await turn.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await client.connect()
    await assertUpgradable(client, folder)
    await applyMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    await Promise.all([turn.end(), client.end()])
  }
}

/** @throws StartError unless the database has exactly the migrations of this version */
export async function assertMigrated(url: string, folder = migrationsFolder): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-migrate' })
  client.on('error', () => {})
  await client.connect()
  try {
    await assertUpgradable(client, folder)
    const last = (await appliedMigrations(client)).at(-1)
    if (last === undefined)
      throw new StartError('There is no shop in this database: look at DATABASE_URL.')
    if (last === knownMigrations(folder).at(-1)) return
    throw new StartError(
      'The database is that of an older version: start the shop once, which brings it up to this one, and try again.',
    )
  } finally {
    await client.end()
  }
}

const Journal = z.looseObject({
  entries: z.array(z.looseObject({ when: z.number(), tag: z.string() })),
})

/** Runs `work` with a folder that has the migrations up to the given one, like an older version. */
export async function withMigrationsUpTo<T>(
  last: Time,
  work: (folder: string) => Promise<T>,
  all = migrationsFolder,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ferrite-migrations-'))
  try {
    const journal = Journal.parse(
      JSON.parse(await readFile(join(all, 'meta/_journal.json'), 'utf8')),
    )
    journal.entries = journal.entries.filter(({ when }) => when <= last)
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify(journal))
    for (const { tag } of journal.entries)
      await copyFile(join(all, `${tag}.sql`), join(folder, `${tag}.sql`))
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
