/** What an operator watches of the shop's own state, asked of the database: the same from every process, right after a restart. */
import { sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'

/** Counts of rows; ages are seconds, 0 when there is none. */
export type BusinessMetrics = {
  holds: number
  /** Holds that ran out and still bind their units: the clockwork stands still when it grows. */
  oldestExpiredHold: number
  ordersToShip: number
  payments: Record<string, number>
  oldestOpenPayment: number
  refundsUnsettled: number
  oldestUnsettledRefund: number
  mailsWaiting: number
  oldestWaitingMail: number
  /** Mails that were given up in the last 24 hours. */
  mailsGivenUp: number
  /** Between the provider's event and our taking it, the longest of the last hour. */
  webhookLag: number
}

const age = (moment: string) =>
  sql.raw(`coalesce(extract(epoch from now() - min(${moment})), 0)::float8`)

/** One look at everything; a few milliseconds with 100,000 orders. */
export async function readBusinessMetrics(db: Queryable): Promise<BusinessMetrics> {
  const { rows } = await db.execute<BusinessMetrics>(sql`select
    (select count(*)::int from orders where hold_expires_at is not null) as holds,
    (select ${age('hold_expires_at')} from orders where hold_expires_at < now()) as "oldestExpiredHold",
    (select count(*)::int from orders where status = 'paid') as "ordersToShip",
    (select coalesce(json_object_agg(status, number), '{}') from
      (select status, count(*) as number from payments group by status) p) as payments,
    (select ${age('created_at')} from payments where status in ('open', 'refund_due')) as "oldestOpenPayment",
    (select count(*)::int from refunds where state in ('requested', 'pending')) as "refundsUnsettled",
    (select ${age('created_at')} from refunds where state in ('requested', 'pending')) as "oldestUnsettledRefund",
    (select count(*)::int from mail_queue where sent_at is null and given_up_at is null) as "mailsWaiting",
    (select ${age('created_at')} from mail_queue where sent_at is null and given_up_at is null) as "oldestWaitingMail",
    (select count(*)::int from mail_queue where given_up_at > now() - interval '24 hours') as "mailsGivenUp",
    (select coalesce(extract(epoch from max(received_at - happened_at)), 0)::float8 from webhook_events
      where received_at > now() - interval '1 hour') as "webhookLag"`)
  const [signs] = rows
  if (!signs) throw new Error('a select without a source answered no row')
  return signs
}
