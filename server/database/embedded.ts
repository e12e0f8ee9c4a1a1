import path from 'node:path'
import { openDataFolder } from '#server/database/data-folder.ts'
import { boundLog } from '#server/database/embedded/bounded-log.ts'
import { assertStartable, createCluster } from '#server/database/embedded/cluster.ts'
import { inOneSentence } from '#server/database/embedded/failure.ts'
import type { PostgresSettings } from '#server/database/embedded/launch.ts'
import { keepOwned } from '#server/database/embedded/ownership.ts'
import {
  databaseMissing,
  databasePassword,
  keepPassword,
} from '#server/database/embedded/password.ts'
import { findCluster, knownPlace, newPlace } from '#server/database/embedded/place.ts'
import { databaseUrl } from '#server/database/embedded/session.ts'

export type EmbeddedDatabase = {
  /** postgres:// address of the database `ferrite`, for its owner role; stays the same until stop() */
  url: string
  /** where its files are: in the data folder, unless PostgreSQL's user can not enter that */
  folder: string
  /** Fast shutdown; resolves when PostgreSQL has written everything and is gone. */
  stop(): Promise<void>
  /** The server was left running by an earlier process that died. */
  takenOver: boolean
}

export type EmbeddedOptions = {
  /** folder of the shop's data; made when missing */
  dataDir: string
  /** told what happens, a line at a time */
  log: (line: string) => void
  /** address of the shop, told to whoever starts a second one on the same folder */
  owner: string
  /** settings of PostgreSQL that differ from the shop's */
  postgres?: PostgresSettings
}

const LOG_CHECK_MS = 10 * 60_000

/**
 * Starts the PostgreSQL that comes with the shop, on files in `dataDir`, and holds it until stop().
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
 * The database files of a data folder, made for an empty one.
 * @throws StartError when the folder had a database and it is gone or another folder's
 */
async function openCluster(dataDir: string, log: (line: string) => void) {
  const { text: password, isNew } = await databasePassword(dataDir)
  if (isNew) {
    const place = await newPlace(dataDir, password)
    await createCluster(place, password, log)
    await keepPassword(dataDir)
    return { password, place }
  }
  const found = await findCluster(dataDir, password)
  if (!found) throw databaseMissing(dataDir)
  const place = await knownPlace(dataDir, found, log)
  await assertStartable(place)
  return { password, place }
}
