import { Hono } from 'hono'
import { z } from 'zod'
import { Acknowledged, acknowledged, ById } from '#contracts/api.ts'
import { RowCount } from '#contracts/lists.ts'
import { TicketEdit, TicketFilter, TicketList, TicketSummary } from '#contracts/tickets.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import type { TicketDeps } from './about.ts'
import { changeTicket } from './change-ticket.ts'
import { countTickets, listTickets } from './store.ts'

/** The admin routes of tickets: list them, answer and decide. */
export function adminTicketRoutes(deps: TicketDeps) {
  const { db } = deps
  return new Hono<Env>()
    .get(
      '/allTickets',
      requireAdmin({ summary: 'Lists all tickets.', answer: z.array(TicketSummary) }),
      valid('query', TicketList),
      (c) => {
        const query = c.req.valid('query')
        return streamList(c, query, (page) => listTickets(db, { ...query, ...page }))
      },
    )
    .get(
      '/allTickets/count',
      requireAdmin({ summary: 'Counts the tickets that match a filter.', answer: RowCount }),
      valid('query', TicketFilter),
      async (c) => c.json((await countTickets(db, c.req.valid('query'))) satisfies RowCount),
    )
    .put(
      '/ticket/:id',
      requireAdmin({
        summary: 'Answers a ticket, moves it, and records what came back.',
        answer: Acknowledged,
        errors: ['NOT_FOUND', 'OUTDATED'],
        description: 'Its customer gets a mail. A refund that names the ticket settles it.',
      }),
      valid('param', ById),
      valid('json', TicketEdit),
      async (c) => {
        await changeTicket(deps, c.var.caller, c.req.valid('param').id, c.req.valid('json'))
        return c.json(acknowledged)
      },
    )
}
