import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { errno, makeSecretFile, readSecretFile } from '#server/data-folder.ts'
import { StartError } from '#server/errors.ts'

export type Password = {
  text: string
  /** Made by a first start, whose database does not exist yet. */
  isNew: boolean
}

const fileIn = (dataDir: string) => path.join(dataDir, 'secrets/database-password')
const pendingIn = (dataDir: string) => `${fileIn(dataDir)}.new`

/** The password of an existing database; undefined when this folder never had one. */
export const storedPassword = (dataDir: string): Promise<string | undefined> =>
  readSecretFile(fileIn(dataDir))

/** Whether the folder has files of a shop that are useless without its database. */
const isOfShop = (dataDir: string) =>
  ['secrets/app-secret', 'images/shop-id'].some((name) => existsSync(path.join(dataDir, name)))

/**
 * The database's password, stored in `<dataDir>/secrets/database-password`. A first start writes it
 * under a temporary name, and renames it once the database exists (`keepPassword`). So a folder
 * with a password but without a database has lost its database. Processes that start at once all
 * get the same password.
 * @throws StartError when the folder has the secrets or pictures of a shop whose database was never
 * in it
 */
export async function databasePassword(dataDir: string): Promise<Password> {
  const stored = await storedPassword(dataDir)
  if (stored) return { text: stored, isNew: false }
  const pending = pendingIn(dataDir)
  const started = await readSecretFile(pending)
  if (!started && isOfShop(dataDir)) {
    const finished = await storedPassword(dataDir)
    if (!finished) throw databaseMissing(dataDir)
    return { text: finished, isNew: false }
  }
  if (!started) await makeSecretFile(pending, randomBytes(24).toString('base64url'))
  // Another start may have created its database and renamed its password before ours was written.
  const finished = await storedPassword(dataDir)
  if (!finished) return { text: (await readSecretFile(pending)) ?? '', isNew: true }
  await rm(pending, { force: true })
  return { text: finished, isNew: false }
}

/** Renames the password file, because the database now exists. */
export async function keepPassword(dataDir: string): Promise<void> {
  await rename(pendingIn(dataDir), fileIn(dataDir)).catch((error) => {
    // Another start was quicker.
    if (errno(error) !== 'ENOENT') throw error
  })
}

/**
 * The error for a missing database, because a folder that had one must not silently become a new
 * shop.
 */
export function databaseMissing(dataDir: string, expected = path.join(dataDir, 'postgresql')) {
  return new StartError(
    `${dataDir} holds the secrets or pictures of a shop and not its database, which should be in ${expected}: bring that folder ` +
      'back too, or restore a backup (npm run restore) into an empty folder. If the shop had a DATABASE_URL, set it ' +
      'again. For a new shop, name an empty folder in DATA_DIR.',
  )
}
