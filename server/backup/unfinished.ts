import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartError } from '#server/start-error.ts'

/** Lies in a data folder while a backup is restored into it. */
export const markOf = (dataDir: string): string => join(resolve(dataDir), 'unfinished-restore')

/** @throws StartError when a restore into this data folder began and did not end: half a shop must not open */
export function mustBeWhole(dataDir: string): void {
  if (!existsSync(markOf(dataDir))) return
  throw new StartError(
    `A restore into ${resolve(dataDir)} did not finish: empty that folder (and the database, if it is one of yours) and restore again.`,
  )
}
