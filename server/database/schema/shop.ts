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

/** The shop, one row, by which a process checks that its secret, pictures and currency belong to this database. */
export const shop = pgTable(
  'shop',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** Also in the store of the pictures. */
    shopId: uuid('shop_id').notNull().defaultRandom(),
    /** A fingerprint of the shop's secret. */
    secretFingerprint: text('secret_fingerprint').notNull(),
    /** Of every amount: a process with another CURRENCY does not open. */
    currency: text('currency', { enum: currencyCodes }).notNull().default('USD'),
  },
  (t) => [check('shop_only_row', sql`${t.onlyRow}`)],
)

/**
 * One row for each change that visitors see, inserted by triggers in the change's transaction. The sum of `changes` is a
 * topic's version. Rows are only added, or replaced by their sum: no change waits for another, and none that commits late is
 * missed. A row with a part says that only this part's figures changed, as with a booking.
 */
export const catalogueChanges = pgTable(
  'catalogue_changes',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    topic: text('topic', { enum: ['parts', 'reviews', 'held'] }).notNull(),
    partId: uuid('part_id'),
    changes: bigint('changes', { mode: 'number' }).notNull().default(1),
  },
  (t) => [
    check('catalogue_changes_topic', sql`${t.topic} in ('parts', 'reviews', 'held')`),
    check('catalogue_changes_count', sql`${t.changes} > 0`),
  ],
)

/** The last success of each job, in any process or command, and its result; `backup_failure` is the last backup that failed. */
export const lastRuns = pgTable('last_runs', {
  job: text('job', { enum: ['reconciliation', 'backup', 'backup_failure'] }).primaryKey(),
  endedAt: timestamptzNow('ended_at'),
  detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
})

/** What each health check last found, for all processes, the dashboard and the metrics. */
export const healthChecks = pgTable('health_checks', {
  name: text('name', { enum: healthCheckNames as [HealthCheckName] }).primaryKey(),
  /** Null while all is well. */
  event: text('event').$type<HealthEvent>(),
  /** For the owner. */
  sentence: text('sentence').notNull(),
  /** Since when it finds this event. */
  since: timestamptzNow('since'),
  checkedAt: timestamptzNow('checked_at'),
  /** The machine that found it: another one has a disk and settings of its own. */
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
