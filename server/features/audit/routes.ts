import { Hono } from 'hono'
import { z } from 'zod'
import { AuditCsv, AuditEntry, AuditFilter, AuditList } from '#contracts/audit.ts'
import { CsvFile, RowCount } from '#contracts/lists.ts'
import type { Currency } from '#contracts/money.ts'
import { clockTime } from '#contracts/shop-days.ts'
import { countAuditLog, readAuditLog } from '#server/database/audit-log.ts'
import type { Database } from '#server/database/client.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import { type Columns, streamCsv } from '#server/http/lists.ts'
import { noteOf } from './describe-action.ts'

type Row = Awaited<ReturnType<typeof readAuditLog>>[number]

function subject({ orderId, number, product, partId, part, reviewId, reviewer, user }: Row) {
  if (orderId) return { about: `order:${orderId}`, name: `${product}, ${number}` }
  if (reviewId) return { about: `review:${reviewId}`, name: reviewer ?? '' }
  if (partId) return { about: `part:${partId}`, name: part ?? '' }
  return { about: `user:${user}`, name: user ?? '' }
}

const toLine = (row: Row, currency: Currency): AuditEntry => ({
  _id: row._id,
  at: row.createdAt.toISOString(),
  // without an admin, the detail names the job or command that acted
  by: row.by ?? (typeof row.detail.by === 'string' ? row.detail.by : null),
  key: row.key,
  action: row.action,
  ...subject(row),
  note: noteOf(row.action, row.detail, currency),
})

/** The audit log as CSV, one line per action. */
const auditColumns = (timeZone: string): Columns<AuditEntry> => ({
  [`At (${timeZone})`]: ({ at }) => clockTime(timeZone, at),
  By: ({ by }) => by ?? 'card provider',
  'API key': ({ key }) => key,
  Action: ({ action }) => action,
  About: ({ about }) => about,
  Name: ({ name }) => name,
  Note: ({ note }) => note,
  Line: ({ _id }) => _id,
})

/** GET /audit and /audit.csv: who did what to which order, part, user or review. */
export function auditRoutes({
  db,
  reading,
  currency,
}: {
  db: Database
  reading: ReadSource
  currency: Currency
}) {
  return new Hono<Env>()
    .get(
      '/audit',
      requireAdmin({
        summary: 'Lists what admins and the shop itself did, newest first.',
        answer: z.array(AuditEntry),
      }),
      valid('query', AuditList),
      async (c) =>
        c.json((await readAuditLog(db, c.req.valid('query'))).map((row) => toLine(row, currency))),
    )
    .get(
      '/audit/count',
      requireAdmin({ summary: 'Counts the entries of the audit log.', answer: RowCount }),
      valid('query', AuditFilter),
      async (c) => c.json((await countAuditLog(db, c.req.valid('query'))) satisfies RowCount),
    )
    .get(
      '/audit.csv',
      requireAdmin({
        summary: 'Exports the audit log as CSV.',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', AuditCsv),
      (c) => {
        const { about, decimals } = c.req.valid('query')
        const file = { name: 'audit-log', columns: auditColumns, decimals, reading }
        return streamCsv(c, file, async (from, { limit, after }) => {
          const last = after === undefined ? undefined : Number(after)
          return (await readAuditLog(from, { about, limit, after: last })).map((row) =>
            toLine(row, currency),
          )
        })
      },
    )
}
