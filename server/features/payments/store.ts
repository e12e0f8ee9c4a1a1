import { and, asc, count, eq, inArray, lt, sql } from 'drizzle-orm'
import type { ProviderEvent } from '#server/adapters/payments/port.ts'
import type { Queryable } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { payments, webhookEvents } from '#server/database/schema/payments.ts'

type PaymentStatus = typeof payments.$inferSelect.status

/** Finds the checkout's open payment, if any. */
export async function findOpenPayment(db: Queryable, checkoutId: string) {
  const [payment] = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(and(eq(payments.checkoutId, checkoutId), eq(payments.status, 'open')))
  return payment
}

export type PaymentRow = NonNullable<Awaited<ReturnType<typeof findPayment>>>

/** Finds the stored payment of an intent; `amount` is in cents. */
export async function findPayment(db: Queryable, intentId: string) {
  const { status, checkoutId, amount } = payments
  const [payment] = await db
    .select({ intentId: payments.intentId, status, checkoutId, amount })
    .from(payments)
    .where(eq(payments.intentId, intentId))
  return payment
}

/** Returns the id of the first order in a payment's checkout, or null. */
export async function findOrderOfPayment(db: Queryable, intentId: string): Promise<string | null> {
  const [order] = await db
    .select({ _id: orders._id })
    .from(payments)
    .innerJoin(orders, eq(orders.checkoutId, payments.checkoutId))
    .where(eq(payments.intentId, intentId))
    .orderBy(asc(orders._id))
    .limit(1)
  return order?._id ?? null
}

export async function countPayments(db: Queryable, checkoutId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(payments)
    .where(eq(payments.checkoutId, checkoutId))
  return row?.n ?? 0
}

/**
 * Records an intent as open or, if it has ended, as canceled. A recorded intent does not change.
 */
export async function recordPayment(
  db: Queryable,
  payment: { intentId: string; checkoutId: string; amount: number; status: 'open' | 'canceled' },
): Promise<void> {
  await db.insert(payments).values(payment).onConflictDoNothing()
}

/** Changes a payment's state if it is in one of the given states. */
export async function markPayment(
  db: Queryable,
  intentId: string,
  from: PaymentStatus[],
  to: { status: PaymentStatus; amount?: number },
): Promise<void> {
  await db
    .update(payments)
    .set(to)
    .where(and(eq(payments.intentId, intentId), inArray(payments.status, from)))
}

/** Records that the provider is asked about an intent now, so that the jobs check others first. */
export async function touchPayment(db: Queryable, intentId: string): Promise<void> {
  await db.update(payments).set({ checkedAt: sql`now()` }).where(eq(payments.intentId, intentId))
}

/**
 * Finds open payments that were not checked for this long, and whether an order of each is still
 * unpaid.
 */
export function findUnsettled(db: Queryable, olderThanSeconds: number, limit: number) {
  return db
    .select({
      intentId: payments.intentId,
      isUnpaid: sql<boolean>`exists (select from orders o
        where o.checkout_id = ${payments}.checkout_id and o.status = 'unpaid')`,
    })
    .from(payments)
    .where(
      and(
        eq(payments.status, 'open'),
        lt(payments.checkedAt, sql`now() - make_interval(secs => ${olderThanSeconds})`),
      ),
    )
    .orderBy(asc(payments.checkedAt))
    .limit(limit)
}

export async function isEventKnown(db: Queryable, eventId: string): Promise<boolean> {
  const rows = await db
    .select({ eventId: webhookEvents.eventId })
    .from(webhookEvents)
    .where(eq(webhookEvents.eventId, eventId))
  return rows.length > 0
}

/** Filters the events that belong to our payments and are not handled yet. */
export async function findMissedEvents(
  db: Queryable,
  events: ProviderEvent[],
): Promise<ProviderEvent[]> {
  const intentIds = [...new Set(events.flatMap(({ intentId }) => intentId ?? []))]
  const ownPayments = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(inArray(payments.intentId, intentIds))
  const handledEvents = await db
    .select({ eventId: webhookEvents.eventId })
    .from(webhookEvents)
    .where(
      inArray(
        webhookEvents.eventId,
        events.map(({ id }) => id),
      ),
    )
  const [intents, handled] = [
    new Set(ownPayments.map((row) => row.intentId)),
    new Set(handledEvents.map((row) => row.eventId)),
  ]
  return events.filter(({ id, intentId }) => intents.has(intentId ?? '') && !handled.has(id))
}

/** Records an event as handled. @returns false when it was recorded before */
export async function rememberEvent(
  db: Queryable,
  event: { eventId: string; type: string; happenedAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.insert(webhookEvents).values(event).onConflictDoNothing()
  return rowCount === 1
}
