import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPictureName } from '#contracts/catalogue.ts'
import { drawingOf } from '#contracts/drawings.ts'
import type { Images, StoredPicture } from './port.ts'

const fileOf = (name: string) => readFile(join(import.meta.dirname, 'drawings', name))

/** The widths in which `npm run drawings` renders drawings. */
const widths = [480, 960]

/** A drawing as SVG for screens, or rendered for mails and other sites. */
async function readDrawing(name: string): Promise<StoredPicture | null> {
  const drawn = name.endsWith('.svg') && drawingOf(name.slice(0, -'.svg'.length))
  if (drawn) return { bytes: await fileOf(`${drawn}.svg`), contentType: 'image/svg+xml' }
  const { id = '', width = 0, format } = readPictureName(name) ?? {}
  const drawing = drawingOf(id)
  if (!drawing || format !== 'webp' || !widths.includes(width)) return null
  return { bytes: await fileOf(`${drawing}-${width}.webp`), contentType: 'image/webp' }
}

/** The pictures of a store, plus the shop's own drawings, which are in no store. */
export function withDrawings(images: Images): Images {
  return { ...images, read: async (name) => (await readDrawing(name)) ?? images.read(name) }
}
