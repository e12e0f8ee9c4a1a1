import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { WebhookEvent } from '#contracts/webhooks.ts'
import { id, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { tickets } from './tickets.ts'

/** Endpoints that receive order events. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    _id: id(),
    url: text('url').notNull(),
    events: text('events').array().$type<WebhookEvent['type'][]>().notNull(),
    /**
     * The signing secret is derived from the shop's secret and this id, so that the database alone
     * cannot sign.
     */
    secretId: uuid('secret_id').notNull().defaultRandom(),
    /** The former secret also signs until its time is over. */
    oldSecretId: uuid('old_secret_id'),
    oldSecretUntil: timestamptz('old_secret_until'),
    createdAt: timestamptzNow('created_at'),
    failingSince: timestamptz('failing_since'),
    disabledAt: timestamptz('disabled_at'),
    disabledWhy: text('disabled_why'),
  },
  (t) => [
    check(
      'webhook_endpoints_old_secret',
      sql`num_nonnulls(${t.oldSecretId}, ${t.oldSecretUntil}) in (0, 2)`,
    ),
    check(
      'webhook_endpoints_disabled',
      sql`${t.disabledWhy} is null or ${t.disabledAt} is not null`,
    ),
  ],
)

/**
 * Messages to endpoints. A trigger on orders writes them in the transaction of the event; a job
 * sends them.
 */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    /** The same in every attempt, so that a receiver recognises duplicates. */
    _id: id(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints._id, { onDelete: 'cascade' }),
    /** Null for a test message, and for one about a ticket. */
    orderId: uuid('order_id').references(() => orders._id),
    /** The ticket that it is about. */
    ticketId: uuid('ticket_id').references(() => tickets._id),
    /** The messages of an order are sent in the order of their positions. */
    position: bigserial('position', { mode: 'number' }).notNull(),
    type: text('type').notNull(),
    /** The body as signed. */
    payload: text('payload').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timestamptzNow('next_attempt_at'),
    /** The HTTP status of the last response. */
    status: integer('status'),
    lastError: text('last_error'),
    createdAt: timestamptzNow('created_at'),
    deliveredAt: timestamptz('delivered_at'),
    givenUpAt: timestamptz('given_up_at'),
  },
  (t) => [
    index('webhook_messages_log').on(t.endpointId, t.position),
    index('webhook_messages_due')
      .on(t.endpointId, t.nextAttemptAt)
      .where(sql`${t.deliveredAt} is null and ${t.givenUpAt} is null`),
    index('webhook_messages_order')
      .on(t.orderId, t.endpointId)
      .where(sql`${t.deliveredAt} is null and ${t.givenUpAt} is null`),
    index('webhook_messages_ticket').on(t.ticketId).where(sql`${t.ticketId} is not null`),
    index('webhook_messages_of_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    check('webhook_messages_end', sql`num_nonnulls(${t.deliveredAt}, ${t.givenUpAt}) <= 1`),
  ],
)
