import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { detailsOf, type PartDetails } from '#contracts/parts.ts'
import type { FetchPicture } from '#server/adapters/images/port.ts'
import type { Transaction } from '#server/database/client.ts'
import { batchParts } from '#server/database/schema/batches.ts'
import { pictures } from '#server/database/schema/parts.ts'
import { AppError } from '#server/errors.ts'
import { lockAdminPart } from './admin-store.ts'
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

type QueueDeps = UploadDeps & { fetchPicture: FetchPicture; log: Logger }

/** How long one run of the job goes on, so that a stop of the shop waits no longer. */
const runMs = 3_000

/** Who sent it, and by which key: what the audit log says of the part. */
const actorOf = ({ createdBy, apiKey }: TakenPicture) => ({
  _id: createdBy,
  ...(apiKey !== null && { apiKey }),
})

/** The bytes of a file that was sent, or of an address. */
async function bytesOf({ db, fetchPicture }: QueueDeps, { _id, address }: TakenPicture) {
  if (address) return fetchPicture(address)
  const file = await fileOf(db, _id)
  if (file) return file
  throw new AppError('INVALID', 'A backup leaves out files that wait. Send this one again.')
}

/** The picture that was made of these bytes, now or for another part. It counts as new: what is old and unused is removed. */
async function storedPicture(deps: QueueDeps, taken: TakenPicture, bytes: Uint8Array) {
  const [known] = await deps.db
    .update(pictures)
    .set({ createdAt: sql`now()` })
    .where(eq(pictures.content, contentOf(bytes)))
    .returning({ url: pictures.url })
  return known ?? uploadPicture(deps, actorOf(taken), bytes)
}

/** Lets the undo of its import take the picture back: the part changed since by the import's own doing. */
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

/** A part that an import added is taken off by its undo with the pictures that were sent for it since. */
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

/** Puts the picture on the part, unless it was taken back or is there. An undo, too, begins with the queue, then locks parts. */
async function place(deps: QueueDeps, taken: TakenPicture, image: string, content: string) {
  const { _id, partId } = taken
  await deps.db.transaction(async (tx) => {
    const row = await lockTaken(tx, _id)
    if (!row) return
    const part = await lockAdminPart(tx, partId)
    const isThere = await showsContent(tx, partId, content)
    if (part && !isThere && (await addPicture(tx, actorOf(taken), partId, { image, alt: '' }))) {
      const before = { details: detailsOf(part) as PartDetails, version: part.version }
      if (row.batchId) await noteInBatch(tx, row.batchId, partId, before)
      else await followInBatch(tx, partId, before)
    }
    await markAdded(tx, _id)
  })
}

const final = new Set(['INVALID', 'UNSUPPORTED', 'TOO_LARGE', 'NOT_FOUND'])

async function work(deps: QueueDeps, taken: TakenPicture): Promise<void> {
  try {
    const bytes = await bytesOf(deps, taken)
    const { url } = await storedPicture(deps, taken, bytes)
    await place(deps, taken, url, contentOf(bytes))
  } catch (error) {
    const isRefusal = error instanceof AppError
    if (!isRefusal) deps.log.error({ err: error, picture: taken._id }, 'picture_failed')
    await markFailed(deps.db, taken._id, {
      message: isRefusal ? error.message : 'Something went wrong in the shop; its log says what.',
      isFinal: isRefusal && final.has(error.code),
    })
  }
}

/** Adds pictures from the queue to their parts, two at once, for a few seconds. @returns whether more may wait */
export async function addQueuedPictures(deps: QueueDeps): Promise<boolean> {
  const end = Date.now() + runMs
  let isEmpty = false
  const lane = async () => {
    while (Date.now() < end) {
      const taken = await takePicture(deps.db)
      if (!taken) {
        isEmpty = true
        return
      }
      await work(deps, taken)
    }
  }
  await Promise.all([lane(), lane()])
  return !isEmpty
}
