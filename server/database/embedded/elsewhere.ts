/**
 * The database of a data folder that PostgreSQL's user can not enter lies under /var/lib/ferrite, and a file in the
 * folder says where, and for which folder it was made: a copy of the folder must not open the original's database.
 */
import { createHash } from 'node:crypto'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SYSTEM_FOLDER } from '#server/database/embedded/binaries.ts'
import { isCluster } from '#server/database/embedded/cluster.ts'
import { databaseMissing } from '#server/database/embedded/password.ts'
import { StartError } from '#server/start-error.ts'

export const elsewhereFile = (dataDir: string): string =>
  path.join(dataDir, 'database-elsewhere.json')

/** Where the database of a data folder is, or will be, when it can not be inside. Named after the folder's secret. */
export function outsideCluster(password: string): string {
  return path.join(SYSTEM_FOLDER, createHash('sha256').update(password).digest('hex').slice(0, 16))
}

type Elsewhere = { database: string; madeFor: string }

/** Says in the data folder where its database is. */
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
    `${elsewhereFile(dataDir)} says where this shop's database is, and can not be read: bring it back as it was.`,
  )
}

/**
 * The database of a data folder that does not hold it.
 * @throws StartError when it is gone, or was made for another folder
 */
export async function findOutside(dataDir: string, password: string): Promise<string | undefined> {
  const said = await readElsewhere(dataDir)
  if (said && said.madeFor !== dataDir) throw madeForAnother(dataDir, said)
  if (said && !isCluster(said.database)) throw databaseMissing(dataDir, said.database)
  if (said) return said.database
  const unsaid = outsideCluster(password)
  if (!isCluster(unsaid)) return undefined
  if (await isOlder(path.join(dataDir, 'secrets/database-password'), unsaid)) return unsaid
  throw madeForAnother(dataDir, { database: unsaid, madeFor: 'another folder' })
}

/**
 * Databases of earlier versions have no file that tells for whom they were made. The folder that they were made for has
 * its password from before them; a copy of it is younger.
 */
async function isOlder(file: string, cluster: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([stat(file), stat(cluster)])
  return ours.birthtimeMs <= theirs.birthtimeMs
}

function madeForAnother(dataDir: string, { database, madeFor }: Elsewhere): StartError {
  return new StartError(
    `The database of this shop is in ${database} and was made for ${madeFor}, not for ${dataDir}. If this folder is a ` +
      `copy, make the second shop with npm run backup there and npm run restore here. If it was moved, stop every shop ` +
      `on it, move ${database} to ${path.join(dataDir, 'postgresql')}, remove ${path.basename(elsewhereFile(dataDir))} ` +
      'if it is here, and start again.',
  )
}
