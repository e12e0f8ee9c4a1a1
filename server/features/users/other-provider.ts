/**
 * Users whose identity belongs to another provider: from before the shop changed its provider, or
 * created for an admin's address before the first sign-in. The first sign-in with the verified
 * address hands the user over to the new identity.
 */
import { and, eq, isNull, ne, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Identity, Proof } from '#server/adapters/identity/port.ts'
import type { Queryable } from '#server/database/client.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, StartError } from '#server/errors.ts'

/** The placeholder for the issuer until the account's first sign-in. */
const expectedIssuer = 'expected'

const own = alias(users, 'own')

/**
 * Finds the user with this verified address at another provider, if the identity has no user.
 * Prefers a blocked user.
 */
const predecessor = (db: Queryable, { issuer, subject, email }: Proof) =>
  db
    .select({ _id: users._id })
    .from(users)
    .where(
      and(
        eq(users.email, email),
        users.emailVerified,
        ne(users.issuer, issuer),
        isNull(users.deletedAt),
        notExists(
          db
            .select({ one: sql`1` })
            .from(own)
            .where(and(eq(own.issuer, issuer), eq(own.subject, subject))),
        ),
      ),
    )
    .orderBy(sql`${users.disabledAt} nulls last`, users.createdAt)
    .limit(1)

/**
 * Hands a user over to the identity that proves the user's verified address. Earlier access tokens
 * end.
 * @throws AppError NOT_VERIFIED when the identity has the address but has not proved it
 */
export async function adoptAccount(db: Queryable, proof: Proof): Promise<void> {
  const { issuer, subject } = proof
  const previous = predecessor(db, proof)
  if (!proof.emailVerified) {
    if ((await previous).length === 0) return
    throw new AppError(
      'NOT_VERIFIED',
      'This address already has an account here. Open the link we emailed to it, then log in: your account is just as it was.',
    )
  }
  await db
    .update(users)
    .set({ issuer, subject, tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(sql`${users._id} = (${previous.for('update')})`)
}

/**
 * Returns the account of an address at a provider where the shop cannot create accounts: the
 * verified account or, if there is none, an expected one.
 * @throws StartError when there is an account with the address, but it is not verified
 */
export async function expectAccount(
  db: Queryable,
  { issuer }: Pick<Identity, 'issuer'>,
  { email, name }: { email: string; name: string },
): Promise<Proof> {
  const accounts = await db
    .select({
      issuer: users.issuer,
      subject: users.subject,
      emailVerified: users.emailVerified,
      name: users.name,
    })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
    .orderBy(sql`${users.issuer} = ${issuer} desc`, users.createdAt)
  const verified = accounts.find((user) => user.emailVerified)
  if (!verified && accounts.some((user) => user.issuer === issuer)) {
    throw new StartError(
      `${email} has an account at Firebase that is not verified: open the link that was mailed there, log in once, and run this again.`,
    )
  }
  const account = verified ?? { issuer: expectedIssuer, subject: email, name }
  return { ...account, email, emailVerified: true, sessionId: null }
}
