import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Block, Caller } from '#contracts/users.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import { hideReviews } from '#server/features/reviews/change-review.ts'
import { lockShownReviewsBy } from '#server/features/reviews/store.ts'
import { identityOf } from './store.ts'

export type BlockDeps = { db: Database; identity: Identity }

/**
 * Locks an account that is not deleted. Inserts of rows that refer to it do not wait.
 * @throws AppError NOT_FOUND
 */
async function lockUser(tx: Transaction, userId: string) {
  const [user] = await tx
    .select({ disabledAt: users.disabledAt })
    .from(users)
    .where(and(eq(users._id, userId), isNull(users.deletedAt)))
    .for('no key update')
  return found(user, 'user')
}

/** Blocks the account in the caller's transaction. @returns false when it was already blocked */
async function shut(tx: Transaction, caller: Caller, userId: string, block: Block) {
  const { reason } = block
  if ((await lockUser(tx, userId)).disabledAt) return false
  const tokenVersion = sql`${users.tokenVersion} + 1`
  await tx.update(users).set({ disabledAt: sql`now()`, tokenVersion }).where(eq(users._id, userId))
  const detail = { reason }
  await logActions(tx, [{ actor: caller, action: 'account blocked', userId, detail }])
  if (block.hideReviews) {
    await hideReviews(tx, caller, await lockShownReviewsBy(tx, userId), reason)
  }
  return true
}

/**
 * Blocks an account: ends its tokens and sessions, and prevents new ones. Its orders stay; its
 * reviews stay unless the admin hides them.
 * @returns false when it was already blocked
 * @throws AppError NOT_FOUND, INVALID for the caller's own account, LAST_ADMIN when no admin would
 *   be left
 */
export async function blockAccount(
  { db, identity }: BlockDeps,
  caller: Caller,
  userId: string,
  block: Block,
): Promise<boolean> {
  if (userId === caller._id) throw new AppError('INVALID', 'You can’t block your own account.')
  const blocked = await db
    .transaction((tx) => shut(tx, caller, userId, block))
    .catch((error) => {
      if (refusedBy(error) !== 'users_last_admin') throw error
      throw new AppError(
        'LAST_ADMIN',
        'This is the last active admin, so the account wasn’t blocked.',
      )
    })
  // its tokens are already refused; this ends the sessions that could renew them
  const account = await identityOf(db, userId)
  const signIns = await identity.signIns(account)
  await identity.endSignIns(
    account,
    (signIns ?? []).map(({ sessionId }) => sessionId),
  )
  return blocked
}

/** Unblocks an account. @returns false when it was not blocked @throws AppError NOT_FOUND */
export function unblockAccount(
  { db }: BlockDeps,
  caller: Caller,
  userId: string,
  reason: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockUser(tx, userId)).disabledAt) return false
    await tx.update(users).set({ disabledAt: null }).where(eq(users._id, userId))
    const detail = { reason }
    await logActions(tx, [{ actor: caller, action: 'account unblocked', userId, detail }])
    return true
  })
}
