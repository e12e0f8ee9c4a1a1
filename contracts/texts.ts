/** The owner's own texts, written in Markdown, in place of the shop's on the pages of text. */
import { z } from 'zod'
import { Version } from './api.ts'
import { line } from './line.ts'

/** The paths of the pages of text, without the slash. */
export const textPages = [
  'how-booking-works',
  'card-payment',
  'delivery',
  'returns',
  'about',
  'contact',
  'terms',
  'privacy',
  'storage',
  'imprint',
] as const
export type TextPageName = (typeof textPages)[number]

/** The most characters. */
export const textLimits = { lead: 200, text: 20_000 } as const

/** Names that a text may use in braces; pages show what they stand for now. */
export const textNames = {
  'shop name': 'the shop’s name',
  owner: 'the owner',
  'e-mail': 'the shop’s email address',
  phone: 'its phone number',
  currency: 'its currency',
  'hold time': 'how long we hold a booking',
  'hold renewal': 'how opening the payment page extends a hold',
  'days unpaid': 'how many days we keep an unpaid order',
  'contact details': 'phone, hours, address and email, as a separate paragraph',
} as const
export type TextName = keyof typeof textNames

const Text = z
  .string()
  .max(textLimits.text, `The text must be ${textLimits.text} characters or shorter`)
  .transform((text) => text.replaceAll(/\r\n?/g, '\n').trim())
  .refine((text) => !/(?![\n\t])\p{Cc}/u.test(text), 'The text cannot contain control characters')
  .superRefine((text, context) => {
    const unknown = [...text.matchAll(/\{([a-z -]+)\}/g)].find(
      ([, name = '']) => !Object.hasOwn(textNames, name),
    )
    if (unknown) {
      const names = Object.keys(textNames).map((name) => `{${name}}`)
      const message = `${unknown[0]} doesn’t exist. You can use ${names.join(', ')}`
      context.addIssue({ code: 'custom', message })
    }
  })

export const TextParams = z.strictObject({ page: z.enum(textPages) })

/** PUT /texts/{page}: an empty text brings the shop's own back. `version`: the one it is based on. */
export const TextEdit = z
  .strictObject({
    version: Version,
    lead: line('Introduction', textLimits.lead, 0),
    text: Text,
  })
  .meta({
    examples: [{ version: 0, lead: 'Who we are.', text: '## Since 1998\n\nWe sell *parts*.' }],
  })
export type TextEdit = z.infer<typeof TextEdit>

/** POST /texts/preview. */
export const TextPreview = z
  .strictObject({ text: Text })
  .meta({ examples: [{ text: '## Since 1998\n\nWe sell *parts*.' }] })

/** A piece of a line, with how it is set. */
const Run = z.strictObject({
  text: z.string(),
  strong: z.literal(true).optional(),
  emphasis: z.literal(true).optional(),
  code: z.literal(true).optional(),
})
export type Run = z.infer<typeof Run>
const Link = z.strictObject({ to: z.string(), runs: z.array(Run) })
/** What a line is made of. A link has its address once, however many pieces its words are. */
const Line = z.array(z.union([Run, Link]))
export type Line = z.infer<typeof Line>

const Block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('paragraph'), line: Line }),
  z.strictObject({ type: z.literal('heading'), line: Line }),
  z.strictObject({ type: z.literal('list'), ordered: z.boolean(), items: z.array(Line) }),
])
export type Block = z.infer<typeof Block>

const Section = z.strictObject({
  heading: z.string().describe('Empty before the first heading.'),
  blocks: z.array(Block),
})
export type TextSection = z.infer<typeof Section>

export const TextSections = z.array(Section).describe('A text, read from its Markdown.')

/** GET /text/{page}: null while the page has the shop's own text. */
export const OwnText = z.strictObject({ lead: z.string(), sections: TextSections }).nullable()
export type OwnText = z.infer<typeof OwnText>

export const StoredText = z.strictObject({
  page: z.enum(textPages),
  version: Version.describe('Rises with every save; 0: nothing was saved yet.'),
  lead: z.string(),
  text: z.string().describe('Empty: the page has the standard text.'),
})
export type StoredText = z.infer<typeof StoredText>

/** The groups of pages in the footer. */
export const pageGroups = ['Services', 'Company', 'Legal'] as const
export type PageGroup = (typeof pageGroups)[number]

/** The most pages of one's own: each is a link on every page. */
export const ownPagesLimit = 20

const PageAddress = z
  .string('Address is required')
  .max(60, 'Address must be 60 characters or shorter')
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'Address can only contain lowercase letters, digits and hyphens',
  )
  .refine((address) => address !== 'new', 'Address cannot be “new”: that’s where pages are added')
export const PageParams = z.strictObject({ address: PageAddress })

/** PUT /pages/{address}: version 0 makes a new page. */
export const PageEdit = z
  .strictObject({
    version: Version,
    title: line('Title', 60, 1),
    group: z.enum(pageGroups),
    lead: line('Introduction', textLimits.lead, 0),
    text: Text.refine((text) => text !== '', 'Text is required'),
  })
  .meta({
    examples: [{ version: 0, title: 'Warranty', group: 'Services', lead: '', text: 'Two years.' }],
  })
export type PageEdit = z.infer<typeof PageEdit>

/** DELETE /pages/{address} */
export const PageRemoval = z.strictObject({ version: z.coerce.number().pipe(Version) })

/** A page of the owner's own, for the footer. */
export const PageLink = z.strictObject({
  address: z.string(),
  title: z.string(),
  group: z.enum(pageGroups),
})
export type PageLink = z.infer<typeof PageLink>

/** GET /page/{address} */
export const OwnPage = PageLink.extend({ lead: z.string(), sections: TextSections })
export type OwnPage = z.infer<typeof OwnPage>

export const StoredPage = PageLink.extend({
  version: Version.describe('Rises with every save.'),
  lead: z.string(),
  text: z.string(),
})
export type StoredPage = z.infer<typeof StoredPage>
