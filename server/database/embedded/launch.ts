import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cannotRun } from '#server/database/embedded/binaries.ts'
import type { Place } from '#server/database/embedded/place.ts'
import { findPostmaster } from '#server/database/embedded/postmaster.ts'
import { BARE_ENV, spawnedAs } from '#server/database/embedded/run.ts'

const POLL_MS = 5

export type PostgresSettings = Record<string, string | number>

const settings = (port: number): PostgresSettings => ({
  port,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
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
