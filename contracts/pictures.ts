/** Pictures of parts: limits, accepted formats, messages, uploads, and the pictures of a part. */

import { z } from 'zod'
import { exampleId } from './api.ts'
import { pictureAddress, pictureIdOf } from './catalogue.ts'
import { line } from './line.ts'

/**
 * `bytes` and `pixels` per file, pictures per part (`ofPart`), characters of an alternative text
 * (`alt`).
 */
export const pictureLimits = {
  bytes: 5 * 1024 * 1024,
  pixels: 40_000_000,
  ofPart: 12,
  alt: 200,
} as const

/** Limits for fetching a picture from an address: the total time, and the number of redirects. */
export const pictureFetch = { seconds: 10, redirects: 3 } as const

export const pictureMessages = {
  unsupported: 'This isn’t a JPEG, PNG or WebP picture. Choose another file.',
  damaged: 'This picture is damaged and can’t be read. Choose another file.',
  tooLarge: `The picture is larger than ${pictureLimits.bytes / 1024 / 1024} MB. Choose a smaller one.`,
  tooManyPixels: `The picture is larger than ${pictureLimits.pixels / 1_000_000} million pixels. Make it smaller first.`,
  tooMany: `A product can have at most ${pictureLimits.ofPart} pictures. Remove one first.`,
} as const

/**
 * The first bytes of each format, as hexadecimal digits. WebP has the file's length between its two
 * markers.
 */
const beginnings = {
  jpeg: /^ffd8ff/,
  png: /^89504e470d0a1a0a/,
  webp: /^52494646.{8}57454250/,
} as const
export type UploadFormat = keyof typeof beginnings

/**
 * Detects the format from the first bytes of a file; null if unknown. Ignores the file's name and
 * declared type.
 */
export function uploadFormatOf(bytes: Uint8Array): UploadFormat | null {
  const hex = Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const formats = Object.keys(beginnings) as UploadFormat[]
  return formats.find((format) => beginnings[format].test(hex)) ?? null
}

const placeholder = z.string().startsWith('data:image/webp;base64,').max(1000)

export const Picture = z
  .strictObject({
    width: z.int().min(1),
    height: z.int().min(1),
    placeholder: placeholder.optional(),
  })
  .describe(
    'What the shop knows of an uploaded picture beside its address. `width` and `height` are those of the widest file; a narrower original is never enlarged. `placeholder` is a tiny picture as a data: address, left out of long lists.',
  )
export type Picture = z.infer<typeof Picture>

/** A body that is a picture's file. */
export const PictureFile = z.file().meta({ contentMediaType: 'application/octet-stream' })

/**
 * The response to POST /image. `url` is the address that identifies the picture
 * (contracts/catalogue.ts).
 */
export const PictureUploaded = z.strictObject({
  success: z.literal(true),
  data: Picture.required().extend({ url: z.string() }),
})
export type PictureUploaded = z.infer<typeof PictureUploaded>

/** The address of a picture in this shop. @param label the field's name in messages */
export const pictureRule = (label: string) =>
  z
    .string(`${label} is required`)
    .min(1, `${label} is required`)
    .refine((address) => pictureIdOf(address), `${label} must be a picture uploaded to this shop`)

/** A picture of a part other than its first one, which is the part's `image`. */
export const PartPicture = z.strictObject({
  image: pictureRule('Image'),
  alt: line('Alternative text', pictureLimits.alt),
})
export type PartPicture = z.infer<typeof PartPicture>

export const MorePictures = z
  .array(PartPicture)
  .max(pictureLimits.ofPart - 1, pictureMessages.tooMany)

/** POST /product/{id}/pictures */
export const AddedPicture = PartPicture.extend({ alt: PartPicture.shape.alt.default('') }).meta({
  examples: [
    {
      image: pictureAddress(exampleId.replaceAll('-', '').slice(0, 24)),
      alt: 'Its back, with all ports',
    },
  ],
})

/** Formats pictures for forms and CSV files: `/images/… its alternative text | /images/…`. */
export const picturesText = (pictures: readonly PartPicture[]): string =>
  pictures.map(({ image, alt }) => [image, alt].filter(Boolean).join(' ')).join(' | ')

/** Parses such a text. A `|` that is not followed by an address belongs to an alternative text. */
export const readPictures = (text: string): PartPicture[] =>
  text
    .split(/\s*\|\s*(?=\/|https?:)/)
    .map((each) => each.trim())
    .filter(Boolean)
    .map((each) => {
      const [image = '', ...alt] = each.split(' ')
      return { image, alt: alt.join(' ') }
    })
