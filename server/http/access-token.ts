import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { Id } from '#contracts/api.ts'

/** The claims of an access token. The role is not among them: each request reads it from the database. */
export type AccessClaims = { userId: string; sessionId: string; version: number }

const audience = 'shop-api'
const lifetime = '1h'

export type AccessTokens = {
  /** @param label for the browser to show; the server never trusts it */
  issue(claims: AccessClaims, label: { name: string; email: string }): Promise<string>
  /** @returns null for anything but a live token of ours */
  read(token: string): Promise<AccessClaims | null>
}

/** Caches tokens with a right signature; each request still asks the database whether they count. */
const remembered = 5_000

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

/**
 * Access tokens of one hour: JWT, HS256, `typ: at+jwt` (RFC 9068), so that no other token passes for one.
 * @param bytes at least 32
 */
export function accessTokens(bytes: Uint8Array<ArrayBuffer>, issuer: string): AccessTokens {
  // importing the key costs as much as the check itself
  const imported = importKey(bytes)
  const known = new Map<string, { claims: AccessClaims; expires: number }>()
  const remember = (token: string, claims: AccessClaims, expires: number) => {
    if (known.size >= remembered) known.clear()
    known.set(token, { claims, expires })
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
      const before = known.get(token)
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
