import { join } from 'node:path'
import { migrate } from '#server/database/migrate.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, removeDataFolder } from './data-folder.ts'
import { testDatabase } from './database.ts'

/** Nothing in this server outlives the run, so it need not survive a crash. */
const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** One PostgreSQL for the whole run, removed after it, unless TEST_DATABASE_URL names another. */
async function ensureServer(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {}
  const dataDir = await dataFolder()
  const server = await startEmbedded({
    dataDir,
    log: () => {},
    owner: 'the tests',
    postgres: careless,
  })
  process.env.TEST_DATABASE_URL = server.url
  return async () => {
    await server.stop()
    await removeDataFolder(dataDir)
  }
}

/** Starts the server and migrates one database on it, of which `migratedDatabase()` makes copies. */
export default async function setup(): Promise<() => Promise<void>> {
  const removeServer = await ensureServer()
  const template = await testDatabase()
  await migrate(template.url, join(import.meta.dirname, '../../drizzle'))
  // PostgreSQL copies no database that somebody is connected to
  await template.pool.end()
  process.env.TEST_DATABASE_TEMPLATE = template.name
  return async () => {
    await template.drop()
    await removeServer()
  }
}
