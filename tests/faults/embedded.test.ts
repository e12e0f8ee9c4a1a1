import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endAll, hold, mustHold, type User, users } from '#tests/support/crashes/lock-holder.ts'
import { readyDataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { atLength } from '#tests/support/length.ts'

const { self, ordinary } = users()
const patiently = { timeout: 20_000, interval: 20 }
const ADDRESS = 'http://127.0.0.1:4100'

let folder = ''
beforeEach(async () => {
  folder = await readyDataFolder()
})
afterEach(async () => {
  await endAll()
  // A database whose owner was killed still runs: take it over and end it.
  if (existsSync(path.join(folder, 'postgresql/postmaster.pid'))) {
    await (await mustHold(folder, 'the end of the test')).end()
  }
  await removeDataFolder(folder)
})

/** Removes the database from the folder, as before the first start. */
async function makeEmpty(): Promise<void> {
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true })
}
/** Gives the folder and its content to an ordinary user. */
const giveTo = ({ uid, gid }: User) => execFileSync('chown', ['-R', `${uid}:${gid}`, folder])

async function ask(url: string, ...statements: string[]): Promise<pg.QueryResult | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let last: pg.QueryResult | undefined
    for (const statement of statements) last = await client.query(statement)
    return last
  } finally {
    await client.end()
  }
}

const note = (url: string) =>
  ask(url, 'create table note (text text)', "insert into note values ('kept')")
const noted = async (url: string) => (await ask(url, 'select text from note'))?.rows

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, 'postgresql/postmaster.pid'), 'utf8'), 10)
}

// the user who runs the tests; in the full run, root tries both
const tried = atLength && ordinary ? [self, ordinary] : [self]
describe.each(tried)('started by $name', (user) => {
  const own = (owner = ADDRESS) => mustHold(folder, owner, user)
  beforeEach(() => {
    if (user === ordinary) giveTo(user)
  })

  test('the first start makes a durable UTF-8 database, and later starts find what was written', async () => {
    await makeEmpty()
    const first = await own()
    const serverSettings = await ask(
      first.url,
      `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
              current_setting('server_encoding') as encoding, current_user as role`,
    )
    expect(serverSettings?.rows).toEqual([
      { fsync: 'on', checksums: 'on', encoding: 'UTF8', role: 'ferrite' },
    ])
    await note(first.url)
    expect(await first.end()).toBe(0)
    expect(await readdir(path.join(folder, 'postgresql'))).not.toContain('postmaster.pid')

    const second = await own()
    expect(second.takenOver).toBe(false)
    expect(second.url).toBe(first.url)
    expect(await noted(second.url)).toEqual([{ text: 'kept' }])
  })

  test('a second start is told who holds the folder, and ends with a code that is not 0', async () => {
    const first = await own()
    const second = hold(folder, 'http://127.0.0.1:4200', user)
    expect((await second.report).refused).toBe(
      `The data folder ${folder} is in use by the shop at ${ADDRESS} (process ${first.pid}): ` +
        'stop that one, or start this one with another DATA_DIR and PORT.',
    )
    expect(await second.ended).toBe(1)
    expect((await ask(first.url, 'select 1 as one'))?.rows).toEqual([{ one: 1 }])
  })

  test('after kill -9 the next start takes the database over, with clients of the dead one still there', async () => {
    const first = await own()
    await note(first.url)
    const leftover = new pg.Client({ connectionString: first.url })
    leftover.on('error', () => {})
    await leftover.connect()
    await leftover.query('begin')
    await leftover.query("update note set text = 'never committed'")
    await first.end('SIGKILL')

    const second = await own()
    expect(second.takenOver).toBe(true)
    expect(await noted(second.url)).toEqual([{ text: 'kept' }])
    await ask(second.url, "update note set text = 'written after'")
    expect(await noted(second.url)).toEqual([{ text: 'written after' }])
    expect(await second.end()).toBe(0)
  })

  test.runIf(atLength)(
    'of starts at the same moment on an empty folder exactly one wins',
    async () => {
      await makeEmpty()
      const all = ['a', 'b', 'c'].map((name) => hold(folder, `http://${name}.example`, user))
      const reports = await Promise.all(all.map((each) => each.report))
      expect(reports.filter(({ url }) => url)).toHaveLength(1)
      for (const { refused } of reports.filter(({ url }) => !url)) {
        expect(refused).toMatch(
          /^The data folder .* is in use by the shop at http:\/\/[abc]\.example/,
        )
      }
    },
  )

  test.runIf(atLength)('a creation that was killed half-way is done again', async () => {
    await makeEmpty()
    const first = hold(folder, ADDRESS, user)
    const drafts = async () =>
      (await readdir(folder)).filter((name) => name.startsWith('postgresql.new-'))
    await vi.waitFor(async () => {
      const [draft = 'none'] = await drafts()
      expect(await readdir(path.join(folder, draft))).toContain('base')
    }, patiently)
    await first.end('SIGKILL')
    expect(await readdir(folder)).not.toContain('postgresql')

    const second = await own()
    await note(second.url)
    expect(await noted(second.url)).toEqual([{ text: 'kept' }])
    // Its leftovers are removed once nothing writes there.
    await second.end()
    await vi.waitFor(async () => {
      await (await own()).end()
      expect(await drafts()).toEqual([])
    }, patiently)
  })

  test.runIf(atLength)(
    'a lock file left by a crash of the machine, its number now another program, does not block',
    async () => {
      const first = await own()
      const file = path.join(folder, 'postgresql/postmaster.pid')
      const lines = (await readFile(file, 'utf8')).split('\n')
      await first.end()
      const other = spawn('sleep', ['600'], { uid: user.uid, gid: user.gid, cwd: '/' })
      try {
        await writeFile(file, [other.pid, ...lines.slice(1)].join('\n'))
        await chown(file, user.uid, user.gid)
        const second = await own()
        expect(second.takenOver).toBe(false)
      } finally {
        other.kill()
      }
    },
  )

  test('Ctrl-C in the terminal does not reach the database', async () => {
    const first = await own()
    process.kill(-first.pid, 'SIGINT')
    expect(await first.ended).toBe(null)
    expect((await ask(first.url, 'select 1 as one'))?.rows).toEqual([{ one: 1 }])
  })

  test.runIf(atLength)('a database that dies is started again at the same address', async () => {
    const first = await own()
    await note(first.url)
    const before = await postmasterPid()
    process.kill(before, 'SIGKILL')
    await vi.waitFor(async () => {
      expect(await noted(first.url)).toEqual([{ text: 'kept' }])
      expect(await postmasterPid()).not.toBe(before)
    }, patiently)
  })
})

describe.runIf(atLength && ordinary)('root and an ordinary user', () => {
  const other = ordinary as User

  test("root can start an ordinary user's shop, and that user can afterwards", async () => {
    giveTo(other)
    const first = await mustHold(folder, ADDRESS, other)
    await note(first.url)
    await first.end()
    for (const user of [undefined, other]) {
      const next = await mustHold(folder, ADDRESS, user)
      expect(await noted(next.url)).toEqual([{ text: 'kept' }])
      await next.end()
    }
  })

  test("an ordinary user is told why root's folder cannot be used", async () => {
    await (await mustHold(folder, ADDRESS)).end()
    const refused = hold(folder, ADDRESS, other)
    expect((await refused.report).refused).toMatch(
      /^The user nobody may not use .*: start as the user who owns it, .*chown -R/,
    )
    expect(await refused.ended).toBe(1)
  })
})
