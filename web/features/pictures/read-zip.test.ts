import { expect, test } from 'vitest'
import { zipOf } from '#tests/support/workbook.ts'
import { readZip } from './read-zip.ts'

const most = 1024 * 1024

/** A ZIP with some bytes changed. The first entry of the directory begins at its signature. */
function changed(zip: Uint8Array<ArrayBuffer>, change: (zip: Buffer, entry: number) => void): Blob {
  const bytes = Buffer.from(zip)
  change(bytes, bytes.indexOf('PK\x01\x02', 0, 'latin1'))
  return new Blob([bytes])
}

test('the pictures of a ZIP are read one by one, without folders and what systems add', async () => {
  const files = await readZip(
    new Blob([
      zipOf({
        'pictures/': '',
        'pictures/FAN-140.jpg': 'first',
        'pictures/FAN-140-2.jpg': 'second',
        '__MACOSX/pictures/._FAN-140.jpg': 'x',
        '.DS_Store': 'x',
      }),
    ]),
    most,
  )
  expect(files.map(({ name }) => name)).toEqual(['pictures/FAN-140.jpg', 'pictures/FAN-140-2.jpg'])
  const texts = await Promise.all(files.map(async (file) => (await file.read()).text()))
  expect(texts).toEqual(['first', 'second'])
})

test('a file is unpacked to no more than a picture may have, whatever the ZIP says of its size', async () => {
  const bomb = zipOf({ 'a.jpg': new Uint8Array(64 * most) })
  const [file] = await readZip(new Blob([bomb]), most)
  await expect(file?.read()).rejects.toThrow('It’s larger than 1 MB.')
})

test('a file that cannot be opened is explained', async () => {
  const good = zipOf({ 'a.jpg': 'picture' })
  const refusal = async (zip: Blob) => {
    try {
      const [file] = await readZip(zip, most)
      return (await file?.read())?.size
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(await refusal(new Blob([good]))).toBe(7)
  expect(await refusal(new Blob(['no ZIP at all']))).toContain('damaged or incomplete')
  expect(await refusal(new Blob([good.slice(0, -30)]))).toContain('damaged or incomplete')
  const encrypted = changed(good, (zip, entry) => zip.writeUInt16LE(1, entry + 8))
  expect(await refusal(encrypted)).toContain('encrypted')
  const odd = changed(good, (zip, entry) => zip.writeUInt16LE(14, entry + 10))
  expect(await refusal(odd)).toContain('compressed in a format')
  const away = changed(good, (zip, entry) => zip.writeUInt32LE(4000, entry + 42))
  expect(await refusal(away)).toContain('damaged or incomplete')
  const endless = changed(good, (zip) => zip.writeUInt16LE(0xffff, zip.length - 12))
  expect(await refusal(endless)).toContain('Split it into several')
  const torn = changed(good, (zip) => zip.fill(0xff, 35, 42))
  expect(await refusal(torn)).toContain('damaged or incomplete')
})
