import { randomBytes } from 'node:crypto'
import pg from 'pg'

export type TestDatabase = { name: string; url: string; pool: pg.Pool; drop(): Promise<void> }

/** A new, empty database on the server of this test run, and a pool for it. */
export const testDatabase = (): Promise<TestDatabase> => newDatabase()

/**
 * A new database with all tables of a shop, empty except for the kinds and words that every shop
 * has; and a pool for it.
 */
export const migratedDatabase = (): Promise<TestDatabase> =>
  // half the work of a copy through the log
  newDatabase(`template ${process.env.TEST_DATABASE_TEMPLATE} strategy file_copy`)

async function newDatabase(source = ''): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL
  if (!server)
    throw new Error('TEST_DATABASE_URL is not set: tests/support/global-setup.ts sets it')
  const name = `test_${randomBytes(6).toString('hex')}`
  await once(server, `create database ${name} ${source}`)
  const url = new URL(server)
  url.pathname = name
  const pool = new pg.Pool({ connectionString: url.href, max: 10 })
  // Idle connections end when the database is dropped.
  pool.on('error', () => {})
  return {
    name,
    url: url.href,
    pool,
    async drop() {
      if (!pool.ended) await pool.end()
      // not `with (force)`: it fails if the server is cleaning up the database at that moment
      await once(
        server,
        `alter database ${name} with allow_connections false`,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${name}' and usename = current_user`,
      )
      await once(server, `drop database ${name}`)
    },
  }
}

/**
 * Runs the statements on one connection, because each connection costs the server ten milliseconds
 * of a core.
 */
export async function once(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Every row of every table of a shop's database, as sorted text, and its migrations: equal for
 * equal shops.
 */
export async function wholeDatabase(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema', 'drizzle') and table_type = 'BASE TABLE'`,
    )
    const whole: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await client.query(`select t::text as row from ${name} t order by 1`)
      whole[name] = rows.map(({ row }) => row)
    }
    const applied = 'select hash from drizzle.__drizzle_migrations order by created_at'
    whole.migrations = (await client.query(applied)).rows.map(({ hash }) => hash)
    return whole
  } finally {
    await client.end()
  }
}
