/** Loads a backup's rows into empty tables of the backup's version. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { StartError } from '#server/errors.ts'
import { exactText } from './dump.ts'
import type { Manifest } from './manifest.ts'
import { columnList, ownTables, parentsFirst, sqlName, type Table } from './tables.ts'

const batchRows = 1000
const batchLength = 1_000_000

/** Reads lines in batches, as JSON arrays. */
async function* batches(chunks: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ''
  let lines: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = pieces.pop() ?? ''
    for (const line of pieces) {
      lines.push(line)
      length += line.length
      if (lines.length < batchRows && length < batchLength) continue
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
    for await (const { json } of batches(chunks)) await client.query(insert, [json])
  })
}

/** The table as the database has it, with the columns in the backup's order. */
function fitting(there: Table[], wanted: Manifest['tables'][number]): Table {
  const { schema, name } = wanted
  const table = there.find((each) => each.schema === schema && each.name === name)
  const columns = wanted.columns.map((column) => table?.columns.find((c) => c.name === column))
  if (!table || !columns.every((column) => column !== undefined)) {
    throw new StartError(`This Ferrite has no table ${schema}.${name} as the backup has it.`)
  }
  return { schema, name, columns }
}

/**
 * Loads all rows of a backup in one transaction with the tables' triggers off: the backup has what they would write (counters,
 * refunded sums) and what they would refuse (a part that begins with stock). Keys, foreign keys and checks stay on.
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
