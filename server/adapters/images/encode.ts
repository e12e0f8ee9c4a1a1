import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { pictureWidths } from '#contracts/catalogue.ts'
import { pictureLimits, pictureMessages, uploadFormatOf } from '#contracts/pictures.ts'
import { AppError } from '#server/errors.ts'
import type { EncodedFile, EncodePhoto, EncodePicture } from './port.ts'

const widest = Math.max(...pictureWidths)
const placeholderWidth = 16
/** The longest side of a photo. */
const photoSide = 1280
const timeoutSeconds = 10

const unsupported = () => new AppError('UNSUPPORTED', pictureMessages.unsupported)

function refusal(error: unknown): AppError {
  const message = error instanceof Error ? error.message : ''
  const isTooLarge = /pixel limit|timeout/i.test(message)
  return new AppError('INVALID', pictureMessages[isTooLarge ? 'tooManyPixels' : 'damaged'])
}

type Raw = { data: Buffer; info: OutputInfo }

/**
 * Decodes once, upright and as wide as the widest file. Uses only the first picture of an
 * animation.
 * @param within the largest size
 */
export async function decode(
  upload: Uint8Array,
  within = { width: widest, height: 2 * widest },
): Promise<Raw> {
  const format = uploadFormatOf(upload)
  if (!format) throw unsupported()
  try {
    const picture = sharp(upload, { limitInputPixels: pictureLimits.pixels, failOn: 'error' })
    if ((await picture.metadata()).format !== format) throw unsupported()
    return await picture
      .timeout({ seconds: timeoutSeconds })
      .autoOrient()
      .resize({ ...within, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    throw error instanceof AppError ? error : refusal(error)
  }
}

const webpOf = (picture: Sharp) => picture.webp({ quality: 82, effort: 3 }).toBuffer()

/** Encodes from the pixels alone: no metadata or trailing data of the upload survives. */
async function encodeAll({ data, info: { width, height, channels } }: Raw) {
  const at = (target: number) =>
    sharp(data, { raw: { width, height, channels } }).resize({
      width: target,
      withoutEnlargement: true,
    })
  const files: EncodedFile[] = []
  for (const target of pictureWidths) {
    const webp = await webpOf(at(target))
    // chroma at half width as in WebP: a third of the time and memory, and smaller files
    const avif = await at(target)
      .avif({ quality: 55, effort: 1, chromaSubsampling: '4:2:0' })
      .toBuffer()
    files.push({ width: target, format: 'webp', bytes: webp })
    files.push({ width: target, format: 'avif', bytes: avif })
  }
  const tiny = await at(placeholderWidth).webp({ quality: 30 }).toBuffer()
  const placeholder = `data:image/webp;base64,${tiny.toString('base64')}`
  return { files, width, height, placeholder }
}

/** Encodes with sharp, limited to one core. */
export const encodePicture: EncodePicture = async (upload) => encodeAll(await decode(upload))

export const encodePhoto: EncodePhoto = async (upload) => {
  const { data, info } = await decode(upload, { width: photoSide, height: photoSide })
  const { width, height, channels } = info
  return webpOf(sharp(data, { raw: { width, height, channels } }))
}
