/** GET /mail: mails that were not sent, and what admins can do about them. */
import { z } from 'zod'
import { Id } from './api.ts'
import { Email } from './users.ts'

/** A mail that was not sent. Its text stays out: links in it may be keys. */
export const UnsentMail = z.strictObject({
  _id: Id,
  subject: z.string(),
  recipient: z.string(),
  /** The order it is about; only such a mail can go to another address. */
  orderId: Id.nullable(),
  /** How often the shop tried to send it, and why the last try failed. */
  attempts: z.int().min(0),
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Null once it is given up. */
  nextAttemptAt: z.iso.datetime().nullable(),
  givenUpAt: z.iso.datetime().nullable(),
})
export type UnsentMail = z.infer<typeof UnsentMail>

const Unsent = z.strictObject({ total: z.int().min(0), rows: z.array(UnsentMail) })

export const MailStatus = z.strictObject({
  /** How mail leaves: through the mail server `where`, or as files into the folder `where`. */
  sender: z.strictObject({ type: z.enum(['smtp', 'files']), where: z.string(), from: z.string() }),
  /** Who is mailed about paid orders, disputes and the like. */
  ownerMail: z.string().nullable(),
  /** Still tried, the oldest first. */
  waiting: Unsent,
  /** Given up and not dismissed, the newest first. */
  givenUp: Unsent,
  /** The last reconciliation with the card provider, and how many issues it left. */
  lastComparison: z.strictObject({ at: z.iso.datetime(), issues: z.int().min(0) }).nullable(),
  lastBackup: z.strictObject({ at: z.iso.datetime() }).nullable(),
})
export type MailStatus = z.infer<typeof MailStatus>

/** POST /mail/{id}/resend: to the same address, or to a corrected one. */
export const ResendRequest = z.object({ recipient: Email.optional() })
export type ResendRequest = z.infer<typeof ResendRequest>

/** `done`: whether the mail was sent; `outcome`: a sentence about it. */
export const MailOutcome = z.strictObject({
  acknowledged: z.literal(true),
  done: z.boolean(),
  outcome: z.string(),
})
export type MailOutcome = z.infer<typeof MailOutcome>
