import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { type HealthCheckName, type HealthEvent, healthCheckNames } from '#contracts/health.ts'
import { currencyCodes } from '#contracts/money.ts'
import { timestamptzNow } from './columns.ts'

/**
 * The shop, a single row. A process uses it to check that its secret, pictures and currency belong
 * to this database.
 */
export const shop = pgTable(
  'shop',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** The picture store has this id, too. */
    shopId: uuid('shop_id').notNull().defaultRandom(),
    /** A fingerprint of the shop's secret. */
    secretFingerprint: text('secret_fingerprint').notNull(),
    /** The currency of every amount: a process with another CURRENCY does not start. */
    currency: text('currency', { enum: currencyCodes }).notNull().default('USD'),
  },
  (t) => [check('shop_only_row', sql`${t.onlyRow}`)],
)

/**
 * One row for each change that visitors see, inserted by triggers in the change's transaction. The
 * sum of `changes` is a topic's version. Rows are only added, or replaced by their sum, so that no
 * change waits for another and no late commit is missed. A row with a part means that only this
 * part's figures changed, for example by a booking; of the topic `part_page`, that only the part's
 * own page shows the change: units held, or a review.
 */
export const catalogueChanges = pgTable(
  'catalogue_changes',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    topic: text('topic', { enum: ['parts', 'reviews', 'part_page', 'settings'] }).notNull(),
    partId: uuid('part_id'),
    changes: bigint('changes', { mode: 'number' }).notNull().default(1),
  },
  (t) => [
    check(
      'catalogue_changes_topic',
      sql`${t.topic} in ('parts', 'reviews', 'part_page', 'settings')`,
    ),
    check('catalogue_changes_count', sql`${t.changes} > 0`),
  ],
)

/**
 * The last success of each job and its result, from any process or command; `backup_failure` is the
 * last failed backup.
 */
export const lastRuns = pgTable('last_runs', {
  job: text('job', { enum: ['reconciliation', 'backup', 'backup_failure'] }).primaryKey(),
  endedAt: timestamptzNow('ended_at'),
  detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
})

/** The last result of each health check, for all processes, the dashboard and the metrics. */
export const healthChecks = pgTable('health_checks', {
  name: text('name', { enum: healthCheckNames as [HealthCheckName] }).primaryKey(),
  /** Null when there is no problem. */
  event: text('event').$type<HealthEvent>(),
  /** The result in words, for the owner. */
  sentence: text('sentence').notNull(),
  /** Since when the check has found this event. */
  since: timestamptzNow('since'),
  checkedAt: timestamptzNow('checked_at'),
  /** The machine that ran the check. Disks and settings differ between machines. */
  machine: text('machine').notNull(),
})

/** The counters of rate limits; rate-limiter-flexible prescribes the columns. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: varchar('key', { length: 255 }).primaryKey(),
    points: integer('points').notNull().default(0),
    /** Milliseconds since 1970. */
    expire: bigint('expire', { mode: 'number' }),
  },
  (t) => [index('rate_limits_expire').on(t.expire)],
)
