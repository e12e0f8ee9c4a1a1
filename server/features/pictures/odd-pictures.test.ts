/** Unusual uploads: pictures that no phone takes, and bodies that are none. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PictureUploaded } from '#contracts/pictures.ts'
import { encodePicture } from '#server/adapters/images/encode.ts'
import { cpuTime, longestBlock } from '#tests/support/cpu-time.ts'
import { call, login, type Person } from '#tests/support/people.ts'
import { upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

const paint = { width: 60, height: 40, channels: 3, background: '#ff0000' } as const
const red = () => sharp({ create: paint })

/** Uploads a picture. @returns the stored picture */
async function uploadAndRead(bytes: Uint8Array) {
  const { status, body } = await upload(shop, owner, bytes)
  expect(status).toBe(200)
  const { url } = PictureUploaded.parse(body).data
  const webp = sharp(await (await fetch(`${shop.origin}${url}`)).arrayBuffer())
  const { data } = await webp.clone().raw().toBuffer({ resolveWithObject: true })
  return {
    info: await webp.metadata(),
    first: [...data.subarray(0, 3)] as [number, number, number],
  }
}

function sixteenBits(): Promise<Buffer> {
  const pixels = Uint16Array.from({ length: 60 * 40 * 3 }, (_, i) => (i % 3 === 0 ? 65_535 : 0))
  return sharp(pixels, { raw: { width: 60, height: 40, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
}

const makes: [name: string, make: () => Promise<Buffer>, space: string][] = [
  ['16 bits a colour', sixteenBits, 'rgb16'],
  ['the inks of a printer', () => red().toColourspace('cmyk').jpeg().toBuffer(), 'cmyk'],
  ['a palette', () => red().png({ palette: true, colours: 2 }).toBuffer(), 'srgb'],
  ['the wide colours of a phone', () => red().withIccProfile('p3').jpeg().toBuffer(), 'srgb'],
]

describe('something red', () => {
  test.each(makes)('in %s is shown red on every screen', async (_, make, space) => {
    const bytes = await make()
    expect((await sharp(bytes).metadata()).space).toBe(space)
    const { info, first } = await uploadAndRead(bytes)
    expect(info).toMatchObject({ space: 'srgb', depth: 'uchar', width: 60, height: 40 })
    expect([info.icc, info.exif, info.xmp]).toEqual([undefined, undefined, undefined])
    expect([first[0] > 200, first[1] < 60, first[2] < 60]).toEqual([true, true, true])
  })
})

test('a translucent grey picture stays grey and translucent', async () => {
  const create = { ...paint, channels: 4, background: '#80808080' } as const
  const { info, first } = await uploadAndRead(
    await sharp({ create }).toColourspace('b-w').png().toBuffer(),
  )
  expect(info).toMatchObject({ space: 'srgb', hasAlpha: true })
  expect(new Set(first).size).toBe(1)
})

test('an animation of thousands of frames costs no more than its first', async () => {
  const frame = (background: string) => ({
    create: { ...paint, width: 400, height: 400, background },
  })
  const two = await sharp([frame('#fff'), frame('#000')] as never, { join: { animated: true } })
    .webp()
    .toBuffer()
  // repeats the second frame: 2,000 frames of 400 × 400 pixels are 320 million pixels
  const at = two.lastIndexOf('ANMF')
  const again = Array.from({ length: 1999 }, () => two.subarray(at))
  const many = Buffer.concat([two.subarray(0, at), ...again])
  many.writeUInt32LE(many.length - 8, 4)
  expect((await sharp(many).metadata()).pages).toBe(2000)
  expect((await uploadAndRead(many)).info).toMatchObject({ width: 400, height: 400 })
  expect(await cpuTime(() => encodePicture(many))).toBeLessThan(10_000)
})

test('a form is refused as no picture, however long it would take to read', async () => {
  const part = '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\n\r\n'
  for (const [type, text] of [
    ['application/x-www-form-urlencoded', 'a&'],
    ['multipart/form-data; boundary=b', part],
  ] as const) {
    const body = Buffer.from(text.repeat(2 ** 21 / text.length))
    const block = await longestBlock(async () => {
      const headers = { 'content-type': type }
      const sent = { token: owner.token, body: new Uint8Array(body), headers }
      const answer = await call(shop.origin, 'POST', '/api/image', sent)
      expect([answer.status, answer.body.error.code]).toEqual([415, 'UNSUPPORTED'])
    })
    expect(block, type).toBeLessThan(200)
  }
})
