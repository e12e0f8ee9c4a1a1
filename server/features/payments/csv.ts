import { type SQL, sql } from 'drizzle-orm'
import type { PaymentSpan } from '#contracts/lists.ts'
import { type Currency, fromCents } from '#contracts/money.ts'
import type { PaymentSums } from '#contracts/refunds.ts'
import { clockTime } from '#contracts/shop-days.ts'
import type { Queryable } from '#server/database/client.ts'
import { within } from '#server/database/shop-days.ts'
import { isoTime } from '#server/database/times.ts'
import type { Columns } from '#server/http/lists.ts'
import { decimalsOf } from './fees.ts'

/** One movement of money. `_id` is its cursor: the time, then the key. */
export type MoneyMovement = {
  _id: string
  at: Date
  type: 'payment' | 'refund' | 'refund sent back' | 'dispute fee'
  /** Negative for a refund; null for a fee alone. */
  cents: number | null
  /** The provider's id of this transaction, and of its payment. */
  reference: string | null
  intentId: string
  reason: string | null
  /** The admin who requested the refund, else null. */
  by: string | null
  /** What the provider took for it, in the smallest unit of its currency; null while unknown. */
  fee: number | null
  feeCurrency: string | null
  orderId: string
  number: string
  product: string
  customer: string
  email: string
}

type Cursor = { at: string; key: string } | null

/** A source of movements: its time, a key that is unique across all sources, and its columns. */
export type Source = { at: SQL; key: SQL; columns: SQL; from: SQL }

// one row per payment, however many orders it paid
const ofPayments = sql`payments y cross join lateral (
  select (array_agg(_id order by _id))[1] as _id, string_agg(number, ', ' order by _id) as number,
    string_agg(product, ', ' order by _id) as product, min(customer) as customer, min(email) as email
  from orders where checkout_id = y.checkout_id and (transaction_id = y.intent_id or y.status <> 'succeeded')) o`
const ofRefunds = sql`refunds r join ${ofPayments} on y.intent_id = r.intent_id left join users u on u._id = r.requested_by`
const fee = sql`f.amount as fee, f.currency as "feeCurrency"`
const withRefundFee = (type: 'refund' | 'refund sent back') =>
  sql`${ofRefunds} left join provider_fees f on f.refund_id = r._id and f.type = ${type}`

/** What moved money, or cost some. */
export const sources: Source[] = [
  {
    at: sql`y.received_at`,
    key: sql`'payment ' || y.intent_id`,
    columns: sql`'payment' as type, y.amount as cents, y.intent_id as reference, y.intent_id as "intentId",
      null as reason, null as by, ${fee}`,
    from: sql`${ofPayments} left join provider_fees f on f.intent_id = y.intent_id and f.type = 'payment'`,
  },
  {
    at: sql`r.given_at`,
    key: sql`'refund ' || r._id`,
    columns: sql`'refund' as type, -r.amount as cents, r.provider_id as reference, r.intent_id as "intentId",
      r.reason, u.email as by, ${fee}`,
    from: withRefundFee('refund'),
  },
  {
    at: sql`r.sent_back_at`,
    key: sql`'sent back ' || r._id`,
    columns: sql`'refund sent back' as type, r.amount as cents, r.provider_id as reference,
      r.intent_id as "intentId", r.note as reason, null as by, ${fee}`,
    from: withRefundFee('refund sent back'),
  },
  {
    at: sql`f.reported_at`,
    key: sql`'dispute fee ' || f.movement_id`,
    columns: sql`'dispute fee' as type, null::integer as cents, f.movement_id as reference,
      f.intent_id as "intentId", null as reason, null as by, ${fee}`,
    from: sql`(select * from provider_fees where type = 'dispute') f join ${ofPayments} on y.intent_id = f.intent_id`,
  },
]

/** Selects a page of one source after the cursor, by its index on time. */
function select(
  { at, key, columns, from }: Source,
  days: PaymentSpan,
  cursor: Cursor,
  limit: number,
) {
  return sql`(select ${at} as at, ${key} as key, ${columns}, o._id as "orderId", o.number, o.product, o.customer, o.email
    from ${from} where ${at} is not null and ${within(at, days)}
      ${cursor ? sql`and (${at}, ${key}) > (${cursor.at}::timestamptz, ${cursor.key})` : sql``}
    order by 1, 2 limit ${limit})`
}

const separator = ' '
function cursorOf(after: string | undefined): Cursor {
  if (!after) return null
  const cut = after.indexOf(separator)
  return { at: after.slice(0, cut), key: after.slice(cut + 1) }
}

/**
 * Lists payments, refunds, refunds that a bank sent back, and fees of disputes, oldest first, by the
 * time when the shop learned of them.
 * @param after the `_id` of the last movement of the page before
 */
export async function listMovements(
  db: Queryable,
  { limit, after, ...days }: PaymentSpan & { limit: number; after: string | undefined },
): Promise<MoneyMovement[]> {
  const cursor = cursorOf(after)
  const selects = sources.map((source) => select(source, days, cursor, limit))
  const { rows } = await db.execute<
    Omit<MoneyMovement, '_id' | 'at'> & { at: string; key: string }
  >(
    sql`select *, ${isoTime(sql`at`)} as at
      from (${sql.join(selects, sql` union all `)}) moves order by moves.at, key limit ${limit}`,
  )
  return rows.map(({ key, at, ...move }) => ({
    ...move,
    at: new Date(at),
    _id: `${at}${separator}${key}`,
  }))
}

/** Sums up the movements that `listMovements` lists. */
export async function sumMovements(db: Queryable, days: PaymentSpan): Promise<PaymentSums> {
  const sums = sources.map(
    ({
      at,
      columns,
      from,
    }) => sql`select type, count(*)::int as count, coalesce(sum(cents), 0)::float8 as cents
      from (select ${columns} from ${from} where ${at} is not null and ${within(at, days)}) moves
      group by type`,
  )
  const { rows } = await db.execute<{ type: MoneyMovement['type']; count: number; cents: number }>(
    sql.join(sums, sql` union all `),
  )
  const moved = (type: MoneyMovement['type']) => {
    const { count = 0, cents = 0 } = rows.find((row) => row.type === type) ?? {}
    return { count, amount: fromCents(Math.abs(cents)) }
  }
  return {
    payments: moved('payment'),
    refunds: moved('refund'),
    sentBack: moved('refund sent back'),
    net: fromCents(rows.reduce((sum, { cents }) => sum + cents, 0)),
    ...(await sumFees(db, days)),
  }
}

/** Sums up the fees of these movements by currency, and counts the payments whose fee is unknown. */
async function sumFees(db: Queryable, days: PaymentSpan) {
  const moves = sources.map(
    ({ at, columns, from }) =>
      sql`select ${columns} from ${from} where ${at} is not null and ${within(at, days)}`,
  )
  const { rows } = await db.execute<{ currency: string | null; fee: number; unknown: number }>(
    sql`select "feeCurrency" as currency, coalesce(sum(fee), 0)::float8 as fee,
        count(*) filter (where type = 'payment' and fee is null)::int as unknown
      from (${sql.join(moves, sql` union all `)}) moves group by 1 order by 1`,
  )
  return {
    fees: rows.flatMap(({ currency, fee: sum }) =>
      currency ? [{ currency, amount: sum / 10 ** decimalsOf(currency) }] : [],
    ),
    feesUnknown: rows.reduce((all, { unknown }) => all + unknown, 0),
  }
}

/** A fee as a cell, with the decimals of its currency; empty while it is unknown. */
export const feeCell = ({ fee, feeCurrency }: Pick<MoneyMovement, 'fee' | 'feeCurrency'>) =>
  fee === null || feeCurrency === null ? null : { cents: fee, decimals: decimalsOf(feeCurrency) }

/** One line per transaction for bookkeeping: received money is positive, refunds are negative. */
export const paymentColumns =
  (currency: Currency) =>
  (timeZone: string): Columns<MoneyMovement> => ({
    [`Date (${timeZone})`]: ({ at }) => clockTime(timeZone, at.toISOString()),
    Type: ({ type }) => type,
    'Order number': ({ number }) => number,
    Amount: ({ cents }) => (cents === null ? null : { cents }),
    Currency: () => currency,
    'Provider’s reference': ({ reference }) => reference,
    'Of payment': ({ intentId }) => intentId,
    Reason: ({ reason }) => reason,
    'Asked for by': ({ by }) => by,
    Product: ({ product }) => product,
    Customer: ({ customer }) => customer,
    'E-mail': ({ email }) => email,
    Order: ({ orderId }) => orderId,
    'Card fee': feeCell,
    'Currency of the fee': ({ feeCurrency }) => feeCurrency,
  })
