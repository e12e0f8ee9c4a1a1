/** The public data of one part: GET /parts/{number or id}. */
import { z } from 'zod'
import { exampleId, Id } from './api.ts'
import { ExpectedGoods } from './expected-goods.ts'
import { PartCard } from './part-lists.ts'
import { PartPicture, Picture } from './pictures.ts'

/** A part's number or id in a path. */
export const ByPart = z.object({
  part: z
    .union([z.string().regex(/^[1-9]\d{0,8}$/), Id], 'must be the number or the id of a part')
    .meta({ examples: ['7', exampleId] }),
})

/**
 * A heading of the specification with its facts, formatted for display. Facts under '' come first
 * and have no heading.
 */
const SpecGroup = z.strictObject({
  group: z.string(),
  facts: z.array(z.strictObject({ label: z.string(), value: z.string() })).min(1),
})

const SimilarPart = PartCard.omit({ description: true, fit: true })
export type SimilarPart = z.infer<typeof SimilarPart>
const similar = z
  .array(SimilarPart)
  .describe('Parts of the same kind that can be booked now, the likest first.')

const PartOnSale = PartCard.omit({ specs: true, fit: true }).extend({
  isOnSale: z.literal(true),
  kindSlug: z.string(),
  sku: z.string(),
  mpn: z.string(),
  gtin: z.string(),
  description: z.string(),
  morePictures: z
    .array(PartPicture.extend({ picture: Picture.nullable() }))
    .describe('Those after `image`, in the owner’s order, each with what the shop knows of it.'),
  onHand: z.int().min(0),
  held: z.int().min(0),
  nextHoldEndsAt: z.iso
    .datetime()
    .nullable()
    .describe('When the first of the held units may come back; null while none is held.'),
  expected: ExpectedGoods,
  specification: z.array(SpecGroup),
  fits: z
    .array(z.strictObject({ slug: z.string(), name: z.string(), count: z.int() }))
    .nullable()
    .describe(
      'Kinds with rules about it, and how many of their parts fit it, as far as is known; null of a kind that rules do not know.',
    ),
  goesWith: z
    .array(SimilarPart)
    .describe('Parts of other kinds that were bought with it, fit it, and can be booked now.'),
  similar,
})
export type PartOnSale = z.infer<typeof PartOnSale>

const GonePart = z.strictObject({
  isOnSale: z.literal(false),
  number: z.int().min(1),
  name: z.string(),
  kind: z.string(),
  kindSlug: z.string(),
  similar,
})

export const PartPage = z
  .discriminatedUnion('isOnSale', [PartOnSale, GonePart])
  .describe(
    'A part as its page shows it, or what is left of one that is no longer sold. Unknown facts are left out.',
  )
export type PartPage = z.infer<typeof PartPage>

/** Parts in one file of the sitemap. */
export const sitemapStep = 2_000
export const SitemapPage = z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1) })

export const PartAddresses = z
  .strictObject({
    pages: z.int().min(1),
    parts: z.array(
      z.strictObject({ number: z.int().min(1), name: z.string(), changedAt: z.iso.datetime() }),
    ),
  })
  .describe(`Parts on sale by their numbers, ${sitemapStep} on each of \`pages\`, for sitemaps.`)
export type PartAddresses = z.infer<typeof PartAddresses>
