import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { detailsOf, type PartDetails } from '#contracts/parts.ts'
import type { FetchPicture } from '#server/adapters/images/port.ts'
import type { Transaction } from '#server/database/client.ts'
import { batchParts } from '#server/database/schema/batches.ts'
import { pictures } from '#server/database/schema/parts.ts'
import { AppError } from '#server/errors.ts'
import { lockAdminPart } from '#server/features/catalogue/admin-store.ts'
import {
  fileOf,
  lockTaken,
  markAdded,
  markFailed,
  showsContent,
  type TakenPicture,
  takePicture,
} from './picture-queue.ts'
import { addPicture, contentOf, type UploadDeps, uploadPicture } from './pictures.ts'

type AddDeps = UploadDeps & { fetchPicture: FetchPicture; log: Logger }

/** The longest run of the job. Stopping the shop waits for it. */
const runMs = 3_000

/**
 * The actor for the audit log: the admin who sent the picture, with the API key if one was used.
 */
const actorOf = ({ createdBy, apiKey }: TakenPicture) => ({
  _id: createdBy,
  ...(apiKey !== null && { apiKey }),
})

/** Reads the bytes of a picture from its address or the uploaded file. */
async function bytesOf({ db, fetchPicture }: AddDeps, { _id, address }: TakenPicture) {
  if (address) return fetchPicture(address)
  const file = await fileOf(db, _id)
  if (file) return file
  throw new AppError('INVALID', 'A backup leaves out files that wait. Send this one again.')
}

/**
 * Finds the picture that was stored from the same bytes, or stores it. Sets the creation time of a
 * found picture to now, because old unused pictures are removed.
 */
async function storedPicture(deps: AddDeps, picture: TakenPicture, bytes: Uint8Array) {
  const [existing] = await deps.db
    .update(pictures)
    .set({ createdAt: sql`now()` })
    .where(eq(pictures.content, contentOf(bytes)))
    .returning({ url: pictures.url })
  return existing ?? uploadPicture(deps, actorOf(picture), bytes)
}

/** Records the picture as a change of its import, so that undoing the import removes it. */
async function noteInBatch(tx: Transaction, batchId: string, partId: string, before: PartBefore) {
  const { details, version } = before
  await tx
    .insert(batchParts)
    .values({ batchId, partId, before: details, change: 0, version: version + 1 })
    .onConflictDoUpdate({
      target: [batchParts.batchId, batchParts.partId],
      set: { version: version + 1 },
      setWhere: eq(batchParts.version, version),
    })
}

/**
 * Records the new version of a part that an import added, so that undoing the import still deletes
 * the part after pictures were added.
 */
const followInBatch = (tx: Transaction, partId: string, { version }: PartBefore) =>
  tx
    .update(batchParts)
    .set({ version: version + 1 })
    .where(
      and(
        eq(batchParts.partId, partId),
        eq(batchParts.version, version),
        isNull(batchParts.before),
      ),
    )

type PartBefore = { details: PartDetails; version: number }

/**
 * Adds the picture to its part, unless the part already has it or it has left the queue. Locks the
 * queue before the parts, as an undo does.
 */
async function addToPart(deps: AddDeps, picture: TakenPicture, image: string, content: string) {
  const { _id, partId } = picture
  await deps.db.transaction(async (tx) => {
    const row = await lockTaken(tx, _id)
    if (!row) return
    const part = await lockAdminPart(tx, partId)
    const isShown = await showsContent(tx, partId, content)
    if (part && !isShown && (await addPicture(tx, actorOf(picture), partId, { image, alt: '' }))) {
      const before = { details: detailsOf(part) as PartDetails, version: part.version }
      if (row.batchId) await noteInBatch(tx, row.batchId, partId, before)
      else await followInBatch(tx, partId, before)
    }
    await markAdded(tx, _id)
  })
}

/** Error codes for which another attempt is useless. */
const final = new Set(['INVALID', 'UNSUPPORTED', 'TOO_LARGE', 'NOT_FOUND'])

async function addOne(deps: AddDeps, picture: TakenPicture): Promise<void> {
  try {
    const bytes = await bytesOf(deps, picture)
    const { url } = await storedPicture(deps, picture, bytes)
    await addToPart(deps, picture, url, contentOf(bytes))
  } catch (error) {
    const isRefusal = error instanceof AppError
    if (!isRefusal) deps.log.error({ err: error, picture: picture._id }, 'picture_failed')
    await markFailed(deps.db, picture._id, {
      message: isRefusal ? error.message : 'Something went wrong in the shop; its log says what.',
      isFinal: isRefusal && final.has(error.code),
    })
  }
}

/**
 * Adds pictures from the queue to their parts, two at a time, for a few seconds.
 * @returns whether more pictures may be waiting
 */
export async function addQueuedPictures(deps: AddDeps): Promise<boolean> {
  const end = Date.now() + runMs
  let isEmpty = false
  const lane = async () => {
    while (Date.now() < end) {
      const picture = await takePicture(deps.db)
      if (!picture) {
        isEmpty = true
        return
      }
      await addOne(deps, picture)
    }
  }
  await Promise.all([lane(), lane()])
  return !isEmpty
}
