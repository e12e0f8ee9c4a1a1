import type { SessionInfo } from '#contracts/account.ts'
import type { Caller } from '#contracts/users.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import type { Database } from '#server/database/client.ts'
import { deviceOf } from './device.ts'
import { endSession, identityOf } from './store.ts'

export type SessionDeps = { db: Database; identity: Identity }

/** The user's sessions: the current one first, then the last seen. @param current the session of the request */
export async function listSessions(
  { db, identity }: SessionDeps,
  caller: Caller,
  current: string | null,
): Promise<SessionInfo[]> {
  const signIns = await identity.signIns(await identityOf(db, caller._id))
  return signIns
    .toSorted((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime())
    .map(({ sessionId, userAgent, signedInAt, lastSeenAt }) => ({
      _id: sessionId,
      ...deviceOf(userAgent),
      signedInAt: signedInAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      current: sessionId === current,
    }))
    .toSorted((a, b) => Number(b.current) - Number(a.current))
}

/**
 * Ends sessions of a user: their access tokens are refused from now on, and nothing renews them.
 * @returns how many there were
 */
export async function endSessions(
  { db, identity }: SessionDeps,
  caller: Caller,
  isMeant: (sessionId: string) => boolean,
): Promise<number> {
  const account = await identityOf(db, caller._id)
  const signIns = await identity.signIns(account)
  const ids = signIns.map(({ sessionId }) => sessionId).filter(isMeant)
  // access tokens first, then the sessions that could renew them
  for (const id of ids) await endSession(db, id)
  await identity.endSignIns(account, ids)
  return ids.length
}
