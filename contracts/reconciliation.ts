/** Where the shop, its card provider and its stock ledger disagree: what GET /money answers and POST /money/repair takes. */
import { z } from 'zod'
import { Id } from './parts.ts'

/** What mends a finding. Each is safe at any moment: it asks anew, sends, lets go or clears away, and makes up nothing. */
export const Repair = z.enum([
  'settle',
  'readRefunds',
  'makeRefund',
  'sendMail',
  'expireHold',
  'removeFile',
])
export type Repair = z.infer<typeof Repair>

/** Days of payments that are compared with the provider's. */
export const comparedDays = 30

/**
 * One disagreement. `about` is `order:<id>`, `part:<id>`, `intent:<id>`, `refund:<id>`, `mail:<id>` or
 * `picture:<address>`, `name` what people call it, `orderId` the order it concerns. The three records are in words, null
 * where one has nothing to say. Where no repair is safe, `advice` says what to do instead.
 */
export const Issue = z.strictObject({
  type: z.enum(['payment', 'refund', 'order', 'stock', 'hold', 'picture', 'mail']),
  about: z.string(),
  name: z.string(),
  orderId: Id.nullable(),
  words: z.string(),
  ours: z.string().nullable(),
  provider: z.string().nullable(),
  ledger: z.string().nullable(),
  repair: Repair.nullable(),
  advice: z.string().nullable(),
})
export type Issue = z.infer<typeof Issue>

/** What was compared, and every disagreement. While the provider is silent the rest is here all the same. */
export const CheckReport = z.strictObject({
  at: z.iso.datetime(),
  /** Payments opened since then were compared with the provider's. */
  since: z.iso.datetime(),
  provider: z.enum(['answered', 'silent']),
  compared: z.strictObject({
    payments: z.int(),
    orders: z.int(),
    parts: z.int(),
    pictures: z.int(),
    mails: z.int(),
  }),
  issues: z.array(Issue),
})
export type CheckReport = z.infer<typeof CheckReport>

export const RepairRequest = z.object({ repair: Repair, about: z.string().min(1).max(200) })
export type RepairRequest = z.infer<typeof RepairRequest>

/** `done` says whether it is mended; `outcome` what happened, in a sentence. */
export const Repaired = z.strictObject({
  acknowledged: z.literal(true),
  done: z.boolean(),
  outcome: z.string(),
})
export type Repaired = z.infer<typeof Repaired>
