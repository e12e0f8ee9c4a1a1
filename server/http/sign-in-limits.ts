/**
 * Limits guessing at one account, from however many addresses, without locking its owner out: trusted devices are counted
 * apart, and a password reset clears the counter.
 */
import { createMiddleware } from 'hono/factory'
import { Email } from '#contracts/users.ts'
import { addressOfReset } from '#server/database/password-fingerprint.ts'
import { AppError } from '#server/errors.ts'
import type { RateLimit, RateLimiter } from './rate-limiter.ts'
import { type DeviceSettings, trustDevice, trustedDevice } from './trusted-device.ts'

/** Wrong passwords for one account: of all unknown devices together, and of each trusted device. */
const wrongPasswords: RateLimit = { name: 'sign-in', most: 10, seconds: 15 * 60, forgettable: true }
/** Password prompts before a change of one account, so that a stolen session cannot guess. */
export const passwordTries: RateLimit = { name: 'password of a change', most: 10, seconds: 15 * 60 }
/** Mails of one template to one address, whoever requests them. */
const mailsAnHour = { most: 5, seconds: 60 * 60 }

type GuardSettings = DeviceSettings & { paces: RateLimiter }

/** Reads one field of the body and leaves the body unread. @throws AppError INVALID unless it is JSON */
async function fieldOf(request: Request, name: string): Promise<unknown> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  // the library accepts forms too, which would not be counted
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
export function limitSignIn({ paces, ...devices }: GuardSettings) {
  return createMiddleware(async (c, next) => {
    const email = await emailIn(c.req.raw)
    if (!email) return next()
    const device = await trustedDevice(devices, c, email)
    const who = device ?? email
    // counts before the result is known, so that simultaneous guesses are limited too
    await paces.count(wrongPasswords, who)
    await next()
    if (!c.res.ok) return
    await paces.forget(wrongPasswords, who)
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
 * Before POST /identity/reset-password: trusts the device, whose user proved to own the mailbox. The response names the
 * address, so that the login need not ask for it.
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
export const resetSignInLimit = (paces: RateLimiter, email: string): Promise<void> =>
  paces.forget(wrongPasswords, email)

/** The mailbox behind an address: nearly everywhere a plus and what follows do not count, nor dots at Gmail. */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  const [name = ''] = local.split('+')
  return /^(gmail|googlemail)\.com$/.test(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`
}

/**
 * Whether one more mail of this template may go to this address. Anybody can request one for any address; its owner already
 * has the others of this hour.
 */
export function isMailDue(
  paces: RateLimiter,
  { template, recipient }: { template: string; recipient: string },
): Promise<boolean> {
  return paces.count({ name: template, ...mailsAnHour }, mailboxOf(recipient)).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.code === 'TOO_MANY') return false
      throw error
    },
  )
}
