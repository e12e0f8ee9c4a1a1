/** Lists of parts for visitors: GET /parts, and GET /home-parts for the home page. */
import { z } from 'zod'
import { Amount } from './amount.ts'
import { basketLimit } from './basket.ts'
import { fitLevels } from './fit.ts'
import { fieldSort, listLimits, listSorts, listStep } from './list-address.ts'
import { searchLimits } from './lists.ts'
import { maxAmount } from './money.ts'
import { Part } from './parts.ts'
import { OwnSlide, slideCount } from './slides.ts'

const valueLimit = 80
const value = z.string().max(valueLimit, `must be ${valueLimit} characters or shorter`)
/**
 * One value or several; a part matches any of them. Empty values come from empty inputs of a form.
 */
const values = z
  .union([value, z.array(value)])
  .transform((one) => [...new Set([one].flat())].filter(Boolean))

const emptyIsNone = (text: unknown) => (text === '' ? undefined : text)
const amount = z.preprocess(
  emptyIsNone,
  z.coerce
    .number('must be a number')
    .min(0, 'must be 0 or more')
    .max(maxAmount, `must be ${maxAmount} or less`)
    .optional(),
)

export const sortProblem = `must be one of ${listSorts.join(', ')}, or with a kind one of its number fields`

export const ListQuery = z
  .object({
    kind: z
      .string()
      .max(80)
      .optional()
      .describe('The slug of a kind, or its name. Its fields are filters.'),
    q: z
      .preprocess(emptyIsNone, z.string().trim().max(searchLimits.characters).optional())
      .describe('Words. What they say of the price, such as `under 90 dollars`, is a filter.'),
    as: z
      .preprocess(emptyIsNone, z.enum(['typed', 'fits'], 'must be typed or fits').optional())
      .describe(
        '`typed`: the words as they are, and no others. `fits`: what they say of the list, such as what its parts fit, is in the filters and the sort.',
      ),
    stock: z
      .preprocess(emptyIsNone, z.enum(['in'], 'must be in').optional())
      .describe('`in`: parts that can be booked now.'),
    fits: z
      .preprocess(emptyIsNone, z.string().max(basketLimit).optional())
      .describe(
        'Parts of a build as in `GET /basket`: each part of the list says whether it fits them. `new` is a build without parts. Needs `kind`.',
      )
      .meta({ examples: ['1,2x3'] }),
    only: z
      .preprocess(emptyIsNone, z.enum(['fits'], 'must be fits').optional())
      .describe('`fits`: without parts that do not fit. What is not known stays.'),
    'price-min': amount,
    'price-max': amount,
    brand: values.default([]),
    sort: z
      .preprocess(emptyIsNone, z.string().regex(fieldSort, sortProblem).optional())
      .describe(
        `One of ${listSorts.map((sort) => `\`${sort}\``).join(', ')}, or with \`kind\` the key of one of its number fields, \`-\` before it for the largest first: \`-capacity_gb\`. Parts that do not state it come last. Without it \`best\` with words, else \`sold\`.`,
      ),
    after: z
      .preprocess(
        emptyIsNone,
        z.coerce
          .number('must be a number')
          .int()
          .min(1)
          .max(2 ** 31 - 1)
          .optional(),
      )
      .describe('The `number` of the last part of the page before.'),
    limit: z.coerce
      .number()
      .int()
      .min(1, 'must be 1 or more')
      .max(listLimits.parts, `must be ${listLimits.parts} or less`)
      .default(listStep),
  })
  .catchall(values)
export type ListQuery = z.infer<typeof ListQuery>

/** The verdict that decides whether a part fits a build, in words. */
export const Fit = z.strictObject({ level: z.enum(fitLevels), text: z.string() })
export type Fit = z.infer<typeof Fit>

const imageAlt = z.string().describe('What `image` shows, in the owner’s words; may be empty.')

export const PartCard = Part.extend({
  description: z.string().describe('Its beginning, as much as a card shows.'),
  brand: z.string(),
  number: z.int().min(1).describe('In the address of its page.'),
  imageAlt,
  ratingCount: z.int(),
  ratingSum: z.int(),
  specs: z
    .array(z.strictObject({ key: z.string(), label: z.string(), text: z.string() }))
    .describe('What its kind shows on cards, with units.'),
  fit: Fit.optional().describe('Of a list with `fits`.'),
}).describe('A part on a list.')
export type PartCard = z.infer<typeof PartCard>

export const HomePart = Part.extend({ number: z.int().min(1), imageAlt })
export type HomePart = z.infer<typeof HomePart>

export const Facet = z
  .strictObject({
    key: z.string(),
    label: z.string(),
    type: z.enum(['one', 'many', 'number', 'yes']),
    unit: z.string(),
    promoted: z.boolean().describe('Whether it also stands above the list.'),
    values: z
      .array(z.strictObject({ value: z.string(), count: z.int() }))
      .describe('How many parts the list has once the value is chosen; none for numbers.'),
    from: z.number().nullable(),
    to: z.number().nullable(),
  })
  .describe('A filter. Its figures know every other filter that is set, and not itself.')
export type Facet = z.infer<typeof Facet>

export const KindCount = z.strictObject({ name: z.string(), slug: z.string(), count: z.int() })
export type KindCount = z.infer<typeof KindCount>

const KindTile = KindCount.extend({ drawing: z.string() })
export type KindTile = z.infer<typeof KindTile>

export const HomeParts = z
  .strictObject({
    parts: z.array(HomePart).describe('The first twelve parts in the owner’s order.'),
    total: z.int(),
    kinds: z.array(KindTile),
    slides: z
      .array(OwnSlide.nullable())
      .length(slideCount)
      .describe('The owner’s own slides; null in a place that has the standard one.'),
    featured: z.array(HomePart).describe('At most three of other kinds that can be booked.'),
    bestSeller: HomePart.nullable(),
    hasSold: z.boolean().describe('Whether `bestSeller` sold in the last 90 days.'),
  })
  .describe('What the home page shows of the parts on sale. Descriptions are as long as a card.')
export type HomeParts = z.infer<typeof HomeParts>

export const OtherWay = z
  .strictObject({ q: z.string(), left: z.array(z.string()) })
  .describe('A query that keeps words which were left out, and what it leaves out itself.')

export const ShopPage = z
  .strictObject({ text: z.string().describe('The words about it.'), path: z.string() })
  .describe('A page of the shop that words are about: `/returns` of `return policy`.')
export type ShopPage = z.infer<typeof ShopPage>

/** Filters of a list, as in its address. */
const Filters = z.record(z.string(), z.array(z.string()))

export const Meant = z
  .strictObject({
    kind: z
      .string()
      .nullable()
      .describe(
        'The kind of the list, a slug; null if the words name none, which filters nothing.',
      ),
    filters: Filters.describe('What the words became: `fits` and `only`, or fields of the kind.'),
    sort: z.string().optional().describe('The sort that they became.'),
    text: z.string().describe('The same in a sentence.'),
    others: z
      .array(
        z.strictObject({
          ...{ text: z.string(), kind: z.string(), filters: Filters },
          sort: z.string().optional(),
        }),
      )
      .describe('Other lists that the words may mean.'),
  })
  .describe('What words such as `cooler for 9800x3d` or `biggest ssd` were taken to mean.')
export type Meant = z.infer<typeof Meant>

export const PartList = z
  .strictObject({
    total: z.int().describe('Parts that pass every filter.'),
    all: z.int().describe('Parts without filters: of the kind, with the words.'),
    before: z.int().describe('The number of matches before this page.'),
    parts: z.array(PartCard),
    facets: z.array(Facet),
    price: z.strictObject({ from: Amount.nullable(), to: Amount.nullable() }),
    inStock: z.int().describe('How many parts the list has with `stock=in`.'),
    fit: z
      .strictObject({
        kind: z.string().describe('What the kind of the list is for the rules of fit.'),
        count: z.int().describe('How many parts the list has with `only=fits`.'),
        with: z.array(z.strictObject({ number: z.int(), name: z.string(), kind: z.string() })),
      })
      .nullable()
      .describe(
        'With `fits`: what the parts of the list are judged with. Null of kinds that rules do not know.',
      ),
    kinds: z.array(KindTile).describe('Kinds with parts that pass; with `kind` that one alone.'),
    next: z.int().nullable().describe('`after` of the parts that follow.'),
    read: z.string().nullable().describe('Words that were looked for instead of misspelled ones.'),
    left: z.array(z.string()).describe('Words left out, because no part has all of them.'),
    instead: OtherWay.nullable(),
    isUnsold: z.boolean().describe('The words are about what the shop does not sell.'),
    pages: z.array(ShopPage),
    meant: Meant.nullable().describe('Without `as`, the list is already the one that is meant.'),
  })
  .describe('Parts on sale, with the filters that narrow them.')
export type PartList = z.infer<typeof PartList>
