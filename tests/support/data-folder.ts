import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { outsideCluster } from '#server/postgres/cluster.ts'

/** A new, empty folder for a shop's data, which PostgreSQL's user can enter when root runs the tests. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferrite-data-'))
  await chmod(folder, 0o755)
  return folder
}

/** Removes a data folder, and its database where root keeps it elsewhere. The database must be stopped. */
export async function removeDataFolder(folder: string): Promise<void> {
  const password = await readFile(path.join(folder, 'secrets/database-password'), 'utf8').catch(
    () => undefined,
  )
  if (password) await rm(outsideCluster(password), { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
