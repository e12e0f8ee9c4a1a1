/**
 * Guessing at one account, from however many addresses, is slowed down without locking its owner out: a browser that
 * is known to the account is counted apart, and a password that was reset ends the waiting.
 */
import { createMiddleware } from 'hono/factory'
import { Email } from '#contracts/users.ts'
import { addressOfReset } from '#server/database/password-mark.ts'
import { AppError } from '#server/errors.ts'
import type { RateLimit, RateLimiter } from './rate-limiter.ts'
import { type DeviceSettings, trustDevice, trustedDevice } from './trusted-device.ts'

/** Wrong passwords of one account: by everybody who is not known to it, and by each browser that is. */
const wrongPasswords: RateLimit = { name: 'sign-in', most: 10, seconds: 15 * 60, forgettable: true }
/** Passwords that are asked for once more before an account changes, of one account; a stolen session guesses none. */
export const passwordTries: RateLimit = { name: 'password of a change', most: 10, seconds: 15 * 60 }
/** Mails of one template to one address, whoever asks for them. */
const mailsAnHour = { most: 5, seconds: 60 * 60 }

type GuardSettings = DeviceSettings & { paces: RateLimiter }

/** One field of the body, which stays to be read. @throws AppError INVALID for what only the library would understand */
async function fieldOf(request: Request, name: string): Promise<unknown> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  // the library takes forms too: what is sent as one would be tried and not counted
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
    // counted before it is known to be wrong: of many guesses at once no more get through
    await paces.count(wrongPasswords, who)
    await next()
    if (!c.res.ok) return
    await paces.forget(wrongPasswords, who)
    if (!device) await trustDevice(devices, c, email)
  })
}

/** Before POST /identity/sign-up/email: whoever signed up here is known here. */
export function trustAfterSignUp(devices: DeviceSettings) {
  return createMiddleware(async (c, next) => {
    const email = await emailIn(c.req.raw)
    await next()
    if (c.res.ok && email) await trustDevice(devices, c, email)
  })
}

/**
 * Before POST /identity/reset-password: whoever proved to own the mailbox comes in here, while others go on guessing. The
 * answer names the address, so that the login need not ask for it.
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

/** Whoever reset the password need not wait. */
export const resetSignInLimit = (paces: RateLimiter, email: string): Promise<void> =>
  paces.forget(wrongPasswords, email)

/** What follows a plus leads to the same mailbox nearly everywhere, and at Gmail dots count for nothing. */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  const [name = ''] = local.split('+')
  return /^(gmail|googlemail)\.com$/.test(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`
}

/**
 * May one more mail of this template go to this address? Anybody can ask for one to anybody; whoever reads the mailbox has
 * the others of this hour, so nobody is kept out by it.
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
