import type { z } from 'zod'
import type { Exchanged } from '#contracts/users.ts'
import { ApiError, errorFrom, offline } from '#web/lib/api-error.ts'
import { IdentityError } from '#web/lib/identity/port.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { serverTime, syncClock } from '#web/lib/server-clock.ts'
import { type Claims, readClaims, storedToken } from './access-token.ts'
import { accessToken, forgetSession, startSession } from './session.ts'

type Expected = Pick<Claims, 'email' | 'sid'>

/**
 * Exchanges the provider's ID token for an access token.
 * @throws as exchangeToken
 */
async function askForToken(expected?: Expected): Promise<string> {
  const idToken = await (await provider()).idToken()
  const proved = readClaims(idToken)
  // the same session with another address: the user changed it meanwhile
  const isSameSignIn = expected?.sid !== undefined && expected.sid === proved?.sid
  const email = expected && !isSameSignIn ? expected.email : proved?.email
  if (!email) throw new IdentityError('auth/internal-error')
  const response = await fetch(`/api/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, idToken }),
  }).catch(() => {
    throw offline()
  })
  syncClock(response)
  if (!response.ok) throw await errorFrom(response)
  const body: z.infer<typeof Exchanged> = await response.json()
  return body.token
}

/**
 * Exchanges the provider's ID token for the shop's access token and starts the session with it.
 * @param expected the address it must have; by default, the user signed in at the provider
 * @throws IdentityError if no user is signed in at the provider, ApiError if the shop refuses
 */
export async function exchangeToken(expected?: string): Promise<void> {
  startSession(await askForToken(expected === undefined ? undefined : { email: expected }))
}

let underWay: Promise<boolean> | undefined

const hasEnded = (error: { code?: string; status?: number }) =>
  error.code === 'auth/user-token-expired' || error.status === 401 || error.status === 403

async function renew(token: string, claims: Claims): Promise<boolean> {
  const stored = storedToken()
  // a user logged out or in meanwhile, here or in another tab: the newer state counts
  const isOvertaken = () => accessToken() !== token || storedToken() !== stored
  try {
    const fresh = await askForToken(claims)
    if (isOvertaken()) return readClaims(accessToken() ?? '')?.email === claims.email
    startSession(fresh)
    return true
  } catch (error) {
    if (!hasEnded(Object(error))) throw error instanceof ApiError ? error : offline()
    if (!isOvertaken()) forgetSession()
    return false
  }
}

/**
 * Renews the access token in the background. Concurrent calls share one attempt.
 * @returns whether the same user is still signed in; false when the session has ended
 * @throws ApiError if that is unknown because the shop did not respond
 */
export function renewToken(): Promise<boolean> {
  const token = accessToken()
  const claims = token ? readClaims(token) : null
  if (!token || !claims) return Promise.resolve(false)
  underWay ??= renew(token, claims).finally(() => {
    underWay = undefined
  })
  return underWay
}

/** The token to send, renewed first if less than a minute of it is left by the server's clock. */
export async function liveToken(): Promise<string | null> {
  const token = accessToken()
  const left = token ? (readClaims(token)?.exp ?? 0) * 1000 - serverTime() : 0
  // a token that could not be renewed is sent anyway: the response reports the problem
  if (token && left < 60_000) await renewToken().catch(() => false)
  return accessToken()
}
