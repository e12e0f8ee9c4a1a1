import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { inOneSentence, openDataFolder } from '#server/data-folder.ts'
import { StartError } from '#server/errors.ts'
import { assertStartable, createCluster, findCluster, knownPlace, newPlace } from './cluster.ts'
import { databaseUrl, keepOwned } from './ownership.ts'
import { databaseMissing, databasePassword, keepPassword, storedPassword } from './password.ts'
import { boundLog, findPostmaster, type PostgresSettings } from './process.ts'

export type EmbeddedDatabase = {
  /**
   * postgres:// address of the database `ferrite`, for its owner role; stays the same until stop()
   */
  url: string
  /** where its files are: in the data folder, unless PostgreSQL's user cannot enter it */
  folder: string
  /** Fast shutdown; resolves when PostgreSQL has written everything and has ended. */
  stop(): Promise<void>
  /** Whether an earlier process that died left the server running. */
  takenOver: boolean
}

export type EmbeddedOptions = {
  /** folder of the shop's data; created when missing */
  dataDir: string
  /** Called with each status line. */
  log: (line: string) => void
  /** address of the shop; a second start on the same folder shows it */
  owner: string
  /** settings of PostgreSQL that differ from the shop's */
  postgres?: PostgresSettings
}

const LOG_CHECK_MS = 10 * 60_000

/**
 * Starts the bundled PostgreSQL on files in `dataDir`, and keeps it running until stop().
 * @throws StartError when the folder is in use, not usable, or its disk is full
 */
export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, owner, postgres } = options
  return inOneSentence(options.dataDir, async () => {
    const dataDir = await openDataFolder(options.dataDir)
    const { password, place } = await openCluster(dataDir, log)
    const logFile = path.join(place.cluster, 'server.log')
    await boundLog(logFile)
    const owned = await keepOwned({ place, password, owner, log, dataDir, logFile, postgres })
    const bounding = setInterval(() => boundLog(logFile).catch(() => {}), LOG_CHECK_MS).unref()
    return {
      url: databaseUrl(password, owned.port),
      folder: place.cluster,
      takenOver: owned.takenOver,
      async stop() {
        clearInterval(bounding)
        await owned.stop()
      },
    }
  })
}

/**
 * The database files of a data folder, created for an empty one.
 * @throws StartError when the folder had a database that is gone or belongs to another folder
 */
async function openCluster(dataDir: string, log: (line: string) => void) {
  const { text: password, isNew } = await databasePassword(dataDir)
  if (isNew) {
    const place = await newPlace(dataDir, password)
    await createCluster(place, password, log)
    await keepPassword(dataDir)
    return { password, place }
  }
  const existing = await findCluster(dataDir, password)
  if (!existing) throw databaseMissing(dataDir)
  const place = await knownPlace(dataDir, existing, log)
  await assertStartable(place)
  return { password, place }
}

/**
 * The address of the embedded database of a running shop, for one more client. Does not take over
 * the server.
 * @returns undefined when no server runs on the folder's database
 * @throws StartError when the folder has no database, may not be read, or its server is starting or
 * stopping
 */
export function joinEmbedded(folder: string): Promise<string | undefined> {
  return inOneSentence(folder, async () => {
    // a missing folder gets the same message as a folder without a shop
    const dataDir = await realpath(folder).catch(() => folder)
    const password = await storedPassword(dataDir)
    if (!password) {
      throw new StartError(`There is no shop in ${dataDir}: set DATA_DIR to its data folder.`)
    }
    const cluster = await findCluster(dataDir, password)
    if (!cluster) throw databaseMissing(dataDir)
    const server = await findPostmaster(cluster)
    if (!server) return undefined
    if (server.ready) return databaseUrl(password, server.port)
    throw new StartError(
      `The database in ${cluster} is just starting or stopping: try again in a moment.`,
    )
  })
}
