import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from '#server/database/migrate.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, readyDataFolder, removeDataFolder } from './data-folder.ts'
import { once, testDatabase } from './database.ts'

/**
 * These databases do not outlive the run: they need not survive a crash, have no replica, and most
 * live for seconds. Creating and dropping one takes a checkpoint each, which scans all buffers.
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

/** Creates the data folder that `readyDataFolder()` copies. */
async function makeReadyFolder(): Promise<string> {
  const dataDir = await dataFolder()
  const { url, stop } = await startEmbedded({ ...quick, dataDir })
  await migrate(url, migrations)
  await stop()
  process.env.TEST_DATA_FOLDER = dataDir
  return dataDir
}

/** One PostgreSQL for the whole run, removed afterwards, unless TEST_DATABASE_URL names another. */
async function ensureServer(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {}
  const dataDir = await readyDataFolder()
  // SCRAM takes several WebCrypto calls for each of thousands of connections: here the password
  // itself is sent
  const access = join(dataDir, 'access.conf')
  await writeFile(access, 'host all ferrite 127.0.0.1/32 password\n')
  const postgres = { ...quick.postgres, hba_file: access }
  const server = await startEmbedded({ ...quick, dataDir, postgres })
  process.env.TEST_DATABASE_URL = server.url
  // and compared with a fast hash
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

/** Starts the server and migrates one database on it, which `migratedDatabase()` copies. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await makeReadyFolder()
  const removeServer = await ensureServer()
  const template = await testDatabase()
  await migrate(template.url, migrations)
  // every shop starts with seeding; shops in separate processes or on a new database do it
  // themselves
  await seedKinds(drizzle(template.pool))
  // PostgreSQL refuses to copy a database with open connections
  await template.pool.end()
  process.env.TEST_DATABASE_TEMPLATE = template.name
  return async () => {
    await template.drop()
    await removeServer()
    await removeDataFolder(folder)
  }
}
