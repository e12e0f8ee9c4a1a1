import { realpath } from 'node:fs/promises'
import { inOneSentence } from '#server/database/embedded/failure.ts'
import { databaseMissing, storedPassword } from '#server/database/embedded/password.ts'
import { findCluster } from '#server/database/embedded/place.ts'
import { findPostmaster } from '#server/database/embedded/postmaster.ts'
import { databaseUrl } from '#server/database/embedded/session.ts'
import { StartError } from '#server/start-error.ts'

/**
 * The address of the embedded database of a shop that runs, for one more client: nothing is taken over.
 * @returns undefined when no server runs on the folder's database
 * @throws StartError when the folder holds no database, may not be read, or its server is starting or stopping
 */
export function joinEmbedded(folder: string): Promise<string | undefined> {
  return inOneSentence(folder, async () => {
    // a missing one is told as a folder without a shop
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
