import { chown, lchown, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { canUse, isKnownUser, isRoot, serviceAccount } from '#server/database/embedded/account.ts'
import { canRunInstalled, findBinaries, SYSTEM_FOLDER } from '#server/database/embedded/binaries.ts'
import { isCluster } from '#server/database/embedded/cluster.ts'
import {
  elsewhereFile,
  findOutside,
  outsideCluster,
  writeElsewhere,
} from '#server/database/embedded/elsewhere.ts'
import { findPostmaster } from '#server/database/embedded/postmaster.ts'
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

const insideCluster = (dataDir: string) => path.join(dataDir, 'postgresql')

/**
 * Where the database of a data folder is: in it, or where the folder says.
 * @returns undefined when it has none
 * @throws StartError when it is gone, or was made for another folder
 */
export async function findCluster(dataDir: string, password: string): Promise<string | undefined> {
  const inside = insideCluster(dataDir)
  return isCluster(inside) ? inside : findOutside(dataDir, password)
}

/** Decides where the new database of `dataDir` will be, and as which user PostgreSQL runs: inside, if that user can be there. */
export async function newPlace(dataDir: string, password: string): Promise<Place> {
  const inside = insideCluster(dataDir)
  if (!isRoot())
    return { cluster: inside, binaries: await findBinaries(undefined), account: undefined }
  const user = await newOwner(dataDir)
  const able = await whoCan(user, (account) => canEnter(dataDir, account))
  const cluster = able ? inside : outsideCluster(password)
  if (!able) {
    await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
    await writeElsewhere(dataDir, cluster)
  }
  return placeFor(cluster, able ?? user)
}

/**
 * Where the database that is there is run, and as whom. One that lies outside moves in as soon as its user can be there.
 * @throws StartError when nobody can run it
 */
export async function knownPlace(
  dataDir: string,
  found: string,
  log: (line: string) => void,
): Promise<Place> {
  const inside = insideCluster(dataDir)
  if (!isRoot()) {
    await assertSchemaVersion(found)
    return { cluster: found, binaries: await findBinaries(undefined), account: undefined }
  }
  const user = await ownerOf(found)
  const cluster = found === inside || (await moveIn(dataDir, found, user)) ? inside : found
  if (cluster !== found) log(`The database moved from ${found} to ${cluster}`)
  if (cluster === inside) await rm(elsewhereFile(dataDir), { force: true })
  else await writeElsewhere(dataDir, cluster)
  const able = await whoCan(user, (account) => canUse(cluster, account))
  if (able) return placeFor(cluster, able)
  throw new StartError(
    `PostgreSQL runs as user number ${user?.uid}, who cannot enter ${cluster}: let that user pass ` +
      'the folders above it (chmod o+x), or set DATA_DIR to another folder.',
  )
}

/** Runs what is in the checkout if its user gets there, with the right to pass if need be. */
async function placeFor(cluster: string, user: Account): Promise<Place> {
  const account = (await whoCan(user, canRunInstalled)) ?? user
  return { cluster, binaries: await findBinaries(account), account }
}

/** The user as it is, else with the right to pass closed folders, else nobody. */
async function whoCan(
  user: Account,
  can: (account: Account) => Promise<boolean>,
): Promise<Account> {
  if (await can(user)) return user
  const passing = user && { ...user, passes: true }
  return passing && (await can(passing)) ? passing : undefined
}

/** @returns whether the database is in the folder now; it stays outside on another disk, or while a server runs on it */
async function moveIn(dataDir: string, outside: string, user: Account): Promise<boolean> {
  if (await findPostmaster(outside)) return false
  if (!(await whoCan(user, (account) => canEnter(dataDir, account)))) return false
  return rename(outside, insideCluster(dataDir)).then(
    () => true,
    () => false,
  )
}

async function assertSchemaVersion(cluster: string): Promise<void> {
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
  if (uid !== 0) return { uid, gid }
  const account = await serviceAccount()
  await giveTo(cluster, account)
  return account
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
