/** A migration that dies half-way: the database is as it was, and the next start does it again, whole. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { migrations, withMigrationsUpTo } from '#server/backup/older-migrations.ts'
import { migrate } from '#server/database/migrate.ts'
import { dataFolder } from '#tests/support/data-folder.ts'
import { type TestDatabase, testDatabase } from '#tests/support/database.ts'
import { type DatabaseWay, databaseWay, type Passing } from '#tests/support/database-way.ts'
import { type ShopProcess, spawnShop, startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'
import { wholeDatabase } from '#tests/support/whole-database.ts'

const journal: { entries: { when: number }[] } = JSON.parse(
  readFileSync(join(migrations, 'meta/_journal.json'), 'utf8'),
)
const timeOf = (index: number) => journal.entries[index]?.when as number
const applied = /insert into "?drizzle"?\."?__drizzle_migrations/i

// whole starts of shops, several a test
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let database: TestDatabase
let way: DatabaseWay
let shop: ShopProcess | undefined
beforeEach(async () => {
  database = await testDatabase()
  way = await databaseWay(database.url)
})
afterEach(async () => {
  await shop?.remove()
  way.close()
  await database.drop()
})

/** Everything that a migration makes, as PostgreSQL knows it. */
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

/** Starts a shop that is killed when the migrations are there. @returns the statement at which it was */
async function startAndDie(dataDir: string, is: (passing: Passing) => boolean): Promise<string> {
  let pid: number | undefined
  let last = ''
  way.watch((passing) => {
    if (last || !is(passing)) return last !== ''
    last = passing.text
    if (pid) process.kill(pid, 'SIGKILL')
    return true
  })
  const settings = { DATABASE_URL: way.url, DATA_DIR: dataDir, PORT: '0', DEMO: 'off' }
  const { isReady } = await spawnShop(settings, (child) => {
    pid = child.pid
  })
  expect(isReady).toBe(false)
  expect(last).not.toBe('')
  way.watch(null)
  way.mend()
  return last
}

/** True when so many migrations are written down, and so many statements of the next are through. */
function within(noted: number, statement: number) {
  let [notes, statements] = [0, 0]
  return ({ text, moment }: Passing) => {
    if (moment !== 'answered') return false
    if (applied.test(text)) notes += 1
    else if (notes >= noted && /^\s*(create|alter|update|drop)/i.test(text)) statements += 1
    return notes === noted && statements >= statement
  }
}

test.each([
  ['in the first of them', within(0, 3)],
  ['between two', within(2, 0)],
  [
    'after the last, before the commit',
    ({ text, moment }: Passing) => moment === 'asked' && /^commit/i.test(text),
  ],
])(
  'of a shop that has sold, killed %s: nothing of it is left, and then it is whole',
  async (_, is) => {
    const fresh = await testDatabase()
    await migrate(fresh.url, migrations)
    const whole = await shapeOf(fresh)
    await fresh.drop()

    await withMigrationsUpTo(timeOf(7), (folder) => migrate(database.url, folder))
    await stockPart(database.pool, { onHand: 5, name: 'Old fan' })
    const before = [await shapeOf(database), await wholeDatabase(database.url)]
    shop = undefined
    const dataDir = await dataFolder()
    await startAndDie(dataDir, is)
    await expect
      .poll(async () => [await shapeOf(database), await wholeDatabase(database.url)])
      .toEqual(before)

    shop = await startShop({ DATABASE_URL: way.url, DEMO: 'off' }, dataDir)
    expect(await shapeOf(database)).toEqual(whole)
    const { migrations: done } = await wholeDatabase(database.url)
    expect(done).toHaveLength(journal.entries.length)
    const { rows } = await database.pool.query('select name, on_hand from parts')
    expect(rows).toEqual([{ name: 'Old fan', on_hand: 5 }])
  },
)

test('of an empty database, killed again and again: the start that lives finds nothing half-made', async () => {
  const dataDir = await dataFolder()
  for (const [noted, statement] of [
    [0, 2],
    [4, 1],
    [9, 3],
  ] as const) {
    await startAndDie(dataDir, within(noted, statement))
    expect(await shapeOf(database)).toEqual([])
  }
  shop = await startShop({ DATABASE_URL: way.url, DEMO: 'off' }, dataDir)
  expect((await wholeDatabase(database.url)).migrations).toHaveLength(journal.entries.length)
})
