/** How the shop's mail is doing: what GET /mail answers and what admins do about it. */
import { z } from 'zod'
import { Id } from './parts.ts'
import { Email } from './users.ts'

/** A mail that is not sent. What it says is not told: its links may be keys. */
export const UnsentMail = z.strictObject({
  _id: Id,
  subject: z.string(),
  recipient: z.string(),
  /** The order it tells of; only such a mail can be sent to another address. */
  orderId: Id.nullable(),
  /** How often it was tried, and why the last try failed. */
  attempts: z.int().min(0),
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Null when it is given up. */
  nextAttemptAt: z.iso.datetime().nullable(),
  givenUpAt: z.iso.datetime().nullable(),
})
export type UnsentMail = z.infer<typeof UnsentMail>

const Unsent = z.strictObject({ total: z.int().min(0), rows: z.array(UnsentMail) })

export const MailStatus = z.strictObject({
  /** How mail leaves: by the mail server `where`, or not at all, as files in the folder `where`. */
  sender: z.strictObject({ type: z.enum(['smtp', 'files']), where: z.string(), from: z.string() }),
  /** Who is told of paid orders, disputes and the like. */
  ownerMail: z.string().nullable(),
  /** Still tried, the oldest first. */
  waiting: Unsent,
  /** Given up and not dismissed, the newest first. */
  givenUp: Unsent,
  /** The last comparison with the card provider, and the disagreements that it left. */
  lastComparison: z.strictObject({ at: z.iso.datetime(), issues: z.int().min(0) }).nullable(),
  lastBackup: z.strictObject({ at: z.iso.datetime() }).nullable(),
})
export type MailStatus = z.infer<typeof MailStatus>

/** POST /mail/{id}/resend: to the address it had, or a corrected one. */
export const ResendRequest = z.object({ recipient: Email.optional() })
export type ResendRequest = z.infer<typeof ResendRequest>

/** `done` says whether the mail was sent; `outcome` what happened, in a sentence. */
export const MailOutcome = z.strictObject({
  acknowledged: z.literal(true),
  done: z.boolean(),
  outcome: z.string(),
})
export type MailOutcome = z.infer<typeof MailOutcome>
