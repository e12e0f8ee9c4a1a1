/**
 * Metrics of the shop itself, read from the database: every process reports the same values, even
 * after a restart.
 */
import { sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'
import { isCurrent } from './health-checks.ts'

/** Counts of rows, and ages in seconds (0 without rows). */
export type BusinessMetrics = {
  holds: number
  /**
   * The age of the oldest expired hold that still reserves units. If it grows, the jobs do not run.
   */
  oldestExpiredHold: number
  ordersToShip: number
  payments: Record<string, number>
  oldestOpenPayment: number
  refundsUnsettled: number
  oldestUnsettledRefund: number
  mailsWaiting: number
  oldestWaitingMail: number
  /** Mails given up in the last 24 hours. */
  mailsGivenUp: number
  /** The longest delay in the last hour from a provider's event to our handling of it. */
  webhookLag: number
  /** Null before the first backup. */
  lastBackupAge: number | null
  /** Per health check, 1 for one that found a problem. */
  failingChecks: Record<string, 0 | 1>
}

const age = (moment: string) =>
  sql.raw(`coalesce(extract(epoch from now() - min(${moment})), 0)::float8`)

/** Reads all metrics, in a few milliseconds with 100,000 orders. */
export async function readBusinessMetrics(db: Queryable): Promise<BusinessMetrics> {
  const { rows } = await db.execute<BusinessMetrics>(sql`select
    (select count(*)::int from orders where hold_expires_at is not null) as holds,
    (select ${age('hold_expires_at')} from orders where hold_expires_at < now()) as "oldestExpiredHold",
    (select count(*)::int from orders where status = 'paid') as "ordersToShip",
    (select coalesce(json_object_agg(status, number), '{}') from
      (select status, count(*) as number from payments group by status) p) as payments,
    (select ${age('created_at')} from payments where status = 'open') as "oldestOpenPayment",
    (select count(*)::int from refunds where state in ('requested', 'pending')) as "refundsUnsettled",
    (select ${age('created_at')} from refunds where state in ('requested', 'pending')) as "oldestUnsettledRefund",
    (select count(*)::int from mail_queue where sent_at is null and given_up_at is null) as "mailsWaiting",
    (select ${age('created_at')} from mail_queue where sent_at is null and given_up_at is null) as "oldestWaitingMail",
    (select count(*)::int from mail_queue where given_up_at > now() - interval '24 hours') as "mailsGivenUp",
    (select coalesce(extract(epoch from max(received_at - happened_at)), 0)::float8 from webhook_events
      where received_at > now() - interval '1 hour') as "webhookLag",
    (select extract(epoch from now() - ended_at)::float8 from last_runs where job = 'backup') as "lastBackupAge",
    (select coalesce(json_object_agg(name, (event is not null)::int), '{}') from health_checks where ${isCurrent}) as "failingChecks"`)
  const [signs] = rows
  if (!signs) throw new Error('a select without a source answered no row')
  return signs
}
