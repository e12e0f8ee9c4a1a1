/** The database of a running shop, for stories whose starting state only its owner can create. */
import pg from 'pg'
import { findCluster } from '#server/postgres/cluster.ts'
import { databaseUrl } from '#server/postgres/ownership.ts'
import { storedPassword } from '#server/postgres/password.ts'
import { findPostmaster } from '#server/postgres/process.ts'

async function postmasterOf(dataDir: string) {
  const password = await storedPassword(dataDir)
  const cluster = password && (await findCluster(dataDir, password))
  const postmaster = cluster ? await findPostmaster(cluster) : undefined
  if (!password || !postmaster) throw new Error('the shop runs no database of its own')
  return { password, ...postmaster }
}

/** Connections to the embedded database of an open shop. */
export async function shopDatabase({ dataDir }: { dataDir: string }): Promise<pg.Pool> {
  const { password, port } = await postmasterOf(dataDir)
  const pool = new pg.Pool({ connectionString: databaseUrl(password, port), max: 2 })
  pool.on('error', () => {})
  return pool
}

/** Ends the embedded database without the shop's knowledge. */
export async function endDatabase(
  { dataDir }: { dataDir: string },
  signal: 'SIGINT' | 'SIGKILL',
): Promise<void> {
  process.kill((await postmasterOf(dataDir)).pid, signal)
}
