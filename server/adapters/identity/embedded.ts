import { randomBytes } from 'node:crypto'
import type { User } from 'better-auth'
import { betterAuth } from 'better-auth/minimal'
import type { JSONWebKeySet } from 'jose'
import {
  type EmbeddedIdentitySettings,
  type IdentityDatabase,
  optionsFor,
  passwordLink,
} from './embedded-options.ts'
import { mapTokenError } from './google.ts'
import { redirectOnError } from './google-entry.ts'
import { embeddedIssuer, tokenVerifier } from './id-token.ts'
import type { AccountKey, Identity, IdentityEvents } from './port.ts'
import { isConfirmed } from './second-factor.ts'

type Auth = ReturnType<typeof betterAuth<ReturnType<typeof optionsFor>>>
type Context = Awaited<Auth['$context']>
/** How long the link that sets a password is valid, in milliseconds. */
const passwordLinkMs = 3_600_000

type InternalAdapter = Context['internalAdapter']

/** Removes Google links from before the address was verified: a squatter may have added them. */
async function unlinkOthers(accounts: InternalAdapter, subject: string): Promise<void> {
  for (const { id, providerId } of await accounts.findAccounts(subject)) {
    if (providerId !== 'credential') await accounts.deleteAccount(id)
  }
}

/**
 * The user of this address if it is verified. Otherwise a new user, or the old one with all
 * sessions and links removed.
 */
async function verifiedAccount(
  { adapter, internalAdapter, password: passwords }: Context,
  events: IdentityEvents,
  { email, password, name }: { email: string; password: string; name: string },
): Promise<Pick<User, 'id' | 'name'>> {
  const existing = (await internalAdapter.findUserByEmail(email))?.user
  if (existing?.emailVerified) return existing
  const now = new Date()
  // directly into the table: the rules for accounts need a request
  const user =
    existing ??
    (await adapter.create<Record<string, unknown>, User>({
      model: 'user',
      data: { email, name, emailVerified: true, createdAt: now, updatedAt: now },
    }))
  if (existing) {
    await internalAdapter.deleteAccounts(existing.id)
    await internalAdapter.deleteUserSessions(existing.id)
    await internalAdapter.updateUser(existing.id, { name, emailVerified: true })
    await events.passwordReset(existing.id, email)
  }
  await internalAdapter.linkAccount({
    userId: user.id,
    providerId: 'credential',
    accountId: user.id,
    password: await passwords.hash(password),
  })
  return { id: user.id, name }
}

/** Sessions in the library's table. Their tokens never leave this file. */
function signInsOf(
  context: () => Promise<Context>,
): Pick<Identity, 'signIns' | 'endSignIns' | 'noteUse'> {
  const sessionsOf = async ({ issuer, subject }: AccountKey) =>
    issuer === embeddedIssuer
      ? (await context()).internalAdapter.listSessions(subject, { onlyActiveSessions: true })
      : []
  return {
    async signIns(account) {
      return (await sessionsOf(account)).map((session) => ({
        sessionId: session.id,
        userAgent: session.userAgent ?? null,
        ipAddress: session.ipAddress ?? null,
        signedInAt: session.createdAt,
        lastSeenAt: session.updatedAt,
      }))
    },
    async endSignIns(account, sessionIds) {
      const { internalAdapter } = await context()
      for (const { id, token } of await sessionsOf(account)) {
        if (sessionIds.includes(id)) await internalAdapter.deleteSession(token)
      }
    },
    async noteUse(sessionId) {
      const where = [{ field: 'id', value: sessionId }]
      await (await context()).adapter.updateMany({
        model: 'session',
        where,
        update: { updatedAt: new Date() },
      })
    },
  }
}

function passwordsOf(
  context: () => Promise<Context>,
): Pick<Identity, 'hasPassword' | 'isPassword'> {
  const hashOf = async ({ issuer, subject }: AccountKey) => {
    if (issuer !== embeddedIssuer) return null
    const accounts = await (await context()).internalAdapter.findAccounts(subject)
    return accounts.find(({ providerId }) => providerId === 'credential')?.password ?? null
  }
  return {
    hasPassword: async (account) => (await hashOf(account)) !== null,
    async isPassword(account, password) {
      const hash = await hashOf(account)
      return hash !== null && (await context()).password.verify({ hash, password })
    },
  }
}

function secondFactorOf(
  context: () => Promise<Context>,
): Pick<Identity, 'secondFactor' | 'removeSecondFactor'> {
  const userOf = async ({ issuer, subject }: AccountKey) =>
    issuer === embeddedIssuer
      ? (await context()).adapter.findOne<User & { twoFactorEnabled: boolean }>({
          model: 'user',
          where: [{ field: 'id', value: subject }],
        })
      : null
  return {
    async secondFactor(account, sessionId) {
      if (!(await userOf(account))?.twoFactorEnabled) return 'off'
      const session = await (await context()).adapter.findOne<Record<string, unknown>>({
        model: 'session',
        where: [{ field: 'id', value: sessionId ?? '' }],
      })
      return session && isConfirmed(session) ? 'confirmed' : 'unconfirmed'
    },
    async removeSecondFactor(account) {
      const user = await userOf(account)
      if (!user) return false
      const { adapter, internalAdapter } = await context()
      await internalAdapter.updateUser(user.id, { twoFactorEnabled: false })
      const where = [{ field: 'userId', value: user.id }]
      await adapter.deleteMany({ model: 'twoFactor', where })
      return user.twoFactorEnabled
    },
  }
}

/**
 * Identity by better-auth inside this process: e-mail and password, sessions in cookies, ID tokens
 * verified with a key set. For its behaviour, see better-auth 1.7, https://better-auth.com/docs
 */
export function embeddedIdentity(
  settings: EmbeddedIdentitySettings,
  database: IdentityDatabase,
  events: IdentityEvents,
): Identity {
  const issuer = `${settings.publicUrl}/identity`
  const options = optionsFor(settings, database, {
    ...events,
    async passwordReset(subject, email) {
      // the reset proves that the user reads the mailbox
      const { internalAdapter } = await auth.$context
      const user = await internalAdapter.findUserById(subject)
      if (!user?.emailVerified) await unlinkOthers(internalAdapter, subject)
      await internalAdapter.updateUser(subject, { emailVerified: true })
      await events.passwordReset(subject, email)
    },
  })
  const auth = betterAuth(options)
  return {
    provider: 'embedded',
    issuer: embeddedIssuer,
    verify: null,
    removal: null,
    ...signInsOf(() => auth.$context),
    ...passwordsOf(() => auth.$context),
    ...secondFactorOf(() => auth.$context),
    async passwordLink({ subject }) {
      // like the library's own call for the mail
      const token = randomBytes(24).toString('base64url')
      await (await auth.$context).internalAdapter.createVerificationValue({
        value: subject,
        identifier: `reset-password:${token}`,
        expiresAt: new Date(Date.now() + passwordLinkMs),
      })
      return passwordLink(settings, token)
    },
    verifyIdToken: tokenVerifier(issuer, () => auth.api.getJwks() as Promise<JSONWebKeySet>),
    handle: async (request) =>
      redirectOnError(request, await mapTokenError(() => auth.handler(request))),
    async ensureAccount(credentials) {
      const { id, name } = await verifiedAccount(await auth.$context, events, credentials)
      const { email } = credentials
      return {
        issuer: embeddedIssuer,
        subject: id,
        email,
        emailVerified: true,
        name,
        sessionId: null,
      }
    },
  }
}
