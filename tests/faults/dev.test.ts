/**
 * `npm run dev` in a copy of the sources: an edit is served without a restart, and a stop ends the
 * database too.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { atLength } from '#tests/support/length.ts'
import { call } from '#tests/support/people.ts'
import { spawnShop } from '#tests/support/shop-process.ts'

const root = join(import.meta.dirname, '../..')
/** The sources and their configuration. */
const copied = /^(contracts|drizzle|public|sandbox|server|web|package.json|.*config.*)$/
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function copyOfSources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'ferrite-dev-'))
  folders.push(copy)
  for (const name of await readdir(root))
    if (copied.test(name)) await cp(join(root, name), join(copy, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

test.runIf(atLength)(
  'an edit is served by the same process, a broken one is not; SIGTERM stops the database too',
  async () => {
    const copy = await copyOfSources()
    const DATA_DIR = await dataFolder()
    const environment = { DATA_DIR, PORT: '0', DEMO: 'off', NODE_ENV: 'development' }
    const { child, isReady, output } = await spawnShop(environment, ['--dev'], {
      folder: copy,
      main: 'server/main.ts',
    })
    expect(isReady, output()).toBe(true)
    const origin = /Open (http:\S+)/.exec(output())?.[1] ?? ''
    const refusal = async () => (await call(origin, 'GET', '/api/orders')).body.error.message
    expect(await refusal()).toBe('Log in first')

    const edited = join(copy, 'server/http/guards.ts')
    const source = await readFile(edited, 'utf8')
    await writeFile(edited, source.replace('Log in first', 'Who is there?'))
    await expect.poll(refusal).toBe('Who is there?')
    await writeFile(edited, `${source}}`)
    await expect.poll(output).toContain('reload_failed')
    expect(await refusal()).toBe('Who is there?')
    await writeFile(edited, source)
    await expect.poll(refusal).toBe('Log in first')

    const running = join(DATA_DIR, 'postgresql/postmaster.pid')
    expect(existsSync(running)).toBe(true)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(existsSync(running)).toBe(false)
    await removeDataFolder(DATA_DIR)
  },
)
