import { Hono } from 'hono'
import { type AuditLine, AuditPiece } from '#contracts/audit.ts'
import { readDeeds } from '#server/database/audit.ts'
import type { Database } from '#server/database/client.ts'
import { type Env, requireAdmin, valid } from '#server/http.ts'
import { noteOf } from './audit-note.ts'

type Row = Awaited<ReturnType<typeof readDeeds>>[number]

function subject({ orderId, number, product, partId, part, reviewId, reviewer, user }: Row) {
  if (orderId) return { about: `order:${orderId}`, name: `${product}, ${number}` }
  if (reviewId) return { about: `review:${reviewId}`, name: reviewer ?? '' }
  if (partId) return { about: `part:${partId}`, name: part ?? '' }
  return { about: `user:${user}`, name: user ?? '' }
}

const toLine = (row: Row): AuditLine => ({
  _id: row._id,
  at: row.createdAt.toISOString(),
  // a repair that nobody of the shop made names what made it
  by: row.by ?? (typeof row.detail.by === 'string' ? row.detail.by : null),
  deed: row.deed,
  ...subject(row),
  note: noteOf(row.deed, row.detail),
})

/** GET /audit: who did what to which order, part, user or review. */
export function auditRoutes(deps: { db: Database }) {
  return new Hono<Env>().get('/audit', requireAdmin, valid('query', AuditPiece), async (c) =>
    c.json((await readDeeds(deps.db, c.req.valid('query'))).map(toLine)),
  )
}
