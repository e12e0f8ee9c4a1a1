import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { cannotRun } from '#server/database/embedded/binaries.ts'
import { diskFull } from '#server/database/embedded/failure.ts'
import type { Place } from '#server/database/embedded/place.ts'
import { isAlive } from '#server/database/embedded/postmaster.ts'
import { run } from '#server/database/embedded/run.ts'
import { freeBytes } from '#server/database/free-space.ts'
import { StartError } from '#server/start-error.ts'

const VERSION = '18'
const NEEDED_TO_CREATE = 128 * 1024 * 1024
const NEEDED_TO_START = 32 * 1024 * 1024

// Only the shop's role gets in, only from this machine, only with its password; the superuser only by hand,
// with `postgres --single`.
const ACCESS = 'host all ferrite 127.0.0.1/32 scram-sha-256\n'

export const isCluster = (folder: string): boolean => existsSync(path.join(folder, 'PG_VERSION'))

/** Makes the database files unless they are there. An attempt that dies half-way leaves no trace that counts. */
export async function createCluster(
  place: Place,
  password: string,
  log: (line: string) => void,
): Promise<void> {
  const { cluster } = place
  await assertFreeSpace(cluster, NEEDED_TO_CREATE)
  await removeLeftovers(cluster)
  if (isCluster(cluster)) return
  log(`Creating the database in ${cluster}`)
  const draft = `${cluster}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await fill({ ...place, cluster: draft }, password)
    await rename(draft, cluster).catch((error) => {
      // Another start was quicker: its files are as good.
      if (isCluster(cluster)) return
      throw new StartError(
        `${cluster} holds something that is no database (${error.code}): move it away and start again.`,
      )
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** @throws StartError when the disk has no room to start the database in, or it is another PostgreSQL's */
export async function assertStartable({ cluster }: Place): Promise<void> {
  await assertFreeSpace(cluster, NEEDED_TO_START)
  await removeLeftovers(cluster)
  const version = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version === VERSION) return
  throw new StartError(
    `The database in ${cluster} was made by PostgreSQL ${version} and this shop brings ${VERSION}: ` +
      'dump it with the release that made it, or set DATA_DIR to another folder.',
  )
}

async function assertFreeSpace(cluster: string, bytes: number): Promise<void> {
  const folder = path.dirname(cluster)
  if ((await freeBytes(folder)) < bytes) throw diskFull(folder)
}

async function fill({ cluster, binaries, account }: Place, password: string): Promise<void> {
  await mkdir(cluster, { mode: 0o700 })
  if (account) await chown(cluster, account.uid, account.gid)
  const made = await run(
    path.join(binaries, 'bin/initdb'),
    `-U postgres -A reject -E UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
      --data-checksums --no-instructions -D`
      .split(/\s+/)
      .concat(cluster),
    { account },
  )
  if (made.code !== 0) throw notCreated(cluster, made.error)
  const access = path.join(cluster, 'pg_hba.conf')
  await writeFile(access, ACCESS)
  const filled = await run(
    path.join(binaries, 'bin/postgres'),
    ['--single', '-D', cluster, '-c', 'log_min_messages=error', 'postgres'],
    {
      account,
      input: `create role ferrite login createdb password '${password}'\ncreate database ferrite owner ferrite\n`,
    },
  )
  if (filled.code !== 0 || /ERROR|FATAL|PANIC/.test(filled.error)) {
    throw notCreated(cluster, filled.error)
  }
}

function notCreated(cluster: string, error: string): StartError {
  if (/No space left|Disk quota/.test(error)) return diskFull(path.dirname(cluster))
  const lines = error.trim().split('\n')
  const reason = lines.find((line) => /error|fatal|panic/i.test(line)) ?? lines.at(-1) ?? ''
  return cannotRun(reason.trim() || 'initdb could not be started')
}

/** Drafts of processes that died while they were creating. */
async function removeLeftovers(cluster: string): Promise<void> {
  const folder = path.dirname(cluster)
  const prefix = `${path.basename(cluster)}.new-`
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
    if (!pid || isAlive(pid)) continue
    // An initdb that outlived its parent may still write there: then the next start removes it.
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}
