/**
 * The queue of pictures for parts. It is in the database, so any process can continue the work of
 * another.
 */
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import {
  type FileQueued,
  type PictureQueue,
  pictureQueueLimits,
  pictureQueueMessages,
  type QueuedFile,
} from '#contracts/picture-queue.ts'
import type { Caller } from '#contracts/users.ts'
import type { Database, Queryable, Transaction } from '#server/database/client.ts'
import { minute, retrySchedule } from '#server/database/retries.ts'
import { partPictures, parts, pictures } from '#server/database/schema/parts.ts'
import { pictureFiles, pictureQueue } from '#server/database/schema/picture-queue.ts'
import { AppError, found } from '#server/errors.ts'
import { contentOf } from './pictures.ts'

/** Whether the part shows a picture from the same file. @param content the hash of the file */
export async function showsContent(db: Queryable, partId: string, content: string) {
  const rows = await db
    .select({ url: pictures.url })
    .from(pictures)
    .innerJoin(partPictures, eq(partPictures.image, pictures.url))
    .where(and(eq(pictures.content, content), eq(partPictures.partId, partId)))
    .limit(1)
  return rows.length > 0
}

/** Values that restart the attempts of a picture. */
const firstAttempt = {
  attempts: 0,
  nextAttemptAt: sql`now()`,
  takenUntil: null,
  lastError: null,
  givenUpAt: null,
}

/**
 * Queues a file for a part, once. Queueing the same file again has no effect, unless it was given
 * up.
 * @throws AppError NOT_FOUND for an unknown part, UNAVAILABLE when the queue is full
 */
export async function queueFile(
  db: Database,
  caller: Caller,
  { partId, name, place }: QueuedFile,
  bytes: Uint8Array,
): Promise<FileQueued> {
  const content = contentOf(bytes)
  return db.transaction(async (tx) => {
    const [part] = await tx
      .select({ _id: parts._id })
      .from(parts)
      .where(and(eq(parts._id, partId), isNull(parts.deletedAt)))
      .for('key share')
    found(part, 'part')
    if (await showsContent(tx, partId, content)) return { state: 'there' }
    const { rows } = await tx.execute<{ bytes: string }>(
      sql`select coalesce(sum(octet_length(bytes)), 0) as bytes from ${pictureFiles}`,
    )
    if (Number(rows[0]?.bytes) > pictureQueueLimits.bytes)
      throw new AppError('UNAVAILABLE', pictureQueueMessages.full, undefined, 10)
    const by = { createdBy: caller._id, apiKey: caller.apiKey ?? null }
    const values = { partId, name, place, content, ...by }
    const [queued] = await tx
      .insert(pictureQueue)
      .values(values)
      .onConflictDoUpdate({
        target: [pictureQueue.partId, pictureQueue.content],
        targetWhere: sql`${pictureQueue.content} <> '' and ${pictureQueue.addedAt} is null`,
        set: { ...firstAttempt, name, place },
        setWhere: isNotNull(pictureQueue.givenUpAt),
      })
      .returning({ queueId: pictureQueue._id })
    if (queued)
      await tx
        .insert(pictureFiles)
        .values({ ...queued, bytes })
        .onConflictDoNothing()
    return { state: 'queued' }
  })
}

/** The address of a picture in a parts file, with its part. */
export type NamedPicture = { partId: string; address: string; place: number }

/**
 * Leaves out addresses from earlier files. Each address is fetched once per part, unless it was
 * given up.
 */
export async function notYetNamed<Named extends Omit<NamedPicture, 'place'>>(
  tx: Transaction,
  named: Named[],
): Promise<Named[]> {
  const ids = [...new Set(named.map(({ partId }) => partId))]
  const { rows } = await tx.execute<Omit<NamedPicture, 'place'>>(sql`
    select part_id as "partId", address from ${pictureQueue}
    where part_id in (select unnest(${sql.param(ids)}::uuid[])) and address <> '' and given_up_at is null`)
  const key = ({ partId, address }: Omit<NamedPicture, 'place'>) => `${partId} ${address}`
  const earlier = new Set(rows.map(key))
  return named.filter((each) => !earlier.has(key(each)))
}

/** Queues picture addresses in the import's transaction. */
export async function queueAddresses(
  tx: Transaction,
  caller: Caller,
  named: NamedPicture[],
  batchId: string,
): Promise<void> {
  if (named.length === 0) return
  await tx.execute(sql`
    insert into ${pictureQueue} (part_id, address, name, place, batch_id, created_by, api_key)
    select "partId", address, address, place, ${batchId}::uuid, ${caller._id}::uuid, ${caller.apiKey ?? null}::text
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n("partId" uuid, address text, place int)
    on conflict (part_id, address) where address <> '' do update
      set batch_id = excluded.batch_id, attempts = 0, next_attempt_at = now(), last_error = null, given_up_at = null
      where ${pictureQueue.givenUpAt} is not null`)
}

/**
 * Removes the pictures of an import from the queue. Pictures in progress are not added, and a later
 * import can queue them again.
 */
export async function unqueueBatch(tx: Transaction, batchId: string): Promise<void> {
  await tx.delete(pictureQueue).where(eq(pictureQueue.batchId, batchId))
}

/** The most pictures in progress at once, across all processes: bookings need CPU time too. */
const maxInWork = 2
/** How long a process keeps a picture: longer than fetching, encoding and storing it can take. */
const lease = '3 minutes'
const retries = retrySchedule([minute, 5 * minute, 30 * minute])
/** The advisory lock of `takePicture`. */
const takeLock = 20_261_123

export type TakenPicture = {
  _id: string
  partId: string
  name: string
  content: string
  address: string
  createdBy: string
  apiKey: string | null
}

/**
 * Leases the next picture, unless `maxInWork` are in progress. Gives up pictures whose process
 * crashed at every attempt, because the picture may be the cause.
 */
export async function takePicture(db: Database): Promise<TakenPicture | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${takeLock})`)
    await tx.execute(sql`
      update ${pictureQueue} set given_up_at = now(), taken_until = null,
        last_error = 'The shop stopped each time it worked on this picture.'
      where added_at is null and given_up_at is null and attempts >= ${retries.maxAttempts} and taken_until < now()`)
    const { rows } = await tx.execute<TakenPicture>(sql`
      update ${pictureQueue} q set attempts = attempts + 1, taken_until = now() + ${lease}::interval
      where _id = (
        select _id from ${pictureQueue}
        where added_at is null and given_up_at is null and next_attempt_at <= now()
          and (taken_until is null or taken_until < now())
          and (select count(*) from ${pictureQueue} where taken_until >= now()) < ${maxInWork}
        -- an owner's own files before addresses, whose hosts may be slow
        order by (address <> ''), place, created_at limit 1)
      returning q._id, q.part_id as "partId", q.name, q.content, q.address, q.created_by as "createdBy", q.api_key as "apiKey"`)
    return rows[0]
  })
}

export async function fileOf(db: Queryable, id: string): Promise<Uint8Array | undefined> {
  const [file] = await db
    .select({ bytes: pictureFiles.bytes })
    .from(pictureFiles)
    .where(eq(pictureFiles.queueId, id))
  return file?.bytes
}

/**
 * Locks a leased picture until the transaction ends.
 * @returns undefined when it has left the queue
 */
export async function lockTaken(tx: Transaction, id: string) {
  const [row] = await tx
    .select({ batchId: pictureQueue.batchId })
    .from(pictureQueue)
    .where(and(eq(pictureQueue._id, id), isNull(pictureQueue.addedAt)))
    .for('update')
  return row
}

const dropFile = (tx: Transaction, id: string) =>
  tx.delete(pictureFiles).where(eq(pictureFiles.queueId, id))

export async function markAdded(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(pictureQueue)
    .set({ addedAt: sql`now()`, takenUntil: null, lastError: null, givenUpAt: null })
    .where(eq(pictureQueue._id, id))
  await dropFile(tx, id)
}

/**
 * Records why a picture failed. Gives it up if the failure is final or the attempts are used up.
 */
export async function markFailed(
  db: Database,
  id: string,
  { message, isFinal }: { message: string; isFinal: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      update ${pictureQueue} set last_error = ${message.slice(0, 500)}, taken_until = null,
        next_attempt_at = ${retries.nextAttemptAt(sql`attempts`)},
        given_up_at = ${retries.givenUpAt(sql`attempts`, isFinal)}
      where _id = ${id}`)
    if (isFinal) await dropFile(tx, id)
  })
}

const isGivenUp = isNotNull(pictureQueue.givenUpAt)

/**
 * Addresses can always be fetched again; files only if they are still stored. Damaged files are
 * not.
 */
const canRetry = sql<boolean>`${pictureQueue.address} <> '' or exists (
  select from ${pictureFiles} where ${pictureFiles.queueId} = ${pictureQueue._id})`

export async function readPictureQueue(db: Queryable): Promise<PictureQueue> {
  const count = (which: SQL | undefined) => db.$count(pictureQueue, which)
  const failures = await db
    .select({
      _id: pictureQueue._id,
      partId: pictureQueue.partId,
      partName: parts.name,
      name: pictureQueue.name,
      reason: sql<string>`coalesce(${pictureQueue.lastError}, '')`,
      at: pictureQueue.givenUpAt,
      canRetry,
    })
    .from(pictureQueue)
    .innerJoin(parts, eq(parts._id, pictureQueue.partId))
    .where(isGivenUp)
    .orderBy(sql`${pictureQueue.givenUpAt} desc`, pictureQueue._id)
    .limit(pictureQueueLimits.shown)
  return {
    waiting: await count(and(isNull(pictureQueue.addedAt), isNull(pictureQueue.givenUpAt))),
    added: await count(sql`${pictureQueue.addedAt} > now() - interval '1 day'`),
    failed: await count(isGivenUp),
    failures: failures.map((row) => ({ ...row, at: row.at?.toISOString() ?? '' })),
  }
}

/**
 * Restarts the attempts of given-up pictures that can be retried.
 * @returns the number of pictures
 */
export async function retryPictures(db: Database): Promise<number> {
  const { rowCount } = await db
    .update(pictureQueue)
    .set(firstAttempt)
    .where(and(isGivenUp, canRetry))
  return rowCount ?? 0
}

/** Removes given-up pictures from the queue. @returns the number of pictures */
export async function dismissPictures(db: Database): Promise<number> {
  const { rowCount } = await db.delete(pictureQueue).where(isGivenUp)
  return rowCount ?? 0
}
