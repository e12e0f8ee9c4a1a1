import { createHash } from 'node:crypto'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { account, user, verification } from '#server/database/schema/identity.ts'
import type { Queryable } from './client.ts'

/**
 * A fingerprint of an account. It changes with the password, and reveals neither address nor
 * password.
 * @returns null without such an account or password
 */
export async function passwordFingerprint(db: Queryable, email: string): Promise<string | null> {
  const [row] = await db
    .select({ password: account.password })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(user.email, email), isNotNull(account.password)))
  return row ? createHash('sha256').update(`${email}\n${row.password}`).digest('base64url') : null
}

/** The address of the account that this reset token belongs to; undefined for an invalid token. */
export async function addressOfReset(db: Queryable, token: string): Promise<string | undefined> {
  const isToken = and(
    eq(verification.identifier, `reset-password:${token}`),
    gt(verification.expiresAt, sql`now()`),
  )
  const [row] = await db
    .select({ email: user.email })
    .from(verification)
    .innerJoin(user, eq(user.id, verification.value))
    .where(isToken)
  return row?.email
}
