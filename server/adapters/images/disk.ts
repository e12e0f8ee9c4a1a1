import { randomBytes } from 'node:crypto'
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { join } from 'node:path'
import { pictureAddress, pictureIdOf, readPictureName } from '#contracts/catalogue.ts'
import { AppError } from '#server/errors.ts'
import type { Images, StoredImage } from './port.ts'

/** Writes a file completely or not at all; a crash leaves at most a temporary file. */
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

const filesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

async function removeAll(folder: string, id: string): Promise<void> {
  const names = await filesIn(folder)
  const pictureFiles = names.filter((name) => name.startsWith(`${id}-`))
  await Promise.all(pictureFiles.map((name) => rm(join(folder, name), { force: true })))
}

async function listAll(folder: string): Promise<StoredImage[]> {
  const byId = new Map<string, string[]>()
  for (const name of await filesIn(folder)) {
    // a temporary file of a crash also belongs to its picture
    const id = readPictureName(name.replace(/\.part$/, ''))?.id
    if (id) byId.set(id, [...(byId.get(id) ?? []), name.slice(id.length + 1)])
  }
  const stored: StoredImage[] = []
  for (const [id, files] of byId) {
    const stats = await stat(join(folder, `${id}-${files[0]}`)).catch(() => null)
    // another process has removed it meanwhile
    if (stats) stored.push({ url: pictureAddress(id), files, changedAt: stats.mtime })
  }
  return stored
}

/** Turns a full disk into a refusal; any other failure stays an error. @param what was not done */
function diskRefusal(error: NodeJS.ErrnoException, what: string): Error {
  if (error.errno === undefined) return error
  const refusal =
    error.code === 'ENOSPC'
      ? new AppError('STORAGE_LOW', `The shop is out of disk space. ${what}`)
      : new AppError('UNAVAILABLE', `The pictures cannot be reached. ${what} Try again later.`)
  return Object.assign(refusal, { cause: error })
}

const missing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return null
  throw diskRefusal(error, 'The picture is not lost.')
}

/** Pictures as files with random names in one folder. */
export function diskImages(folder: string): Images {
  const shopId = join(folder, 'shop-id')
  return {
    name: 'on disk',
    where: folder,
    marker: {
      read: async () => (await readFile(shopId, 'utf8').catch(() => null))?.trim() ?? null,
      async write(id) {
        await mkdir(folder, { recursive: true })
        await writeWhole(shopId, Buffer.from(`${id}\n`))
      },
    },
    async save(files, id = randomBytes(12).toString('hex')) {
      try {
        await mkdir(folder, { recursive: true })
        for (const { width, format, bytes } of files)
          await writeWhole(join(folder, `${id}-${width}.${format}`), bytes)
      } catch (error) {
        // a file that cannot be removed either stays as an orphan
        await removeAll(folder, id).catch(() => {})
        throw diskRefusal(error as NodeJS.ErrnoException, 'Nothing was saved.')
      }
      return pictureAddress(id)
    },
    async read(name) {
      const picture = readPictureName(name)
      if (!picture) return null
      const bytes = await readFile(join(folder, name)).catch(missing)
      return bytes && { bytes, contentType: `image/${picture.format}` }
    },
    async verify() {
      await mkdir(folder, { recursive: true })
        .then(() => access(folder, constants.W_OK))
        .catch((error) => {
          throw diskRefusal(error, '')
        })
    },
    list: () => listAll(folder),
    async remove(url) {
      const id = pictureIdOf(url)
      if (id) await removeAll(folder, id)
    },
  }
}
