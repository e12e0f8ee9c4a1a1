import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/errors.ts'
import { type Images, shownWidth } from './port.ts'

const pictureName = /^[0-9a-f]{24}-\d{2,4}\.(webp|avif)$/
const pictureUrl = /^\/images\/([0-9a-f]{24})-\d{2,4}\.webp$/

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

async function removeAll(folder: string, id: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const ours = names.filter((name) => name.startsWith(`${id}-`))
  await Promise.all(ours.map((name) => rm(join(folder, name), { force: true })))
}

/** Pictures as files in one folder, named at random. */
export function diskImages(folder: string): Images {
  return {
    async save(files) {
      await mkdir(folder, { recursive: true })
      const id = randomBytes(12).toString('hex')
      try {
        for (const { width, format, bytes } of files)
          await writeWhole(join(folder, `${id}-${width}.${format}`), bytes)
      } catch (error) {
        await removeAll(folder, id)
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        throw new AppError('STORAGE_LOW', 'The shop is out of disk space. Nothing was kept.')
      }
      return `/images/${id}-${shownWidth}.webp`
    },
    async read(name) {
      const [, format] = pictureName.exec(name) ?? []
      if (!format) return null
      const bytes = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      return bytes && { bytes, contentType: `image/${format}` }
    },
    async remove(url) {
      const [, id] = pictureUrl.exec(url) ?? []
      if (id) await removeAll(folder, id)
    },
  }
}
