/** GET /search: suggestions while a visitor types. */

import { z } from 'zod'
import { line } from './line.ts'
import { searchLimits } from './lists.ts'
import { KindCount, OtherWay, ShopPage } from './part-lists.ts'
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

/** How a query was changed because no part has all of its words as typed. */
export const ReadAs = z.object({
  read: z
    .string()
    .optional()
    .describe('The words that were looked for in place of misspelled ones.'),
  left: z.array(z.string()).optional().describe('Words that no part has together with the others.'),
  instead: OtherWay.optional(),
  isUnsold: z.literal(true).optional().describe('The words are about what the shop does not sell.'),
})
export type ReadAs = z.infer<typeof ReadAs>

export const Suggestion = Part.pick({
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
    pages: z.array(ShopPage).optional(),
    price: z
      .strictObject({ from: z.number().optional(), to: z.number().optional() })
      .optional()
      .describe('What the words say of the price.'),
    meant: z
      .string()
      .optional()
      .describe('What they were taken to mean, when a list with filters or a sort says it.'),
  })
  .describe('The parts that answer best, and the kinds that have most of them.')
export type Suggestions = z.infer<typeof Suggestions>

export const wordLimits = { characters: 60, meanings: 20, searches: 100 } as const

const meaning = line('A meaning', wordLimits.characters, 1)

export const SearchWord = z
  .strictObject({ word: z.string(), means: z.array(z.string()) })
  .describe('A word and what it means besides itself; nothing for one that says nothing.')
export type SearchWord = z.infer<typeof SearchWord>

export const MissedSearch = z
  .strictObject({
    words: z.string(),
    asked: z.int(),
    found: z.int().describe('Parts that were shown instead, the last time.'),
    lastDay: z.iso.date(),
  })
  .describe('A search that no part answered as it was typed, in 90 days.')
export type MissedSearch = z.infer<typeof MissedSearch>

/** GET /words */
export const SearchWords = z.strictObject({
  words: z.array(SearchWord),
  missed: z.array(MissedSearch).max(wordLimits.searches),
})
export type SearchWords = z.infer<typeof SearchWords>

/** A search word in a path. It may consist of several words, such as 'cpu cooler'. */
export const ByWord = z.object({
  word: z
    .string()
    .trim()
    .min(1, 'Word is required')
    .max(wordLimits.characters, `must be ${wordLimits.characters} characters or shorter`),
})

/** PUT /words/{word} */
export const WordMeanings = z
  .object({
    means: z
      .array(meaning)
      .max(wordLimits.meanings, `A word has at most ${wordLimits.meanings} meanings`),
  })
  .meta({ examples: [{ means: ['wide', '@monitor'] }] })
export type WordMeanings = z.infer<typeof WordMeanings>
