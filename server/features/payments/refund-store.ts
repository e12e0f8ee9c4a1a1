import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { fromCents } from '#contracts/money.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { payments, refundLines, refunds } from '#server/database/schema/payments.ts'
import { found } from '#server/errors.ts'

/** The share of a refund that belongs to one order or, without one, to the shipping. In cents. */
export type RefundLine = { orderId: string | null; amount: number; restock: number }

const refundColumns = {
  _id: refunds._id,
  intentId: refunds.intentId,
  cause: refunds.cause,
  amount: refunds.amount,
  state: refunds.state,
  providerId: refunds.providerId,
  reason: refunds.reason,
  lines: sql<RefundLine[]>`(
    select coalesce(json_agg(json_build_object('orderId', order_id, 'amount', amount, 'restock', restock) order by order_id), '[]')
    from ${refundLines} where refund_id = ${refunds}._id)`,
  requestedBy: refunds.requestedBy,
  requestHash: refunds.requestHash,
  note: refunds.note,
  ticketId: refunds.ticketId,
  givenAt: refunds.givenAt,
}

/** A refund as stored; `amount` is in cents. */
export type RefundRow = Awaited<ReturnType<typeof listRefundsOf>>[number]
export type RefundState = RefundRow['state']

/** Lists all refunds of a payment, even failed ones, oldest first. */
export function listRefundsOf(db: Queryable, intentId: string) {
  return db
    .select(refundColumns)
    .from(refunds)
    .where(eq(refunds.intentId, intentId))
    .orderBy(asc(refunds.createdAt), asc(refunds._id))
}

export async function findRefund(db: Queryable, id: string): Promise<RefundRow | undefined> {
  const [refund] = await db.select(refundColumns).from(refunds).where(eq(refunds._id, id))
  return refund
}

/** The sum that was refunded of a checkout's shipping, or will be; in cents. */
export async function shippingRefunded(db: Queryable, checkoutId: string): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(sql`
    select coalesce(sum(l.amount), 0)::int as cents
    from ${payments} y join ${refunds} r using (intent_id) join ${refundLines} l on l.refund_id = r._id
    where y.checkout_id = ${checkoutId} and l.order_id is null and r.state <> 'failed'`)
  return rows[0]?.cents ?? 0
}

/** Lists the refunds of a checkout's payment as its customer sees them, oldest first. */
export async function listCheckoutRefunds(db: Queryable, checkoutId: string) {
  const rows = await db
    .select({
      amount: refunds.amount,
      state: refunds.state,
      requestedAt: refunds.createdAt,
      givenAt: refunds.givenAt,
      sentBackAt: refunds.sentBackAt,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.intentId, refunds.intentId))
    .where(and(eq(payments.checkoutId, checkoutId), eq(payments.status, 'succeeded')))
    .orderBy(asc(refunds.createdAt), asc(refunds._id))
  return rows.map(({ amount, requestedAt, givenAt, sentBackAt, ...refund }) => ({
    ...refund,
    amount: fromCents(amount),
    requestedAt: requestedAt.toISOString(),
    givenAt: givenAt?.toISOString() ?? null,
    sentBackAt: sentBackAt?.toISOString() ?? null,
  }))
}

/** Finds the refund of an admin's idempotency key. */
export async function findRefundByKey(db: Queryable, userId: string, key: string) {
  const [refund] = await db
    .select(refundColumns)
    .from(refunds)
    .where(and(eq(refunds.requestedBy, userId), eq(refunds.idempotencyKey, key)))
  return refund
}

/**
 * Records a refund. The database refuses a sum above what was paid, and more units than were
 * booked.
 * @param lines their amounts add up to the refund; empty for an unmatched payment
 */
export async function insertRefund(
  tx: Transaction,
  refund: typeof refunds.$inferInsert,
  lines: RefundLine[],
): Promise<RefundRow> {
  const [row] = await tx.insert(refunds).values(refund).returning({ _id: refunds._id })
  const { _id: refundId } = found(row, 'refund')
  if (lines.length > 0)
    await tx.insert(refundLines).values(lines.map((line) => ({ refundId, ...line })))
  return found(await findRefund(tx, refundId), 'refund')
}

/** Moves a refund forward; the database refuses to move it back. */
export async function markRefund(
  db: Queryable,
  id: string,
  to: { state: RefundState; providerId?: string; note?: string },
): Promise<void> {
  await db
    .update(refunds)
    .set({ ...to, checkedAt: sql`now()` })
    .where(eq(refunds._id, id))
}

/**
 * Records that the provider was asked about a refund just now, so that `settle_payments` checks
 * others first.
 */
export async function touchRefund(db: Queryable, id: string): Promise<void> {
  await db.update(refunds).set({ checkedAt: sql`now()` }).where(eq(refunds._id, id))
}

/** Finds refunds that have not ended and were not checked for this long. */
export function findUnsettledRefunds(db: Queryable, olderThanSeconds: number, limit: number) {
  return db
    .select({ _id: refunds._id, intentId: refunds.intentId })
    .from(refunds)
    .where(
      and(
        inArray(refunds.state, ['requested', 'pending']),
        lt(refunds.checkedAt, sql`now() - make_interval(secs => ${olderThanSeconds})`),
      ),
    )
    .orderBy(asc(refunds.checkedAt))
    .limit(limit)
}

/**
 * Finds our intents with a refund that is new at the provider or has another state there. Skips
 * refunds that failed before we recorded them, because they moved no money.
 */
export async function findChangedRefunds(
  db: Queryable,
  atProvider: { id: string; intentId: string | null; state: string }[],
): Promise<string[]> {
  const intentIds = [...new Set(atProvider.flatMap(({ intentId }) => intentId ?? []))]
  const rows = await db
    .select({ intentId: payments.intentId, id: refunds.providerId, state: refunds.state })
    .from(payments)
    .leftJoin(refunds, eq(refunds.intentId, payments.intentId))
    .where(inArray(payments.intentId, intentIds))
  const ownIntents = new Set(rows.map(({ intentId }) => intentId))
  const stored = new Map(rows.map(({ id, state }) => [id, state]))
  const changed = atProvider.filter(({ id, state }) =>
    stored.has(id) ? stored.get(id) !== state : state !== 'failed',
  )
  return intentIds.filter(
    (one) => ownIntents.has(one) && changed.some(({ intentId }) => intentId === one),
  )
}
