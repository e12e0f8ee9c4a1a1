import { type SQL, sql } from 'drizzle-orm'
import { fromCents } from '#contracts/money.ts'
import { type Day, overviewDays, type Period, type Sums } from '#contracts/overview.ts'
import type { Queryable } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { isGiven, payments, refunds } from '#server/database/schema/payments.ts'

/** The lengths of the periods in days, today first. */
const lengths = [1, 7, 30]
const historyDays = overviewDays * 2

/**
 * Times are in ms since 1970. `starts` are the midnights of the last 60 days, today's last; `dates`
 * are their dates.
 */
type Calendar = { now: number; starts: number[]; dates: string[]; sameTime: number[] }

/**
 * Reads the shop's last days from the database, because a day may have 23 or 25 hours.
 * `sameTime` is the current time of day, once for each period in the past.
 */
async function readCalendar(db: Queryable): Promise<Calendar> {
  const moment = (local: SQL) =>
    sql`(extract(epoch from (${local}) at time zone shop_zone()) * 1000)::float8`
  const { rows } = await db.execute<Calendar>(sql`
    with clock as (select date_trunc('milliseconds', now()) at time zone shop_zone() as local),
    days as (
      select ago, date_trunc('day', local) - make_interval(days => ago) as midnight
      from clock, generate_series(${historyDays - 1}::int, 0, -1) ago)
    select
      (extract(epoch from now()) * 1000)::float8 as now,
      array(select ${moment(sql`midnight`)} from days order by ago desc) as starts,
      array(select to_char(midnight, 'YYYY-MM-DD') from days order by ago desc) as dates,
      array(
        select ${moment(sql`local - make_interval(days => ago)`)}
        from clock, unnest(${sql.param(lengths)}::int[]) with ordinality t(ago, nth) order by nth
      ) as "sameTime"`)
  return rows[0] as Calendar
}

/** The sums from `at` to the next segment. */
type Segment = Omit<Sums, 'revenue'> & { cents: number; at: number }

/**
 * Reads the orders of all days once, and sums them up between neighbouring marks.
 * @param marks ms, ascending
 */
async function readSegments(db: Queryable, marks: number[]): Promise<Segment[]> {
  const bounds = sql`${sql.param(marks.map((ms) => new Date(ms).toISOString()))}::timestamptz[]`
  const first = sql`${new Date(marks[0] ?? 0).toISOString()}::timestamptz`
  const { rows } = await db.execute<Omit<Segment, 'at'> & { nth: number }>(sql`
    with booked as (
      select width_bucket(created_at, ${bounds}) as nth, count(*) as orders,
        count(*) filter (where status <> 'unpaid') as paid
      from ${orders} where created_at >= ${first} and status <> 'deleted' group by 1),
    taken as (
      select width_bucket(received_at, ${bounds}) as nth, sum(amount) as cents
      from ${payments} where received_at >= ${first} and status = 'succeeded' group by 1),
    given as (
      select width_bucket(r.created_at, ${bounds}) as nth, sum(r.amount) as cents
      from ${refunds} r join ${payments} y using (intent_id)
      where r.created_at >= ${first} and r.${isGiven} and y.status = 'succeeded' group by 1)
    select nth, coalesce(orders, 0)::int as orders, coalesce(paid, 0)::int as paid,
      (coalesce(taken.cents, 0) - coalesce(given.cents, 0))::float8 as cents
    from booked full join taken using (nth) full join given using (nth)`)
  return rows.map(({ nth, ...sums }) => ({ ...sums, at: marks[nth - 1] ?? 0 }))
}

/** Adds up the segments between two marks. */
function sumsBetween(segments: Segment[], from: number, until: number): Sums {
  const sums = { orders: 0, paid: 0 }
  let cents = 0
  for (const segment of segments) {
    if (segment.at < from || segment.at >= until) continue
    sums.orders += segment.orders
    sums.paid += segment.paid
    cents += segment.cents
  }
  return { ...sums, revenue: fromCents(cents) }
}

/** Returns the start of the overview's days (ISO 8601), and their calendar. */
export async function readDays(db: Queryable): Promise<{ calendar: Calendar; since: string }> {
  const calendar = await readCalendar(db)
  return { calendar, since: new Date(midnight(calendar, overviewDays - 1)).toISOString() }
}

const midnight = ({ starts }: Calendar, daysAgo: number) => starts.at(-1 - daysAgo) ?? 0

/** Reads the periods and the days of the overview. */
export async function readSums(
  db: Queryable,
  calendar: Calendar,
): Promise<{ periods: Period[]; days: Day[] }> {
  const { starts, dates, sameTime } = calendar
  const start = (ago: number) => midnight(calendar, ago)
  const marks = [...new Set([...starts, ...sameTime])].sort((a, b) => a - b)
  const segments = await readSegments(db, marks)
  const periods = lengths.map((days, nth) => ({
    days,
    now: sumsBetween(segments, start(days - 1), Number.POSITIVE_INFINITY),
    before: sumsBetween(segments, start(2 * days - 1), sameTime[nth] ?? 0),
  }))
  const days = starts.slice(-overviewDays).map((from, nth, dayStarts) => ({
    date: dates[starts.length - overviewDays + nth] ?? '',
    ...sumsBetween(segments, from, dayStarts[nth + 1] ?? Number.POSITIVE_INFINITY),
  }))
  return { periods, days }
}
