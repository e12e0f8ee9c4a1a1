import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { inOneSentence } from '#server/database/embedded/failure.ts'
import { findPlace, isCluster } from '#server/database/embedded/place.ts'
import { findPostmaster } from '#server/database/embedded/postmaster.ts'
import { databaseUrl } from '#server/database/embedded/session.ts'
import { StartError } from '#server/start-error.ts'

/**
 * The address of the embedded database of a shop that runs, for one more client: nothing is taken over.
 * @returns undefined when no server runs on the folder's database
 * @throws StartError when the folder holds no database, may not be read, or its server is starting or stopping
 */
export function joinEmbedded(dataDir: string): Promise<string | undefined> {
  return inOneSentence(dataDir, async () => {
    const file = path.join(dataDir, 'secrets/database-password')
    const password = existsSync(file) ? await readFile(file, 'utf8') : undefined
    const cluster = password && (await findPlace(dataDir, password)).cluster
    if (!cluster || !isCluster(cluster)) {
      throw new StartError(`There is no shop in ${dataDir}: set DATA_DIR to its data folder.`)
    }
    const server = await findPostmaster(cluster)
    if (!server) return undefined
    if (server.ready) return databaseUrl(password, server.port)
    throw new StartError(
      `The database in ${cluster} is just starting or stopping: try again in a moment.`,
    )
  })
}
