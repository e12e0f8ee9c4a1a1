import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { mailTemplateNames } from '#server/database/mail-templates.ts'
import { bytea, id, timestamptz, timestamptzNow } from './columns.ts'
import { invoices } from './invoices.ts'
import { orders } from './orders.ts'

/**
 * Mails that wait, were sent, or were given up. `dedupe` prevents a second mail for the same cause.
 * A trigger (`bound_mails`) drops mails that anybody can cause when their quota is used up.
 */
export const mailQueue = pgTable(
  'mail_queue',
  {
    _id: id(),
    template: text('template', { enum: mailTemplateNames }).notNull(),
    dedupe: text('dedupe').unique(),
    recipient: text('recipient').notNull(),
    /**
     * Identifies the mailbox of the address. A trigger sets it; it stays when a deleted account's
     * address is removed.
     */
    mailbox: bytea('mailbox').notNull().default(sql`''::bytea`),
    /**
     * Identifies the quota that the mail counts against (`bound_mails`); null for mails without a
     * quota.
     */
    quota: bytea('quota'),
    /**
     * Orders mails of the same urgency. A trigger sets it to the time of queuing or, if the mailbox
     * got mails within a day, to at least a minute after the last of them. So a flood of mails to
     * one mailbox does not delay mails to others.
     */
    turn: timestamptzNow('turn'),
    /**
     * Set by a trigger; 0 goes first. 0: account mails that a customer waits for, to a verified
     * address. 1: mails about money. 2: account mails to unverified addresses. 3: the rest.
     */
    urgency: smallint('urgency').notNull().default(3),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** The order that the mail is about, if any. */
    orderId: uuid('order_id').references(() => orders._id),
    /** The paper that goes with the mail; its PDF is made when the mail is sent. */
    invoiceId: uuid('invoice_id').references(() => invoices._id),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timestamptzNow('next_attempt_at'),
    lastError: text('last_error'),
    createdAt: timestamptzNow('created_at'),
    sentAt: timestamptz('sent_at'),
    /** When the shop stopped trying; an admin can restart it. */
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
