/**
 * Uploaded pictures: storing them, checking them before a part shows them, and removing unused
 * ones.
 */
import { createHash } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { isDrawing } from '#contracts/drawings.ts'
import type { PartDetails } from '#contracts/parts.ts'
import {
  type PartPicture,
  PictureFile,
  pictureLimits,
  pictureMessages,
  uploadFormatOf,
} from '#contracts/pictures.ts'
import type { Caller } from '#contracts/users.ts'
import type { EncodePicture, Images } from '#server/adapters/images/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { parts, pictures } from '#server/database/schema/parts.ts'
import { AppError, found } from '#server/errors.ts'
import { lockAdminPart, shownOf } from '#server/features/catalogue/admin-store.ts'

export type UploadDeps = {
  db: Database
  images: Images
  encodePicture: EncodePicture
}

/** For calls whose body is a picture: `readUpload` reads it. */
export const pictureBody = {
  maxBody: { bytes: pictureLimits.bytes, message: pictureMessages.tooLarge },
  body: PictureFile,
}

/**
 * Reads a body that is a picture, whatever type it declares. No call of the shop reads a form: one
 * of many parts takes the process seconds, one of many fields minutes.
 * @throws AppError UNSUPPORTED
 */
export async function readUpload(request: Request): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (!uploadFormatOf(bytes)) throw new AppError('UNSUPPORTED', pictureMessages.unsupported)
  return bytes
}

/** The hash by which the shop recognises a file. */
export const contentOf = (file: Uint8Array): string =>
  createHash('sha256').update(file).digest('hex')

/**
 * Stores an uploaded picture in every width and format, or stores nothing.
 * @throws AppError UNSUPPORTED, INVALID, STORAGE_LOW
 */
export async function uploadPicture(
  { db, images, encodePicture }: UploadDeps,
  actor: Pick<Caller, '_id'> & Partial<Caller>,
  upload: Uint8Array,
) {
  const { files, ...picture } = await encodePicture(upload)
  const url = await images.save(files)
  try {
    await db
      .insert(pictures)
      .values({ url, ...picture, content: contentOf(upload), uploadedBy: actor._id })
  } catch (error) {
    // if removing fails too, an orphan stays, which the doctor finds
    await images.remove(url).catch(() => {})
    throw error
  }
  return { url, ...picture }
}

export const pictureGone = 'This picture no longer exists. Upload it again.'

/**
 * Returns the addresses whose pictures exist. Locks uploaded pictures, so that they are not removed
 * before the transaction ends. A picture that a part shows is never removed.
 */
export async function storedAmong(tx: Transaction, images: string[]): Promise<Set<string>> {
  const uploaded = await tx
    .select({ url: pictures.url })
    .from(pictures)
    .where(inArray(pictures.url, images))
    .orderBy(pictures.url)
    .for('key share')
  const stored = new Set([...images.filter(isDrawing), ...uploaded.map(({ url }) => url)])
  const others = images.filter((image) => !stored.has(image))
  return others.length > 0 ? new Set([...stored, ...(await shownOf(tx, others))]) : stored
}

/** Whether a picture was uploaded; then it stays until the transaction ends. */
export async function isUploaded(tx: Transaction, image: string): Promise<boolean> {
  const uploaded = await tx
    .select({ url: pictures.url })
    .from(pictures)
    .where(eq(pictures.url, image))
    .for('key share')
  return uploaded.length > 0
}

type PartPictures = Pick<PartDetails, 'image' | 'morePictures'>

/** Lists the addresses of a part's pictures in order, each with its field. */
export const picturesOf = ({ image, morePictures }: PartPictures) => [
  { field: 'image', image },
  ...morePictures.map((each) => ({ field: 'morePictures', image: each.image })),
]

/**
 * Checks that the pictures of a part exist.
 * @param before the stored part, whose pictures need no check
 * @throws AppError INVALID for an unknown picture
 */
export async function checkPictures(
  tx: Transaction,
  part: PartPictures,
  before?: PartPictures,
): Promise<void> {
  const had = new Set((before ? picturesOf(before) : []).map(({ image }) => image))
  const added = picturesOf(part).filter(({ image }) => !had.has(image))
  const stored = await storedAmong(
    tx,
    added.map(({ image }) => image),
  )
  const gone = added.find(({ image }) => !stored.has(image))
  if (gone) throw new AppError('INVALID', pictureGone, { [gone.field]: pictureGone })
}

/**
 * Adds a picture to a part that is not deleted. It becomes the last picture, or replaces a drawing
 * as the first one.
 * @returns false when the part already shows it
 * @throws AppError NOT_FOUND, or INVALID for an unknown picture or when the part has the maximum
 *   number of pictures
 */
export async function addPicture(
  tx: Transaction,
  actor: Pick<Caller, '_id' | 'apiKey'>,
  partId: string,
  picture: PartPicture,
): Promise<boolean> {
  const part = await lockAdminPart(tx, partId)
  const before = found(part?.deletedAt === null ? part : null, 'part')
  if (picturesOf(before).some(({ image }) => image === picture.image)) return false
  const morePictures = [...before.morePictures, picture]
  if (morePictures.length >= pictureLimits.ofPart)
    throw new AppError('INVALID', pictureMessages.tooMany, { image: pictureMessages.tooMany })
  await checkPictures(tx, { image: picture.image, morePictures: [] })
  const [after] = await tx
    .update(parts)
    .set({ morePictures, version: sql`${parts.version} + 1` })
    .where(eq(parts._id, partId))
    .returning({ image: parts.image, morePictures: parts.morePictures })
  const field = after?.image === before.image ? 'morePictures' : 'image'
  const detail = { [field]: { from: before[field], to: after?.[field] } }
  await logActions(tx, [{ actor, action: 'part changed', partId, detail }])
  return true
}

const maxPerRun = 100

const isUnused = sql`not exists (select from part_pictures shown where shown.image = pictures.url)
  and not exists (select from orders where image = pictures.url)
  and not exists (select from home_slides where image = pictures.url)`

/**
 * Removes pictures that are older than a day and that no part or order shows.
 * @returns the number of pictures
 */
export async function removeOrphans(deps: {
  db: Database
  images: Images
  log: Logger
}): Promise<number> {
  const orphans = await deps.db.transaction(async (tx) => {
    const { rows: old } = await tx.execute<{ url: string }>(sql`
      select url from pictures where created_at < now() - interval '24 hours' and ${isUnused}
      limit ${maxPerRun} for update skip locked`)
    if (old.length === 0) return []
    const urls = sql.join(
      old.map(({ url }) => sql`${url}`),
      sql`, `,
    )
    // checks again under the lock, because a transaction that adds a picture to a part locks its
    // row until it commits
    const { rows } = await tx.execute<{ url: string }>(
      sql`delete from pictures where url in (${urls}) and ${isUnused} returning url`,
    )
    return rows
  })
  for (const { url } of orphans) await deps.images.remove(url)
  if (orphans.length > 0) deps.log.info({ count: orphans.length }, 'unused_pictures_removed')
  return orphans.length
}
