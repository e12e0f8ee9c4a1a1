/** Copies pictures from one store to another, while the shop may add and remove some. */
import { readPictureName } from '#contracts/catalogue.ts'
import type { EncodedFile, Images, StoredImage } from '#server/adapters/images/port.ts'
import { asStartError } from '#server/errors.ts'

const atOnce = 4

/** Works on several items at once. @throws StartError when a store refuses, for the terminal */
export async function severalAtOnce<T>(items: T[], work: (item: T) => Promise<void>) {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, worker))
  } catch (error) {
    throw asStartError(error)
  }
}

/** The names of a picture's complete files: `0f…9c-960.webp`. */
const namesOf = ({ url, files }: StoredImage) => {
  const prefix = url.slice(url.lastIndexOf('/') + 1, url.indexOf('-') + 1)
  return files.map((file) => `${prefix}${file}`).filter((name) => readPictureName(name))
}

/** @returns the picture's id and files; no files when it was removed meanwhile */
async function readPicture(from: Images, names: string[]) {
  let id = ''
  const files: EncodedFile[] = []
  for (const name of names) {
    const named = readPictureName(name)
    const file = named && (await from.read(name))
    if (!file) continue
    id = named.id
    files.push({ width: named.width, format: named.format, bytes: file.bytes })
  }
  return { id, files }
}

export type Progress = { pictures: number; done: number; copied: number }

/** Copies each picture that `to` does not have completely. @param report called after each */
export async function copyPictures(
  from: Images,
  to: Images,
  report: (progress: Progress) => void = () => {},
): Promise<Progress> {
  const there = new Set((await to.list()).flatMap(namesOf))
  const all = (await from.list()).map(namesOf)
  const progress = { pictures: all.length, done: 0, copied: 0 }
  await severalAtOnce(all, async (names) => {
    if (!names.every((name) => there.has(name))) {
      const { id, files } = await readPicture(from, names)
      if (files.length > 0) {
        await to.save(files, id)
        progress.copied += 1
      }
    }
    progress.done += 1
    report(progress)
  })
  return progress
}
