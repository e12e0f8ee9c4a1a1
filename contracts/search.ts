/** Searching by words: GET /search, which answers while somebody types. */
import { z } from 'zod'
import { searchLimits } from './lists.ts'
import { KindCount } from './part-lists.ts'
import { Part } from './parts.ts'

export const suggestionLimits = { parts: 8, kinds: 2 } as const

export const SearchQuery = z.object({
  q: z
    .string()
    .trim()
    .max(searchLimits.characters, `must be ${searchLimits.characters} characters or shorter`)
    .default('')
    .describe('What is typed. The last word may be the beginning of one.'),
})

/** How a question was read when parts have not all of its words as they were typed. */
export const ReadAs = z.object({
  read: z
    .string()
    .optional()
    .describe('The words that were looked for in place of misspelled ones.'),
  left: z.array(z.string()).optional().describe('Words that no part has together with the others.'),
})
export type ReadAs = z.infer<typeof ReadAs>

const Suggestion = Part.pick({
  _id: true,
  name: true,
  kind: true,
  image: true,
  price: true,
  availableQuantity: true,
  minimumOrderQuantity: true,
}).extend({ number: z.int().min(1).describe('In the address of its page.') })

export const Suggestions = z
  .strictObject({
    parts: z.array(Suggestion).max(suggestionLimits.parts),
    kinds: z.array(KindCount).max(suggestionLimits.kinds).describe('Kinds that have several.'),
    ...ReadAs.shape,
  })
  .describe('The parts that answer best, and the kinds that have most of them.')
export type Suggestions = z.infer<typeof Suggestions>
