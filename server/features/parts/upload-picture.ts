import { and, eq, gt, sql } from 'drizzle-orm'
import { pictureLimits, pictureMessages } from '#contracts/pictures.ts'
import type { Caller } from '#contracts/users.ts'
import type { EncodePicture, Images } from '#server/adapters/images/port.ts'
import type { Database } from '#server/database/client.ts'
import { pictures } from '#server/database/schema/parts.ts'
import { AppError } from '#server/errors.ts'

export type UploadDeps = {
  db: Database
  images: Images
  encodePicture: EncodePicture
  rateLimit: boolean
}

const { bytes: maxBytes, perMinute } = pictureLimits
const howTo = 'Send one picture as multipart form data, in the field image'

/** The one file of the form, in the field `image`. Its name and declared type count for nothing. */
export async function readUpload(request: Request): Promise<Uint8Array> {
  const form = await request.formData().catch(() => null)
  const files = [...(form?.entries() ?? [])].filter(([, value]) => typeof value !== 'string')
  const [[field, file] = []] = files
  if (files.length !== 1 || field !== 'image' || !(file instanceof File) || file.size === 0) {
    throw new AppError('INVALID', howTo, { image: howTo })
  }
  if (file.size > maxBytes) throw new AppError('TOO_LARGE', pictureMessages.tooLarge)
  return new Uint8Array(await file.arrayBuffer())
}

/** @throws AppError TOO_MANY */
async function checkRateLimit(db: Database, userId: string): Promise<void> {
  const aMinuteAgo = sql`now() - interval '1 minute'`
  const recent = await db.$count(
    pictures,
    and(eq(pictures.uploadedBy, userId), gt(pictures.createdAt, aMinuteAgo)),
  )
  if (recent < perMinute) return
  throw new AppError(
    'TOO_MANY',
    `You can upload ${perMinute} pictures in a minute. Try again later.`,
  )
}

/**
 * Makes a picture of the upload and keeps it. A failure leaves nothing.
 * @throws AppError UNSUPPORTED, INVALID, TOO_MANY, STORAGE_LOW
 */
export async function uploadPicture(
  { db, images, encodePicture, rateLimit }: UploadDeps,
  caller: Caller,
  upload: Uint8Array,
) {
  if (rateLimit) await checkRateLimit(db, caller._id)
  const { files, ...picture } = await encodePicture(upload)
  const url = await images.save(files)
  try {
    await db.insert(pictures).values({ url, ...picture, uploadedBy: caller._id })
  } catch (error) {
    await images.remove(url)
    throw error
  }
  return { url, ...picture }
}
