/** The data folder, and the error messages for problems with its disk. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, link, mkdir, open, readFile, realpath, rm, stat, statfs } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import { StartError } from '#server/errors.ts'
import { isRoot } from '#server/postgres/accounts.ts'

/**
 * Creates a folder and its missing parents. Node's own `recursive` never ends on a file system that
 * refuses folders, such as /proc.
 * @returns the topmost created folder; undefined when all existed
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  if (existsSync(folder)) return undefined
  const above = path.dirname(folder)
  const topNewFolder = await makeFolder(above)
  try {
    await mkdir(folder)
  } catch (error) {
    if (errno(error) === 'EEXIST') return topNewFolder
    if (errno(error) !== 'ENOENT') throw error
    throw new StartError(`No folder can be made in ${above}: name another one.`)
  }
  return topNewFolder ?? folder
}

/**
 * Creates the data folder when missing (root gives it to the owner of the parent folder).
 * @returns its path without symbolic links
 * @throws StartError when it cannot be used
 */
export function openDataFolder(folder: string): Promise<string> {
  return inOneSentence(folder, async () => {
    const topNewFolder = await makeFolder(path.resolve(folder))
    if (topNewFolder && isRoot()) {
      const above = await stat(path.dirname(topNewFolder))
      await chown(folder, above.uid, above.gid)
    }
    if ((await stat(folder)).isDirectory()) return realpath(folder)
    throw new StartError(`${folder} is not a folder: set DATA_DIR to another folder.`)
  })
}

/** errno name of a failed system call, '' for other errors. */
export function errno(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

export function diskFull(folder: string): StartError {
  return new StartError(
    `The disk that holds ${folder} is full: free at least 256 MB and start again.`,
  )
}

async function refused(folder: string, instead: string): Promise<StartError> {
  const isMissing = await stat(folder).then(
    () => false,
    (error) => errno(error) === 'ENOENT',
  )
  if (isMissing) {
    return new StartError(
      `The user ${userName()} may not make ${folder}: make it as root and give it to this user, or ${instead}.`,
    )
  }
  return new StartError(
    `The user ${userName()} may not use ${folder}: start as the user who owns it, ` +
      `give it to yourself with chown -R, or ${instead}.`,
  )
}

/**
 * Runs `work` and turns errors of the disk or its permissions into one sentence about `folder`.
 * @param instead an alternative for the user
 */
export async function inOneSentence<T>(
  folder: string,
  work: () => Promise<T>,
  instead = 'set DATA_DIR to another folder',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errno(error)
    if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull(folder)
    if (code === 'EACCES' || code === 'EPERM') throw await refused(folder, instead)
    if (code === 'EROFS') {
      throw new StartError(`${folder} cannot be written to: ${instead}.`)
    }
    if (code === 'ENOTDIR' || code === 'EEXIST') {
      throw new StartError(`${folder} is not a folder: ${instead}.`)
    }
    throw error
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `number ${process.getuid?.()}`
  }
}

/** Free bytes, for an ordinary user, of the disk of `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The path of a marker that is in a data folder while a backup is restored into it. */
export const restoreMarker = (dataDir: string): string =>
  path.join(path.resolve(dataDir), 'unfinished-restore')

/**
 * @throws StartError when a restore into this data folder did not finish, because a partial shop
 * must not open
 */
export function assertRestored(dataDir: string): void {
  if (!existsSync(restoreMarker(dataDir))) return
  throw new StartError(
    `A restore into ${path.resolve(dataDir)} did not finish: empty that folder (and the database, if it is one of yours) and restore again.`,
  )
}

/** The content of a secret file; undefined when it does not exist. */
export async function readSecretFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Creates a file in the data folder's `secrets` unless it exists: processes that start at once all
 * read the same text. When this resolves, the file is on disk and only the data folder's owner can
 * read it.
 */
export async function makeSecretFile(file: string, text: string): Promise<void> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // files that root writes in another user's folder belong to that user
    const { uid, gid } = await stat(path.dirname(folder))
    if (isRoot()) for (const each of [folder, draft]) await chown(each, uid, gid)
    // a link appears complete or not at all, and never replaces another process's secret
    await link(draft, file).catch((error) => {
      if (errno(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
}
