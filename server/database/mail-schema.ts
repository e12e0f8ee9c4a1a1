/** Mail on its way out, and when what the owner asks about was last done. */
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { orders } from './schema.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
const now = (name: string) => moment(name).notNull().defaultNow()

/** Mail waiting to be sent, what was sent, and what was given up. `dedupe` keeps one cause from mailing twice. */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    _id: uuid('_id').primaryKey().defaultRandom(),
    kind: text('kind').notNull(),
    dedupe: text('dedupe').unique(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** The order it tells of, if it tells of one. */
    orderId: uuid('order_id').references(() => orders._id),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: now('next_attempt_at'),
    lastError: text('last_error'),
    createdAt: now('created_at'),
    sentAt: moment('sent_at'),
    /** When the shop stopped trying; an admin may start it again. */
    givenUpAt: moment('given_up_at'),
    /** When an admin said that it need not be sent. */
    dismissedAt: moment('dismissed_at'),
  },
  (t) => [
    index('mail_outbox_due')
      .on(t.nextAttemptAt)
      .where(sql`${t.sentAt} is null and ${t.givenUpAt} is null`),
    index('mail_outbox_given_up').on(t.givenUpAt).where(sql`${t.givenUpAt} is not null`),
    index('mail_outbox_recipient').on(t.recipient, t.createdAt, t._id),
    index('mail_outbox_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    check('mail_outbox_end', sql`num_nonnulls(${t.sentAt}, ${t.givenUpAt}) <= 1`),
    check('mail_outbox_dismissed', sql`${t.dismissedAt} is null or ${t.givenUpAt} is not null`),
  ],
)

/** When a job last ended well, whichever process or command did it, and what came of it. */
export const lastRuns = pgTable('last_runs', {
  job: text('job', { enum: ['comparison', 'backup'] }).primaryKey(),
  endedAt: now('ended_at'),
  detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
})
