/**
 * A migration is killed half-way: the database is unchanged, and the next start repeats the whole
 * migration.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { knownMigrations, migrate, migrationsFolder } from '#server/database/migrate.ts'
import { type TestDatabase, testDatabase, wholeDatabase } from '#tests/support/database.ts'
import { type DatabaseWay, databaseWay, type Passing } from '#tests/support/database-way.ts'
import { atLength } from '#tests/support/length.ts'
import { laterMigrations } from '#tests/support/migrations.ts'
import { stockPart } from '#tests/support/stock.ts'

const applied = /insert into "?drizzle"?\."?__drizzle_migrations/i

let database: TestDatabase
let way: DatabaseWay
beforeEach(async () => {
  database = await testDatabase()
  way = await databaseWay(database.url)
})
afterEach(async () => {
  way.close()
  await database.drop()
})

/** Everything that a migration creates, as PostgreSQL describes it. */
async function shapeOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    select 'column ' || attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) as line
      from pg_attribute join pg_class c on c.oid = attrelid
      where c.relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select md5(prosrc) || ' ' || proname from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`)
  return rows.map(({ line }) => line)
}

const program = `
  import { migrate } from '${join(import.meta.dirname, '../../server/database/migrate.ts')}'
  await migrate(process.argv[1], process.argv[2])`

/** Migrates in a separate process, which is killed at a statement. */
async function migrateAndDie(folder: string, is: (passing: Passing) => boolean): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, way.url, folder])
  let hasDied = false
  way.watch((passing) => {
    if (hasDied || !is(passing)) return hasDied
    hasDied = true
    child.kill('SIGKILL')
    return true
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
  way.watch(null)
  way.restore()
}

/** Whether this many migrations are recorded, and this many statements of the next one are done. */
function within(noted: number, statement: number) {
  let [notes, statements] = [0, 0]
  return ({ text, moment }: Passing) => {
    if (moment !== 'answered') return false
    if (applied.test(text)) notes += 1
    else if (notes >= noted && /^\s*(create|alter|update|drop)/i.test(text)) statements += 1
    return notes === noted && statements >= statement
  }
}

const moments: [string, (passing: Passing) => boolean][] = [
  [
    'after the last, before the commit',
    ({ text, moment }) => moment === 'asked' && /^commit/i.test(text),
  ],
  ['in the first of them', within(0, 1)],
  ['between two', within(1, 0)],
]

test.each(atLength ? moments : moments.slice(0, 1))(
  'of a shop that has sold, killed %s: nothing of it is left, and then it is whole',
  async (_, is) => {
    const later = await laterMigrations([
      'alter table parts add column warranty_months int',
      'update parts set warranty_months = 24',
    ])
    await migrate(database.url)
    await stockPart(database.pool, { onHand: 5, name: 'Old fan' })
    const before = [await shapeOf(database), await wholeDatabase(database.url)]
    await migrateAndDie(later, is)
    await expect
      .poll(async () => [await shapeOf(database), await wholeDatabase(database.url)])
      .toEqual(before)

    await migrate(database.url, later)
    const { migrations } = await wholeDatabase(database.url)
    expect(migrations).toHaveLength(knownMigrations(later).length)
    const { rows } = await database.pool.query('select name, on_hand, warranty_months from parts')
    expect(rows).toEqual([{ name: 'Old fan', on_hand: 5, warranty_months: 24 }])
  },
)

test('of an empty database, killed again and again: the start that lives finds nothing half-made', async () => {
  for (const statement of atLength ? [2, 20, 60] : [60]) {
    await migrateAndDie(migrationsFolder, within(0, statement))
    await expect.poll(() => shapeOf(database)).toEqual([])
  }
  await migrate(database.url)
  expect((await wholeDatabase(database.url)).migrations).toHaveLength(knownMigrations().length)
})
