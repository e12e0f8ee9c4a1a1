import {
  and,
  asc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { deletedUserName } from '#contracts/account.ts'
import { anonymousAddress } from '#contracts/addresses.ts'
import { orderFields, orderFieldsWith } from '#contracts/orders.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { mailTemplateNames } from '#server/database/mail-templates.ts'
import { pageAfter } from '#server/database/pagination.ts'
import { auditLog } from '#server/database/schema/audit.ts'
import { builds } from '#server/database/schema/builds.ts'
import { checkouts } from '#server/database/schema/checkouts.ts'
import { user, verification } from '#server/database/schema/identity.ts'
import { machineParts } from '#server/database/schema/machine.ts'
import { mailQueue } from '#server/database/schema/mail.ts'
import { notes } from '#server/database/schema/notes.ts'
import { orders } from '#server/database/schema/orders.ts'
import { parts } from '#server/database/schema/parts.ts'
import { payments, refunds } from '#server/database/schema/payments.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { addresses } from '#server/database/schema/shipping.ts'
import { ticketMessages, ticketPictures, tickets } from '#server/database/schema/tickets.ts'
import { baskets, profiles, users } from '#server/database/schema/users.ts'
import { orderColumns } from '#server/features/orders/store.ts'

type Page = { after: string | undefined; limit: number }

/** Finds the user's row, with columns that no screen shows. */
export async function findAccount(db: Queryable, userId: string) {
  const [account] = await db
    .select({
      _id: users._id,
      name: users.name,
      email: users.email,
      emailVerified: users.emailVerified,
      mailbox: users.mailbox,
      role: users.role,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(eq(users._id, userId))
  return account
}

/** Lists audit actions about the user and their orders, oldest first, without the admins' names. */
export function listActionsOn(db: Queryable, userId: string) {
  const ownOrders = sql`(select o._id from ${orders} o where o.user_id = ${userId})`
  return db
    .select({
      at: auditLog.createdAt,
      action: auditLog.action,
      orderId: auditLog.orderId,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .where(or(eq(auditLog.userId, userId), sql`${auditLog.orderId} in ${ownOrders}`))
    .orderBy(asc(auditLog._id))
}

/** Lists a page of the user's orders, even deleted ones, oldest first. */
export function listOrdersOfAccount(db: Queryable, userId: string, { after, limit }: Page) {
  const page = pageAfter(orders, { by: orders.createdAt }, after)
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.userId, userId), page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
}

/** Lists the user's reviews. */
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

/** Lists the user's queue places. */
export function listPlacesOf(db: Queryable, userId: string) {
  return db
    .select({
      product: parts.name,
      quantity: queuePlaces.quantity,
      createdAt: queuePlaces.createdAt,
      offerEndsAt: queuePlaces.offerEndsAt,
    })
    .from(queuePlaces)
    .innerJoin(parts, eq(parts._id, queuePlaces.partId))
    .where(eq(queuePlaces.userId, userId))
    .orderBy(asc(queuePlaces.turn))
}

/** Mails with a link to the account, which a stolen access token must not reveal. */
const isAccountLink = inArray(mailQueue.template, [
  'verify-email',
  'change-email',
  'reset-password',
])

/**
 * SQL for the time when the account was created. The provider creates it before the shop does, and
 * sends the first mail in between.
 */
const knownSince = (userId: string) =>
  sql`(select coalesce(i.created_at, u.created_at) from ${users} u left join ${user} i on i.id = u.subject
       where u._id = ${userId})`

const forTheOwner = mailTemplateNames.filter((name) => name.startsWith('owner-'))

/**
 * Mails to the account: to its address, since it was created. Mails to the owner do not count,
 * whatever their address: anybody can sign up with it. Nor do those about orders that another
 * account made with it before.
 */
const mailsTo = ({ _id, email }: { _id: string; email: string }) =>
  and(
    eq(mailQueue.recipient, email),
    gte(mailQueue.createdAt, knownSince(_id)),
    notInArray(mailQueue.template, forTheOwner),
    or(
      isNull(mailQueue.orderId),
      sql`exists (select from ${orders} o where o._id = ${mailQueue}.order_id and o.user_id = ${_id})`,
    ),
  )

/** Mails to the account, oldest first. */
export function listMailsTo(
  db: Queryable,
  account: { _id: string; email: string },
  { after, limit }: Page,
) {
  const page = pageAfter(mailQueue, { by: mailQueue.createdAt }, after)
  return db
    .select({
      _id: mailQueue._id,
      subject: mailQueue.subject,
      text: sql<string | null>`case when not ${isAccountLink} then ${mailQueue.text} end`,
      createdAt: mailQueue.createdAt,
      sentAt: mailQueue.sentAt,
    })
    .from(mailQueue)
    .where(and(mailsTo(account), page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
}

/** Whether the account still exists. */
export async function isOpen(db: Queryable, userId: string): Promise<boolean> {
  const open = and(eq(users._id, userId), isNull(users.deletedAt))
  const rows = await db.select({ _id: users._id }).from(users).where(open)
  return rows.length > 0
}

/** Locks the user's row against every row that refers to it, until the transaction ends. */
export async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ _id: users._id }).from(users).where(eq(users._id, userId)).for('update')
}

/** Lists the user's unpaid orders, and those that are paid but not shipped. */
export function unfinishedOrders(db: Queryable, userId: string) {
  return db
    .select({ _id: orders._id, status: orders.status })
    .from(orders)
    .where(and(eq(orders.userId, userId), inArray(orders.status, ['unpaid', 'paid'])))
}

/** Lists the user's queue places with an offer. */
export const offersTo = (db: Queryable, userId: string) =>
  db
    .select()
    .from(queuePlaces)
    .where(and(eq(queuePlaces.userId, userId), isNotNull(queuePlaces.offeredAt)))

/** Whether a refund to the user is in progress. */
export async function refundUnderWay(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db
    .select({ _id: refunds._id })
    .from(refunds)
    .innerJoin(payments, eq(payments.intentId, refunds.intentId))
    .innerJoin(orders, eq(orders.checkoutId, payments.checkoutId))
    .where(and(eq(orders.userId, userId), inArray(refunds.state, ['requested', 'pending'])))
    .limit(1)
  return rows.length > 0
}

/** Whether there is another admin who is verified and not blocked. */
export async function otherAdmins(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select from users where role = 'admin' and email_verified and disabled_at is null and _id <> ${userId} limit 1`)
  return rowCount !== 0
}

/** Leaves of the addresses of a deleted account where the goods went, which made their tax. */
async function anonymizeAddresses(tx: Transaction, userId: string, name: string): Promise<void> {
  const sent = await tx
    .select({ _id: checkouts._id, shipTo: checkouts.shipTo })
    .from(checkouts)
    .where(eq(checkouts.userId, userId))
  for (const { _id, shipTo } of sent) {
    await tx
      .update(checkouts)
      .set({ shipTo: shipTo && anonymousAddress(shipTo, name), billTo: null, taxNumber: '' })
      .where(eq(checkouts._id, _id))
  }
}

/** Removes what customers wrote in these tickets. */
async function emptyMessages(tx: Transaction, which: SQL): Promise<void> {
  const ofThem = tx.select({ _id: tickets._id }).from(tickets).where(which)
  const written = and(eq(ticketMessages.author, 'customer'), ne(ticketMessages.text, ''))
  await tx
    .update(ticketMessages)
    .set({ text: '' })
    .where(and(written, inArray(ticketMessages.ticketId, ofThem)))
}

/**
 * Anonymises a locked account: removes personal data, and keeps the records that bookkeeping needs.
 */
export async function anonymizeAccount(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<void> {
  const name = deletedUserName.name
  const anonymous = { name, email: `former.${userId.slice(0, 8)}${deletedUserName.domain}` }
  await tx.delete(profiles).where(eq(profiles.userId, userId))
  await tx.delete(baskets).where(eq(baskets.userId, userId))
  await tx.delete(builds).where(eq(builds.userId, userId))
  await tx.delete(machineParts).where(eq(machineParts.userId, userId))
  await tx.delete(addresses).where(eq(addresses.userId, userId))
  await tx
    .update(reviews)
    .set({ ...anonymous, userId: null, idempotencyKey: null, requestHash: null })
    .where(eq(reviews.userId, userId))
  const personal = orderFieldsWith('personal').map((field) => [
    field,
    orderFields[field].personal.afterwards(anonymous),
  ])
  // the request hash includes what the customer typed
  await tx
    .update(orders)
    .set({
      ...Object.fromEntries(personal),
      idempotencyKey: null,
      requestHash: null,
      payer: null,
    })
    .where(eq(orders.userId, userId))
  // its tickets keep what was asked and what became of it, and what the shop wrote
  const ofUser = eq(tickets.userId, userId)
  await tx
    .update(tickets)
    .set({ ...anonymous, idempotencyKey: null, requestHash: null })
    .where(ofUser)
  await emptyMessages(tx, ofUser)
  const ofThem = tx.select({ _id: tickets._id }).from(tickets).where(ofUser)
  await tx.delete(ticketPictures).where(inArray(ticketPictures.ticketId, ofThem))
  await tx
    .delete(notes)
    .where(
      or(
        eq(notes.userId, userId),
        sql`${notes.checkoutId} in (select k._id from ${checkouts} k where k.user_id = ${userId})`,
      ),
    )
  // mails to the owner or to a corrected address contain the customer's name too
  const own = await tx.select({ _id: orders._id }).from(orders).where(eq(orders.userId, userId))
  // an array, so that both conditions can use an index: the table has months of mails
  const ids = own.map(({ _id }) => _id)
  const ofTheirs = sql`${mailQueue.orderId} = any (${sql.param(ids)}::uuid[])`
  const mails = or(mailsTo({ _id: userId, email }), ofTheirs)
  await tx
    .delete(mailQueue)
    .where(and(mails, sql`${mailQueue.createdAt} < now() - interval '1 day'`))
  // mails of the last day still count for the mailbox's limit, so that repeated sign-ups and
  // deletions cannot flood it
  await tx
    .update(mailQueue)
    .set({
      ...{
        recipient: anonymous.email,
        subject: '',
        text: '',
        html: '',
        orderId: null,
        invoiceId: null,
        lastError: null,
      },
      givenUpAt: sql`case when ${mailQueue.sentAt} is null then now() end`,
      dismissedAt: sql`case when ${mailQueue.sentAt} is null then now() end`,
    })
    .where(mails)
  const [closed] = await tx
    .update(users)
    .set({
      ...anonymous,
      emailVerified: false,
      role: 'customer',
      disabledAt: sql`now()`,
      deletedAt: sql`now()`,
      tokenVersion: sql`${users.tokenVersion} + 1`,
    })
    .where(eq(users._id, userId))
    .returning({ subject: users.subject })
  await anonymizeAddresses(tx, userId, name)
  // in the same transaction; deleting the identity removes its sessions and passwords too
  if (!closed) return
  await tx.delete(verification).where(eq(verification.value, closed.subject))
  // includes an account at the embedded provider from before the shop switched to another one
  await tx.delete(user).where(or(eq(user.id, closed.subject), eq(user.email, email)))
}
