import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { batches } from './batches.ts'
import { bytea, id, timestamptz, timestamptzNow } from './columns.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/** Pictures on their way to parts: files that were sent, and addresses that a file of parts named. */
export const pictureQueue = pgTable(
  'picture_queue',
  {
    _id: id(),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id, { onDelete: 'cascade' }),
    /** The import that named it, which takes it back when it is undone. */
    batchId: uuid('batch_id').references(() => batches._id, { onDelete: 'set null' }),
    /** Of the file, or the address. */
    name: text('name').notNull(),
    /** The SHA-256 of a file, whose bytes are in `picture_files`; '' for an address. */
    content: text('content').notNull().default(''),
    /** Where it is fetched from; '' for a file. */
    address: text('address').notNull().default(''),
    /** Among the pictures of its part: all first ones come before all second ones. */
    place: integer('place').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users._id),
    /** The API key by which a program sent it. */
    apiKey: text('api_key'),
    createdAt: timestamptzNow('created_at'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timestamptzNow('next_attempt_at'),
    /** Until when a process works on it. One that dies leaves it to the next after that. */
    takenUntil: timestamptz('taken_until'),
    lastError: text('last_error'),
    addedAt: timestamptz('added_at'),
    /** When the shop stopped trying; an admin may start it again. */
    givenUpAt: timestamptz('given_up_at'),
  },
  (t) => [
    // a file or an address comes to a part once, however often it is sent
    uniqueIndex('picture_queue_file')
      .on(t.partId, t.content)
      .where(sql`${t.content} <> '' and ${t.addedAt} is null`),
    uniqueIndex('picture_queue_address').on(t.partId, t.address).where(sql`${t.address} <> ''`),
    index('picture_queue_due')
      .on(sql`(${t.address} <> '')`, t.place, t.createdAt)
      .where(sql`${t.addedAt} is null and ${t.givenUpAt} is null`),
    index('picture_queue_taken').on(t.takenUntil).where(sql`${t.takenUntil} is not null`),
    index('picture_queue_added').on(t.addedAt).where(sql`${t.addedAt} is not null`),
    index('picture_queue_given_up').on(t.givenUpAt).where(sql`${t.givenUpAt} is not null`),
    index('picture_queue_batch').on(t.batchId).where(sql`${t.batchId} is not null`),
    check('picture_queue_source', sql`(${t.content} = '') <> (${t.address} = '')`),
    check('picture_queue_end', sql`num_nonnulls(${t.addedAt}, ${t.givenUpAt}) <= 1`),
  ],
)

/** The files that wait. A backup leaves them out. */
export const pictureFiles = pgTable('picture_files', {
  queueId: uuid('queue_id')
    .primaryKey()
    .references(() => pictureQueue._id, { onDelete: 'cascade' }),
  bytes: bytea('bytes').notNull(),
})
