import { randomBytes } from 'node:crypto'
import { chmod, chown, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { isRoot } from '#server/database/embedded/account.ts'
import { errno } from '#server/database/embedded/failure.ts'

/**
 * The database's password, kept in `<dataDir>/secrets/database-password` and made on the first start.
 * Of several processes that start at once, all get the same one.
 */
export async function databasePassword(dataDir: string): Promise<string> {
  const folder = path.join(dataDir, 'secrets')
  const file = path.join(folder, 'database-password')
  const kept = await readKept(file)
  if (kept) return kept
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await writeDurably(draft, randomBytes(24).toString('base64url'))
    await sameOwner(dataDir, [folder, draft])
    // A link appears whole or not at all, and never replaces a password that another process kept.
    await link(draft, file).catch((error) => {
      if (errno(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(file, 0o600)
}

/** What root writes in somebody's data folder stays that somebody's. */
async function sameOwner(dataDir: string, paths: string[]): Promise<void> {
  if (!isRoot()) return
  const { uid, gid } = await stat(dataDir)
  for (const each of paths) await chown(each, uid, gid)
}
