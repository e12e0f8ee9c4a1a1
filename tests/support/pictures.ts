/** Pictures for tests, made by sharp before the shop takes its other readers away, and their way into the shop. */
import sharp from 'sharp'
import { type Answer, call, type Person } from './people.ts'

/** A plain JPEG. */
export function photo(width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#a84f17' } })
    .jpeg()
    .toBuffer()
}

/** Sends a file as a browser's form does. */
export async function upload(
  shop: { origin: string },
  by: Person,
  bytes: Uint8Array,
  { name = 'photo.jpg', type = 'image/jpeg', field = 'image' } = {},
): Promise<Answer> {
  const form = new FormData()
  form.append(field, new File([new Uint8Array(bytes)], name, { type }))
  return sendForm(shop, by, form)
}

export async function sendForm(
  shop: { origin: string },
  by: Person,
  form: FormData,
): Promise<Answer> {
  const packed = new Response(form)
  const headers = { 'content-type': packed.headers.get('content-type') ?? '' }
  const body = new Uint8Array(await packed.arrayBuffer())
  return call(shop.origin, 'POST', '/api/image', { token: by.token, body, headers })
}
