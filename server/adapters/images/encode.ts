import sharp, { type OutputInfo } from 'sharp'
import { AppError } from '#server/errors.ts'
import { type EncodePicture, type PictureFile, pictureWidths } from './port.ts'

const widest = Math.max(...pictureWidths)
const placeholderWidth = 16
const timeoutSeconds = 10

const startsWith = (bytes: Uint8Array, hex: string, at = 0) =>
  Buffer.from(bytes.subarray(at, at + hex.length / 2)).toString('hex') === hex

/** What the first bytes say a file is. */
function kindOf(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | null {
  if (startsWith(bytes, 'ffd8ff')) return 'jpeg'
  if (startsWith(bytes, '89504e470d0a1a0a')) return 'png'
  if (startsWith(bytes, '52494646') && startsWith(bytes, '57454250', 8)) return 'webp'
  return null
}

const unsupported = () =>
  new AppError('UNSUPPORTED', 'This is no JPEG, PNG or WebP picture. Choose another file.')

function refusal(error: unknown, pixels: number): AppError {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit|timeout/i.test(message)) {
    const most = `${pixels / 1_000_000} million pixels`
    return new AppError('INVALID', `The picture is larger than ${most}. Make it smaller first.`)
  }
  return new AppError('INVALID', 'The picture is damaged and can not be read. Choose another file.')
}

type Raw = { data: Buffer; info: OutputInfo }

/** Decodes once, upright and no wider than any of the files. Of an animation only the first picture counts. */
async function decode(upload: Uint8Array, limitInputPixels: number): Promise<Raw> {
  const kind = kindOf(upload)
  if (!kind) throw unsupported()
  try {
    const picture = sharp(upload, { limitInputPixels, failOn: 'error' })
    if ((await picture.metadata()).format !== kind) throw unsupported()
    return await picture
      .timeout({ seconds: timeoutSeconds })
      .autoOrient()
      .resize({ width: widest, height: 2 * widest, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    throw error instanceof AppError ? error : refusal(error, limitInputPixels)
  }
}

/** Everything is made from the pixels alone: no metadata, no tail, nothing else of the upload comes along. */
async function encodeAll({ data, info: { width, height, channels } }: Raw) {
  const at = (wanted: number) =>
    sharp(data, { raw: { width, height, channels } }).resize({
      width: wanted,
      withoutEnlargement: true,
    })
  const files: PictureFile[] = []
  for (const wanted of pictureWidths) {
    const webp = await at(wanted).webp({ quality: 82, effort: 3 }).toBuffer()
    const avif = await at(wanted).avif({ quality: 55, effort: 2 }).toBuffer()
    files.push({ width: wanted, format: 'webp', bytes: webp })
    files.push({ width: wanted, format: 'avif', bytes: avif })
  }
  const tiny = await at(placeholderWidth).webp({ quality: 30 }).toBuffer()
  const placeholder = `data:image/webp;base64,${tiny.toString('base64')}`
  return { files, width, height, placeholder }
}

/** How many pictures are worked on at once; the others wait. */
const atOnce = 2

/**
 * The encoder, by sharp. Takes every other decoder of this process away: what they have never heard of can not hurt.
 * @param pixels the most that an upload may have
 */
export function pictureEncoder(pixels: number): EncodePicture {
  // no picture is read twice, so what the library keeps for that is only memory
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  const ours = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp']
  sharp.unblock({ operation: ours })
  const lanes = Array.from({ length: atOnce }, () => Promise.resolve<unknown>(undefined))
  let next = 0
  return (upload) => {
    const lane = next++ % atOnce
    const work = async () => encodeAll(await decode(upload, pixels))
    const done = (lanes[lane] ?? Promise.resolve()).then(work)
    lanes[lane] = done.catch(() => {})
    return done
  }
}
