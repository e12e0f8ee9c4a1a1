import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import {
  answerSeconds,
  type Endpoint,
  failingDays,
  type Message,
  waitingLimit,
} from '#contracts/webhooks.ts'
import type { Database, Queryable, Transaction } from '#server/database/client.ts'
import { hour, minute, retrySchedule } from '#server/database/retries.ts'
import { orders } from '#server/database/schema/orders.ts'
import { tickets } from '#server/database/schema/tickets.ts'
import { webhookEndpoints, webhookMessages } from '#server/database/schema/webhooks.ts'
import { withTimes } from '#server/database/times.ts'

const isWaiting = and(isNull(webhookMessages.deliveredAt), isNull(webhookMessages.givenUpAt))
const waitingOf = sql<number>`(select count(*)::int from ${webhookMessages} m
  where m.endpoint_id = ${webhookEndpoints}._id and m.delivered_at is null and m.given_up_at is null)`

export async function listEndpoints(db: Queryable): Promise<Endpoint[]> {
  const rows = await db
    .select({
      _id: webhookEndpoints._id,
      url: webhookEndpoints.url,
      events: webhookEndpoints.events,
      createdAt: webhookEndpoints.createdAt,
      failingSince: webhookEndpoints.failingSince,
      disabledAt: webhookEndpoints.disabledAt,
      disabledWhy: webhookEndpoints.disabledWhy,
      waiting: waitingOf,
    })
    .from(webhookEndpoints)
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints._id))
  return rows.map(withTimes)
}

/** Locks an endpoint; undefined when there is none. */
export async function lockEndpoint(tx: Transaction, id: string) {
  const [row] = await tx
    .select({ url: webhookEndpoints.url, secretId: webhookEndpoints.secretId })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints._id, id))
    .for('update')
  return row
}

const shownInLog = 50

/** Lists the newest messages of an endpoint. */
export async function listMessages(db: Queryable, endpointId: string): Promise<Message[]> {
  const rows = await db
    .select({
      _id: webhookMessages._id,
      type: webhookMessages.type,
      orderId: webhookMessages.orderId,
      number: orders.number,
      ticketId: webhookMessages.ticketId,
      ticketNumber: tickets.number,
      createdAt: webhookMessages.createdAt,
      attempts: webhookMessages.attempts,
      status: webhookMessages.status,
      error: webhookMessages.lastError,
      deliveredAt: webhookMessages.deliveredAt,
      givenUpAt: webhookMessages.givenUpAt,
      nextAttemptAt: webhookMessages.nextAttemptAt,
    })
    .from(webhookMessages)
    .leftJoin(orders, eq(orders._id, webhookMessages.orderId))
    .leftJoin(tickets, eq(tickets._id, webhookMessages.ticketId))
    .where(eq(webhookMessages.endpointId, endpointId))
    .orderBy(desc(webhookMessages.position))
    .limit(shownInLog)
  return rows.map(({ orderId, number, ticketId, ticketNumber, ...row }) => ({
    ...withTimes(row),
    order: orderId && number ? { _id: orderId, number } : null,
    ticket: ticketId && ticketNumber ? { _id: ticketId, number: ticketNumber } : null,
    ...((row.deliveredAt || row.givenUpAt) && { nextAttemptAt: null }),
  }))
}

/** A message that only this process sends now, with the ids of the secrets that sign it. */
export type TakenMessage = {
  _id: string
  endpointId: string
  orderId: string | null
  ticketId: string | null
  url: string
  payload: string
  attempts: number
  secretIds: string[]
}

/**
 * Reserves the message: no other process takes it before this time. If this process crashes, it is
 * taken again.
 */
const nextAttempt = sql`attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${answerSeconds * 4})`
const takenColumns = sql`m._id, m.endpoint_id as "endpointId", m.order_id as "orderId", m.ticket_id as "ticketId", e.url, m.payload, m.attempts,
  array_remove(array[e.secret_id, case when e.old_secret_until > now() then e.old_secret_id end], null)::text[] as "secretIds"`

/** Lists the endpoints that have due messages. */
export async function dueEndpoints(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select e._id as id from webhook_endpoints e where e.disabled_at is null and exists (
      select from webhook_messages m where m.endpoint_id = e._id
        and m.delivered_at is null and m.given_up_at is null and m.next_attempt_at <= now())`)
  return rows.map(({ id }) => id)
}

/**
 * Takes the message that has been due longest. Later messages of an order or ticket wait until earlier ones
 * have arrived or are given up.
 */
export async function takeDueMessage(
  db: Database,
  endpointId: string,
): Promise<TakenMessage | undefined> {
  const { rows } = await db.execute<TakenMessage>(sql`
    update webhook_messages m set ${nextAttempt} from webhook_endpoints e
    where e._id = m.endpoint_id and e.disabled_at is null and m._id = (
      select d._id from webhook_messages d
      where d.endpoint_id = ${endpointId} and d.delivered_at is null and d.given_up_at is null
        and d.next_attempt_at <= now() and not exists (
          select from webhook_messages b where (b.order_id = d.order_id or b.ticket_id = d.ticket_id) and b.endpoint_id = d.endpoint_id
            and b.delivered_at is null and b.given_up_at is null and b.position < d.position)
      order by d.next_attempt_at, d.position limit 1 for update skip locked)
    returning ${takenColumns}`)
  return rows[0]
}

/**
 * Takes this message again, whatever its result was, with a new count of attempts. Returns
 * undefined before the end of its first attempt, or when there is no such message.
 */
export async function retakeMessage(tx: Transaction, id: string) {
  const { rows } = await tx.execute<TakenMessage>(sql`
    update webhook_messages m set attempts = 1, delivered_at = null, given_up_at = null,
      next_attempt_at = now() + make_interval(secs => ${answerSeconds * 4})
    from webhook_endpoints e
    where e._id = m.endpoint_id and m._id = ${id}
      and (m.delivered_at is not null or m.given_up_at is not null or m.last_error is not null)
    returning ${takenColumns}`)
  return rows[0]
}

/** Inserts a test message and takes it. @returns the message, which the caller sends */
export async function insertTest(tx: Transaction, endpointId: string, payload: string) {
  const { rows } = await tx.execute<TakenMessage>(sql`
    with m as (
      insert into webhook_messages (endpoint_id, type, payload, attempts, next_attempt_at)
      values (${endpointId}, 'test', ${payload}, 1, now() + make_interval(secs => ${answerSeconds * 4}))
      returning *)
    select ${takenColumns} from m join webhook_endpoints e on e._id = m.endpoint_id`)
  return rows[0]
}

export async function markDelivered(
  db: Database,
  { _id, endpointId }: TakenMessage,
  status: number,
): Promise<void> {
  await db
    .update(webhookMessages)
    .set({ deliveredAt: sql`now()`, givenUpAt: null, status, lastError: null })
    .where(eq(webhookMessages._id, _id))
  await db
    .update(webhookEndpoints)
    .set({ failingSince: null })
    .where(
      sql`${webhookEndpoints._id} = ${endpointId} and ${webhookEndpoints.failingSince} is not null`,
    )
}

/** The schedule of attempts. The last one is five days after the first. */
const retries = retrySchedule([
  ...[5, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24, 24, 24].map((hours) => hours * hour),
])

/**
 * Records why a message did not arrive. Gives it up if the failure is final or the attempts are
 * used up.
 * @returns whether the endpoint has failed for so long that it must be switched off
 */
export async function markFailed(
  db: Database,
  { _id, endpointId }: TakenMessage,
  { status, error, isFinal }: { status: number | null; error: string; isFinal: boolean },
): Promise<boolean> {
  await db
    .update(webhookMessages)
    .set({
      status,
      lastError: error.slice(0, 300),
      nextAttemptAt: retries.nextAttemptAt(webhookMessages.attempts),
      // keeps the time if the message was given up meanwhile, because the endpoint was switched off
      givenUpAt: sql`coalesce(${webhookMessages.givenUpAt}, ${retries.givenUpAt(webhookMessages.attempts, isFinal)})`,
    })
    .where(and(eq(webhookMessages._id, _id), isNull(webhookMessages.deliveredAt)))
  const [endpoint] = await db
    .update(webhookEndpoints)
    .set({ failingSince: sql`coalesce(${webhookEndpoints.failingSince}, now())` })
    .where(eq(webhookEndpoints._id, endpointId))
    .returning({
      isLost: sql<boolean>`${webhookEndpoints.failingSince} < now() - make_interval(days => ${failingDays})`,
    })
  return endpoint?.isLost ?? false
}

/** Whether the endpoint has more than `waitingLimit` waiting messages. */
export async function isFlooded(db: Database, endpointId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select from webhook_messages where endpoint_id = ${endpointId} and delivered_at is null and given_up_at is null
    offset ${waitingLimit} limit 1`)
  return rowCount !== 0
}

/**
 * Switches an endpoint off and gives up its waiting messages.
 * @returns its address and the time; undefined when it was already off
 */
export async function switchOff(tx: Transaction, id: string, why: string | null) {
  const [off] = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: sql`now()`, disabledWhy: why })
    .where(and(eq(webhookEndpoints._id, id), isNull(webhookEndpoints.disabledAt)))
    .returning({ url: webhookEndpoints.url, at: webhookEndpoints.disabledAt })
  if (!off) return undefined
  await tx
    .update(webhookMessages)
    .set({ givenUpAt: sql`now()`, lastError: 'The webhook was switched off.' })
    .where(and(eq(webhookMessages.endpointId, id), isWaiting))
  return off
}
