/** The audit log, GET /audit: who did what to which order, part, user or review. */
import { z } from 'zod'
import { Id } from './api.ts'
import { csvFormat } from './lists.ts'
import { OrderNumber } from './orders.ts'
import { Email } from './users.ts'

const keys = { order: z.union([Id, OrderNumber]), part: Id, user: Email, review: Id }
type Kind = keyof typeof keys

/**
 * Parses `order:<id or number>`, `part:<id>`, `user:<email>` or `review:<id>`. Returns null for
 * anything else.
 */
export function subjectOf(about: string): { type: Kind; key: string } | null {
  const [type = '', ...rest] = about.split(':')
  if (!Object.hasOwn(keys, type)) return null
  const key = keys[type as Kind].safeParse(rest.join(':'))
  return key.success ? { type: type as Kind, key: key.data } : null
}

/**
 * The subject of an audit log entry: `order:<id>`, `part:<id>`, `user:<email>` or `review:<id>`.
 */
const About = z
  .string()
  .refine(
    (about) => subjectOf(about) !== null,
    'must be order:<id>, part:<id>, user:<email> or review:<id>',
  )

/**
 * A page of the audit log, newest first; `after` is the `_id` of the last entry of the page before.
 * Without `about`, the log is not filtered.
 */
export const AuditList = z.object({
  about: About.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  after: z.coerce.number().int().min(1).optional(),
})
export type AuditList = z.infer<typeof AuditList>
export const AuditFilter = AuditList.pick({ about: true })
export type AuditFilter = z.infer<typeof AuditFilter>
export const AuditCsv = AuditFilter.extend(csvFormat)

export const AuditEntry = z
  .strictObject({
    _id: z.int(),
    at: z.iso.datetime(),
    by: z.string().nullable(),
    key: z.string().nullable(),
    action: z.string(),
    about: z.string(),
    name: z.string(),
    note: z.string().nullable(),
  })
  .describe(
    'One action. `_id` grows with time. `by` is an admin’s e-mail, a part of the shop that acted alone (`npm run doctor`, `the reconciliation`, `the shop`), or null for the card provider. `key` names the admin’s API key, when a program acted. `about` is the subject and filters the log; `name` is its name for people: product and number of an order, name of a part, e-mail of a user, author of a review. `note` says what changed, or the reason given.',
  )
export type AuditEntry = z.infer<typeof AuditEntry>
