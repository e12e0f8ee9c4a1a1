import { and, asc, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import { deletedUserName } from '#contracts/account.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { pageAfter } from '#server/database/pagination.ts'
import { auditLog } from '#server/database/schema/audit.ts'
import { user, verification } from '#server/database/schema/identity.ts'
import { mailQueue } from '#server/database/schema/mail.ts'
import { orders } from '#server/database/schema/orders.ts'
import { payments, refunds } from '#server/database/schema/payments.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { profiles, users } from '#server/database/schema/users.ts'
import { orderColumns } from '#server/features/orders/store.ts'

type Piece = { after: string | undefined; limit: number }

/** The user as stored, with what no screen shows. */
export async function findAccount(db: Queryable, userId: string) {
  const [account] = await db
    .select({
      _id: users._id,
      name: users.name,
      email: users.email,
      emailVerified: users.emailVerified,
      role: users.role,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(eq(users._id, userId))
  return account
}

/** What was done to this user and to their orders by the shop, oldest first; who did it is theirs to tell. */
export function listActionsOn(db: Queryable, userId: string) {
  const theirs = sql`(select o._id from ${orders} o where o.user_id = ${userId})`
  return db
    .select({
      at: auditLog.createdAt,
      action: auditLog.action,
      orderId: auditLog.orderId,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .where(or(eq(auditLog.userId, userId), sql`${auditLog.orderId} in ${theirs}`))
    .orderBy(asc(auditLog._id))
}

/** This user's orders, deleted ones too, oldest first. */
export function listAllOrders(db: Queryable, userId: string, { after, limit }: Piece) {
  const page = pageAfter(orders, { by: orders.createdAt }, after)
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.userId, userId), page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
}

/** This user's reviews. */
export function listReviewsOf(db: Queryable, userId: string) {
  return db
    .select({
      _id: reviews._id,
      name: reviews.name,
      review: reviews.review,
      ratings: reviews.ratings,
      createdAt: reviews.createdAt,
    })
    .from(reviews)
    .where(eq(reviews.userId, userId))
    .orderBy(asc(reviews.createdAt), asc(reviews._id))
}

/** A link in one of these is a key: whoever stole an access token must not find it here. */
const holdsKey = inArray(mailQueue.template, ['verify-email', 'change-email', 'reset-password'])

/** Since when this user is known: at the provider before here, and the first mail goes out between. */
const knownSince = (userId: string) =>
  sql`(select coalesce(i.created_at, u.created_at) from ${users} u left join ${user} i on i.id = u.subject
       where u._id = ${userId})`

/** Mails to this address since the account is there, oldest first. */
export function listMailsTo(
  db: Queryable,
  account: { _id: string; email: string },
  { after, limit }: Piece,
) {
  const page = pageAfter(mailQueue, { by: mailQueue.createdAt }, after)
  const isTheirs = and(
    eq(mailQueue.recipient, account.email),
    gte(mailQueue.createdAt, knownSince(account._id)),
  )
  return db
    .select({
      _id: mailQueue._id,
      subject: mailQueue.subject,
      text: sql<string | null>`case when not ${holdsKey} then ${mailQueue.text} end`,
      createdAt: mailQueue.createdAt,
      sentAt: mailQueue.sentAt,
    })
    .from(mailQueue)
    .where(and(isTheirs, page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
}

/** Is this account still there? */
export async function isOpen(db: Queryable, userId: string): Promise<boolean> {
  const open = and(eq(users._id, userId), isNull(users.deletedAt))
  const rows = await db.select({ _id: users._id }).from(users).where(open)
  return rows.length > 0
}

/** The user's row, locked against everything that refers to it until the transaction ends. */
export async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ _id: users._id }).from(users).where(eq(users._id, userId)).for('update')
}

/** Orders of this user whose story is not over. */
export function openOrders(db: Queryable, userId: string) {
  return db
    .select({ _id: orders._id, status: orders.status })
    .from(orders)
    .where(and(eq(orders.userId, userId), inArray(orders.status, ['unpaid', 'paid'])))
}

/** Is money on its way back to this user? */
export async function refundUnderWay(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db
    .select({ _id: orders._id })
    .from(orders)
    .leftJoin(refunds, eq(refunds.orderId, orders._id))
    .leftJoin(payments, eq(payments.orderId, orders._id))
    .where(
      and(
        eq(orders.userId, userId),
        or(inArray(refunds.state, ['requested', 'pending']), eq(payments.status, 'refund_due')),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** Are there admins besides this user who can act? */
export async function otherAdmins(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select from users where role = 'admin' and email_verified and disabled_at is null and _id <> ${userId} limit 1`)
  return rowCount !== 0
}

/** Closes a locked account: what is only about its person goes, what the books need stays without a name. */
export async function anonymizeAccount(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<void> {
  const name = deletedUserName.name
  const nobody = { name, email: `former.${userId.slice(0, 8)}${deletedUserName.domain}` }
  await tx.delete(profiles).where(eq(profiles.userId, userId))
  await tx
    .update(reviews)
    .set({ ...nobody, userId: null, idempotencyKey: null, requestHash: null })
    .where(eq(reviews.userId, userId))
  // the hash of a booking is made of its phone too
  await tx
    .update(orders)
    .set({
      customer: name,
      email: nobody.email,
      phone: deletedUserName.phone,
      idempotencyKey: null,
      requestHash: null,
    })
    .where(eq(orders.userId, userId))
  // what the owner was told of their orders names them too, as does what an admin sent to a corrected address
  const ofTheirs = sql`${mailQueue.orderId} in (select o._id from ${orders} o where o.user_id = ${userId})`
  await tx.delete(mailQueue).where(or(eq(mailQueue.recipient, email), ofTheirs))
  const [closed] = await tx
    .update(users)
    .set({
      ...nobody,
      emailVerified: false,
      role: 'customer',
      disabledAt: sql`now()`,
      deletedAt: sql`now()`,
      tokenVersion: sql`${users.tokenVersion} + 1`,
    })
    .where(eq(users._id, userId))
    .returning({ subject: users.subject })
  // in the same transaction as the rest, so that neither is left without the other; sign-ins and passwords go with it
  if (!closed) return
  await tx.delete(verification).where(eq(verification.value, closed.subject))
  await tx.delete(user).where(eq(user.id, closed.subject))
}
