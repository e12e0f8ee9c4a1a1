import { execFile } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { outsideCluster } from '#server/postgres/cluster.ts'

/** Far more than the concurrently open shops need. */
const enoughBytes = 4 * 2 ** 30

/**
 * The place for the data of test shops: in memory on a Linux with enough space, because a busy disk
 * makes a new database wait for seconds, and its file system uses more of a core than opening the
 * shop. TEST_DATA_IN names another folder.
 */
function folderForData(): string {
  if (process.env.TEST_DATA_IN) return process.env.TEST_DATA_IN
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize < enoughBytes ? tmpdir() : '/dev/shm'
  } catch {
    return tmpdir()
  }
}

/** A new, empty folder for a shop's data. */
export const shopFolder = (within = folderForData()): Promise<string> =>
  mkdtemp(path.join(within, 'ferrite-shop-'))

/**
 * A new, empty folder for a shop's data, which PostgreSQL's user can enter when root runs the
 * tests.
 */
export async function dataFolder(within?: string): Promise<string> {
  const folder = await shopFolder(within)
  await chmod(folder, 0o755)
  return folder
}

/**
 * A new data folder with a shop's database: a copy of the one from the global set-up, because
 * creating one takes a second of a core. For tests it comes from a shop that was never opened, for
 * stories from the demo shop. Without a set-up the folder is empty, and the shop creates its
 * database.
 */
export async function readyDataFolder(): Promise<string> {
  const folder = await dataFolder()
  const { TEST_DATA_FOLDER: ready } = process.env
  if (ready) await promisify(execFile)('cp', ['-a', `${ready}/.`, folder])
  return folder
}

/**
 * Removes a data folder, and its database if root keeps it elsewhere. The database must be stopped.
 */
export async function removeDataFolder(folder: string): Promise<void> {
  const password = await readFile(path.join(folder, 'secrets/database-password'), 'utf8').catch(
    () => undefined,
  )
  if (password) await rm(outsideCluster(password), { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
