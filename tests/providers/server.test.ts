/**
 * A server set up as in docs/server.md: dist/ with its packages from npm, run by the systemd unit's
 * own command.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRoot, run } from '#server/postgres/accounts.ts'
import { users } from '#tests/support/crashes/lock-holder.ts'
import { call } from '#tests/support/people.ts'
import { describeServer, findProgram, NotHere } from '#tests/support/servers/real-server.ts'
import { program } from '#tests/support/shop-process.ts'

const { ordinary } = users()
let above: string
/** The folder that the unit calls /opt/ferrite/current. */
const current = () => join(above, 'current')
const children: ChildProcess[] = []
beforeAll(async () => {
  above = await mkdtemp(join(tmpdir(), 'ferrite-server-'))
  await chmod(above, 0o755)
})
afterAll(async () => {
  for (const child of children) {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await rm(above, { recursive: true })
})

/** Writes the units of deploy/ with this machine's folder. */
async function writeUnits(): Promise<string[]> {
  const folder = join(import.meta.dirname, '../../deploy')
  const names = (await readdir(folder)).filter((name) => /\.(service|timer)$/.test(name))
  return Promise.all(
    names.map(async (name) => {
      const file = join(above, name)
      const text = await readFile(join(folder, name), 'utf8')
      await writeFile(file, text.replaceAll('/opt/ferrite/current', current()))
      return file
    }),
  )
}

/** The value of a line of the shop's unit. */
async function unitLine(name: string): Promise<string> {
  const text = await readFile(join(above, 'ferrite.service'), 'utf8')
  return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
}

async function install(): Promise<void> {
  await cp(dirname(await program('main')), current(), { recursive: true })
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund'], { cwd: current() })
  let errorOutput = ''
  npm.stderr.on('data', (chunk) => {
    errorOutput += chunk
  })
  const [code] = await once(npm, 'exit')
  if (code !== 0)
    throw new NotHere(`npm could not install its packages: ${errorOutput.slice(-500)}`)
}

await describeServer(
  'systemd',
  () => findProgram('systemd-analyze', 'systemd'),
  (analyze) => {
    beforeAll(async () => {
      // the unit's command must exist
      await mkdir(join(current(), 'node_modules/.bin'), { recursive: true })
      const node = join(current(), 'node_modules/.bin/node')
      await writeFile(node, '', { mode: 0o755 })
    })
    afterAll(() => rm(current(), { recursive: true }))

    test('takes the units without a word', async () => {
      const { code, output, error } = await run(analyze, ['verify', ...(await writeUnits())])
      expect([output, error, code]).toEqual(['', '', 0])
    })

    test('finds little that the shop may do', async () => {
      await writeUnits()
      for (const [unit, most] of [
        ['ferrite', 15],
        ['ferrite-backup', 30],
        ['ferrite-copy', 30],
      ]) {
        const words = ['security', '--offline=true', `--threshold=${most}`, '--no-pager']
        const { code, output } = await run(analyze, [...words, join(above, `${unit}.service`)])
        expect(code, output).toBe(0)
      }
    })
  },
)

/** The exit code of the container's health check, for a shop on this port. */
async function healthOf(PORT: string): Promise<number> {
  const text = await readFile(join(current(), 'deploy/Containerfile'), 'utf8')
  const [file, ...words] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(text)?.[1] ?? '')
  const check = spawn(join(current(), file), words, { env: { PORT }, stdio: 'ignore' })
  return (await once(check, 'exit'))[0]
}

const listener = `
import os, socket, sys
listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listening.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
print('listening', flush=True)
while True:
    print(listening.recv(4096).decode(), flush=True)
`

await describeServer(
  'the unit’s command',
  () => {
    if (!isRoot() || !ordinary) throw new NotHere('only root may run it as another user')
    findProgram('systemd-notify', 'systemd')
    return { python: findProgram('python3'), unshare: findProgram('unshare', 'util-linux') }
  },
  ({ python, unshare }) => {
    test.for(['1', '2'])(
      'with WORKERS=%s runs as a user without rights on files it cannot change, tells systemd, and ends in time',
      async (WORKERS, { task, skip }) => {
        await install().catch((error) => {
          if (!(error instanceof NotHere)) throw error
          task.meta.notHere = `npm: ${error.message}`
          skip(error.message)
        })
        await writeUnits()
        const data = join(above, `data-${WORKERS}`)
        await mkdir(data)
        await chown(data, ordinary?.uid ?? 0, ordinary?.gid ?? 0)
        const socket = join(above, `notify-${WORKERS}`)
        const systemd = spawn(python, ['-c', listener, socket])
        children.push(systemd)
        let notifications = ''
        systemd.stdout.on('data', (chunk) => {
          notifications += chunk
        })
        await expect.poll(() => notifications).toContain('listening')

        const readOnly = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"`
        const as = [`--reuid=${ordinary?.uid}`, `--regid=${ordinary?.gid}`, '--clear-groups']
        const limits = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
        const settings = (await unitLine('Environment')).split(' ').map((pair) => pair.split('='))
        const shop = spawn(
          unshare,
          [
            ...['--mount', 'sh', '-c', readOnly, current()],
            ...['setpriv', ...as, ...limits],
            ...(await unitLine('ExecStart')).split(' '),
          ],
          {
            env: {
              PATH: process.env.PATH,
              ...Object.fromEntries(settings),
              DATA_DIR: data,
              PORT: '0',
              WORKERS,
              NOTIFY_SOCKET: socket,
            },
          },
        )
        children.push(shop)
        let output = ''
        for (const stream of [shop.stdout, shop.stderr])
          stream.on('data', (chunk) => {
            output += chunk
          })
        await expect.poll(() => notifications + output).toContain('READY=1')
        await expect.poll(() => output).toMatch(/Open http:/)
        const origin = /Open (http:\S+)/.exec(output)?.[1] ?? ''
        expect((await call(origin, 'GET', '/healthz')).status).toBe(200)
        expect(await healthOf(new URL(origin).port)).toBe(0)
        expect(await healthOf('1')).toBe(1)
        await expect.poll(() => notifications).toContain('WATCHDOG=1')
        const began = performance.now()
        shop.kill()
        expect(await once(shop, 'exit')).toEqual([0, null])
        const seconds = Number(await unitLine('TimeoutStopSec'))
        expect((performance.now() - began) / 1000).toBeLessThan(seconds)
      },
    )
  },
)
