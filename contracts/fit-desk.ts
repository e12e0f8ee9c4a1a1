/** The owner's page about the rules of fit: GET /fit. */
import { z } from 'zod'

/** How many of the parts that lack a field are named. */
export const namedParts = 3

const Lacking = z.strictObject({
  kind: z.string().describe('The slug of a kind that has parts on sale.'),
  kindName: z.string(),
  field: z.string().describe('What the rule reads, such as `graphics-card.length_mm`.'),
  says: z.string().describe('The field in words.'),
  key: z
    .string()
    .nullable()
    .describe(
      'The key of the kind’s own field: `GET /products?kind=…&misses=…&state=in-shop` lists the parts. Null when no field of the kind stands for it.',
    ),
  parts: z.int().describe('How many parts on sale do not state it, sold out ones included.'),
  first: z
    .array(z.strictObject({ _id: z.string(), name: z.string() }))
    .max(namedParts)
    .describe('The first of them, in the shop’s order.'),
})
export type Lacking = z.infer<typeof Lacking>

const DeskRule = z.strictObject({
  id: z.string(),
  name: z.string(),
  says: z.string().describe('What it says of parts that break it.'),
  level: z.enum(['problem', 'warning', 'note', 'unknown']),
  lacking: z.array(Lacking),
})
export type DeskRule = z.infer<typeof DeskRule>

const DeskKind = z.strictObject({
  slug: z.string(),
  name: z.string(),
  parts: z.int().describe('How many parts it has on sale.'),
})
export type DeskKind = z.infer<typeof DeskKind>

/** GET /fit */
export const FitDesk = z.strictObject({
  parts: z.int().describe('How many parts on sale the rules know.'),
  rules: z.array(DeskRule),
  own: z
    .array(DeskKind.extend({ as: z.string().describe('The kind that it is for the rules.') }))
    .describe('The owner’s kinds whose fields stand for some that rules read.'),
  others: z.array(DeskKind).describe('Kinds with parts on sale that no rule knows.'),
})
export type FitDesk = z.infer<typeof FitDesk>
