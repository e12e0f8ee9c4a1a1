import sharp from 'sharp'
import type { Images } from '#server/adapters/images/port.ts'

/** Widths in pixels in which every drawing is stored; 4:3. The first is the widest. */
const pictureWidths = [960, 480] as const

/** Renders one of the shop's own drawings (SVG, 800 wide) to WebP in every width and stores it. @returns its URL */
export async function saveSeedImage(images: Images, drawing: Buffer): Promise<string> {
  const density = (72 * pictureWidths[0]) / 800
  const { data, info } = await sharp(drawing, { density })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const encode = async (wanted: number) => {
    const bytes = await sharp(data, { raw: { width, height, channels } })
      .resize(wanted)
      .webp({ quality: 86, effort: 2 })
      .toBuffer()
    return { width: wanted, format: 'webp', bytes } as const
  }
  return images.save(await Promise.all(pictureWidths.map(encode)))
}

/** Lets drawings (SVG) be read while `work` runs, before the shop opens: uploads must never reach their reader. */
export async function withSvgLoader<T>(work: () => Promise<T>): Promise<T> {
  const reader = { operation: ['VipsForeignLoadSvg'] }
  sharp.unblock(reader)
  try {
    return await work()
  } finally {
    sharp.block(reader)
  }
}
