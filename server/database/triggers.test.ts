/** A migrated database matches the source: `triggers.sql`, and the tables of `schema/`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { migrate, migrationsFolder } from './migrate.ts'

const own = `from pg_proc p where pronamespace = 'public'::regnamespace
  and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')`

/** Every function and trigger of the shop, in PostgreSQL's notation. */
async function definitions(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_functiondef(p.oid) as text ${own}
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
  )
  return rows.map(({ text }) => text)
}

test('triggers.sql is what the migrations make', async () => {
  const database = await testDatabase()
  await migrate(database.url)
  const client = await database.pool.connect()
  const migrated = await definitions(client)
  // dropping a function drops its triggers
  const { rows } = await client.query<{ name: string }>(`select p.oid::regprocedure as name ${own}`)
  await client.query(`drop function ${rows.map(({ name }) => name).join(', ')} cascade`)
  expect(await definitions(client)).toEqual([])
  await client.query(await readFile(join(import.meta.dirname, 'triggers.sql'), 'utf8'))
  expect(await definitions(client)).toEqual(migrated)
  client.release()
  await database.drop()
})

test('the tables of schema/ are those of the migrations', async () => {
  const folder = join(import.meta.dirname, 'schema')
  const files = await readdir(folder)
  const modules = await Promise.all(files.map((file) => import(join(folder, file))))
  const snapshots = (await readdir(join(migrationsFolder, 'meta')))
    .filter((name) => name.endsWith('_snapshot.json'))
    .toSorted()
  const last = await readFile(join(migrationsFolder, 'meta', snapshots.at(-1) as string), 'utf8')
  const today = generateDrizzleJson(Object.assign({}, ...modules))
  expect(await generateMigration(JSON.parse(last), today)).toEqual([])
})
