/** Invalid access tokens. Each has exactly one defect, so each tests one check. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { readSecrets } from '#server/secrets.ts'
import { call, idToken, type Person } from '#tests/support/people.ts'
import type { TestShop } from '#tests/support/shop.ts'

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const decode = (part: string | undefined) => Buffer.from(part ?? '', 'base64url').toString()
const now = () => Math.floor(Date.now() / 1000)

type Header = { alg: string; typ?: string } & Record<string, unknown>
const header: Header = { alg: 'HS256', typ: 'at+jwt' }

/**
 * @param person the forged tokens are derived from this person's valid token
 * @param session a session at the provider, for its ID token
 * @returns the defect of each token, and the token
 */
export async function forgedTokens(shop: TestShop, person: Person, session: Person) {
  const secrets = await readSecrets(undefined, join(shop.dataDir, 'secrets'))
  const own = secrets.derive('access-token')
  const [head = '', body = '', signature = ''] = person.token.split('.')
  const claims: JWTPayload = JSON.parse(decode(body))
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = await exportJWK(publicKey)
  const published = (await call(shop.origin, 'GET', '/identity/jwks')).body.keys[0]
  const sign = (
    more: JWTPayload | Record<string, unknown>,
    { with: key = own, head: as = header }: { with?: Uint8Array | CryptoKey; head?: Header } = {},
  ) => new SignJWT({ ...claims, ...more }).setProtectedHeader(as).sign(key)
  const bytes = (text: string) => new TextEncoder().encode(text)
  const none = (alg: string) => `${encode({ ...header, alg })}.${body}`
  const rs = { ...header, alg: 'RS256' }

  return {
    expired: await sign({ exp: now() - 10 }),
    'not valid yet': await sign({ nbf: now() + 3000 }),
    'an end in words': `${head}.${encode({ ...claims, exp: 'tomorrow' })}.${signature}`,
    'another key': await sign({}, { with: new Uint8Array(32).fill(7) }),
    'a key of zeros': await sign({}, { with: new Uint8Array(32) }),
    'alg none': `${none('none')}.`,
    'alg None': `${none('None')}.`,
    'alg nOnE, signed': `${none('nOnE')}.${signature}`,
    'the published key as a secret': await sign({}, { with: bytes(JSON.stringify(published)) }),
    'the published x as a secret': await sign({}, { with: Buffer.from(published.x, 'base64url') }),
    'RS256 by a key of its own': await sign({}, { with: privateKey, head: rs }),
    'RS256 with its key inside': await sign({}, { with: privateKey, head: { ...rs, jwk } }),
    'a key from elsewhere': await sign(
      {},
      {
        with: privateKey,
        head: { ...rs, jku: 'https://evil.example/k', x5u: 'https://evil.example' },
      },
    ),
    'a kid that is a path': await sign(
      {},
      { with: bytes(''.padEnd(32)), head: { ...header, kid: '../../../../dev/null' } },
    ),
    'a kid that is SQL': await sign(
      {},
      { with: new Uint8Array(32), head: { ...header, kid: "' union select 'x' --" } },
    ),
    'another audience': await sign({ aud: 'ferrite' }),
    'another issuer': await sign({ iss: 'https://evil.example' }),
    'another type': await sign({}, { head: { ...header, typ: 'JWT' } }),
    'no type': await sign({}, { head: { alg: 'HS256' } }),
    'HS512 with our key': await sign({}, { head: { ...header, alg: 'HS512' } }),
    'an ID token': await idToken(shop.origin, session.cookie),
    'unknown user’s': await sign({ sub: randomUUID() }),
    'a subject that is SQL': await sign({ sub: "' or 1=1 --" }),
    'an older version': await sign({ ver: -1 }),
    'a version in words': await sign({ ver: '0' }),
    'no session': await sign({ sid: undefined }),
    'another user’s claims': `${head}.${encode({ ...claims, sub: randomUUID() })}.${signature}`,
    'claims said twice': `${head}.${encode(`{"role":"admin",${decode(body).slice(1)}`)}.${signature}`,
    'no signature': `${head}.${body}.`,
    'a short signature': `${head}.${body}.${signature.slice(0, 8)}`,
    'a tail': `${person.token}.x`,
    'very long': `${head}.${body}.${'A'.repeat(12_000)}`,
    'no token': 'x',
  }
}
