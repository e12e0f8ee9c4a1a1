import sharp from 'sharp'
import type { Images } from '#server/ports/images/port.ts'

/** Widths in pixels that every picture is kept in; 4:3. The first is the widest. */
const pictureWidths = [960, 480] as const

/** Renders one of the shop's own drawings (SVG, 800 wide) to WebP in every width and keeps it. @returns its URL */
export async function keepDrawing(images: Images, drawing: Buffer): Promise<string> {
  const density = (72 * pictureWidths[0]) / 800
  const { data, info } = await sharp(drawing, { density })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const encode = (wanted: number) =>
    sharp(data, { raw: { width, height, channels } })
      .resize(wanted)
      .webp({ quality: 86, effort: 2 })
      .toBuffer()
  const encoded = await Promise.all(pictureWidths.map(encode))
  return images.save(new Map(pictureWidths.map((wanted, i) => [wanted, encoded[i] as Buffer])))
}
