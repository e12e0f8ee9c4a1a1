import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Images } from './port.ts'

const pictureName = /^[0-9a-f]{24}-\d{2,4}\.webp$/

/** Writes whole or not at all: a reader never sees half a picture, a crash leaves at most a temporary file. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(`${path}.part`, 'w')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
}

/** Pictures as files in one folder, named at random. */
export function diskImages(folder: string): Images {
  return {
    async save(variants) {
      await mkdir(folder, { recursive: true })
      const id = randomBytes(12).toString('hex')
      for (const [width, bytes] of variants)
        await writeWhole(join(folder, `${id}-${width}.webp`), bytes)
      return `/images/${id}-${Math.max(...variants.keys())}.webp`
    },
    async read(name) {
      if (!pictureName.test(name)) return null
      const bytes = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      return bytes && { bytes, contentType: 'image/webp' }
    },
  }
}
