import { pictureLimits, pictureMessages, uploadFormatOf } from '#contracts/pictures.ts'

/** The most that this side reads: larger files would only keep the browser busy. */
const maxRead = 60 * 1024 * 1024
/** Wider or higher than the shop ever shows, so that making it smaller costs nothing that can be seen. */
const enough = { width: 2400, height: 3200 }
const previewWidth = 960
const qualities = [0.9, 0.75, 0.5]

/** What to send, how it looks, and whether it was made smaller for that. */
export type PreparedPicture = { file: Blob; preview: ImageBitmap; madeSmaller: boolean }

const unreadable =
  'The picture is damaged, or has more pixels than this browser can read. Choose another file.'

function drawn(picture: ImageBitmap, most: { width: number; height: number }): HTMLCanvasElement {
  const scale = Math.min(1, most.width / picture.width, most.height / picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error(unreadable)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

const encoded = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))

/** Upright and small enough to send; nothing else of the file comes along. WebP keeps what is transparent. */
async function smaller(picture: ImageBitmap, isPhoto: boolean): Promise<Blob> {
  const canvas = drawn(picture, enough)
  for (const quality of qualities) {
    const file = await encoded(canvas, isPhoto ? 'image/jpeg' : 'image/webp', quality)
    if (file && file.size <= pictureLimits.bytes) return file
  }
  throw new Error(pictureMessages.tooLarge)
}

/**
 * Judges a file before it is sent, and makes it smaller when it is more than the shop takes: photos from a phone are.
 * @throws Error with the sentence for whoever chose the file
 */
export async function preparePicture(file: File): Promise<PreparedPicture> {
  if (file.size > maxRead) {
    throw new Error(`The file is larger than ${maxRead / 1024 / 1024} MB. Choose a smaller one.`)
  }
  const format = uploadFormatOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  if (!format) throw new Error(pictureMessages.unsupported)
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Error(unreadable)
  })
  try {
    const { width, height } = picture
    const fits = file.size <= pictureLimits.bytes && width * height <= pictureLimits.pixels
    const ready = fits ? file : await smaller(picture, format === 'jpeg')
    const small = drawn(picture, { width: previewWidth, height: previewWidth })
    return { file: ready, preview: await createImageBitmap(small), madeSmaller: !fits }
  } finally {
    picture.close()
  }
}
