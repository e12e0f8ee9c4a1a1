import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskImages } from './disk.ts'
import type { PictureFile } from './port.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ferrite-images-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const files: PictureFile[] = [
  { width: 480, format: 'webp', bytes: Buffer.from('small') },
  { width: 960, format: 'webp', bytes: Buffer.from('large') },
  { width: 960, format: 'avif', bytes: Buffer.from('large too') },
]

test('a picture is kept in every file under a name nobody can guess, read back, and removed', async () => {
  const images = diskImages(join(folder, 'images'))
  const url = await images.save(files)
  expect(url).toMatch(/^\/images\/[0-9a-f]{24}-960\.webp$/)
  const name = url.split('/').at(-1) as string
  const read = async (as: string) => {
    const found = await images.read(as)
    return found && [Buffer.from(found.bytes).toString(), found.contentType]
  }
  expect(await read(name)).toEqual(['large', 'image/webp'])
  expect(await read(name.replace('-960.', '-480.'))).toEqual(['small', 'image/webp'])
  expect(await read(name.replace('webp', 'avif'))).toEqual(['large too', 'image/avif'])
  const other = await images.save(files)
  expect(await readdir(join(folder, 'images'))).toHaveLength(6)
  await images.remove(url)
  await images.remove(url)
  expect(await read(name)).toBeNull()
  expect(await readdir(join(folder, 'images'))).toHaveLength(3)
  await images.remove(other)
})

test('a picture that can not be kept whole leaves nothing', async () => {
  const images = diskImages(join(folder, 'whole'))
  const broken = { width: 1600, format: 'webp', bytes: {} as Uint8Array } as const
  await expect(images.save([...files, broken])).rejects.toThrow()
  expect(await readdir(join(folder, 'whole'))).toEqual([])
})

test.each([
  '../secret.webp',
  '..%2fsecret.webp',
  'secret.webp',
  '/etc/passwd',
  '',
  'a'.repeat(300),
])('no other name reaches the disk: %s', async (name) => {
  await writeFile(join(folder, 'secret.webp'), 'secret')
  expect(await diskImages(join(folder, 'images')).read(name)).toBeNull()
})
