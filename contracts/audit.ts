/** The record of who did what to which order, part, user or review: what GET /audit takes and answers. */
import { z } from 'zod'
import { csvFormat } from './lists.ts'
import { OrderNumber } from './orders.ts'
import { Id } from './parts.ts'
import { Email } from './users.ts'

const keys = { order: z.union([Id, OrderNumber]), part: Id, user: Email, review: Id }
type Kind = keyof typeof keys

/** What `order:<id or number>`, `part:<id>`, `user:<email>` or `review:<id>` names, or null when it names nothing. */
export function subjectOf(about: string): { type: Kind; key: string } | null {
  const [type = '', ...rest] = about.split(':')
  if (!Object.hasOwn(keys, type)) return null
  const key = keys[type as Kind].safeParse(rest.join(':'))
  return key.success ? { type: type as Kind, key: key.data } : null
}

/** `order:<id>`, `part:<id>`, `user:<email>` or `review:<id>`, as lines of the audit log name what they are about. */
const About = z
  .string()
  .refine(
    (about) => subjectOf(about) !== null,
    'must be order:<id>, part:<id>, user:<e-mail> or review:<id>',
  )

/** Lines come newest first; `after` is the `_id` of the last line read. Without `about`, everything. */
export const AuditPiece = z.object({
  about: About.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  after: z.coerce.number().int().min(1).optional(),
})
export type AuditPiece = z.infer<typeof AuditPiece>
export const AuditFilter = AuditPiece.pick({ about: true })
export type AuditFilter = z.infer<typeof AuditFilter>
export const AuditCsv = AuditFilter.extend(csvFormat)

/**
 * One action. `_id` grows with time. `by` is an e-mail, what acted without an admin (`npm run doctor`, `the daily
 * comparison`, `the shop`), or null when the card provider did it. `about` can be asked for again (`order:<id>`, …), `name` is what
 * people call it: the order's product and number, the part's name, the user's e-mail, the name of the review's author. `note` is one line about what changed, or the
 * reason given.
 */
export const AuditEntry = z.strictObject({
  _id: z.int(),
  at: z.iso.datetime(),
  by: z.string().nullable(),
  action: z.string(),
  about: z.string(),
  name: z.string(),
  note: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
