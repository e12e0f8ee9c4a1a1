/** Pictures for tests, and their upload. */
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { type Answer, call, type Person } from './people.ts'

/** A plain JPEG. */
export function photo(width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#a84f17' } })
    .jpeg()
    .toBuffer()
}

/**
 * A phone's photo with red above blue: more than 8 MB, stored sideways with an orientation tag, and
 * with a location.
 */
export function phonePhoto(): Promise<Buffer> {
  const [width, height, channels] = [3264, 2448, 3] as const
  const pixels = randomBytes(width * height * channels)
  for (let x = 0; x < width; x += 1) {
    // in the sideways picture, the left half is the upper half
    const dark = x < width / 2 ? 2 : 0
    for (let y = 0; y < height; y += 1) {
      const at = (y * width + x) * channels
      pixels[at + dark] = 20
      pixels[at + 1] = 20
    }
  }
  return sharp(pixels, { raw: { width, height, channels } })
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** Uploads a file as the browser does. */
export const upload = (
  shop: { origin: string },
  by: Person,
  bytes: Uint8Array,
  { type = 'application/octet-stream', path = '/api/image' } = {},
): Promise<Answer> =>
  call(shop.origin, 'POST', path, {
    token: by.token,
    body: new Uint8Array(bytes),
    headers: { 'content-type': type },
  })
