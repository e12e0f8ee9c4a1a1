import { createHash } from 'node:crypto'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { account, user, verification } from '#server/database/schema/identity.ts'
import type { Queryable } from './client.ts'

/**
 * Names an account as long as it has the password of now: whoever finds it reads neither address nor password.
 * @returns null where there is no such account, or none with a password
 */
export async function passwordFingerprint(db: Queryable, email: string): Promise<string | null> {
  const [row] = await db
    .select({ password: account.password })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(user.email, email), isNotNull(account.password)))
  return row ? createHash('sha256').update(`${email}\n${row.password}`).digest('base64url') : null
}

/** The address of the account whose password this link's token sets; undefined when it sets none. */
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
