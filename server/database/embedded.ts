import { chown, mkdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isRoot } from '#server/database/embedded/account.ts'
import { boundLog } from '#server/database/embedded/bounded-log.ts'
import { createCluster } from '#server/database/embedded/cluster.ts'
import { inOneSentence } from '#server/database/embedded/failure.ts'
import { keepOwned } from '#server/database/embedded/ownership.ts'
import { databasePassword } from '#server/database/embedded/password.ts'
import { findPlace } from '#server/database/embedded/place.ts'
import { databaseUrl } from '#server/database/embedded/session.ts'

export type EmbeddedDatabase = {
  /** postgres:// address of the database `ferrite`, for its owner role; stays the same until stop() */
  url: string
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
}

const LOG_CHECK_MS = 10 * 60_000

/**
 * Starts the PostgreSQL that comes with the shop, on files in `dataDir`, and holds it until stop().
 * @throws StartError when the folder is in use, not usable, or its disk is full
 */
export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, owner } = options
  return inOneSentence(options.dataDir, async () => {
    const dataDir = await dataFolder(options.dataDir)
    const password = await databasePassword(dataDir)
    const place = await findPlace(dataDir, password)
    await createCluster(place, password, log)
    const logFile = path.join(place.cluster, 'server.log')
    await boundLog(logFile)
    const owned = await keepOwned({ place, password, owner, log, dataDir, logFile })
    const bounding = setInterval(() => boundLog(logFile).catch(() => {}), LOG_CHECK_MS).unref()
    return {
      url: databaseUrl(password, owned.port),
      takenOver: owned.takenOver,
      async stop() {
        clearInterval(bounding)
        await owned.stop()
      },
    }
  })
}

/** Makes the data folder when missing (root gives it to the owner of the folder above) and resolves links. */
async function dataFolder(folder: string): Promise<string> {
  const made = await mkdir(folder, { recursive: true })
  if (made && isRoot()) {
    const above = await stat(path.dirname(made))
    await chown(folder, above.uid, above.gid)
  }
  return realpath(folder)
}
