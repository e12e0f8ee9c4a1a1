/**
 * Guessing at one account, from however many addresses, is slowed down without locking its owner out: a browser in
 * which somebody logged in before is known by a cookie and counted apart, and a reset password ends the waiting.
 * Source: OWASP, "Slow down online guessing attacks with device cookies".
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { Email } from '#contracts/users.ts'
import type { Pace, PaceKeeper } from './pace.ts'

/** Wrong passwords of one account: by everybody who is not known to it, and by each browser that is. */
const wrongPasswords: Pace = { name: 'sign-in', most: 10, seconds: 15 * 60 }
const cookieName = 'ferrite.device'
const halfAYear = 180 * 24 * 3600

type GuardSettings = { paces: PaceKeeper; secret: string; https: boolean }

/** The cookie names the account by this: who finds it in a browser does not read an address. */
const nameOf = (email: string) => createHash('sha256').update(email).digest('base64url')

/** The address that is tried, if there is one. The body stays to be read. */
async function triedEmail(request: Request): Promise<string | undefined> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  const email = body && typeof body === 'object' && 'email' in body ? body.email : undefined
  return Email.safeParse(email).data
}

/** Before POST /identity/sign-in/email. @throws AppError TOO_MANY */
export function guardSignIn({ paces, secret, https }: GuardSettings) {
  const knownDevice = async (c: Context, email: string) => {
    const cookie = await getSignedCookie(c, secret, cookieName)
    if (!cookie) return undefined
    return cookie.startsWith(`${nameOf(email)}.`) ? cookie : undefined
  }
  const remember = (c: Context, email: string) =>
    setSignedCookie(c, cookieName, `${nameOf(email)}.${randomBytes(16).toString('hex')}`, secret, {
      path: '/identity',
      httpOnly: true,
      sameSite: 'Lax',
      secure: https,
      maxAge: halfAYear,
    })
  return createMiddleware(async (c, next) => {
    const email = await triedEmail(c.req.raw)
    if (!email) return next()
    const device = await knownDevice(c, email)
    const who = device ?? email
    // counted before it is known to be wrong: of many guesses at once no more get through
    await paces.count(wrongPasswords, who)
    await next()
    if (!c.res.ok) return
    await paces.forget(wrongPasswords, who)
    if (!device) await remember(c, email)
  })
}

/** Whoever reset the password need not wait. */
export const forgiveSignIn = (paces: PaceKeeper, email: string): Promise<void> =>
  paces.forget(wrongPasswords, email)
