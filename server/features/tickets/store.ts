import { and, asc, count, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { RowCount } from '#contracts/lists.ts'
import { type TicketState, takesBack } from '#contracts/ticket-rules.ts'
import type { Ticket, TicketFilter, TicketList, TicketSummary } from '#contracts/tickets.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { countOf, pageAfter, pageOf, type SortKey } from '#server/database/pagination.ts'
import { orders } from '#server/database/schema/orders.ts'
import {
  ticketLines,
  ticketMessages,
  ticketPictures,
  tickets,
} from '#server/database/schema/tickets.ts'
import { withTimes } from '#server/database/times.ts'
import { found } from '#server/errors.ts'

const summary = {
  _id: tickets._id,
  number: tickets.number,
  type: tickets.type,
  state: tickets.state,
  name: tickets.name,
  email: tickets.email,
  checkoutId: tickets.checkoutId,
  createdAt: tickets.createdAt,
  waitingSince: tickets.waitingSince,
}
const columns = { ...summary, userId: tickets.userId, version: tickets.version }

/** A ticket as stored, without its lines and messages. */
export type TicketRow = Awaited<ReturnType<typeof findTicket>> & object

/** Finds a ticket. @param lock until the transaction ends */
export async function findTicket(db: Queryable, id: string, lock?: 'lock') {
  const query = db.select(columns).from(tickets).where(eq(tickets._id, id))
  const [ticket] = lock ? await query.for('no key update') : await query
  return ticket
}

/** Finds the ticket of a user's idempotency key. */
export async function findTicketByKey(db: Queryable, userId: string, key: string) {
  const [ticket] = await db
    .select({ ...columns, requestHash: tickets.requestHash })
    .from(tickets)
    .where(and(eq(tickets.userId, userId), eq(tickets.idempotencyKey, key)))
  return ticket
}

const listLines = (db: Queryable, ticketIds: string[]) =>
  db
    .select({
      ticketId: ticketLines.ticketId,
      orderId: ticketLines.orderId,
      number: orders.number,
      product: orders.product,
      quantity: ticketLines.quantity,
      received: ticketLines.received,
      restock: ticketLines.restock,
    })
    .from(ticketLines)
    .innerJoin(orders, eq(orders._id, ticketLines.orderId))
    .where(inArray(ticketLines.ticketId, ticketIds))
    .orderBy(asc(orders.createdAt), asc(orders._id))

/** Lists the ids of the pictures of tickets, oldest first. */
const listPictures = (db: Queryable, ticketIds: string[]) =>
  db
    .select({ ticketId: ticketPictures.ticketId, _id: ticketPictures._id })
    .from(ticketPictures)
    .where(inArray(ticketPictures.ticketId, ticketIds))
    .orderBy(asc(ticketPictures.createdAt), asc(ticketPictures._id))

const listMessages = (db: Queryable, ticketIds: string[]) =>
  db
    .select({
      ticketId: ticketMessages.ticketId,
      _id: ticketMessages._id,
      author: ticketMessages.author,
      at: ticketMessages.createdAt,
      state: ticketMessages.state,
      text: ticketMessages.text,
    })
    .from(ticketMessages)
    .where(inArray(ticketMessages.ticketId, ticketIds))
    .orderBy(asc(ticketMessages.createdAt), asc(ticketMessages._id))

/** Groups rows by their ticket. */
function byTicket<Row extends { ticketId: string }>(rows: Row[]) {
  const groups = Map.groupBy(rows, ({ ticketId }) => ticketId)
  return (id: string) => (groups.get(id) ?? []).map(({ ticketId: _, ...row }) => row)
}

/** Tickets with their lines and threads, one query after the other: each takes a connection. */
async function toTickets(db: Queryable, rows: TicketRow[]): Promise<Ticket[]> {
  const ids = rows.map(({ _id }) => _id)
  const linesOf = byTicket(await listLines(db, ids))
  const picturesOf = byTicket(await listPictures(db, ids))
  const messagesOf = byTicket(await listMessages(db, ids))
  return rows.map(({ userId: _, ...ticket }) => ({
    ...withTimes(ticket),
    lines: linesOf(ticket._id),
    pictures: picturesOf(ticket._id).map(({ _id }) => _id),
    messages: messagesOf(ticket._id).map((message) => ({
      ...message,
      at: message.at.toISOString(),
    })),
  }))
}

/** A ticket with its lines and its thread. */
export async function toTicket(db: Queryable, ticket: TicketRow): Promise<Ticket> {
  return found((await toTickets(db, [ticket]))[0], 'ticket')
}

/** Lists the tickets of a checkout, or of a user, newest first. */
export async function listTicketsOf(
  db: Queryable,
  of: { checkoutId: string } | { userId: string },
): Promise<TicketSummary[]> {
  const rows = await db
    .select(summary)
    .from(tickets)
    .where('userId' in of ? eq(tickets.userId, of.userId) : eq(tickets.checkoutId, of.checkoutId))
    .orderBy(sql`${tickets.createdAt} desc`, sql`${tickets._id} desc`)
    .limit(200)
  return rows.map(withTimes)
}

/** Lists a page of a user's tickets with their threads, oldest first, for the export of their data. */
export async function listThreadsOf(
  db: Queryable,
  userId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Ticket[]> {
  const page = pageAfter(tickets, { by: tickets.createdAt }, after)
  const rows = await db
    .select(columns)
    .from(tickets)
    .where(and(eq(tickets.userId, userId), page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
  return toTickets(db, rows)
}

const views: Record<NonNullable<TicketFilter['view']>, SQL> = {
  waiting: isNotNull(tickets.waitingSince),
  open: sql`${tickets.endedAt} is null`,
  ended: isNotNull(tickets.endedAt),
}
const sorts: Record<TicketList['sort'], SortKey> = {
  waiting: { by: tickets.waitingSince },
  newest: { by: tickets.createdAt, down: true },
  oldest: { by: tickets.createdAt },
}
const inList = ({ view, type }: TicketFilter) =>
  and(view && views[view], type && eq(tickets.type, type))

/** Lists a page of all tickets, after the ticket with the id `after`. */
export async function listTickets(
  db: Queryable,
  list: Omit<TicketList, 'limit'> & { limit: number },
): Promise<TicketSummary[]> {
  const page = { ...list, sort: sorts[list.sort], filter: inList(list) }
  const { where, orderBy } = await pageOf(db, tickets, page)
  const rows = await db
    .select(summary)
    .from(tickets)
    .where(where)
    .orderBy(...orderBy)
    .limit(list.limit)
  return rows.map(withTimes)
}

export const countTickets = (db: Queryable, list: TicketFilter): Promise<RowCount> =>
  countOf(db, tickets, { ...list, sort: sorts.newest, filter: inList(list) })

/** The units of each order of a checkout that tickets, except refused ones, take back already. */
export async function unitsTakenBack(
  db: Queryable,
  checkoutId: string,
): Promise<Map<string, number>> {
  const rows = await db
    .select({
      orderId: ticketLines.orderId,
      units: sql<number>`sum(${ticketLines.quantity})::int`,
    })
    .from(ticketLines)
    .innerJoin(tickets, eq(tickets._id, ticketLines.ticketId))
    .where(
      and(
        eq(tickets.checkoutId, checkoutId),
        sql`${tickets.state} <> 'refused'`,
        inArray(tickets.type, [...takesBack]),
      ),
    )
    .groupBy(ticketLines.orderId)
  return new Map(rows.map(({ orderId, units }) => [orderId, units]))
}

/** Counts what was opened within a day: by a user, or by everybody without an account. */
export async function openedToday(db: Queryable, userId: string | null): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(tickets)
    .where(
      and(
        userId ? eq(tickets.userId, userId) : sql`${tickets.userId} is null`,
        gt(tickets.createdAt, sql`now() - interval '1 day'`),
      ),
    )
  return row?.n ?? 0
}

/** Adds a message to a ticket. @returns when */
export async function addMessage(
  tx: Transaction,
  message: typeof ticketMessages.$inferInsert,
): Promise<void> {
  await tx.insert(ticketMessages).values(message)
}

/** Counts the messages of a ticket, and those that its customer wrote in all threads within a day. */
export async function countMessages(db: Queryable, { _id, userId }: TicketRow) {
  const [row] = await db
    .select({
      all: sql<number>`count(*) filter (where ${tickets._id} = ${_id})::int`,
      today: sql<number>`count(*) filter (where ${ticketMessages.author} = 'customer'
        and ${ticketMessages.createdAt} > now() - interval '1 day')::int`,
    })
    .from(ticketMessages)
    .innerJoin(tickets, eq(tickets._id, ticketMessages.ticketId))
    .where(userId ? eq(tickets.userId, userId) : eq(tickets._id, _id))
  return found(row, 'ticket')
}

/** Moves a locked ticket to a state, and says for whom it waits. */
export async function moveTicket(
  tx: Transaction,
  { _id }: Pick<TicketRow, '_id'>,
  to: { state: TicketState; waits: 'shop' | 'customer' },
): Promise<void> {
  const isEnded = to.state === 'settled' || to.state === 'refused'
  await tx
    .update(tickets)
    .set({
      state: to.state,
      version: sql`${tickets.version} + 1`,
      endedAt: isEnded ? sql`coalesce(${tickets.endedAt}, now())` : null,
      waitingSince:
        to.waits === 'shop' && !isEnded ? sql`coalesce(${tickets.waitingSince}, now())` : null,
    })
    .where(eq(tickets._id, _id))
}

/** Records the units of a ticket's order that came back. */
export async function setReceived(
  tx: Transaction,
  ticketId: string,
  { orderId, received, restock }: { orderId: string; received: number; restock: number },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(ticketLines)
    .set({ received, restock })
    .where(and(eq(ticketLines.ticketId, ticketId), eq(ticketLines.orderId, orderId)))
  return rowCount === 1
}
