/**
 * Google's servers for Firebase Auth in their wire format: the key set of ID tokens, projects,
 * accounts:lookup and :delete.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

type Account = {
  localId: string
  email: string
  emailVerified?: boolean
  displayName?: string
  disabled?: boolean
  /** Seconds since 1970, as text. */
  validSince?: string
}

/** A key that signs ID tokens. */
export const makeKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { kid: randomUUID() as string, privateKey, jwk: await exportJWK(publicKey) }
}

export async function openFirebaseServer(projectId: string, apiKey: string) {
  const accounts = new Map<string, Account>()
  let key = await makeKey()
  let keyReads = 0
  let isDown = false
  /** The times of all sign-ins, in seconds since 1970: the shop tells sign-ins apart by them. */
  const signIns = new Set<number>()

  const readKeys = () => {
    keyReads += 1
    return { keys: [{ ...key.jwk, kid: key.kid, alg: 'RS256', use: 'sig' }] }
  }
  const refusal = (message: string) => ({ error: { code: 400, message, errors: [{ message }] } })
  const answerCall = (url: URL, idToken: string) => {
    if (url.searchParams.get('key') !== apiKey) {
      return refusal('API key not valid. Please pass a valid API key.')
    }
    // the project's number, and the default domains of the console
    if (url.pathname === '/v1/projects') {
      const domains = [`${projectId}.firebaseapp.com`, `${projectId}.web.app`]
      return { projectId: '482913370021', authorizedDomains: ['localhost', ...domains] }
    }
    const body = idToken.split('.')[1]
    if (!body) return refusal('INVALID_ID_TOKEN')
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString())
    const account = accounts.get(payload.sub)
    if (!account) return refusal('USER_NOT_FOUND')
    if (account.disabled) return refusal('USER_DISABLED')
    if (url.pathname === '/v1/accounts:lookup') return { users: [account] }
    accounts.delete(account.localId)
    return {}
  }

  const server = createServer(async (request, response) => {
    if (isDown) return request.socket.destroy()
    const url = new URL(request.url ?? '', 'http://firebase')
    let body = ''
    for await (const chunk of request) body += chunk
    const answer =
      url.pathname === '/keys' ? readKeys() : answerCall(url, JSON.parse(body || '{}').idToken)
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `https://securetoken.google.com/${projectId}`

  return {
    servers: { keySet: `${origin}/keys`, api: origin, cooldownMs: 10_000 },
    issuer,
    accounts,
    keyReads: () => keyReads,
    setDown(down: boolean) {
      isDown = down
      server.closeAllConnections()
    },
    /** From now on ID tokens are signed with a new key, and the old key is gone. */
    async rotate() {
      key = await makeKey()
    },
    /** The claims of a fresh ID token of an account, from a new sign-in. */
    claimsOf(account: Account): JWTPayload {
      const now = Math.floor(Date.now() / 1000)
      const { localId: sub, email, emailVerified = false, displayName } = account
      let signedInAt = now - 1
      while (signIns.has(signedInAt)) signedInAt -= 1
      signIns.add(signedInAt)
      const session = { iat: now, exp: now + 3600, auth_time: signedInAt }
      return {
        iss: issuer,
        aud: projectId,
        sub,
        user_id: sub,
        ...session,
        email,
        email_verified: emailVerified,
        ...(displayName && { name: displayName }),
      }
    },
    sign: (claims: JWTPayload, by: { kid: string } & Pick<typeof key, 'privateKey'> = key) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: by.kid, typ: 'JWT' })
        .sign(by.privateKey),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
