import sharp from 'sharp'
import type { Images } from '#server/ports/images/port.ts'

/** Widths in pixels that every picture is kept in; 4:3. */
export const pictureWidths = [480, 960] as const

/** Renders one of the shop's own drawings (SVG) to WebP in every width and keeps it. @returns its URL */
export async function keepDrawing(images: Images, drawing: Buffer): Promise<string> {
  const variants = new Map<number, Uint8Array>()
  for (const width of pictureWidths) {
    const density = (72 * width) / 800
    variants.set(
      width,
      await sharp(drawing, { density }).resize(width).webp({ quality: 86 }).toBuffer(),
    )
  }
  return images.save(variants)
}
