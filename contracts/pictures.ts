/** Uploading a picture of a part: limits, what counts as a picture, the sentences about it, and the answer. */
import { z } from 'zod'

/** `bytes` and `pixels` of one file. */
export const pictureLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000 } as const

export const pictureMessages = {
  unsupported: 'This is no JPEG, PNG or WebP picture. Choose another file.',
  damaged: 'The picture is damaged and can not be read. Choose another file.',
  tooLarge: `The picture is larger than ${pictureLimits.bytes / 1024 / 1024} MB. Choose a smaller one.`,
  tooManyPixels: `The picture is larger than ${pictureLimits.pixels / 1_000_000} million pixels. Make it smaller first.`,
} as const

/** How a file of each format begins, in hexadecimal digits: WebP has the file's length between its two words. */
const beginnings = {
  jpeg: /^ffd8ff/,
  png: /^89504e470d0a1a0a/,
  webp: /^52494646.{8}57454250/,
} as const
export type UploadFormat = keyof typeof beginnings

/** The format that the first bytes of a file say, or null. Its name and declared type count for nothing. */
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

/** POST /image: the file, at most 5 MB. */
export const PictureUpload = z
  .object({ image: z.file() })
  .meta({ contentMediaType: 'multipart/form-data' })

/** The answer to it. `url` is the address that stands for the picture (contracts/catalogue.ts). */
export const PictureUploaded = z.strictObject({
  success: z.literal(true),
  data: Picture.required().extend({ url: z.string() }),
})
export type PictureUploaded = z.infer<typeof PictureUploaded>
