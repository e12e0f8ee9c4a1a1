/** Parts of one kind side by side: GET /compare. */
import { z } from 'zod'
import { PartCard } from './part-lists.ts'

/** Parts in one comparison. A fifth takes the place of another. */
export const mostCompared = 4

/** `1042,1050`: the numbers in an address, each once. Undefined when it names none, or too many. */
export const numbersIn = (text: string): number[] | undefined => {
  const numbers = [...new Set(text.split(',').filter(Boolean).map(Number))]
  const isRight = numbers.every((each) => Number.isInteger(each) && each > 0 && each < 1e9)
  return isRight && numbers.length > 0 && numbers.length <= mostCompared ? numbers : undefined
}

export const CompareQuery = z.object({
  parts: z
    .string()
    .max(60)
    .refine((text) => numbersIn(text), `must be the numbers of 1 to ${mostCompared} parts`)
    .describe(
      'Numbers of parts of one kind, with commas between. Those that are not on sale are left out.',
    )
    .meta({ examples: ['1'] }),
})

const Compared = PartCard.omit({ description: true, specs: true })

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
