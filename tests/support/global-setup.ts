import { startEmbedded } from '#server/database/embedded.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'

/** One PostgreSQL for the whole run, thrown away after it, unless TEST_DATABASE_URL names another. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined
  const folder = await dataFolder()
  const database = await startEmbedded({ dataDir: folder, log: () => {}, owner: 'the tests' })
  process.env.TEST_DATABASE_URL = database.url
  return async () => {
    await database.stop()
    await removeDataFolder(folder)
  }
}
