/**
 * The rows of a backup: read from the whole database in one snapshot while the shop runs, loaded
 * into empty tables.
 */
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Client } from 'pg'
import pg from 'pg'
import { appliedMigrations } from '#server/database/migrate.ts'
import { StartError } from '#server/errors.ts'
import { keepFile } from './files.ts'
import type { Manifest } from './manifest.ts'
import { columnList, ownSequences, ownTables, parentsFirst, sqlName, type Table } from './tables.ts'

const rowsAtOnce = 500

/**
 * Makes PostgreSQL write values in a format that it reads back exactly, whatever the server's
 * settings.
 */
const exactText = `set local timezone to 'UTC'; set local datestyle to 'ISO, YMD';
  set local intervalstyle to 'postgres'; set local bytea_output to 'hex'; set local extra_float_digits to 1;
  set local statement_timeout to 0; set local idle_in_transaction_session_timeout to 0`

/**
 * Files waiting to become pictures: at most a gigabyte, which the sender still has. A restore
 * reports which are missing.
 */
const leftOut = new Set(['picture_files'])

/** A table as lines: one JSON array per row, with each value as text or null. */
async function* lines(client: pg.Client, table: Table, counted: (rows: number) => void) {
  if (leftOut.has(table.name)) return
  const values = table.columns.map(({ name }) => `"${name.replaceAll('"', '""')}"::text`)
  await client.query(
    `declare backup no scroll cursor for select json_build_array(${values})::text as line from ${sqlName(table)}`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${rowsAtOnce} from backup`)
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
 * @throws StartError when the database has no shop
 */
export async function dumpDatabase(url: string, folder: string): Promise<Dump> {
  const client = new pg.Client({ connectionString: url, application_name: 'ferrite-backup' })
  // the running query rejects anyway; without a listener, the process would end
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

const rowsPerInsert = 1000
const lengthPerInsert = 1_000_000

/** Groups lines into JSON arrays, one for each insert statement. */
async function* linesToInsert(chunks: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ''
  let lines: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const read = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = read.pop() ?? ''
    for (const line of read) {
      lines.push(line)
      length += line.length
      if (lines.length < rowsPerInsert && length < lengthPerInsert) continue
      yield { rows: lines.length, json: `[${lines.join(',')}]` }
      lines = []
      length = 0
    }
  }
  if (lines.length > 0) yield { rows: lines.length, json: `[${lines.join(',')}]` }
}

async function loadTable(client: Client, table: Table, file: string): Promise<void> {
  const values = table.columns.map(({ type }, i) => `(line->>${i})::${type}`)
  const insert = `insert into ${sqlName(table)} (${columnList(table.columns)}) overriding system value
    select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as line`
  await pipeline(createReadStream(file), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const { json } of linesToInsert(chunks)) await client.query(insert, [json])
  })
}

/** The table as in the database, with the columns in the backup's order. */
function fitting(there: Table[], backupTable: Manifest['tables'][number]): Table {
  const { schema, name } = backupTable
  const table = there.find((each) => each.schema === schema && each.name === name)
  const columns = backupTable.columns.map((column) => table?.columns.find((c) => c.name === column))
  if (!table || !columns.every((column) => column !== undefined)) {
    throw new StartError(`This Ferrite has no table ${schema}.${name} as the backup has it.`)
  }
  return { schema, name, columns }
}

/**
 * Loads all rows of a backup in one transaction with the tables' triggers off: the backup already
 * has what they would write (counters, refunded sums), and rows that they would refuse (a part that
 * begins with stock). Keys, foreign keys and checks stay on.
 * @throws StartError when the tables differ from the backup's, or end with another number of rows
 */
export async function loadDatabase(
  client: Client,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  await client.query(`begin; ${exactText}`)
  const there = await ownTables(client)
  const files = new Map(manifest.tables.map((each) => [`${each.schema}.${each.name}`, each]))
  const tables = await parentsFirst(
    client,
    manifest.tables.map((each) => fitting(there, each)),
  )
  for (const table of tables) {
    const { file = '', rows = 0 } = files.get(`${table.schema}.${table.name}`) ?? {}
    await client.query(`alter table ${sqlName(table)} disable trigger user`)
    await loadTable(client, table, join(folder, file))
    await client.query(`alter table ${sqlName(table)} enable trigger user`)
    const counted = await client.query(`select count(*)::integer as rows from ${sqlName(table)}`)
    if (counted.rows[0].rows !== rows) {
      throw new StartError(
        `${sqlName(table)} would have ${counted.rows[0].rows} rows, not ${rows}.`,
      )
    }
  }
  for (const sequence of manifest.sequences) {
    await client.query('select setval($1::regclass, $2)', [sqlName(sequence), sequence.last])
  }
  await client.query('commit')
}
