import { randomUUID } from 'node:crypto'
import type { Identity } from '#server/adapters/identity/port.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import type { AccessTokens } from '#server/http/auth.ts'
import { adoptAccount } from './other-provider.ts'
import { isSessionEnded, upsertFromProof } from './store.ts'

export type ExchangeDeps = { db: Database; identity: Identity; tokens: AccessTokens }

const blocked = () =>
  new AppError(
    'BLOCKED',
    'The shop has blocked this account. If you don’t know why, contact the shop.',
  )
const sessionEnded = () => new AppError('UNAUTHENTICATED', 'This session has ended. Log in again.')

/**
 * Exchanges an ID token of the provider for an access token. The e-mail must match the ID token.
 * @throws AppError UNAUTHENTICATED without a valid ID token, FORBIDDEN for another user's, BLOCKED,
 *   NOT_VERIFIED as `adoptAccount`
 */
export async function exchange(
  deps: ExchangeDeps,
  email: string,
  idToken: string,
): Promise<string> {
  const proof = await deps.identity.verifyIdToken(idToken)
  if (proof.email !== email) {
    throw new AppError('FORBIDDEN', 'This identity belongs to another email address')
  }
  // comes first, because an ID token of an ended session must not even update the row
  if (proof.sessionId !== null && (await isSessionEnded(deps.db, proof.sessionId))) {
    throw sessionEnded()
  }
  await adoptAccount(deps.db, proof)
  const user = await upsertFromProof(deps.db, proof)
  if (user.disabledAt) throw blocked()
  if (proof.sessionId !== null) await deps.identity.noteUse(proof.sessionId)
  return deps.tokens.issue(
    {
      userId: user._id,
      sessionId: proof.sessionId ?? randomUUID(),
      version: user.tokenVersion,
    },
    { name: user.name, email: user.email },
  )
}
