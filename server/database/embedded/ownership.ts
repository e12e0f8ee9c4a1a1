import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Claim, explain, hold, transient } from '#server/database/embedded/claim.ts'
import { choosePort } from '#server/database/embedded/free-port.ts'
import { launch } from '#server/database/embedded/launch.ts'
import { findPostmaster, stopPostmaster } from '#server/database/embedded/postmaster.ts'
import { endOtherSessions } from '#server/database/embedded/session.ts'
import { StartError } from '#server/start-error.ts'

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
  const { port, takenOver, session } = await acquire(claim)
  let stopping = false
  let recovering = Promise.resolve()
  const recover = async () => {
    claim.log('The database went away; starting it again')
    try {
      watch((await acquire(claim, port)).session)
    } catch (error) {
      claim.log(error instanceof Error ? error.message : String(error))
      // Without the lock this process no longer owns the data: it closes as if it were asked to.
      if (!stopping) process.kill(process.pid, 'SIGTERM')
    }
  }
  const watch = (held: pg.Client) =>
    held.once('end', () => {
      if (!stopping) recovering = recover()
    })
  watch(session)
  return {
    port,
    takenOver,
    async stop() {
      stopping = true
      await recovering
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
      const port = wanted ?? (await choosePort(place.cluster))
      const failure = await launch(place, port, logFile, claim.postgres)
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
      // Somebody served it elsewhere meanwhile, and went: our address must stay what it was.
      if (wanted && port !== wanted) {
        await stopPostmaster(place.cluster)
        continue
      }
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
