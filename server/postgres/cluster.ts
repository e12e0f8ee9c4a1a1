/** The database files of a data folder: their location, their owner, and how to create them. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { diskFull, freeBytes } from '#server/data-folder.ts'
import { StartError } from '#server/errors.ts'
import { type Account, canUse, isKnownUser, isRoot, run, serviceAccount } from './accounts.ts'
import { cannotRun, canRunInstalled, findBinaries, SYSTEM_FOLDER } from './binaries.ts'
import { databaseMissing } from './password.ts'
import { findPostmaster, isAlive, type Place } from './process.ts'

const insideCluster = (dataDir: string) => path.join(dataDir, 'postgresql')

/**
 * The location of a data folder's database: in the folder, or where the folder refers to.
 * @returns undefined when it has none
 * @throws StartError when it is gone, or was made for another folder
 */
export async function findCluster(dataDir: string, password: string): Promise<string | undefined> {
  const inside = insideCluster(dataDir)
  return isCluster(inside) ? inside : findOutside(dataDir, password)
}

/**
 * Decides where the new database of `dataDir` will be, and which user PostgreSQL runs as. It is
 * inside the folder, if that user can enter it.
 */
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
 * Where the existing database runs, and as which user. A database outside the folder moves in as
 * soon as its user can enter the folder.
 * @throws StartError when no user can run it
 */
export async function knownPlace(
  dataDir: string,
  current: string,
  log: (line: string) => void,
): Promise<Place> {
  const inside = insideCluster(dataDir)
  if (!isRoot()) {
    await assertOwnFiles(current)
    return { cluster: current, binaries: await findBinaries(undefined), account: undefined }
  }
  const user = await ownerOf(current)
  const cluster = current === inside || (await moveIn(dataDir, current, user)) ? inside : current
  if (cluster !== current) log(`The database moved from ${current} to ${cluster}`)
  if (cluster === inside) await rm(elsewhereFile(dataDir), { force: true })
  else await writeElsewhere(dataDir, cluster)
  const able = await whoCan(user, (account) => canUse(cluster, account))
  if (able) return placeFor(cluster, able)
  throw new StartError(
    `PostgreSQL runs as user number ${user?.uid}, who cannot enter ${cluster}: let that user pass ` +
      'the folders above it (chmod o+x), or set DATA_DIR to another folder.',
  )
}

/** Runs PostgreSQL from the checkout if its user can reach it, with `passes` if necessary. */
async function placeFor(cluster: string, user: Account): Promise<Place> {
  const account = (await whoCan(user, canRunInstalled)) ?? user
  return { cluster, binaries: await findBinaries(account), account }
}

/** The user as it is, else with `passes`, else undefined. */
async function whoCan(
  user: Account,
  can: (account: Account) => Promise<boolean>,
): Promise<Account> {
  if (await can(user)) return user
  const passing = user && { ...user, passes: true }
  return passing && (await can(passing)) ? passing : undefined
}

/**
 * @returns whether the database is in the folder now; it stays outside on another disk, or while a
 * server runs on it
 */
async function moveIn(dataDir: string, outside: string, user: Account): Promise<boolean> {
  if (await findPostmaster(outside)) return false
  if (!(await whoCan(user, (account) => canEnter(dataDir, account)))) return false
  return rename(outside, insideCluster(dataDir)).then(
    () => true,
    () => false,
  )
}

async function assertOwnFiles(cluster: string): Promise<void> {
  const { uid } = await stat(cluster)
  if (uid === process.getuid?.()) return
  throw new StartError(
    `The database in ${cluster} belongs to another user (number ${uid}): start as that user or as ` +
      'root, take ownership of it with chown -R, or set DATA_DIR to another folder.',
  )
}

/**
 * The owner of the files runs the server; files of root (such as a restored copy) get a new owner.
 */
async function ownerOf(cluster: string): Promise<Account> {
  const { uid, gid } = await stat(cluster)
  if (uid !== 0) return { uid, gid }
  const account = await serviceAccount()
  await giveTo(cluster, account)
  return account
}

/**
 * New files belong to the owner of the data folder, so that both root and that user can start the
 * shop.
 */
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

export const elsewhereFile = (dataDir: string): string =>
  path.join(dataDir, 'database-elsewhere.json')

/**
 * The location of a data folder's database, existing or new, when it cannot be inside. The name
 * derives from the folder's secret.
 */
export function outsideCluster(password: string): string {
  return path.join(SYSTEM_FOLDER, createHash('sha256').update(password).digest('hex').slice(0, 16))
}

type Elsewhere = { database: string; madeFor: string }

/** Records the location of the database in the data folder. */
export async function writeElsewhere(dataDir: string, cluster: string): Promise<void> {
  const file = elsewhereFile(dataDir)
  const content = {
    about: `The database of this folder is not in it, because PostgreSQL's user may not enter it: a copy of this folder alone is no backup. Use npm run backup.`,
    database: cluster,
    madeFor: dataDir,
  }
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`)
  await rename(draft, file)
}

async function readElsewhere(dataDir: string): Promise<Elsewhere | undefined> {
  const text = await readFile(elsewhereFile(dataDir), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { database, madeFor } = JSON.parse(text)
    if (typeof database === 'string' && typeof madeFor === 'string') return { database, madeFor }
  } catch {}
  throw new StartError(
    `${elsewhereFile(dataDir)} says where this shop's database is, but cannot be read: restore it as it was.`,
  )
}

/**
 * The database of a data folder that is outside it.
 * @throws StartError when it is gone, or was made for another folder
 */
export async function findOutside(dataDir: string, password: string): Promise<string | undefined> {
  const elsewhere = await readElsewhere(dataDir)
  if (elsewhere && elsewhere.madeFor !== dataDir) throw madeForAnother(dataDir, elsewhere)
  if (elsewhere && !isCluster(elsewhere.database))
    throw databaseMissing(dataDir, elsewhere.database)
  if (elsewhere) return elsewhere.database
  const usualFolder = outsideCluster(password)
  if (!isCluster(usualFolder)) return undefined
  if (await isOlder(path.join(dataDir, 'secrets/database-password'), usualFolder))
    return usualFolder
  throw madeForAnother(dataDir, { database: usualFolder, madeFor: 'another folder' })
}

/**
 * Databases of earlier versions have no file that names their data folder. In their original
 * folder, the password file is older than the database; in a copy, it is newer.
 */
async function isOlder(file: string, cluster: string): Promise<boolean> {
  const [marker, data] = await Promise.all([stat(file), stat(cluster)])
  return marker.birthtimeMs <= data.birthtimeMs
}

function madeForAnother(dataDir: string, { database, madeFor }: Elsewhere): StartError {
  return new StartError(
    `The database of this shop is in ${database} and was made for ${madeFor}, not for ${dataDir}. If this folder is a ` +
      `copy, make the second shop with npm run backup there and npm run restore here. If it was moved, stop every shop ` +
      `on it, move ${database} to ${path.join(dataDir, 'postgresql')}, remove ${path.basename(elsewhereFile(dataDir))} ` +
      'if it is here, and start again.',
  )
}

const VERSION = '18'
const NEEDED_TO_CREATE = 128 * 1024 * 1024
const NEEDED_TO_START = 32 * 1024 * 1024

// Only the shop's role can connect, only from this machine, and only with its password. The
// superuser can only work by hand, with `postgres --single`.
const ACCESS = 'host all ferrite 127.0.0.1/32 scram-sha-256\n'

export const isCluster = (folder: string): boolean => existsSync(path.join(folder, 'PG_VERSION'))

/**
 * Creates the database files unless they exist. An attempt that dies halfway leaves only a draft,
 * which a later start removes.
 */
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
      // Another process was quicker, and its files are equally good.
      if (isCluster(cluster)) return
      throw new StartError(
        `${cluster} is not a database (${error.code}): move it away and start again.`,
      )
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * @throws StartError when the disk has no room to start the database, or it belongs to another
 * version of PostgreSQL
 */
export async function assertStartable({ cluster }: Place): Promise<void> {
  await assertFreeSpace(cluster, NEEDED_TO_START)
  await removeLeftovers(cluster)
  const version = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version === VERSION) return
  throw new StartError(
    `The database in ${cluster} was made by PostgreSQL ${version} and this shop ships ${VERSION}: ` +
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
  const initdb = await run(
    path.join(binaries, 'bin/initdb'),
    `-U postgres -A reject -E UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
      --data-checksums --no-instructions -D`
      .split(/\s+/)
      .concat(cluster),
    { account },
  )
  if (initdb.code !== 0) throw notCreated(cluster, initdb.error)
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

/** Removes drafts of processes that died while they were creating a database. */
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
