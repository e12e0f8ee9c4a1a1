import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPictureName } from '#contracts/catalogue.ts'
import { drawingOf } from '#contracts/drawings.ts'
import type { Images, StoredPicture } from './port.ts'

/** `npm run drawings` renders them in these widths. */
const widths = [480, 960]

async function readDrawing(name: string): Promise<StoredPicture | null> {
  const { id = '', width = 0, format } = readPictureName(name) ?? {}
  const drawing = drawingOf(id)
  if (!drawing || format !== 'webp' || !widths.includes(width)) return null
  const bytes = await readFile(join(import.meta.dirname, 'drawings', `${drawing}-${width}.webp`))
  return { bytes, contentType: 'image/webp' }
}

/** The pictures of a store, and the shop's own drawings, which are in no store. */
export function withDrawings(images: Images): Images {
  return { ...images, read: async (name) => (await readDrawing(name)) ?? images.read(name) }
}
