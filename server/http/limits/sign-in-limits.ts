/**
 * Limits password guessing for one account, from any number of addresses, without locking its owner
 * out: trusted devices have their own counters, and a password reset clears the shared one.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { Email } from '#contracts/users.ts'
import type { Database } from '#server/database/client.ts'
import { addressOfReset, passwordFingerprint } from '#server/database/password-fingerprint.ts'
import { AppError } from '#server/errors.ts'
import { type RateLimiter, signInAttempts } from './rate-limits.ts'

/* Trusted devices: browsers in which the account's owner has signed in. Their signed cookie is
   valid until the password changes. Source: OWASP, "Slow down online guessing attacks with device
   cookies". */
const cookieName = 'ferrite.device'
const halfAYear = 180 * 24 * 3600

type DeviceSettings = { db: Database; secret: string; https: boolean }

/** The counter's key for a trusted device; undefined for an unknown device. */
async function trustedDevice(
  { db, secret }: DeviceSettings,
  c: Context,
  email: string,
): Promise<string | undefined> {
  const cookie = await getSignedCookie(c, secret, cookieName)
  if (!cookie) return undefined
  const fingerprint = await passwordFingerprint(db, email)
  return fingerprint && cookie.startsWith(`${fingerprint}.`) ? cookie : undefined
}

/** Makes this browser a trusted device of the account. */
async function trustDevice(
  { db, secret, https }: DeviceSettings,
  c: Context,
  email: string,
): Promise<void> {
  const fingerprint = await passwordFingerprint(db, email)
  if (!fingerprint) return
  await setSignedCookie(
    c,
    cookieName,
    `${fingerprint}.${randomBytes(16).toString('hex')}`,
    secret,
    {
      path: '/identity',
      httpOnly: true,
      sameSite: 'Lax',
      secure: https,
      maxAge: halfAYear,
    },
  )
}

export type GuardSettings = DeviceSettings & { rateLimiter: RateLimiter }

/**
 * Reads one field of the body without consuming the body. @throws AppError INVALID unless it is
 * JSON
 */
async function fieldOf(request: Request, name: string): Promise<unknown> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  // the library accepts forms, too, which would not be counted
  if (type.trim().toLowerCase() !== 'application/json') throw new AppError('INVALID', 'Send JSON')
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  return body && typeof body === 'object'
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined
}
const emailIn = async (request: Request) => Email.safeParse(await fieldOf(request, 'email')).data

/** Before POST /identity/sign-in/email. @throws AppError TOO_MANY */
export function limitSignIn({ rateLimiter, ...devices }: GuardSettings) {
  return createMiddleware(async (c, next) => {
    const email = await emailIn(c.req.raw)
    if (!email) return next()
    const device = await trustedDevice(devices, c, email)
    const who = device ?? email
    // counts before the result is known, so that concurrent guesses count, too
    await rateLimiter.count(signInAttempts, who)
    await next()
    // a shop that was too busy to look at the password has not answered a guess
    const wasBusy = c.error instanceof AppError && c.error.code === 'UNAVAILABLE'
    if (wasBusy) await rateLimiter.giveBack(signInAttempts, who)
    if (!c.res.ok) return
    await rateLimiter.reset(signInAttempts, who)
    if (!device) await trustDevice(devices, c, email)
  })
}

/** Before POST /identity/sign-up/email: trusts the device that signed up. */
export function trustAfterSignUp(devices: DeviceSettings) {
  return createMiddleware(async (c, next) => {
    const email = await emailIn(c.req.raw)
    await next()
    if (c.res.ok && email) await trustDevice(devices, c, email)
  })
}

/**
 * Before POST /identity/reset-password: trusts the device, because its user has proved to own the
 * mailbox. The response includes the address, so that the login need not ask for it.
 */
export function trustAfterReset(devices: DeviceSettings) {
  return createMiddleware(async (c, next) => {
    const token = await fieldOf(c.req.raw, 'token')
    const email = typeof token === 'string' ? await addressOfReset(devices.db, token) : undefined
    await next()
    if (!c.res.ok || !email) return
    c.res = c.json({ status: true, email })
    await trustDevice(devices, c, email)
  })
}

/** Clears the limit after a password reset. */
export const resetSignInLimit = (rateLimiter: RateLimiter, email: string): Promise<void> =>
  rateLimiter.reset(signInAttempts, email)
