import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { diskFull } from '#server/database/embedded/failure.ts'
import type { Place } from '#server/database/embedded/place.ts'
import {
  choosePort,
  findPostmaster,
  launch,
  stopPostmaster,
} from '#server/database/embedded/postmaster.ts'
import {
  databaseUrl,
  endOtherSessions,
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
  log: (line: string) => void
}

export type Owned = { port: number; takenOver: boolean; stop(): Promise<void> }

type Held = { session: pg.Client; port: number; takenOver: boolean }

const PATIENCE_MS = 20_000
const RETRY_MS = 20

/**
 * Makes this process the one owner of the database, starting its server unless one runs, and starts it
 * again on the same port whenever it dies under us.
 * @throws StartError when another process owns it
 */
export async function keepOwned(claim: Claim): Promise<Owned> {
  let held = await acquire(claim)
  let stopping = false
  const { port, takenOver } = held
  const watch = () => {
    held.session.once('end', async () => {
      if (stopping) return
      claim.log('The database went away; starting it again')
      try {
        held = await acquire(claim, port)
        watch()
      } catch (error) {
        if (stopping) return
        claim.log(error instanceof Error ? error.message : String(error))
        // Without the lock this process no longer owns the data: it closes as if it were asked to.
        process.kill(process.pid, 'SIGTERM')
      }
    })
  }
  watch()
  return {
    port,
    takenOver,
    async stop() {
      stopping = true
      await stopPostmaster(claim.place.cluster)
    },
  }
}

/** Starts or finds the server and takes the lock in it; `wanted` insists on a port. */
async function acquire(claim: Claim, wanted?: number): Promise<Held> {
  const { place, logFile, log } = claim
  let until = Date.now() + PATIENCE_MS
  let launched = false
  let waiting = false
  let reason = 'no answer'
  for (; Date.now() < until; await pause(RETRY_MS)) {
    const running = await findPostmaster(place.cluster)
    if (!running) {
      const failure = await launch(place, wanted ?? (await choosePort(place.cluster)), logFile)
      launched = failure === undefined
      if (failure !== undefined) {
        reason = transient(failure, claim)
        continue
      }
    }
    if (running && !running.ready) {
      // Recovery after a crash, or the end of an earlier shop: either takes the time it takes.
      if (!waiting) log('Waiting for the database, which is still starting or stopping')
      waiting = true
      until = Date.now() + PATIENCE_MS
      continue
    }
    const port = running?.port ?? (await findPostmaster(place.cluster))?.port
    if (!port) continue
    try {
      const session = await hold(claim, port)
      if (!session) continue
      if (!launched) await endOtherSessions(session)
      return { session, port, takenOver: !launched }
    } catch (error) {
      reason = explain(error, claim)
    }
  }
  throw new StartError(
    `The database in ${place.cluster} did not start within 20 seconds (${reason}): see ${logFile}.`,
  )
}

/** The session with the lock, undefined when it is worth another try. */
async function hold(claim: Claim, port: number): Promise<pg.Client | undefined> {
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
function transient(output: string, { place, logFile }: Claim): string {
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
function explain(error: unknown, { dataDir, place }: Claim): string {
  if (error instanceof StartError || !(error instanceof Error)) throw error
  if (!('code' in error) || error.code !== '28P01') return error.message
  throw new StartError(
    `The password in ${dataDir}/secrets is not that of the database in ${place.cluster}: ` +
      'restore both from the same backup.',
  )
}
