import { z } from 'zod'

/** `bytes` and `pixels` of one file; `perMinute` uploads of one admin. */
export const pictureLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000, perMinute: 10 } as const

const placeholder = z.string().startsWith('data:image/webp;base64,').max(1000)

/**
 * A stored picture: each width of `pictureWidths` as WebP and AVIF. `width` and `height` are those of the widest file; a
 * narrower picture is never enlarged. `placeholder` is a tiny data: URL, which long lists leave out.
 */
export const Picture = z.strictObject({
  width: z.int().min(1),
  height: z.int().min(1),
  placeholder: placeholder.optional(),
})
export type Picture = z.infer<typeof Picture>

/**
 * POST /image. `url` is the WebP of 960 pixels; the other files differ in width (480, 1600) and ending (`.avif`). `width`
 * and `height` are those of the widest file, `placeholder` is a tiny data: URL.
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
