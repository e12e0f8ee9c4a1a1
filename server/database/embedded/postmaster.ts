import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { run } from '#server/database/embedded/run.ts'
import { StartError } from '#server/start-error.ts'

/** A PostgreSQL server that runs on a cluster; `ready` once it takes connections. */
export type Postmaster = { pid: number; port: number; ready: boolean }

const POLL_MS = 5
const PATIENCE_MS = 30_000

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * The server that runs on a cluster, started by whomever. A lock file left by a crash of the machine,
 * whose number now belongs to some other program, is removed: PostgreSQL itself would stop at it.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = path.join(cluster, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!pid || !isAlive(pid)) return undefined
  if (!(await isServerOf(pid, cluster))) {
    if (lines[1] && lines[1] !== cluster && (await isServerOf(pid, lines[1])))
      throw copiedWhileRunning(cluster, lines[1])
    if (isAlive(pid)) await rm(file, { force: true })
    return undefined
  }
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/** The files come from under a server that runs: as a copy they may be torn, as the moved ones they are that server's. */
function copiedWhileRunning(cluster: string, original: string): StartError {
  return new StartError(
    `${cluster} was copied or moved from ${original} while the shop there ran: stop that shop, then copy its data ` +
      'folder again, or make a backup of it with npm run backup.',
  )
}

async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (existsSync('/proc/self/cmdline')) {
    // Empty for a program that has ended and waits to be buried, and gone a moment later; unreadable counts as alive.
    const isGone = ({ code = '' }: NodeJS.ErrnoException) => ['ENOENT', 'ESRCH'].includes(code)
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error) =>
      isGone(error) ? '' : cluster,
    )
    return words.split('\0').includes(cluster)
  }
  return (await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).output.includes(cluster)
}

/** Fast shutdown; resolves when the server has written everything. After 30 s it is made to stop at once. */
export async function stopPostmaster(cluster: string): Promise<void> {
  const running = await findPostmaster(cluster)
  if (!running) return
  process.kill(running.pid, 'SIGINT')
  const gone = async (timeouts: number) => {
    const until = Date.now() + timeouts
    while (Date.now() < until) {
      if ((await findPostmaster(cluster))?.pid !== running.pid) return true
      await pause(POLL_MS)
    }
    return false
  }
  if (await gone(PATIENCE_MS)) return
  process.kill(running.pid, 'SIGQUIT')
  await gone(PATIENCE_MS)
}
