import { z } from 'zod'

/** `bytes` of one file, `pixels` in all, `perMinute` by one admin. */
export const pictureLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000, perMinute: 10 } as const

const placeholder = z.string().startsWith('data:image/webp;base64,').max(1000)

/**
 * What an uploaded picture is kept as, beside its address: every width of `pictureWidths`, as WebP and AVIF. `width` and
 * `height` are those of the widest; a narrower picture is never enlarged. `placeholder` is a tiny picture as a data:
 * address, left out of long lists.
 */
export const Picture = z.strictObject({
  width: z.int().min(1),
  height: z.int().min(1),
  placeholder: placeholder.optional(),
})
export type Picture = z.infer<typeof Picture>

/**
 * POST /image. `url` is the WebP of 960 pixels; the number and the ending may be replaced: 480, 960, 1600 and `.webp`,
 * `.avif`. `width` and `height` are those of the widest, `placeholder` is a tiny picture as a data: address.
 */
export const PictureUploaded = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    url: z.string(),
    width: z.int().min(1),
    height: z.int().min(1),
    placeholder,
  }),
})
export type PictureUploaded = z.infer<typeof PictureUploaded>
