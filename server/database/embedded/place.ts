import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, lchown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { canUse, isKnownUser, isRoot, serviceAccount } from '#server/database/embedded/account.ts'
import { findBinaries, SYSTEM_FOLDER } from '#server/database/embedded/binaries.ts'
import type { Account } from '#server/database/embedded/run.ts'
import { StartError } from '#server/start-error.ts'

/** Where a data folder's database lives and who runs it. */
export type Place = {
  /** PostgreSQL's own folder (PGDATA) */
  cluster: string
  /** the folder with PostgreSQL's bin/, lib/ and share/ */
  binaries: string
  account: Account
}

/**
 * Where root keeps the database of a data folder that PostgreSQL's user cannot enter. Named after the
 * folder's secret, so that a moved data folder finds it again and an emptied one starts afresh.
 */
export function outsideCluster(password: string): string {
  return path.join(SYSTEM_FOLDER, createHash('sha256').update(password).digest('hex').slice(0, 16))
}

export const isCluster = (folder: string): boolean => existsSync(path.join(folder, 'PG_VERSION'))

/** Decides where the database of `dataDir` is, or will be, and as which user PostgreSQL runs. */
export async function findPlace(dataDir: string, password: string): Promise<Place> {
  const inside = path.join(dataDir, 'postgresql')
  const outside = outsideCluster(password)
  const existing = [inside, outside].find(isCluster)
  if (!isRoot()) {
    if (existing) await mustBeOurs(existing)
    const cluster = existing ?? inside
    return { cluster, binaries: await findBinaries(undefined), account: undefined }
  }
  const account = existing ? await ownerOf(existing) : await newOwner(dataDir)
  const cluster = existing ?? ((await canEnter(dataDir, account)) ? inside : outside)
  if (cluster === outside) await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  return { cluster, binaries: await findBinaries(account), account }
}

async function mustBeOurs(cluster: string): Promise<void> {
  const { uid } = await stat(cluster)
  if (uid === process.getuid?.()) return
  throw new StartError(
    `The database in ${cluster} belongs to another user (number ${uid}): start as that user or as ` +
      'root, give the folder to yourself with chown -R, or set DATA_DIR to another folder.',
  )
}

/** The user who owns the files runs the server; files of root (a restored copy, say) change hands. */
async function ownerOf(cluster: string): Promise<Account> {
  const { uid, gid } = await stat(cluster)
  const account = uid === 0 ? await serviceAccount() : { uid, gid }
  if (uid === 0) await giveTo(cluster, account)
  if (await canUse(cluster, account)) return account
  throw new StartError(
    `PostgreSQL runs as user number ${account?.uid}, who cannot enter ${cluster}: let that user pass ` +
      'the folders above it (chmod o+x), or set DATA_DIR to another folder.',
  )
}

/** New files belong to whoever owns the data folder, so that root and that user can both start the shop. */
async function newOwner(dataDir: string): Promise<Account> {
  const { uid, gid } = await stat(dataDir)
  return uid !== 0 && (await isKnownUser(uid)) ? { uid, gid } : serviceAccount()
}

async function canEnter(dataDir: string, account: Account): Promise<boolean> {
  const probe = await mkdtemp(path.join(dataDir, '.probe-'))
  try {
    if (account) await chown(probe, account.uid, account.gid)
    return await canUse(probe, account)
  } finally {
    await rm(probe, { recursive: true, force: true })
  }
}

async function giveTo(folder: string, account: Account): Promise<void> {
  if (!account) return
  await lchown(folder, account.uid, account.gid)
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(path.join(folder, entry), account.uid, account.gid)
  }
}
