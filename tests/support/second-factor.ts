/** An authenticator app, and the calls that need one. */
import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { type Answer, call, cookiesOf, enter, type Person } from './people.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Reads base32. */
function bytesOf(text: string): Buffer {
  const bits = [...text].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** What an authenticator app shows for a secret, by default now. */
export function codeOf(secret: string, inSteps = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + inSteps))
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = hash.readUInt32BE((hash.at(-1) as number) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

export type Factor = { secret: string; recoveryCodes: string[] }

/** A call of the identity provider in the person's session. */
export const identityCall = (
  origin: string,
  { cookie }: Pick<Person, 'cookie'>,
  path: string,
  body: object,
): Promise<Answer> =>
  call(origin, 'POST', `/identity${path}`, { body, headers: { cookie, origin } })

/** Lets the app's code count again, as if half a minute had passed. */
export const nextCode = (pool: Pool) => pool.query('update identity.two_factor set last_step = 0')

/** Forgets that codes were entered, as if ten minutes had passed. */
export const tenMinutesLater = (pool: Pool) =>
  pool.query(`update identity.session set confirmed_at = confirmed_at - interval '10 minutes'`)

/**
 * Sets a second factor up. The library begins a new session with it, which this returns.
 */
export async function setUpFactor(
  shop: { origin: string; pool: Pool },
  person: Person,
  password: string,
): Promise<Factor & { person: Person }> {
  const { origin, pool } = shop
  const { status, body } = await identityCall(origin, person, '/two-factor/enable', { password })
  if (status !== 200) throw new Error(`no second factor: ${JSON.stringify(body)}`)
  const secret = new URL(body.totpURI).searchParams.get('secret') ?? ''
  const first = await identityCall(origin, person, '/two-factor/verify-totp', {
    code: codeOf(secret),
  })
  if (first.status !== 200) throw new Error(`not accepted: ${JSON.stringify(first.body)}`)
  await nextCode(pool)
  return {
    secret,
    recoveryCodes: body.backupCodes,
    person: await enter(origin, person.name, person.email, cookiesOf(first.headers)),
  }
}

/** The first half of a login: the password, which a code has to follow. */
export async function passwordOnly(
  origin: string,
  email: string,
  password: string,
): Promise<Answer & { cookie: string }> {
  const answer = await call(origin, 'POST', '/identity/sign-in/email', {
    body: { email, password },
    headers: { origin },
  })
  return { ...answer, cookie: cookiesOf(answer.headers) }
}
