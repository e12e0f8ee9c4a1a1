/** The server process: starts it on a cluster, finds it, stops it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '#server/errors.ts'
import { type Account, BARE_ENV, run, spawnedAs } from './accounts.ts'
import { cannotRun } from './binaries.ts'

/** The location of a data folder's database, and the user who runs it. */
export type Place = {
  /** PostgreSQL's own folder (PGDATA) */
  cluster: string
  /** the folder with PostgreSQL's bin/, lib/ and share/ */
  binaries: string
  account: Account
}

/** A PostgreSQL server that runs on a cluster; `ready` once it accepts connections. */
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
 * The server that runs on a cluster, whichever process started it. Removes a lock file left by a
 * crash of the machine when its process id now belongs to another program, because PostgreSQL would
 * refuse to start.
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

/**
 * The error for files that belong to a running server: a copy of them may be inconsistent, and
 * moved ones are still in use.
 */
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

/**
 * Fast shutdown; resolves when the server has written everything. After 30 s, forces it to stop at
 * once.
 */
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
  // enough even for the maximum of WORKERS
  max_connections: 300,
  shared_buffers: '128MB',
  fsync: 'on',
  // Small files keep crash recovery short and use little disk.
  max_wal_size: '256MB',
  max_parallel_workers_per_gather: 0,
  // The query of a dead client ends soon, which releases its locks.
  client_connection_check_interval: '1s',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The shop reports refused statements; this log only has starts, stops and fatal errors.
  log_min_messages: 'log',
  log_checkpoints: 'off',
})

/**
 * Starts a server in its own session, so that Ctrl-C in the terminal does not reach it, and waits
 * until it is ready, however long recovery takes.
 * @returns undefined when ready, else the server's output before it ended
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
  // The server has ended: the other side of the race reports why.
  return new Promise(() => {})
}

/** The cluster's last port if it is free, else any free one. */
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

/**
 * Limits a log to 5 MB plus one older part (`.1`); safe while PostgreSQL has it open for appending.
 */
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
