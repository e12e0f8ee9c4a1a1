import { sql } from 'drizzle-orm'
import { bigserial, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { parts } from './parts.ts'
import { reviews } from './reviews.ts'
import { users } from './users.ts'

/**
 * The audit log. Each action is about exactly one user, part, order or review. A trigger makes it
 * append-only: its lines are deleted only together with their order.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    /** Null for actions of the shop itself (`detail.by`) and of the card provider. */
    actorId: uuid('actor_id').references(() => users._id),
    /** The name of the API key that the actor's program used; null without one. */
    apiKey: text('api_key'),
    action: text('action').notNull(),
    userId: uuid('user_id').references(() => users._id),
    partId: uuid('part_id').references(() => parts._id),
    orderId: uuid('order_id').references(() => orders._id, { onDelete: 'cascade' }),
    reviewId: uuid('review_id').references(() => reviews._id),
    /** What changed, or the reason given. */
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('audit_log_user').on(t.userId, t._id).where(sql`${t.userId} is not null`),
    index('audit_log_actor').on(t.actorId).where(sql`${t.actorId} is not null`),
    index('audit_log_part').on(t.partId, t._id).where(sql`${t.partId} is not null`),
    index('audit_log_order').on(t.orderId, t._id).where(sql`${t.orderId} is not null`),
    index('audit_log_review').on(t.reviewId, t._id).where(sql`${t.reviewId} is not null`),
    check(
      'audit_log_subject',
      sql`num_nonnulls(${t.userId}, ${t.partId}, ${t.orderId}, ${t.reviewId}) = 1`,
    ),
  ],
)

/**
 * The state of an order's disputes. The audit log has a line when a dispute opens and when it ends;
 * the provider may report them in any order.
 */
export const disputeState = sql<'open' | 'lost' | null>`(
  select case
    when count(*) filter (where action = 'payment disputed') > count(*) filter (where action like 'dispute %') then 'open'
    when bool_or(action = 'dispute lost') then 'lost' end
  from ${auditLog} where order_id = ${orders}._id)`
/** Whether an order has an open dispute. Finds the shop's few disputed orders first. */
export const isDisputed = sql`${orders}._id in (select order_id from ${auditLog} where action = 'payment disputed')
  and ${disputeState} = 'open'`
