import { copyFile, rm, stat, truncate } from 'node:fs/promises'

const LOG_BYTES = 5 * 1024 * 1024

/** Keeps a log at most 5 MB and one older part (`.1`); safe while PostgreSQL has it open for appending. */
export async function boundLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= LOG_BYTES) return
  await rm(`${file}.1`, { force: true })
  await copyFile(file, `${file}.1`)
  await truncate(file)
}
