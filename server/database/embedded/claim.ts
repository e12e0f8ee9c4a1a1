import type pg from 'pg'
import { diskFull } from '#server/database/embedded/failure.ts'
import type { PostgresSettings } from '#server/database/embedded/launch.ts'
import type { Place } from '#server/database/embedded/place.ts'
import {
  databaseUrl,
  endSession,
  type Holder,
  isDead,
  lockHolder,
  openSession,
  takeLock,
} from '#server/database/embedded/session.ts'
import { StartError } from '#server/start-error.ts'

export type Claim = {
  place: Place
  password: string
  /** address of the shop, told to a second start */
  owner: string
  dataDir: string
  logFile: string
  /** settings of PostgreSQL that differ from the shop's */
  postgres?: PostgresSettings | undefined
  log: (line: string) => void
}

/** The session with the lock, undefined when it is worth another try. */
export async function hold(claim: Claim, port: number): Promise<pg.Client | undefined> {
  const session = await openSession(databaseUrl(claim.password, port), claim.owner)
  try {
    if (await takeLock(session)) return session
    const holder = await lockHolder(session)
    if (holder && !isDead(holder)) throw inUse(claim.dataDir, holder)
    if (holder) await endSession(session, holder.session)
  } catch (error) {
    await session.end().catch(() => {})
    throw error
  }
  await session.end()
  return undefined
}

function inUse(dataDir: string, { pid, owner }: Holder): StartError {
  return new StartError(
    `The data folder ${dataDir} is in use by the shop at ${owner} (process ${pid}): ` +
      'stop that one, or start this one with another DATA_DIR and PORT.',
  )
}

/** Is a failed launch worth another try? If not, the sentence for it is thrown. */
export function transient(output: string, { place, logFile }: Claim): string {
  if (/No space left|Disk quota/.test(output)) throw diskFull(place.cluster)
  const said = /(?:FATAL|PANIC):\s*(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? ''
  // Another start was quicker, a dead server's last children are still ending, or the port went.
  if (/lock file|shared memory block|could not create any TCP|could not bind/.test(output)) {
    return said
  }
  throw new StartError(
    `The database in ${place.cluster} does not start (${said || 'it said nothing'}): see ${logFile}.`,
  )
}

/** Why a session was not had; what another try cannot change is thrown. */
export function explain(error: unknown, { dataDir, place }: Claim): string {
  if (error instanceof StartError || !(error instanceof Error)) throw error
  if (!('code' in error) || error.code !== '28P01') return error.message
  throw new StartError(
    `The password in ${dataDir}/secrets is not that of the database in ${place.cluster}: ` +
      'restore both from the same backup.',
  )
}
