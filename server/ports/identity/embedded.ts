import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError } from 'better-auth/api'
import { jwt } from 'better-auth/plugins/jwt'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { AppError } from '#server/errors.ts'
import type { Identity, IdentityEvents, Proof } from './port.ts'

export type EmbeddedIdentitySettings = {
  /** Origin of the shop, e.g. http://127.0.0.1:3000; mail links are made from it and never from a Host header. */
  publicUrl: string
  trustedOrigins: string[]
  secret: string
  rateLimit: boolean
  passwordMin: number
  passwordMax: number
  /** Request header that holds the client's address; the server sets it, never the client. */
  clientAddressHeader: string
  /** What is wrong with the name or address of an account, or null. */
  problemWith: (account: { name?: string; email?: string }) => string | null
  log: (message: string) => void
}

/** This provider in the shop's rows. Not its address: PORT and PUBLIC_URL may change, people stay who they are. */
export const embeddedIssuer = 'embedded'

const audience = 'ferrite'

/** Not used by the shop, so not there. */
const disabledPaths = [
  '/change-email',
  '/delete-user',
  '/delete-user/callback',
  '/link-social',
  '/unlink-account',
  '/list-accounts',
  '/update-session',
  '/refresh-token',
  '/get-access-token',
  '/account-info',
]

type Tables = NonNullable<Parameters<typeof drizzleAdapter>[1]['schema']>
type IdentityDatabase = Parameters<typeof drizzleAdapter>[0]

/** E-mail and password, and the mails that prove an address. */
function passwordOptions(settings: EmbeddedIdentitySettings, events: IdentityEvents) {
  return {
    emailAndPassword: {
      enabled: true,
      minPasswordLength: settings.passwordMin,
      maxPasswordLength: settings.passwordMax,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, url }) =>
        events.mail({ kind: 'reset-password', recipient: user.email, name: user.name, url }),
      onPasswordReset: ({ user }) => events.passwordReset(user.id),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendVerificationEmail: ({ user, url }) =>
        events.mail({ kind: 'verify-email', recipient: user.email, name: user.name, url }),
    },
  } satisfies Partial<BetterAuthOptions>
}

function optionsFor(
  settings: EmbeddedIdentitySettings,
  database: { db: IdentityDatabase; tables: Tables },
  events: IdentityEvents,
) {
  const issuer = `${settings.publicUrl}/identity`
  const refuseBad = async (account: { name?: string; email?: string }) => {
    const message = settings.problemWith(account)
    if (message) throw new APIError('BAD_REQUEST', { code: 'INVALID', message })
  }
  return {
    appName: 'Ferrite',
    baseURL: settings.publicUrl,
    basePath: '/identity',
    secret: settings.secret,
    trustedOrigins: settings.trustedOrigins,
    disabledPaths,
    telemetry: { enabled: false },
    // faults are ours to log and answer: the library's own lines would hold what was asked, tokens too
    onAPIError: { throw: true },
    logger: { level: 'error', log: (_, message) => settings.log(message) },
    database: drizzleAdapter(database.db, {
      provider: 'pg',
      schema: database.tables,
      transaction: true,
    }),
    rateLimit: { enabled: settings.rateLimit, storage: 'database' },
    advanced: {
      ipAddress: { ipAddressHeaders: [settings.clientAddressHeader] },
      cookiePrefix: 'ferrite',
      // the library would skip the check by itself where NODE_ENV is `test`
      disableOriginCheck: false,
    },
    ...passwordOptions(settings, events),
    databaseHooks: {
      user: { create: { before: refuseBad }, update: { before: refuseBad } },
      session: { delete: { after: (session) => events.sessionEnded(session.id) } },
    },
    plugins: [
      jwt({
        disableSettingJwtHeader: true,
        jwt: {
          issuer,
          audience,
          expirationTime: '5m',
          definePayload: ({ user, session }) => ({
            email: user.email.toLowerCase(),
            email_verified: user.emailVerified,
            name: user.name,
            sid: session.id,
          }),
        },
      }),
    ],
  } satisfies BetterAuthOptions
}

/** Verifies ID tokens against the provider's own keys, read again when a token names an unknown one. */
function tokenVerifier(issuer: string, readKeys: () => Promise<JSONWebKeySet>) {
  let keys: ReturnType<typeof createLocalJWKSet> | undefined
  const verify = async (token: string, fresh: boolean) => {
    if (!keys || fresh) keys = createLocalJWKSet(await readKeys())
    return jwtVerify(token, keys, { issuer, audience, algorithms: ['EdDSA'], clockTolerance: 5 })
  }
  return async (token: string): Promise<Proof> => {
    const { payload } = await verify(token, false)
      .catch((error) =>
        error instanceof errors.JWKSNoMatchingKey ? verify(token, true) : Promise.reject(error),
      )
      .catch((error) => {
        if (!(error instanceof errors.JOSEError)) throw error
        throw new AppError('UNAUTHENTICATED', 'The identity token is not valid. Log in again.')
      })
    return {
      issuer: embeddedIssuer,
      subject: String(payload.sub),
      email: String(payload.email),
      emailVerified: payload.email_verified === true,
      name: String(payload.name),
      sessionId: typeof payload.sid === 'string' ? payload.sid : null,
    }
  }
}

/**
 * Identity by better-auth inside this process: e-mail and password, sessions in cookies, ID tokens by key set.
 * Source of its behaviour: better-auth 1.7, https://better-auth.com/docs
 */
export function embeddedIdentity(
  settings: EmbeddedIdentitySettings,
  database: { db: IdentityDatabase; tables: Tables },
  events: IdentityEvents,
): Identity {
  const issuer = `${settings.publicUrl}/identity`
  const options = optionsFor(settings, database, {
    ...events,
    async passwordReset(subject) {
      // whoever reads the mailbox owns the address: the reset proves it
      const { internalAdapter } = await auth.$context
      await internalAdapter.updateUser(subject, { emailVerified: true })
      await events.passwordReset(subject)
    },
  })
  const auth = betterAuth(options)
  return {
    kind: 'embedded',
    verifyIdToken: tokenVerifier(issuer, () => auth.api.getJwks() as Promise<JSONWebKeySet>),
    handle: (request) => auth.handler(request),
    async ensureAccount({ email, password, name }) {
      const { internalAdapter, password: passwords } = await auth.$context
      const known = await internalAdapter.findUserByEmail(email)
      const user =
        known?.user ??
        (await internalAdapter.createUser(
          { email, name, emailVerified: true },
          { method: 'email-password' },
        ))
      if (!known) {
        await internalAdapter.linkAccount({
          userId: user.id,
          providerId: 'credential',
          accountId: user.id,
          password: await passwords.hash(password),
        })
      }
      const { emailVerified } = user
      const { id: subject, name: called } = user
      return {
        issuer: embeddedIssuer,
        subject,
        email,
        emailVerified,
        name: called,
        sessionId: null,
      }
    },
  }
}
