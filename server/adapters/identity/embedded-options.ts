import type { AuthContext, BetterAuthOptions } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import { accountChanges, addressIn } from './account-changes.ts'
import { discoveryReader, type GoogleSettings, google } from './google.ts'
import { googleEntry } from './google-entry.ts'
import { idTokens } from './id-token.ts'
import type { IdentityEvents } from './port.ts'
import { secondFactor, sessionFields } from './second-factor.ts'

/**
 * A verification link only works where the account is signed in. The mail reaches the owner of the
 * address even when another user signed up with it, and the owner's click must not make that
 * account trusted. Without a session, the link opens a page that asks for the password and then
 * returns here. Links that change an address work the same way.
 */
const verifyWhereSignedIn = createAuthMiddleware(async (c) => {
  if (c.path !== '/verify-email') return
  const token = String(c.query?.token ?? '')
  const { email } = (await verifyJWT<{ email?: unknown }>(token, c.context.secret)) ?? {}
  // the library refuses an invalid or expired token
  if (typeof email !== 'string') return
  const match = await c.context.internalAdapter.findUserByEmail(email)
  if (!match) return
  const session = await getSessionFromCtx(c)
  if (session?.user.id === match.user.id) return
  throw c.redirect(`/verified?${new URLSearchParams({ token, email })}`)
})

export type EmbeddedIdentitySettings = {
  /**
   * Origin of the shop, e.g. http://127.0.0.1:3000. Mail links use it and never the Host header.
   */
  publicUrl: string
  trustedOrigins: string[]
  secret: string
  passwordMin: number
  passwordMax: number
  /** Request header with the client's address. The server sets it, never the client. */
  clientAddressHeader: string
  /** Checks an account's name and address. @returns the problem, or null */
  problemWith: (account: { name?: string; email?: string }) => string | null
  /** Converts another provider's name for a user into one that accounts may have. */
  cleanName: (name: unknown, email: string) => string
  /** Null without sign-in with Google. */
  google: GoogleSettings | null
  /** Behind a proxy, the Host header is not what the user typed. */
  trustProxy: boolean
  log: (message: string) => void
}

export type IdentityDatabase = {
  db: Parameters<typeof drizzleAdapter>[0]
  tables: NonNullable<Parameters<typeof drizzleAdapter>[1]['schema']>
}

/** The library's settings for Google sign-in, and the check for accounts that must not use it. */
function googleOptions(settings: EmbeddedIdentitySettings, events: IdentityEvents) {
  const { publicUrl, trustProxy } = settings
  const discover = settings.google && discoveryReader(settings.google.issuer)
  return {
    plugins: [
      googleEntry({ publicUrl, trustProxy, reach: discover }),
      ...(settings.google && discover
        ? [google(settings.google, discover, settings.cleanName)]
        : []),
    ],
    user: {
      async validateUserInfo({ user, source }) {
        if (source.method !== 'oauth' || source.action === 'create-user' || !user.id) return
        const error = await events.googleDenialReason(user.id)
        return error ? { error } : undefined
      },
    },
  } satisfies Partial<BetterAuthOptions>
}

/** URL of the page that sets a new password. */
export const passwordLink = (
  { publicUrl }: Pick<EmbeddedIdentitySettings, 'publicUrl'>,
  token: string,
): string => `${publicUrl}/identity/reset-password/${token}?callbackURL=%2Freset-password`

/** The library's settings for passwords and for mails that verify an address. */
function passwordOptions(settings: EmbeddedIdentitySettings, events: IdentityEvents) {
  return {
    emailAndPassword: {
      enabled: true,
      minPasswordLength: settings.passwordMin,
      maxPasswordLength: settings.passwordMax,
      revokeSessionsOnPasswordReset: true,
      // the link opens this page, whatever the request contained
      sendResetPassword: ({ user, token }) =>
        events.mail({
          template: 'reset-password',
          recipient: user.email,
          url: passwordLink(settings, token),
        }),
      onPasswordReset: ({ user }) => events.passwordReset(user.id, user.email),
    },
    emailVerification: {
      sendOnSignUp: true,
      // the link returns to this page, whatever the request contained
      sendVerificationEmail: async ({ user, token }) =>
        events.mail({
          template: (await addressIn(token, settings.secret)) ? 'change-email' : 'verify-email',
          recipient: user.email,
          url: `${settings.publicUrl}/identity/verify-email?${new URLSearchParams({ token, callbackURL: '/verified' })}`,
        }),
    },
  } satisfies Partial<BetterAuthOptions>
}

/** Characters of a browser's name that are stored: anybody can send a long one. */
const maxUserAgent = 500
/** Sessions of an account; the library lists and ends a hundred at most. */
const maxSessions = 50

/** Ends the sessions beyond this number that were used longest ago. */
async function endOldest({ adapter, internalAdapter }: AuthContext, userId: string): Promise<void> {
  const oldest = await adapter.findMany<{ token: string }>({
    model: 'session',
    where: [{ field: 'userId', value: userId }],
    sortBy: { field: 'updatedAt', direction: 'desc' },
    offset: maxSessions,
    limit: 1000,
  })
  for (const { token } of oldest) await internalAdapter.deleteSession(token)
}

/** Applies the shop's rules to accounts, and reports changes to the shop. */
function hooks(settings: EmbeddedIdentitySettings, events: IdentityEvents) {
  const refuseBad = async (account: { name?: string; email?: string }) => {
    const message = settings.problemWith(account)
    if (message) throw new APIError('BAD_REQUEST', { code: 'INVALID', message })
  }
  return {
    user: {
      create: {
        before: async (user) => {
          await refuseBad(user)
          // a picture URL from the user; no page shows one
          return { data: { ...user, image: null } }
        },
      },
      update: {
        before: async ({ image: _, ...user }) => {
          await refuseBad(user)
          // only the link mailed to an address can set it
          return { data: { ...user, image: undefined, ...(user.email && { emailVerified: true }) } }
        },
        after: async ({ id, email, emailVerified }) => {
          if (emailVerified) await events.emailVerified(id, email)
        },
      },
    },
    session: {
      create: {
        before: async (session) => {
          if (await events.isBlocked(session.userId))
            throw new APIError('FORBIDDEN', { code: 'USER_DISABLED', message: 'User disabled' })
          const userAgent = session.userAgent?.slice(0, maxUserAgent)
          return { data: { ...session, userAgent } }
        },
        after: async ({ userId }, c) => {
          if (c) await endOldest(c.context, userId)
        },
      },
      delete: { after: (session) => events.sessionEnded(session.id) },
    },
  } satisfies BetterAuthOptions['databaseHooks']
}

/** Removes the user's input from the library's messages: `Invalid origin: …`. */
const withoutInput = (message: string) => message.replace(/:[\s\S]*/, '')

/** All settings of better-auth. */
export function optionsFor(
  settings: EmbeddedIdentitySettings,
  database: IdentityDatabase,
  events: IdentityEvents,
) {
  const { plugins, user } = googleOptions(settings, events)
  return {
    appName: 'Ferrite',
    baseURL: settings.publicUrl,
    basePath: '/identity',
    secret: settings.secret,
    trustedOrigins: settings.trustedOrigins,
    telemetry: { enabled: false },
    // we log and handle errors: the library's own log lines would contain requests, even tokens
    onAPIError: { throw: true, errorURL: `${settings.publicUrl}/identity/popup/done` },
    logger: { level: 'error', log: (_, message) => settings.log(withoutInput(message)) },
    database: drizzleAdapter(database.db, {
      provider: 'pg',
      schema: database.tables,
      transaction: true,
    }),
    // off: the library would count by address and path in its own table; identity-routes.ts in
    // server/http counts instead
    rateLimit: { enabled: false },
    advanced: {
      ipAddress: { ipAddressHeaders: [settings.clientAddressHeader] },
      cookiePrefix: 'ferrite',
      // the library skips the check when NODE_ENV is `test`
      disableOriginCheck: false,
    },
    ...passwordOptions(settings, events),
    user: { ...user, changeEmail: { enabled: true } },
    session: { additionalFields: sessionFields },
    hooks: { before: verifyWhereSignedIn },
    databaseHooks: hooks(settings, events),
    plugins: [
      ...plugins,
      ...secondFactor('Ferrite', events),
      accountChanges(settings, events),
      idTokens(`${settings.publicUrl}/identity`),
    ],
  } satisfies BetterAuthOptions
}
