import { resolve } from 'node:path'
import { assertReachable } from '#server/database/assert-reachable.ts'
import { joinEmbedded, startEmbedded } from '#server/postgres/start.ts'

type Where = { DATA_DIR: string; DATABASE_URL?: string | undefined }

/**
 * Runs a command on a shop's database: joins that of a running shop, else starts the embedded one
 * for the duration.
 * @param label the command's name, for the message to a shop that starts meanwhile
 * @throws StartError when the folder has no shop, or its database is starting, stopping or
 * unreachable
 */
export async function withDatabase<T>(
  { DATA_DIR, DATABASE_URL }: Where,
  label: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (DATABASE_URL) {
    await assertReachable(DATABASE_URL)
    return work(DATABASE_URL)
  }
  const dataDir = resolve(DATA_DIR)
  const running = await joinEmbedded(dataDir)
  if (running) return work(running)
  const database = await startEmbedded({ dataDir, log: () => {}, owner: label })
  try {
    return await work(database.url)
  } finally {
    await database.stop()
  }
}
