import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { databasePassword } from '#server/database/embedded/password.ts'
import { findPlace, isCluster } from '#server/database/embedded/place.ts'
import { findPostmaster } from '#server/database/embedded/postmaster.ts'
import { databaseUrl } from '#server/database/embedded/session.ts'
import { startEmbedded } from '#server/database/embedded.ts'
import { StartError } from '#server/start-error.ts'

export type Visit = { url: string; leave(): Promise<void> }

/**
 * The embedded database of a shop for a command beside it: one that runs is joined and stays its shop's, else it is
 * started and stopped again by `leave`.
 * @param visitor told to a shop that starts meanwhile
 * @throws StartError when the folder holds no shop
 */
export async function visitEmbedded(
  folder: string,
  visitor: string,
  log: (line: string) => void,
): Promise<Visit> {
  const dataDir = resolve(folder)
  const none = () => new StartError(`There is no shop in ${dataDir}: set DATA_DIR to its folder.`)
  // asking for the password would make one
  if (!existsSync(resolve(dataDir, 'secrets/database-password'))) throw none()
  const password = await databasePassword(dataDir)
  const { cluster } = await findPlace(dataDir, password)
  if (!isCluster(cluster)) throw none()
  const running = await findPostmaster(cluster)
  if (running?.ready) return { url: databaseUrl(password, running.port), leave: async () => {} }
  const { url, stop } = await startEmbedded({ dataDir, log, owner: visitor })
  return { url, leave: stop }
}
