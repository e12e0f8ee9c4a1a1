/** How tickets begin: on a paid order, with the link of a mail, or by the contact form. */

import { and, eq, isNull } from 'drizzle-orm'
import { clockTime } from '#contracts/shop-days.ts'
import {
  lastReturnDay,
  type SentOrder,
  type TicketType,
  takesBack,
} from '#contracts/ticket-rules.ts'
import type { NewTicket, Question, TicketOpened } from '#contracts/tickets.ts'
import { type Caller, isAdmin, ownsOrAdmin } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { type Queryable, refusedBy, type Transaction } from '#server/database/client.ts'
import { idempotent, keyReused, requestHash } from '#server/database/idempotency.ts'
import { ticketLines, tickets } from '#server/database/schema/tickets.ts'
import { users } from '#server/database/schema/users.ts'
import { readToday } from '#server/database/shop-days.ts'
import { AppError, found } from '#server/errors.ts'
import {
  lockCheckout,
  notDeletedOrder,
  type OrderRow,
  orNone,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import { readSettings } from '#server/features/settings/store.ts'
import { mailOwnerTicket, mailTicketAnswered, mailTicketOpened } from '#server/mail/ticket-mails.ts'
import { aboutTicket, type TicketDeps } from './about.ts'
import {
  addMessage,
  findTicket,
  findTicketByKey,
  openedToday,
  type TicketRow,
  unitsTakenBack,
} from './store.ts'

/**
 * Tickets of an account within a day; and of all people without one together, after which strangers
 * get no mail of theirs.
 */
const mostInADay = { ofAccount: 20, ofOthers: 200 } as const

/** @throws AppError TOO_MANY */
async function checkNotTooMany(tx: Transaction, userId: string): Promise<void> {
  if ((await openedToday(tx, userId)) < mostInADay.ofAccount) return
  throw new AppError(
    'TOO_MANY',
    `You opened ${mostInADay.ofAccount} tickets within a day. Write below one of them.`,
  )
}

/**
 * Whether a question of somebody without an account is acknowledged. A crowd closes the form to
 * nobody, but it has no more mails sent to addresses of its choice.
 */
async function isAcknowledged(tx: Transaction, email: string): Promise<boolean> {
  if ((await openedToday(tx, null)) < mostInADay.ofOthers) return true
  const confirmed = await tx
    .select({ _id: users._id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, true)))
  return confirmed.length > 0
}

const takesUnitsBack = (type: TicketType): boolean =>
  (takesBack as readonly string[]).includes(type)

/**
 * The last day on which orders of a checkout can be withdrawn from or returned; null while something
 * is not shipped yet.
 */
export async function readLastReturnDay(
  db: Queryable,
  orders: readonly OrderRow[],
): Promise<string | null> {
  const { shop } = (await readSettings(db)).settings
  const dayOf = (at: Date | null) =>
    at && (clockTime(shop.timeZone, at.toISOString()).split(' ')[0] ?? '')
  const sent = orders
    .filter(({ status, shippedAt }) => status !== 'refunded' || shippedAt)
    .map(
      ({ shippedAt, deliveredAt }): SentOrder => ({
        shipped: dayOf(shippedAt),
        delivered: dayOf(deliveredAt),
      }),
    )
  return lastReturnDay(sent, {
    daysTo: orders[0]?.shipping.daysTo ?? null,
    days: Number(shop.returnDays),
    rules: shop,
  })
}

/** Until when orders of a checkout can be sent back, and who pays for that. */
export async function readReturns(db: Queryable, orders: readonly OrderRow[]) {
  const { shop } = (await readSettings(db)).settings
  const returnsPaidBy = shop.returnsPaidBy === 'shop' ? ('shop' as const) : ('customer' as const)
  return { returnUntil: await readLastReturnDay(db, orders), returnsPaidBy }
}

/** @throws AppError TOO_LATE, naming the day */
async function checkInTime(tx: Transaction, orders: readonly OrderRow[]): Promise<void> {
  const until = await readLastReturnDay(tx, orders)
  if (until === null || (await readToday(tx)) <= until) return
  throw new AppError('TOO_LATE', `This could be sent back until ${until}. Ask us in a question.`)
}

/** @throws AppError INVALID with the field of each line that asks for more units than are left */
async function checkUnits(
  tx: Transaction,
  checkoutId: string,
  named: { order: OrderRow; quantity: number }[],
  isBack: boolean,
): Promise<void> {
  const taken = isBack ? await unitsTakenBack(tx, checkoutId) : new Map<string, number>()
  const problems = named.flatMap(({ order, quantity }, i) => {
    const left = order.quantity - (taken.get(order._id) ?? 0)
    const isRefunded = isBack && order.status === 'refunded'
    if (quantity <= left && !isRefunded) return []
    const why = isRefunded
      ? `${order.product} is refunded already`
      : left > 0
        ? `${order.product}: ${left} at the most`
        : `${order.product} is being sent back already`
    return [[`lines.${i}`, why] as const]
  })
  const [first] = problems
  if (first) throw new AppError('INVALID', first[1], Object.fromEntries(problems))
}

type Opening = {
  /** Null: with the link of a mail. */
  caller: Caller | null
  checkoutId: string
  ticket: NewTicket
  key: string | null
}

const openedOf = ({ _id, number, createdAt }: TicketRow): TicketOpened => ({
  ...{ acknowledged: true, insertedId: _id, number, at: createdAt.toISOString() },
})

/**
 * Stores a ticket with its lines and first message, and mails its customer and the owner.
 * @param isSilent the owner alone
 */
async function insertTicket(
  deps: TicketDeps,
  tx: Transaction,
  values: typeof tickets.$inferInsert,
  {
    lines,
    text,
    by,
    isSilent = false,
  }: { lines: NewTicket['lines']; text: string; by: Caller | null; isSilent?: boolean },
): Promise<TicketRow> {
  const isByShop = by !== null && by._id !== values.userId
  const [row] = await tx
    .insert(tickets)
    .values({ ...values, waitingSince: isByShop ? null : new Date() })
    .returning({ _id: tickets._id })
  const { _id: ticketId } = found(row, 'ticket')
  const sorted = lines.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))
  if (sorted.length > 0)
    await tx.insert(ticketLines).values(sorted.map((line) => ({ ticketId, ...line })))
  const first = { ticketId, state: 'asked', text } as const
  await addMessage(
    tx,
    isByShop ? { ...first, author: 'shop', adminId: by._id } : { ...first, author: 'customer' },
  )
  const ticket = found(await findTicket(tx, ticketId), 'ticket')
  const about = await aboutTicket(tx, ticket)
  if (isByShop && text) {
    await mailTicketAnswered(deps, tx, about, { messageId: ticketId, state: null, text })
  } else if (!isSilent) {
    await mailTicketOpened(deps, tx, about, ticket.createdAt)
  }
  if (isByShop) {
    const { number, type, userId } = ticket
    const detail = { number, type }
    await logActions(tx, [{ actor: by, userId: userId ?? by._id, action: 'ticket opened', detail }])
  } else {
    await mailOwnerTicket(deps, tx, about)
  }
  return ticket
}

async function openInCheckout(
  deps: TicketDeps,
  tx: Transaction,
  { caller, checkoutId, ticket, key }: Opening,
): Promise<TicketRow> {
  const all = withoutDeleted(await lockCheckout(tx, checkoutId))
  const isAllowed = all.every(({ userId }) => !caller || ownsOrAdmin(caller, userId))
  const [first] = found(isAllowed ? orNone(all) : null, 'checkout')
  const { userId, customer: name, email } = first
  const isOwn = !caller || caller._id === userId
  const before = userId && key ? await findTicketByKey(tx, userId, key) : undefined
  const hash = requestHash(checkoutId, ticket)
  return idempotent('ticket', { before, hash }, async () => {
    const { type, text = '' } = ticket
    if (type === 'undelivered' && !(caller && isAdmin(caller)))
      throw new AppError('FORBIDDEN', 'Only the shop knows that a parcel came back')
    if (!first.transactionId)
      throw new AppError('ORDER_UNPAID', 'This order is not paid: there is nothing to send back')
    const lines = ticket.lines.map(({ orderId, quantity }, i) => ({
      order: notDeletedOrder(all.find(({ _id }) => _id === orderId)),
      ...{ orderId, quantity, i },
    }))
    await checkUnits(tx, checkoutId, lines, takesUnitsBack(type))
    // the shop itself may take back what it likes
    if (isOwn && (type === 'withdrawal' || type === 'return')) await checkInTime(tx, all)
    await checkNotTooMany(tx, userId)
    const ofKey = userId && key ? { idempotencyKey: key, requestHash: hash } : {}
    return insertTicket(
      deps,
      tx,
      { type, userId, checkoutId, name, email, ...ofKey },
      { lines: ticket.lines, text, by: caller },
    )
  })
}

/**
 * Opens a ticket on a paid order of the caller, or of anybody for admins, once for each key.
 * Acknowledges it by mail, and tells the owner.
 * @throws AppError NOT_FOUND, ORDER_UNPAID, INVALID, TOO_LATE, TOO_MANY, KEY_REUSED, FORBIDDEN
 */
export async function openTicket(deps: TicketDeps, opening: Opening): Promise<TicketOpened> {
  const ticket = await deps.db
    .transaction((tx) => openInCheckout(deps, tx, opening))
    .catch((error) => {
      throw refusedBy(error) === 'tickets_idempotency' ? keyReused('ticket') : error
    })
  return openedOf(ticket)
}

/**
 * Opens a question without an order: of the caller, or of somebody without a login.
 * @throws AppError TOO_MANY for the caller
 */
export function askQuestion(
  deps: TicketDeps,
  caller: Caller | null,
  { name, email, text }: Question,
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const userId = caller?._id ?? null
    if (userId) await checkNotTooMany(tx, userId)
    const isSilent = !userId && !(await isAcknowledged(tx, email))
    const values = { type: 'question' as const, userId, name, email: caller?.email ?? email }
    await insertTicket(deps, tx, values, { lines: [], text, by: caller, isSilent })
  })
}

/**
 * Writes to a customer: opens a question that the shop began.
 * @throws AppError NOT_FOUND for a deleted account, TOO_MANY
 */
export function writeToCustomer(
  deps: TicketDeps,
  caller: Caller,
  userId: string,
  text: string,
): Promise<TicketOpened> {
  return deps.db.transaction(async (tx) => {
    const [user] = await tx
      .select({ name: users.name, email: users.email })
      .from(users)
      .where(and(eq(users._id, userId), isNull(users.deletedAt)))
    await checkNotTooMany(tx, userId)
    const values = { type: 'question' as const, userId, ...found(user, 'user') }
    return openedOf(await insertTicket(deps, tx, values, { lines: [], text, by: caller }))
  })
}
