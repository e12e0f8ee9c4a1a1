/** Withdrawal without a login: order number and e-mail address bring a link by mail. */
import { and, eq, sql } from 'drizzle-orm'
import type { NewTicket, TicketOpened, WithdrawalOffer } from '#contracts/tickets.ts'
import { requestHash } from '#server/database/idempotency.ts'
import { orders } from '#server/database/schema/orders.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError } from '#server/errors.ts'
import { listOrdersIn, withoutDeleted } from '#server/features/orders/store.ts'
import { mailWithdrawalLink } from '#server/mail/ticket-mails.ts'
import type { TicketDeps } from './about.ts'
import { openTicket, readLastReturnDay } from './open-ticket.ts'
import { unitsTakenBack } from './store.ts'

/** Mails the link if the order is paid and goes by the address; says nothing about it. */
export async function requestWithdrawal(
  deps: TicketDeps,
  { number, email }: { number: string; email: string },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [order] = await tx
      .select({
        checkoutId: orders.checkoutId,
        orderId: orders._id,
        name: orders.customer,
        number: orders.number,
        email: orders.email,
      })
      .from(orders)
      .innerJoin(users, eq(users._id, orders.userId))
      .where(
        and(
          eq(orders.number, number),
          eq(orders.email, email),
          sql`${orders.transactionId} is not null and ${users.deletedAt} is null`,
        ),
      )
    if (order) await mailWithdrawalLink(deps, tx, order)
  })
}

const checkoutOf = ({ ticketKeys }: TicketDeps, key: string): string => {
  const checkoutId = ticketKeys.checkoutOf(key)
  if (checkoutId) return checkoutId
  throw new AppError('FORBIDDEN', 'This link does not work any more. Ask for another one.')
}

/** What the holder of a link can withdraw from. @throws AppError FORBIDDEN */
export async function readWithdrawal(deps: TicketDeps, key: string): Promise<WithdrawalOffer> {
  const checkoutId = checkoutOf(deps, key)
  const all = withoutDeleted(await listOrdersIn(deps.db, checkoutId))
  const taken = await unitsTakenBack(deps.db, checkoutId)
  return {
    lines: all
      .filter(({ status }) => status !== 'refunded')
      .map(({ _id, number, product, quantity }) => ({
        ...{ orderId: _id, number, product },
        quantity: Math.max(0, quantity - (taken.get(_id) ?? 0)),
      })),
    until: await readLastReturnDay(deps.db, all),
  }
}

/**
 * Withdraws with a link, once for each Idempotency-Key. Without one, the same lines by the same link
 * are the same withdrawal.
 * @throws AppError FORBIDDEN, and as `openTicket`
 */
export function confirmWithdrawal(
  deps: TicketDeps,
  { key: linkKey, lines }: { key: string; lines: NewTicket['lines'] },
  key: string | null,
): Promise<TicketOpened> {
  const checkoutId = checkoutOf(deps, linkKey)
  return openTicket(deps, {
    ...{ caller: null, checkoutId, key: key ?? requestHash(linkKey, lines) },
    ticket: { type: 'withdrawal', lines },
  })
}
