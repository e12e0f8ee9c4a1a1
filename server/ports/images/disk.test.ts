import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskImages } from './disk.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ferrite-images-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a picture is kept in every width under a name nobody can guess, and read back', async () => {
  const images = diskImages(join(folder, 'images'))
  const url = await images.save(
    new Map([
      [480, Buffer.from('small')],
      [960, Buffer.from('large')],
    ]),
  )
  expect(url).toMatch(/^\/images\/[0-9a-f]{24}-960\.webp$/)
  const name = url.split('/').at(-1) as string
  expect(Buffer.from((await images.read(name))?.bytes ?? []).toString()).toBe('large')
  const small = await images.read(name.replace('960', '480'))
  expect(Buffer.from(small?.bytes ?? []).toString()).toBe('small')
  expect(await readdir(join(folder, 'images'))).toHaveLength(2)
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
