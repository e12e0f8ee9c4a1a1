/** GET /compare: parts of one kind, compared side by side; and GET /basket: parts of any. */
import { z } from 'zod'
import { basketLimit } from './basket.ts'
import { maxCompared, numbersIn } from './catalogue.ts'
import { Specs } from './kinds.ts'
import { PartCard } from './part-lists.ts'

export const CompareQuery = z.object({
  parts: z
    .string()
    .max(60)
    .refine((text) => numbersIn(text), `must be the numbers of 1 to ${maxCompared} parts`)
    .describe(
      'Numbers of parts of one kind, with commas between. Those that are not on sale are left out.',
    )
    .meta({ examples: ['1'] }),
})

const Compared = PartCard.omit({ description: true, specs: true, fit: true })

/** GET /basket. */
export const BasketQuery = z.object({
  parts: z
    .string()
    .max(basketLimit)
    .describe('Numbers of parts, with commas between; what follows an `x` is the quantity.')
    .meta({ examples: ['1,2x3'] }),
})
const BasketPart = Compared.extend({
  fit: z
    .strictObject({ kind: z.string(), specs: Specs })
    .nullable()
    .describe('What rules of fit read of it; null of a kind that they do not know.'),
})
export type BasketPart = z.infer<typeof BasketPart>
export const BasketParts = z
  .strictObject({
    parts: z.array(BasketPart),
    kinds: z
      .array(z.strictObject({ slug: z.string(), name: z.string(), kind: z.string() }))
      .describe('The kinds that rules of fit know, with what each is for them.'),
  })
  .describe('The parts of a basket that are on sale, in its order.')
export type BasketParts = z.infer<typeof BasketParts>

export const Comparison = z
  .strictObject({
    parts: z.array(Compared),
    rows: z.array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        better: z.enum(['more', 'less']).nullable(),
        differs: z.boolean(),
        values: z.array(z.strictObject({ text: z.string().nullable(), isBest: z.boolean() })),
      }),
    ),
  })
  .describe(
    'Parts side by side, in the order asked for. `rows` are the fields of their kind that one of them states; `text` is null where a part does not.',
  )
export type Comparison = z.infer<typeof Comparison>
