import { randomUUID } from 'node:crypto'
import type { Identity } from '#server/adapters/identity/port.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import type { AccessTokens } from '#server/http/access-token.ts'
import { isSessionEnded, upsertFromProof } from './store.ts'

export type ExchangeDeps = { db: Database; identity: Identity; tokens: AccessTokens }

const blocked = () =>
  new AppError(
    'BLOCKED',
    'This account has been blocked by the shop. Ask the shop if you do not know why.',
  )
const sessionEnded = () => new AppError('UNAUTHENTICATED', 'This session has ended. Log in again.')

/**
 * An access token for whoever proves to be this address: the ID token is the proof, the e-mail only has to agree.
 * @throws AppError UNAUTHENTICATED without a live proof, FORBIDDEN when it is somebody else's, BLOCKED
 */
export async function exchange(
  deps: ExchangeDeps,
  email: string,
  idToken: string,
): Promise<string> {
  const proof = await deps.identity.verifyIdToken(idToken)
  if (proof.email !== email) {
    throw new AppError('FORBIDDEN', 'This identity belongs to another e-mail address')
  }
  // asked first: a proof from before the end may not even bring the row up to date
  if (proof.sessionId !== null && (await isSessionEnded(deps.db, proof.sessionId))) {
    throw sessionEnded()
  }
  const user = await upsertFromProof(deps.db, proof)
  if (user.disabledAt) throw blocked()
  if (proof.sessionId !== null) await deps.identity.seen(proof.sessionId)
  return deps.tokens.issue(
    {
      userId: user._id,
      sessionId: proof.sessionId ?? randomUUID(),
      version: user.tokenVersion,
    },
    { name: user.name, email: user.email },
  )
}
