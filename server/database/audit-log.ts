import { and, eq, sql } from 'drizzle-orm'
import { deletedUserName } from '#contracts/account.ts'
import { type AuditFilter, type AuditList, subjectOf } from '#contracts/audit.ts'
import { OrderNumber } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { auditLog } from '#server/database/schema/audit.ts'
import { orders } from '#server/database/schema/orders.ts'
import { parts } from '#server/database/schema/parts.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { users } from '#server/database/schema/users.ts'
import type { Queryable, Transaction } from './client.ts'
import { countRows, pageAfter } from './pagination.ts'

type Subject = { userId: string } | { partId: string } | { orderId: string } | { reviewId: string }

type ActionName =
  | 'admin made'
  | 'admin rights removed'
  | 'packer made'
  | 'packer rights removed'
  | 'second factor on'
  | 'second factor off'
  | 'session ended'
  | 'account blocked'
  | 'account unblocked'
  | 'account released'
  | 'part added'
  | 'part changed'
  | 'part moved'
  | 'supplier saved'
  | 'part deleted'
  | 'part restored'
  | 'goods expected'
  | 'goods received'
  | 'goods canceled'
  | 'order shipped'
  | 'shipment corrected'
  | 'order deleted'
  | 'order expired'
  | 'payment refunded'
  | 'refund failed'
  | 'payment disputed'
  | 'dispute won'
  | 'dispute lost'
  | 'dispute closed'
  | 'payment reminder sent'
  | 'hold released'
  | 'repair made'
  | 'mail sent again'
  | 'mail dismissed'
  | 'test mail sent'
  | 'review hidden'
  | 'review shown'
  | 'search word changed'
  | 'API key made'
  | 'API key revoked'
  | 'kind added'
  | 'kind changed'
  | 'kind removed'
  | 'build offered'
  | 'build withdrawn'
  | 'settings changed'
  | 'text changed'
  | 'slide changed'
  | 'shipping method added'
  | 'shipping method changed'
  | 'shipping method deleted'
  | 'address corrected'
  | 'address added'
  | 'ticket opened'
  | 'ticket answered'
  | 'order arrived'
  | 'serial numbers noted'
  | 'note added'
  | 'note removed'
  | 'webhook added'
  | 'webhook changed'
  | 'webhook deleted'
  | 'webhook secret changed'
  | 'webhook tested'
  | 'webhook message sent again'

/** A user, and the name of the API key that the request used. */
type Actor = Pick<Caller, '_id' | 'apiKey'>

export type AuditAction = Subject & {
  /** Null for the shop itself (`detail.by`) and for the card provider. */
  actor: Actor | null
  action: ActionName
  detail?: Record<string, unknown>
}

/** Logs who did what to which user, part, order or review, in the action's transaction. */
export async function logActions(tx: Transaction, actions: AuditAction[]): Promise<void> {
  if (actions.length === 0) return
  await tx.insert(auditLog).values(
    actions.map(({ actor, ...action }) => ({
      ...action,
      actorId: actor?._id ?? null,
      apiKey: actor?.apiKey ?? null,
    })),
  )
}

const newestFirst = { by: [], down: true }

const isOrder = (key: string) =>
  OrderNumber.safeParse(key).success
    ? sql`${auditLog.orderId} = (select o._id from ${orders} o where o.number = ${key})`
    : eq(auditLog.orderId, key)

function isAbout(about: string) {
  const subject = subjectOf(about)
  if (subject?.type === 'order') return isOrder(subject.key)
  if (subject?.type === 'part') return eq(auditLog.partId, subject.key)
  if (subject?.type === 'review') return eq(auditLog.reviewId, subject.key)
  const ids = sql`(select u._id from ${users} u where u.email = ${subject?.key})`
  return sql`${auditLog.userId} in ${ids}`
}

/** Actions with the names of their actors and subjects, newest first. */
export function readAuditLog(db: Queryable, { about, limit, after }: AuditList) {
  const page = pageAfter(auditLog, newestFirst, after)
  return db
    .select({
      _id: auditLog._id,
      createdAt: auditLog.createdAt,
      // the demo owner is not a person, so its name is more useful than its address
      by: sql<string | null>`(
        select case when u.deleted_at is not null and u.name = ${deletedUserName.demoOwner} then u.name else u.email end
        from ${users} u where u._id = ${auditLog.actorId})`,
      key: auditLog.apiKey,
      action: auditLog.action,
      detail: auditLog.detail,
      orderId: auditLog.orderId,
      partId: auditLog.partId,
      number: orders.number,
      reviewId: auditLog.reviewId,
      product: orders.product,
      part: parts.name,
      user: users.email,
      reviewer: reviews.name,
    })
    .from(auditLog)
    .leftJoin(orders, eq(orders._id, auditLog.orderId))
    .leftJoin(parts, eq(parts._id, auditLog.partId))
    .leftJoin(users, eq(users._id, auditLog.userId))
    .leftJoin(reviews, eq(reviews._id, auditLog.reviewId))
    .where(and(about === undefined ? undefined : isAbout(about), page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
}

/** Counts the audit actions about one subject, or about all. */
export const countAuditLog = (db: Queryable, { about }: AuditFilter) =>
  countRows(db, sql`select from ${auditLog} where ${about === undefined ? true : isAbout(about)}`)
