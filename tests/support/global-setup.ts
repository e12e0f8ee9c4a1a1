import { join } from 'node:path'
import { migrate } from '#server/database/migrate.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, readyDataFolder, removeDataFolder } from './data-folder.ts'
import { once, testDatabase } from './database.ts'

/**
 * Nothing in these databases outlives the run: they need not survive a crash, have no replica, and most live for seconds.
 * Making and dropping one is a checkpoint each, which walks through all buffers.
 */
const quick = {
  log: () => {},
  owner: 'the tests',
  postgres: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    shared_buffers: '32MB',
    autovacuum: 'off',
    jit: 'off',
  },
}

const migrations = join(import.meta.dirname, '../../drizzle')

/** Makes the data folder that `readyDataFolder()` copies. */
async function makeReadyFolder(): Promise<string> {
  const dataDir = await dataFolder()
  const { url, stop } = await startEmbedded({ ...quick, dataDir })
  await migrate(url, migrations)
  await stop()
  process.env.TEST_DATA_FOLDER = dataDir
  return dataDir
}

/** One PostgreSQL for the whole run, removed after it, unless TEST_DATABASE_URL names another. */
async function ensureServer(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {}
  const dataDir = await readyDataFolder()
  const server = await startEmbedded({ ...quick, dataDir })
  process.env.TEST_DATABASE_URL = server.url
  // guessing is slow on purpose, and so is each of thousands of connections
  const { password } = new URL(server.url)
  await once(
    server.url,
    'set scram_iterations = 1',
    `alter role current_user password '${password}'`,
  )
  return async () => {
    await server.stop()
    await removeDataFolder(dataDir)
  }
}

/** Starts the server and migrates one database on it, of which `migratedDatabase()` makes copies. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await makeReadyFolder()
  const removeServer = await ensureServer()
  const template = await testDatabase()
  await migrate(template.url, migrations)
  // PostgreSQL copies no database with a connection
  await template.pool.end()
  process.env.TEST_DATABASE_TEMPLATE = template.name
  return async () => {
    await template.drop()
    await removeServer()
    await removeDataFolder(folder)
  }
}
