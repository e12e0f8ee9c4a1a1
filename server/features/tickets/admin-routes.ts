import { Hono } from 'hono'
import { z } from 'zod'
import { Acknowledged, acknowledged, ById } from '#contracts/api.ts'
import { CsvFile, RowCount } from '#contracts/lists.ts'
import { clockTime } from '#contracts/shop-days.ts'
import {
  TicketCsv,
  TicketEdit,
  TicketFilter,
  TicketList,
  TicketSummary,
} from '#contracts/tickets.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import { type Columns, streamCsv, streamList } from '#server/http/lists.ts'
import type { TicketDeps } from './about.ts'
import { changeTicket } from './change-ticket.ts'
import { countTickets, listTickets } from './store.ts'

/** One line per ticket, without its thread. */
const ticketColumns = (timeZone: string): Columns<TicketSummary> => ({
  Number: ({ number }) => number,
  Type: ({ type }) => type,
  State: ({ state }) => state,
  Name: ({ name }) => name,
  'E-mail': ({ email }) => email,
  [`Opened (${timeZone})`]: ({ createdAt }) => clockTime(timeZone, createdAt),
  [`Waits since (${timeZone})`]: ({ waitingSince }) =>
    waitingSince && clockTime(timeZone, waitingSince),
  Checkout: ({ checkoutId }) => checkoutId,
})

/** The admin routes of tickets: list and export them, answer and decide. */
export function adminTicketRoutes(deps: TicketDeps & { reading: ReadSource }) {
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
    .get(
      '/allTickets.csv',
      requireAdmin({
        summary: 'Exports tickets as CSV.',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', TicketCsv),
      (c) => {
        const { decimals, ...query } = c.req.valid('query')
        return streamCsv(
          c,
          { name: 'tickets', columns: ticketColumns, decimals, reading: deps.reading },
          (from, page) => listTickets(from, { ...query, sort: 'newest', ...page }),
        )
      },
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
