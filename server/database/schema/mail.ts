import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { mailTemplateNames } from '#server/database/mail-templates.ts'
import { bytea, id, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'

/**
 * Mails that wait, were sent, or were given up. `dedupe` keeps one cause from mailing twice. A trigger (`bound_mails`) drops
 * those that anybody can cause once their quota is used up.
 */
export const mailQueue = pgTable(
  'mail_queue',
  {
    _id: id(),
    template: text('template', { enum: mailTemplateNames }).notNull(),
    dedupe: text('dedupe').unique(),
    recipient: text('recipient').notNull(),
    /** Names the mailbox behind the address, set by a trigger; it outlives the address of a deleted account. */
    mailbox: bytea('mailbox').notNull().default(sql`''::bytea`),
    /** Names what it counts against (`bound_mails`); null where nothing is counted. */
    quota: bytea('quota'),
    /**
     * Orders the mails of one urgency, set by a trigger: when it was queued or, where the mailbox has others, a minute after the
     * last of them. So who gets many goes after who gets few, and nobody's flood delays the mails of others.
     */
    turn: timestamptzNow('turn'),
    /**
     * Set by a trigger, 0 goes first: what a customer waits for with the page open, then what is about money, then what addresses
     * get that nobody confirmed, then the rest.
     */
    urgency: smallint('urgency').notNull().default(3),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** The order it is about, if any. */
    orderId: uuid('order_id').references(() => orders._id),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timestamptzNow('next_attempt_at'),
    lastError: text('last_error'),
    createdAt: timestamptzNow('created_at'),
    sentAt: timestamptz('sent_at'),
    /** When the shop stopped trying; an admin may start it again. */
    givenUpAt: timestamptz('given_up_at'),
    /** When an admin dismissed it. */
    dismissedAt: timestamptz('dismissed_at'),
  },
  (t) => [
    index('mail_queue_due')
      .on(t.urgency, t.turn)
      .where(sql`${t.sentAt} is null and ${t.givenUpAt} is null`),
    index('mail_queue_given_up').on(t.givenUpAt).where(sql`${t.givenUpAt} is not null`),
    index('mail_queue_mailbox').on(t.mailbox, t.createdAt),
    index('mail_queue_quota').on(t.quota, t.createdAt).where(sql`${t.quota} is not null`),
    index('mail_queue_recipient').on(t.recipient, t.createdAt, t._id),
    index('mail_queue_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    check('mail_queue_end', sql`num_nonnulls(${t.sentAt}, ${t.givenUpAt}) <= 1`),
    check('mail_queue_dismissed', sql`${t.dismissedAt} is null or ${t.givenUpAt} is not null`),
  ],
)
