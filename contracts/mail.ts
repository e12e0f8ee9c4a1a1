/** GET /mail: mails that were not sent, and what admins can do about them. */
import { z } from 'zod'
import { Id } from './api.ts'
import { Email } from './users.ts'

export const UnsentMail = z
  .strictObject({
    _id: Id,
    subject: z.string(),
    recipient: z.string(),
    orderId: Id.nullable().describe(
      'The order it is about; only such a mail can go to another address.',
    ),
    attempts: z
      .int()
      .min(0)
      .describe('How often the shop tried to send it, and why the last try failed.'),
    error: z.string().nullable(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable().describe('Null once it is given up.'),
    givenUpAt: z.iso.datetime().nullable(),
  })
  .describe('A mail that was not sent. Its text stays out: links in it may be keys.')
export type UnsentMail = z.infer<typeof UnsentMail>

const Unsent = z.strictObject({ total: z.int().min(0), rows: z.array(UnsentMail) })

export const MailStatus = z.strictObject({
  sender: z
    .strictObject({ type: z.enum(['smtp', 'files']), where: z.string(), from: z.string() })
    .describe(
      'How mail leaves: through the mail server `where`, or as files into the folder `where`.',
    ),
  ownerMail: z
    .string()
    .nullable()
    .describe('Who is mailed about paid orders, disputes and the like.'),
  waiting: Unsent.describe('Still tried, the oldest first.'),
  givenUp: Unsent.describe('Given up and not dismissed, the newest first.'),
  lastReconciliation: z
    .strictObject({ at: z.iso.datetime(), issues: z.int().min(0) })
    .nullable()
    .describe('The last reconciliation with the card provider, and how many issues it left.'),
  lastBackup: z.strictObject({ at: z.iso.datetime() }).nullable(),
})
export type MailStatus = z.infer<typeof MailStatus>

/** POST /mail/{id}/resend: to the same address, or to a corrected one. */
export const ResendRequest = z
  .object({ recipient: Email.optional() })
  .meta({ examples: [{ recipient: 'ada@example.com' }] })
export type ResendRequest = z.infer<typeof ResendRequest>
