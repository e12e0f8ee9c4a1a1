/**
 * The second factor of an account: one-time codes of an authenticator app, and recovery codes.
 * better-auth's plugin keeps the secret and asks for a code after the password. This file adds what
 * the plugin leaves open: each code counts once, guesses count per account, sign-ins with Google are
 * asked as well, and changes of the account need a code of the last minutes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { IdentityEvents } from './port.ts'

type Events = Pick<
  IdentityEvents,
  'codeTried' | 'codeAccepted' | 'codeUsed' | 'passwordTried' | 'secondFactorChanged'
>

/** How long a code counts for what is done in the same session, in milliseconds. */
const confirmedMs = 600_000

/** Whether a code was entered in the session within the last ten minutes. */
export const isConfirmed = (session: Record<string, unknown>): boolean =>
  session.confirmedAt instanceof Date && Date.now() - session.confirmedAt.getTime() < confirmedMs

/** The field that the shop adds to the library's sessions. */
export const sessionFields = {
  confirmedAt: { type: 'date', required: false, input: false },
} as const

const periodMs = 30_000
const digits = 6

/** The code of a time step. Source: RFC 4226, 5.3; RFC 6238, 4.2. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  const number = (hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** The time step of a code that is valid now, which the library takes one step early or late. */
function stepOf(secret: string, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const now = Math.floor(Date.now() / periodMs)
  const steps = [now - 1, now, now + 1]
  return (
    steps.find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) ??
    null
  )
}

/** The user who enters a code: of the session, or of the sign-in that waits for it. */
async function whoEnters(c: GenericEndpointContext) {
  const session = await getSessionFromCtx(c)
  if (session) return { userId: session.user.id, isSignIn: false }
  const { name } = c.context.createAuthCookie('two_factor')
  const challenge = await c.getSignedCookie(name, c.context.secret)
  const waiting = challenge && (await c.context.internalAdapter.findVerificationValue(challenge))
  return waiting ? { userId: waiting.value, isSignIn: true } : null
}

/** Uses up a code of the app. @throws APIError CODE_USED when it was entered before */
async function takeCode(c: GenericEndpointContext, events: Events, userId: string): Promise<void> {
  const where = [{ field: 'userId', value: userId }]
  const row = await c.context.adapter.findOne<{ secret: string }>({ model: 'twoFactor', where })
  if (!row) return
  const secret = await symmetricDecrypt({ key: c.context.secretConfig, data: row.secret })
  const step = stepOf(secret, String((c.body as { code?: unknown } | undefined)?.code))
  // the library refuses a wrong code
  if (step === null || (await events.codeUsed(userId, step))) return
  throw new APIError('UNAUTHORIZED', { code: 'CODE_USED', message: 'This code was used already' })
}

/** Ends the user's sessions other than this one. */
async function endOthers({ context }: GenericEndpointContext, userId: string, token: string) {
  for (const session of await context.internalAdapter.listSessions(userId)) {
    if (session.token !== token) await context.internalAdapter.deleteSession(session.token)
  }
}

const verifying = ['/two-factor/verify-totp', '/two-factor/verify-backup-code']
/** The calls that need the account's password. */
const withPassword = [
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
]
/** The calls that need a code of the last minutes. */
const confirmedFirst = [
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/change-password',
  '/change-email',
]
const googleCallback = '/callback/:id'

const at = (paths: string[]) => (c: { path?: string | undefined }) => paths.includes(c.path ?? '')

function confirming(events: Events) {
  const before = createAuthMiddleware(async (c) => {
    const who = await whoEnters(c)
    // the library refuses a request of nobody
    if (!who) return
    await events.codeTried(who.userId, who.isSignIn)
    if (c.path === '/two-factor/verify-totp') await takeCode(c, events, who.userId)
    // every sign-in asks again, and every code ends in a session that has entered one
    return { context: { body: { trustDevice: false, disableSession: false } } }
  })
  const after = createAuthMiddleware(async (c) => {
    const { newSession, session, returned } = c.context
    const entered = newSession ?? session
    if (isAPIError(returned) || !entered) return
    const where = [{ field: 'id', value: entered.session.id }]
    const update = { confirmedAt: new Date() }
    await c.context.adapter.updateMany({ model: 'session', where, update })
    const { id } = entered.user
    await events.codeAccepted(id, !session)
    // a new session in place of an old one: the first code has switched the second factor on
    if (!newSession || !session) return
    await endOthers(c, id, newSession.session.token)
    await events.secondFactorChanged(id, true)
  })
  return { before, after }
}

/**
 * Ends a sign-in with Google at the page that asks for the code. The library asks only after a
 * password.
 */
function askingAfterGoogle() {
  const destinations = new WeakMap<object, string>()
  const remember = createAuthMiddleware(async (c) => {
    const { returned } = c.context
    const headers = isAPIError(returned) ? new Headers(returned.headers) : null
    const location = headers?.get('location')
    if (location) destinations.set(c.context, location)
  })
  const redirect = createAuthMiddleware(async (c) => {
    const isAsked = (c.context.returned as { twoFactorRedirect?: unknown } | null)
      ?.twoFactorRedirect
    const location = destinations.get(c.context)
    if (!isAsked || !location) return
    const url = new URL(location, c.context.baseURL)
    const needed = 'auth/multi-factor-auth-required'
    // the screen of the redirect flow reads its outcome in another parameter than the popup
    url.searchParams.set(url.searchParams.has('google') ? 'google' : 'error', needed)
    throw c.redirect(url.href)
  })
  return { remember, redirect }
}

/** The plugins for `betterAuth`, in this order. */
export function secondFactor(appName: string, events: Events) {
  const library = twoFactor({
    issuer: appName,
    // the shop counts guesses per account itself, for signed-in users as well
    accountLockout: { enabled: false },
  })
  const google = askingAfterGoogle()
  const code = confirming(events)
  const countPassword = createAuthMiddleware(async (c) => {
    const session = await getSessionFromCtx(c)
    if (session) await events.passwordTried(session.user.id)
  })
  const askForCode = createAuthMiddleware(async (c) => {
    const session = await getSessionFromCtx(c)
    if (!session?.user.twoFactorEnabled || isConfirmed(session.session)) return
    throw new APIError('FORBIDDEN', { code: 'CONFIRM_FIRST', message: 'Enter a one-time code' })
  })
  const switchedOff = createAuthMiddleware(async (c) => {
    const { newSession, returned } = c.context
    if (newSession && !isAPIError(returned)) {
      await events.secondFactorChanged(newSession.user.id, false)
    }
  })
  const first = {
    id: 'second-factor',
    hooks: {
      before: [
        { matcher: at(confirmedFirst), handler: askForCode },
        { matcher: at(withPassword), handler: countPassword },
        { matcher: at(verifying), handler: code.before },
      ],
      after: [
        { matcher: at([googleCallback]), handler: google.remember },
        { matcher: at(verifying), handler: code.after },
        { matcher: at(['/two-factor/disable']), handler: switchedOff },
      ],
    },
  } satisfies BetterAuthPlugin
  const asking = library.hooks.after.map(({ handler }) => ({
    matcher: at([googleCallback]),
    handler,
  }))
  const last = {
    id: 'second-factor-after-google',
    hooks: {
      after: [...asking, { matcher: at([googleCallback]), handler: google.redirect }],
    },
  } satisfies BetterAuthPlugin
  return [first, library, last] as const
}
