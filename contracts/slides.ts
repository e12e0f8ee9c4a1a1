/** The owner's own slides of the home page. */
import { z } from 'zod'
import { Version } from './api.ts'
import { line } from './line.ts'
import { Picture } from './pictures.ts'

/** How many slides the home page has. */
export const slideCount = 3
export const slidePlaces = [1, 2, 3] as const
export const slideLimits = { title: 40, text: 200, linkText: 30, link: 300 } as const

const Link = line('Link', slideLimits.link, 0).regex(
  /^(?:$|\/(?![/\\])|#|https:\/\/)/,
  'Link must begin with / or https://',
)

const slide = z.strictObject({
  title: line('Title', slideLimits.title, 0),
  text: line('Text', slideLimits.text, 0),
  linkText: line('Text of the button', slideLimits.linkText, 0),
  link: Link,
  image: z.string().max(300).describe('An uploaded picture; empty: that of a part.'),
})
type Slide = z.infer<typeof slide>

const checked = <T extends Slide>(schema: z.ZodType<T, T>) =>
  schema
    .refine(
      ({ title, text, linkText, link, image }) =>
        title !== '' || [text, linkText, link, image].every((field) => field === ''),
      { path: ['title'], message: 'A slide needs a title' },
    )
    .refine(({ linkText, link }) => (linkText === '') === (link === ''), {
      path: ['link'],
      message: 'A button needs a text and a link',
    })

/** The fields of a slide; without a title its place has the standard one. */
export const SlideFields = checked(slide)

export const SlideParams = z.strictObject({
  place: z.coerce.number().int().min(1).max(slideCount),
})

/** PUT /slides/{place}: `version` is that of the slide as it was read. */
export const SlideEdit = checked(slide.extend({ version: Version })).meta({
  examples: [
    {
      version: 0,
      title: 'Built for you',
      text: 'We build and test your PC.',
      linkText: 'How it works',
      link: '/about',
      image: '',
    },
  ],
})
export type SlideEdit = z.infer<typeof SlideEdit>

export const StoredSlide = z.strictObject({
  place: z.int().min(1).max(slideCount),
  version: Version.describe('Rises with every save; 0: nothing was saved yet.'),
  title: z.string().describe('Empty: the place has the standard slide.'),
  text: z.string(),
  linkText: z.string(),
  link: z.string(),
  image: z.string(),
})
export type StoredSlide = z.infer<typeof StoredSlide>

/** A slide as the home page shows it. */
export const OwnSlide = StoredSlide.omit({ place: true, version: true }).extend({
  picture: Picture.nullable(),
})
export type OwnSlide = z.infer<typeof OwnSlide>
