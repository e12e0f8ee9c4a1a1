/** What mails say of a ticket. */

import type { Database, Queryable } from '#server/database/client.ts'
import type { AboutTicket, TicketMailDeps } from '#server/mail/ticket-mails.ts'
import { type TicketRow, toTicket } from './store.ts'
import type { TicketKeys } from './ticket-key.ts'

export type TicketDeps = TicketMailDeps & { db: Database; ticketKeys: TicketKeys }

/** The ticket as its mails name it. */
export async function aboutTicket(db: Queryable, ticket: TicketRow): Promise<AboutTicket> {
  const { _id, number, type, name, email, userId } = ticket
  const { lines } = await toTicket(db, ticket)
  return {
    ...{ _id, number, type, name, email, lines },
    hasAccount: userId !== null,
    orderId: lines[0]?.orderId,
  }
}
