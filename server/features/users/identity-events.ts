/**
 * The shop's hooks for the identity provider: which accounts it may create, and what happens when
 * an account changes.
 */
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { DisplayName, Email } from '#contracts/users.ts'
import type { AccountKey, IdentityEvents } from '#server/adapters/identity/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import { queueMail } from '#server/database/mail-queue.ts'
import { twoFactor, verification } from '#server/database/schema/identity.ts'
import { users } from '#server/database/schema/users.ts'
import {
  passwordPrompts,
  type RateLimiter,
  sessionCodes,
  signInCodes,
} from '#server/http/limits/rate-limits.ts'
import { resetSignInLimit } from '#server/http/limits/sign-in-limits.ts'
import {
  queueIdentityMail,
  queuePasswordChanged,
  queueSecondFactorChanged,
} from '#server/mail/account-mails.ts'
import { shopSlots } from '#server/mail/shop-slots.ts'
import { mailTemplate } from '#server/mail/template.ts'
import { accountStatus, endAllTokens, endSession, findByIdentity, isBlocked } from './store.ts'

type Proved = { issuer: string; subject: string /** lower-case */; email: string }

/**
 * Stores that an identity's address is verified, if the identity has a user. If the address is new,
 * the user gets it, and a trigger copies it to their orders and reviews. The old address gets a
 * mail if it was verified, links mailed there stop working, and access tokens with the old address
 * must be renewed.
 * @param help URL for readers who did not request the change
 */
async function adoptAddress(db: Database, proved: Proved, help: string): Promise<void> {
  const { issuer, subject, email } = proved
  await db.transaction(async (tx) => {
    const isThisUser = and(eq(users.issuer, issuer), eq(users.subject, subject))
    const [user] = await tx
      .select({ email: users.email, emailVerified: users.emailVerified })
      .from(users)
      .where(isThisUser)
      .for('no key update')
    if (!user || (user.email === email && user.emailVerified)) return
    const isChanged = user.email !== email
    await tx
      .update(users)
      .set({
        email,
        emailVerified: true,
        ...(isChanged && { tokenVersion: sql`${users.tokenVersion} + 1` }),
      })
      .where(isThisUser)
    if (!isChanged) return
    await tx.delete(verification).where(eq(verification.value, subject))
    // an old address that was never verified may belong to a stranger
    if (!user.emailVerified) return
    await queueMail(tx, {
      template: 'address-changed',
      recipient: user.email,
      ...mailTemplate({
        subject: 'Your email address was changed',
        lines: [
          `Your account at ${shopSlots.name} now uses a different email address, as requested with your password. We’ll send emails about your orders there.`,
          'If that wasn’t you, contact us right away.',
        ],
        action: { label: 'Contact us', url: help },
      }),
    })
  })
}

/** Uses up the code of a time step, at most once among concurrent requests. */
async function takeStep(db: Database, subject: string, step: number): Promise<boolean> {
  const isUnused = and(eq(twoFactor.userId, subject), lt(twoFactor.lastStep, step))
  const rows = await db.update(twoFactor).set({ lastStep: step }).where(isUnused).returning()
  return rows.length > 0
}

/** Logs that a user switched the second factor on or off, and tells the user. */
async function reportSecondFactor(
  db: Database,
  account: AccountKey,
  isOn: boolean,
  publicUrl: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await findByIdentity(tx, account)
    if (!user) return
    const action = isOn ? 'second factor on' : 'second factor off'
    await logActions(tx, [{ actor: user, action, userId: user._id }])
    // an unverified address may belong to another person
    if (user.emailVerified) await queueSecondFactorChanged(tx, user.email, isOn, publicUrl)
  })
}

const nameLength = 50
const cut = (text: string) => Array.from(text).slice(0, nameLength).join('')

/**
 * Checks an account's name and address by the rules of the sign-up form, whichever call sets them.
 * Returns the problem, or null.
 */
export function accountProblem({ name, email }: { name?: string; email?: string }): string | null {
  const firstError = [
    name === undefined ? undefined : DisplayName.safeParse(name).error,
    email === undefined ? undefined : Email.safeParse(email).error,
  ].find((error) => error)
  return firstError?.issues[0]?.message ?? null
}

/**
 * Converts another provider's name for a user to a valid name; falls back to the part of the
 * address before @.
 */
export function displayNameFrom(name: unknown, email: string): string {
  const plain = String(name ?? '').replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu,
    ' ',
  )
  return DisplayName.safeParse(cut(plain.trim())).data ?? cut(email.split('@')[0] ?? '')
}

/**
 * Returns why a sign-in with Google must not open or link an existing account; null if it may.
 * @param isSandbox the Google sandbox accepts any name and address, so it must not open the account
 *   of an admin or packer
 */
async function googleDenialReason(db: Database, account: AccountKey, isSandbox: boolean) {
  const user = await accountStatus(db, account)
  if (user?.disabledAt) return 'user_disabled'
  return isSandbox && user && user.role !== 'customer' ? 'account_not_linked' : null
}

/**
 * Creates the hooks.
 * @param issuer the issuer of the provider's accounts
 * @param googleIsSandbox whether sign-in with Google uses the sandbox
 */
export function identityEvents({
  db,
  log,
  rateLimiter,
  publicUrl,
  issuer,
  googleIsSandbox,
}: {
  db: Database
  log: Logger
  rateLimiter: RateLimiter
  publicUrl: string
  issuer: string
  googleIsSandbox: boolean
}): IdentityEvents {
  const account = (subject: string) => ({ issuer, subject })
  return {
    mail: (mail) => queueIdentityMail(db, mail),
    sessionEnded: (sessionId) => endSession(db, sessionId),
    async passwordReset(subject, email) {
      await resetSignInLimit(rateLimiter, email)
      await endAllTokens(db, account(subject))
      log.info({ subject }, 'password_reset')
    },
    isBlocked: (subject) => isBlocked(db, account(subject)),
    emailVerified: (subject, email) =>
      adoptAddress(db, { ...account(subject), email }, `${publicUrl}/contact`),
    passwordTried: (subject) => rateLimiter.count(passwordPrompts, subject),
    async passwordChanged(subject, email) {
      await endAllTokens(db, account(subject))
      // an unverified address may belong to another person
      if ((await accountStatus(db, account(subject)))?.emailVerified)
        await queuePasswordChanged(db, email, `${publicUrl}/login`)
      log.info({ subject }, 'password_changed')
    },
    codeTried: (subject, isSignIn) =>
      rateLimiter.count(isSignIn ? signInCodes : sessionCodes, subject),
    codeAccepted: (subject, isSignIn) =>
      rateLimiter.reset(isSignIn ? signInCodes : sessionCodes, subject),
    codeUsed: (subject, step) => takeStep(db, subject, step),
    async secondFactorChanged(subject, isOn) {
      if (isOn) await endAllTokens(db, account(subject))
      await reportSecondFactor(db, account(subject), isOn, publicUrl)
      log.info({ subject, isOn }, 'second_factor_changed')
    },
    googleDenialReason: (subject) => googleDenialReason(db, account(subject), googleIsSandbox),
  }
}
