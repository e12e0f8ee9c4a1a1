/** The server process: start it on a cluster, find it, stop it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '#server/errors.ts'
import { type Account, BARE_ENV, run, spawnedAs } from './accounts.ts'
import { cannotRun } from './binaries.ts'

/** Where a data folder's database lives and who runs it. */
export type Place = {
  /** PostgreSQL's own folder (PGDATA) */
  cluster: string
  /** the folder with PostgreSQL's bin/, lib/ and share/ */
  binaries: string
  account: Account
}

/** A PostgreSQL server that runs on a cluster; `ready` once it takes connections. */
export type Postmaster = { pid: number; port: number; ready: boolean }

const POLL_MS = 5
const TIMEOUT_MS = 30_000

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * The server that runs on a cluster, whichever process started it. A lock file left by a crash of the machine,
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

/** The files belong to a running server: a copy of them may be torn, and moved ones are still that server's. */
function copiedWhileRunning(cluster: string, original: string): StartError {
  return new StartError(
    `${cluster} was copied or moved from ${original} while the shop there ran: stop that shop, then copy its data ` +
      'folder again, or make a backup of it with npm run backup.',
  )
}

async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (existsSync('/proc/self/cmdline')) {
    // Empty for a zombie, which is gone a moment later; unreadable counts as alive.
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
  const gone = async (timeoutMs: number) => {
    const until = Date.now() + timeoutMs
    while (Date.now() < until) {
      if ((await findPostmaster(cluster))?.pid !== running.pid) return true
      await pause(POLL_MS)
    }
    return false
  }
  if (await gone(TIMEOUT_MS)) return
  process.kill(running.pid, 'SIGQUIT')
  await gone(TIMEOUT_MS)
}

export type PostgresSettings = Record<string, string | number>

const settings = (port: number): PostgresSettings => ({
  port,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // enough also for the maximum of WORKERS
  max_connections: 300,
  shared_buffers: '128MB',
  fsync: 'on',
  // Small files: crash recovery stays short and the disk stays small.
  max_wal_size: '256MB',
  max_parallel_workers_per_gather: 0,
  // A query whose client died ends soon, so that its locks go too.
  client_connection_check_interval: '1s',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are the shop's to report; here only starts, stops and what is fatal.
  log_min_messages: 'log',
  log_checkpoints: 'off',
})

/**
 * Starts a server in a session of its own, so that Ctrl-C in the terminal does not reach it, and waits
 * until it is ready, however long recovery takes.
 * @returns undefined when ready, else what the server said before it ended
 */
export async function launch(
  place: Place,
  port: number,
  logFile: string,
  differing: PostgresSettings = {},
): Promise<string | undefined> {
  const { cluster, binaries, account } = place
  const output = await open(logFile, 'a', 0o600)
  const { size } = await output.stat()
  try {
    if (account) await output.chown(account.uid, account.gid)
    const words = Object.entries({ ...settings(port), ...differing }).flatMap(([k, v]) => [
      '-c',
      `${k}=${v}`,
    ])
    const postgres = path.join(binaries, 'bin/postgres')
    const [command, args, as] = spawnedAs(account, postgres, ['-D', cluster, ...words])
    const child = spawn(command, args, {
      cwd: cluster,
      env: BARE_ENV,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      ...as,
    })
    const failure = new Promise<string>((resolve, reject) => {
      child.once('error', (error) => reject(cannotRun(error.message)))
      child.once('exit', () =>
        readFile(logFile, 'utf8').then(
          (text) => resolve(text.slice(size)),
          () => resolve(''),
        ),
      )
    })
    child.unref()
    return await Promise.race([failure, readiness(cluster, child)])
  } finally {
    await output.close()
  }
}

async function readiness(
  cluster: string,
  child: { pid?: number; exitCode: number | null; signalCode: string | null },
): Promise<undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    const running = await findPostmaster(cluster)
    if (running?.pid === child.pid && running?.ready) return
    await pause(POLL_MS)
  }
  // It has ended: the other side of the race says why.
  return new Promise(() => {})
}

/** The port the cluster was served on last, when it is free now, else any free one. */
export async function choosePort(cluster: string): Promise<number> {
  const last = await readFile(path.join(cluster, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = Number(/"port=(\d+)"/.exec(last)?.[1] ?? 0)
  return (await freePort(port)) || (await freePort(0))
}

/** A port of 127.0.0.1 that is free now. @param port 0 for any @returns 0 when it is not free */
export function freePort(port: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(0))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const port = address && typeof address === 'object' ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

const LOG_BYTES = 5 * 1024 * 1024

/** Keeps a log at most 5 MB and one older part (`.1`); safe while PostgreSQL has it open for appending. */
export async function boundLog(file: string): Promise<void> {
  const size = await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
  if (size <= LOG_BYTES) return
  await rm(`${file}.1`, { force: true })
  await copyFile(file, `${file}.1`)
  await truncate(file)
}
