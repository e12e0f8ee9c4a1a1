/** What happens to a ticket: its customer writes, the shop answers and decides. */
import { hasEnded, nextStates } from '#contracts/ticket-rules.ts'
import { type TicketEdit, ticketLimits } from '#contracts/tickets.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { refusedBy, type Transaction } from '#server/database/client.ts'
import { ticketMessages } from '#server/database/schema/tickets.ts'
import { AppError, found } from '#server/errors.ts'
import { lockCheckout } from '#server/features/orders/store.ts'
import { mailOwnerTicket, mailTicketAnswered } from '#server/mail/ticket-mails.ts'
import { aboutTicket, type TicketDeps } from './about.ts'
import {
  addMessage,
  countMessages,
  findTicket,
  moveTicket,
  setReceived,
  type TicketRow,
  toTicket,
} from './store.ts'

/** Messages of a customer within a day, in all threads. */
const mostInADay = 30

/**
 * Locks a ticket until the transaction ends, after its checkout: everything that locks both takes
 * them in this order.
 * @throws AppError NOT_FOUND
 */
export async function lockTicket(tx: Transaction, id: string): Promise<TicketRow> {
  const { checkoutId } = found(await findTicket(tx, id), 'ticket')
  if (checkoutId) await lockCheckout(tx, checkoutId)
  return found(await findTicket(tx, id, 'lock'), 'ticket')
}

/** @throws AppError TOO_MANY */
async function checkRoom(tx: Transaction, ticket: TicketRow): Promise<void> {
  const { all, today } = await countMessages(tx, ticket)
  if (today >= mostInADay)
    throw new AppError('TOO_MANY', `You wrote ${mostInADay} times within a day. Call us instead.`)
  if (all >= ticketLimits.messages)
    throw new AppError('TOO_MANY', 'This thread is full. Open another one, or call us.')
}

/**
 * Adds a message of its customer. An ended ticket opens again.
 * @throws AppError NOT_FOUND, TOO_MANY, and IN_USE when what it takes back was given to another
 *   ticket meanwhile
 */
export async function writeMessage(
  deps: TicketDeps,
  ticketId: string,
  text: string,
): Promise<void> {
  await deps.db
    .transaction(async (tx) => {
      const ticket = await lockTicket(tx, ticketId)
      await checkRoom(tx, ticket)
      const isReopened = hasEnded(ticket.state)
      const state = isReopened ? 'asked' : ticket.state
      await moveTicket(tx, ticket, { state, waits: 'shop' })
      await addMessage(tx, { ticketId, author: 'customer', text, ...(isReopened && { state }) })
      await mailOwnerTicket(deps, tx, await aboutTicket(tx, ticket))
    })
    .catch((error) => {
      if (refusedBy(error) !== 'ticket_lines_within_booked') throw error
      throw new AppError('IN_USE', 'What it is about is sent back with another ticket meanwhile')
    })
}

/** Stores a message of the shop, and mails it. */
async function answer(
  deps: TicketDeps,
  tx: Transaction,
  ticket: TicketRow,
  message: { adminId: string; state: TicketRow['state'] | null; text: string },
): Promise<void> {
  const [row] = await tx
    .insert(ticketMessages)
    .values({ ticketId: ticket._id, author: 'shop', ...message })
    .returning({ _id: ticketMessages._id })
  const about = await aboutTicket(tx, ticket)
  await mailTicketAnswered(deps, tx, about, { messageId: found(row, 'message')._id, ...message })
}

/**
 * Answers a ticket, moves it, and records what came back; mails its customer, and logs it.
 * @throws AppError NOT_FOUND, OUTDATED, INVALID for a state that it cannot take, or for units that
 *   it is not about
 */
export function changeTicket(
  deps: TicketDeps,
  caller: Caller,
  ticketId: string,
  { version, state, received, text = '' }: TicketEdit,
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const ticket = await lockTicket(tx, ticketId)
    if (ticket.version !== version) {
      throw new AppError(
        'OUTDATED',
        'Somebody wrote or changed this ticket meanwhile, and nothing of yours was saved. Load the page again.',
      )
    }
    const isMoved = state !== ticket.state
    if (isMoved && !nextStates(ticket.type, ticket.state).includes(state)) {
      const why = `This ticket is ${ticket.state}, and cannot become ${state}`
      throw new AppError('INVALID', why, { state: why })
    }
    const { lines } = await toTicket(tx, ticket)
    for (const [i, line] of received.entries()) {
      const quantity = lines.find(({ orderId }) => orderId === line.orderId)?.quantity ?? 0
      const isWithin = line.received <= quantity && line.restock <= line.received
      if (isWithin && (await setReceived(tx, ticketId, line))) continue
      const why = `${quantity} at the most came back, and of these can be sold again`
      throw new AppError('INVALID', why, { [`received.${i}`]: why })
    }
    const isAnswered = isMoved || text !== ''
    // what came back waits for the shop, which refunds it or sends another one
    const waits = state === 'received' || (!isAnswered && ticket.waitingSince) ? 'shop' : 'customer'
    await moveTicket(tx, ticket, { state, waits })
    if (isAnswered)
      await answer(deps, tx, ticket, { adminId: caller._id, state: isMoved ? state : null, text })
    await logTicket(tx, caller, ticket, state)
  })
}

const logTicket = (
  tx: Transaction,
  caller: Caller,
  { number, type, state: from, userId }: TicketRow,
  state: TicketRow['state'],
) =>
  logActions(tx, [
    {
      actor: caller,
      userId: userId ?? caller._id,
      action: 'ticket answered',
      detail: { number, type, ...(state !== from && { state }) },
    },
  ])

/** Opens a settled ticket again, because its refund failed. */
export async function reopenTicket(tx: Transaction, ticketId: string): Promise<void> {
  const ticket = found(await findTicket(tx, ticketId, 'lock'), 'ticket')
  if (ticket.state === 'settled') await moveTicket(tx, ticket, { state: 'asked', waits: 'shop' })
}

/**
 * Settles a ticket by a refund of its orders, in the refund's transaction.
 * @param sum what is refunded, as its customer reads it
 * @throws AppError NOT_FOUND for a ticket of another checkout, REFUND_REFUSED for an ended one
 */
export async function settleByRefund(
  deps: TicketDeps,
  tx: Transaction,
  {
    caller,
    ticketId,
    checkoutId,
    sum,
  }: Record<'ticketId' | 'checkoutId' | 'sum', string> & {
    caller: Caller
  },
): Promise<void> {
  const ticket = found(await findTicket(tx, ticketId, 'lock'), 'ticket')
  found(ticket.checkoutId === checkoutId ? ticket : null, 'ticket')
  if (!nextStates(ticket.type, ticket.state).includes('settled')) {
    const why = `This ticket is ${ticket.state}. Open it again, then refund it.`
    throw new AppError('REFUND_REFUSED', why, { ticketId: why })
  }
  await moveTicket(tx, ticket, { state: 'settled', waits: 'customer' })
  const text = `We refund ${sum} to your card.`
  await answer(deps, tx, ticket, { adminId: caller._id, state: 'settled', text })
  await logTicket(tx, caller, ticket, 'settled')
}
