/** Reads the whole database in one snapshot, while the shop runs. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { appliedMigrations } from '#server/database/migrate.ts'
import { StartError } from '#server/errors.ts'
import { keepFile } from './files.ts'
import type { Manifest } from './manifest.ts'
import { ownSequences, ownTables, sqlName, type Table } from './tables.ts'

const batch = 500

/** Makes PostgreSQL write values so that it reads the very same ones back, whatever the server's settings. */
export const exactText = `set local timezone to 'UTC'; set local datestyle to 'ISO, YMD';
  set local intervalstyle to 'postgres'; set local bytea_output to 'hex'; set local extra_float_digits to 1;
  set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0`

/** A table as lines, one JSON array per row, with each value as text or null. */
async function* lines(client: pg.Client, table: Table, counted: (rows: number) => void) {
  const values = table.columns.map(({ name }) => `"${name.replaceAll('"', '""')}"::text`)
  await client.query(
    `declare backup no scroll cursor for select json_build_array(${values})::text as line from ${sqlName(table)}`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${batch} from backup`)
    if (rows.length === 0) break
    counted(rows.length)
    yield Buffer.from(rows.map(({ line }) => `${line}\n`).join(''))
  }
  await client.query('close backup')
}

async function dumpTable(client: pg.Client, table: Table, folder: string) {
  const file = `database/${table.schema}.${table.name}.jsonl.gz`
  let rows = 0
  const source = lines(client, table, (more) => {
    rows += more
  })
  const written = await pipeline(Readable.from(source), createGzip(), (chunks) =>
    keepFile(join(folder, file), chunks),
  )
  const columns = table.columns.map(({ name }) => name)
  return {
    table: { schema: table.schema, name: table.name, columns, rows, file },
    file: { path: file, ...written },
  }
}

type Dump = Pick<Manifest, 'migration' | 'tables' | 'sequences' | 'files'>

/**
 * Writes every table of one snapshot into `folder`/database.
 * @throws StartError when the database holds no shop
 */
export async function dumpDatabase(url: string, folder: string): Promise<Dump> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-backup' })
  // the query in flight rejects; without a listener the process would end
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`begin isolation level repeatable read read only; ${exactText}`)
    const migration = (await appliedMigrations(client)).at(-1)
    if (migration === undefined) {
      throw new StartError('The database holds no shop: set DATA_DIR or DATABASE_URL to its own.')
    }
    await mkdir(join(folder, 'database'), { mode: 0o700 })
    const dumped = []
    for (const table of await ownTables(client)) {
      dumped.push(await dumpTable(client, table, folder))
    }
    return {
      migration,
      tables: dumped.map(({ table }) => table),
      files: dumped.map(({ file }) => file),
      sequences: await ownSequences(client),
    }
  } finally {
    await client.end()
  }
}
