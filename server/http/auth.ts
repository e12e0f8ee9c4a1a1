/** Authentication: access tokens, and the middleware that reads them. */
import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { errors, jwtVerify, SignJWT } from 'jose'
import { Id } from '#contracts/api.ts'
import { keyPrefix } from '#contracts/api-keys.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import type { Database } from '#server/database/client.ts'
import { findCallerByKey } from '#server/features/users/api-keys.ts'
import { type AccessClaims, findCallerByToken, identityOf } from '#server/features/users/store.ts'
import type { Env } from './guards.ts'

const audience = 'shop-api'
const lifetime = '1h'

export type AccessTokens = {
  /** @param label for the browser to show; the server never trusts it */
  issue(claims: AccessClaims, label: { name: string; email: string }): Promise<string>
  /** @returns null unless the token is one of ours and still valid */
  read(token: string): Promise<AccessClaims | null>
}

/**
 * How many verified tokens to cache. Each request still queries the database whether its token is
 * valid.
 */
const remembered = 5_000

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

/**
 * Access tokens that are valid for one hour: JWT, HS256, `typ: at+jwt` (RFC 9068), so that no other
 * token is accepted as one.
 * @param bytes at least 32
 */
export function accessTokens(bytes: Uint8Array<ArrayBuffer>, issuer: string): AccessTokens {
  // importing the key costs as much as the check itself
  const imported = importKey(bytes)
  const cache = new Map<string, { claims: AccessClaims; expires: number }>()
  const remember = (token: string, claims: AccessClaims, expires: number) => {
    if (cache.size >= remembered) cache.clear()
    cache.set(token, { claims, expires })
    return claims
  }
  return {
    issue: async ({ userId, sessionId, version }, label) =>
      new SignJWT({ ...label, sid: sessionId, ver: version })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(lifetime)
        .sign(await imported),
    async read(token) {
      const before = cache.get(token)
      if (before && Date.now() < before.expires) return before.claims
      const verified = await jwtVerify(token, await imported, {
        algorithms: ['HS256'],
        typ: 'at+jwt',
        issuer,
        audience,
        clockTolerance: 5,
      }).catch((error) => {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return null
        throw error
      })
      if (!verified) return null
      const { sub, sid, ver, exp } = verified.payload
      const userId = Id.safeParse(sub)
      if (!userId.success || typeof sid !== 'string' || typeof ver !== 'number' || !exp) return null
      return remember(token, { userId: userId.data, sessionId: sid, version: ver }, exp * 1000)
    },
  }
}

/** Longer tokens are rejected without a check. */
const maxTokenLength = 4096

/**
 * Identifies the caller by access token or API key. With a missing, expired, ended or forged one,
 * the caller is a visitor. The route's guard decides who may call, and only the guard makes the
 * admin of an API key the caller.
 */
export function authenticate(deps: { db: Database; tokens: AccessTokens; identity: Identity }) {
  const findCaller = findCallerByToken(deps.db)
  const findByKey = findCallerByKey(deps.db)
  return createMiddleware<Env>(async (c, next) => {
    c.set('caller', null)
    c.set('sessionId', null)
    c.set('apiKey', null)
    c.set('isConfirmed', async () => {
      const { caller, sessionId } = c.var
      if (!caller) return false
      const account = await identityOf(deps.db, caller._id)
      return (await deps.identity.secondFactor(account, sessionId)) !== 'unconfirmed'
    })
    const [, token] = /^Bearer ([\w.-]+)$/.exec(c.req.header('authorization') ?? '') ?? []
    if (token?.startsWith(keyPrefix)) {
      c.set('apiKey', (await findByKey(token)) ?? null)
    } else if (token && token.length <= maxTokenLength) {
      const claims = await deps.tokens.read(token)
      const caller = claims && (await findCaller(claims))
      if (caller) {
        c.set('caller', caller)
        c.set('sessionId', claims.sessionId)
      }
    }
    await next()
  })
}
