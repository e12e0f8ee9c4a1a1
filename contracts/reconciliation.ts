/**
 * Differences between the shop, the card provider and the stock ledger: GET /money, POST
 * /money/repair.
 */
import { z } from 'zod'
import { Id } from './api.ts'
import { pictureAddress } from './catalogue.ts'

/**
 * The repairs of issues. Each is safe at any time, because it checks again before it changes
 * anything.
 */
export const Repair = z.enum([
  'settle',
  'syncRefunds',
  'makeRefund',
  'sendMail',
  'expireHold',
  'removeFile',
])
export type Repair = z.infer<typeof Repair>

/** The payments of this many days are compared with the provider's. */
export const comparedDays = 30

export const Issue = z
  .strictObject({
    type: z.enum([
      'payment',
      'refund',
      'order',
      'stock',
      'hold',
      'picture',
      'mail',
      'review',
      'search',
    ]),
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
  .describe(
    'One issue. `about` is `order:<id>`, `part:<id>`, `intent:<id>`, `refund:<id>`, `mail:<id>` or `picture:<address>`; `name` is for people; `orderId` is the order concerned. The three records are texts, null where one says nothing. Where no repair is safe, `advice` says what to do.',
  )
export type Issue = z.infer<typeof Issue>

export const CheckReport = z
  .strictObject({
    at: z.iso.datetime(),
    since: z.iso.datetime().describe('Payments opened since then were compared.'),
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
  .describe(
    'Everything compared, and every issue. While the provider is silent, only its part is missing.',
  )
export type CheckReport = z.infer<typeof CheckReport>

export const RepairRequest = z.object({ repair: Repair, about: z.string().min(1).max(200) }).meta({
  examples: [{ repair: 'removeFile', about: `picture:${pictureAddress('ab'.repeat(12))}` }],
})
export type RepairRequest = z.infer<typeof RepairRequest>

export const Repaired = z
  .strictObject({
    acknowledged: z.literal(true),
    done: z.boolean(),
    outcome: z.string(),
  })
  .describe('`done`: whether the issue is repaired; `outcome`: a sentence about it.')
export type Repaired = z.infer<typeof Repaired>
