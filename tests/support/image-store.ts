/** The tests that every picture store must pass (server/adapters/images/port.ts). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pictureIdOf } from '#contracts/catalogue.ts'
import type { EncodedFile, Images } from '#server/adapters/images/port.ts'

const webp = (text: string) => Buffer.from(`RIFF\x04\x00\x00\x00WEBP${text}`)
const avif = (text: string) => Buffer.from(`\x00\x00\x00\x20ftypavif${text}`)

export const pictureFiles: EncodedFile[] = [
  { width: 480, format: 'webp', bytes: webp('small') },
  { width: 960, format: 'webp', bytes: webp('large') },
  { width: 960, format: 'avif', bytes: avif('large too') },
]

type Opened = { images: Images; close(): Promise<unknown> }

export function describeImageStore(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let images: Images
    let close: Opened['close']
    beforeAll(async () => {
      ;({ images, close } = await open())
    })
    afterAll(() => close())
    const read = async (file: string) => {
      const found = await images.read(file)
      return found && [Buffer.from(found.bytes).toString().slice(-9), found.contentType]
    }
    const nameOf = (url: string) => url.split('/').at(-1) as string
    const listed = async (url: string) => (await images.list()).find((one) => one.url === url)

    test('keeps a picture in every file under an unguessable name, lists it, and removes it', async () => {
      const url = await images.save(pictureFiles)
      expect(url).toMatch(/^\/images\/[0-9a-f]{24}-960\.webp$/)
      const file = nameOf(url)
      expect(await read(file)).toEqual(['WEBPlarge', 'image/webp'])
      expect(await read(file.replace('-960.', '-480.'))).toEqual(['WEBPsmall', 'image/webp'])
      expect(await read(file.replace('webp', 'avif'))).toEqual(['large too', 'image/avif'])
      expect(await read(file.replace('-960.', '-1600.'))).toBeNull()
      const other = await images.save(pictureFiles)
      const { files = [], changedAt } = (await listed(url)) ?? {}
      expect(files.toSorted()).toEqual(['480.webp', '960.avif', '960.webp'])
      expect(Math.abs(Date.now() - Number(changedAt))).toBeLessThan(60_000)
      await images.remove(url)
      await images.remove(url)
      expect([await read(file), await listed(url)]).toEqual([null, undefined])
      expect(await listed(other)).toBeDefined()
      await images.remove(other)
      expect(await images.list()).toEqual([])
    })

    test('keeps a copy under the name of the original, also over a part of it', async () => {
      const url = await images.save(pictureFiles.slice(0, 2))
      const id = pictureIdOf(url) ?? ''
      expect(await images.save(pictureFiles, id)).toBe(url)
      expect((await listed(url))?.files).toHaveLength(3)
      await images.remove(url)
    })

    test.each([
      '../secret.webp',
      '..%2fsecret.webp',
      'secret.webp',
      'shop-id',
      '/etc/passwd',
      '',
      'a'.repeat(300),
    ])('hands out nothing under another name: %s', async (file) => {
      await images.marker?.write('0199c0de-0000-7000-8000-000000000000')
      expect(await images.read(file)).toBeNull()
    })

    test('knows whose pictures it keeps', async ({ skip }) => {
      if (!images.marker) return skip('its list is in the database of the shop')
      await images.marker.write('0199c0de-0000-7000-8000-000000000001')
      expect(await images.marker.read()).toBe('0199c0de-0000-7000-8000-000000000001')
      expect(await images.list()).toEqual([])
    })
  })
}
