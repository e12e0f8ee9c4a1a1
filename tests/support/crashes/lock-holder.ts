import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type User = { name: string; uid: number; gid: number }

/** The report of a process that tries to own a database: success, or the reason for the refusal. */
type Report = { url?: string; takenOver?: boolean; refused?: string }

type Holder = {
  child: ChildProcess
  pid: number
  report: Promise<Report>
  /** The exit code once it has ended; null after a signal. */
  ended: Promise<number | null>
  /** Ends it with a signal and waits until it has exited. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

const entry = fileURLToPath(new URL('./hold-database.ts', import.meta.url))
const checkout = join(entry, '../../../..')
const entryIn = (folder: string) => join(folder, relative(checkout, entry))
const running = new Set<Holder>()

/** Root as in a container: it cannot give PostgreSQL's user access to closed folders. */
export const confined = ['setpriv', '--bounding-set=-dac_read_search', '--'] as const

/**
 * Starts a process, in a separate group, that owns the database of a data folder until it is ended.
 * @param as who starts it: a user, or a command prefix
 * @param from the checkout it is started in
 */
export function hold(
  dataDir: string,
  owner: string,
  as: User | readonly string[] = [],
  from = checkout,
): Holder {
  const [user, before] = 'uid' in as ? [as, []] : [undefined, as]
  const [file = '', ...words] = [...before, process.execPath, entryIn(from), dataDir, owner]
  const child = spawn(file, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
    ...(user && { uid: user.uid, gid: user.gid }),
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended: Holder['ended'] = once(child, 'close').then(([code]) => code)
  const holder: Holder = {
    child,
    pid: child.pid ?? 0,
    report: Promise.race([
      once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(line)),
      ended.then(() => ({ refused: `nothing but: ${errors}` })),
    ]),
    ended,
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
  running.add(holder)
  ended.then(() => running.delete(holder))
  return holder
}

/** Ends the processes that hold() started and a failed test left running. */
export async function endAll(): Promise<void> {
  for (const holder of running) await holder.end()
}

/** Owns the database and returns its URL; fails with the message if refused. */
export async function mustHold(
  dataDir: string,
  owner: string,
  as?: User | readonly string[],
  from?: string,
): Promise<Holder & { url: string; takenOver: boolean }> {
  const holder = hold(dataDir, owner, as, from)
  const { url, takenOver = false, refused } = await holder.report
  if (!url) throw new Error(refused)
  return { ...holder, url, takenOver }
}

/**
 * The users as which the tests start databases: the current user and, if that is root, an ordinary
 * user too.
 */
export function users(): { self: User; ordinary: User | undefined } {
  const self = { name: 'this user', uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
  if (self.uid !== 0) return { self, ordinary: undefined }
  const number = (flag: string) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  const nobody = { name: 'an ordinary user', uid: number('-u'), gid: number('-g') }
  // Only if that user can enter the checkout at all.
  const probe = spawnSync(process.execPath, ['-e', `fs.readFileSync(${JSON.stringify(entry)})`], {
    cwd: '/',
    uid: nobody.uid,
    gid: nobody.gid,
  })
  return { self: { ...self, name: 'root' }, ordinary: probe.status === 0 ? nobody : undefined }
}
