import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { batches } from './batches.ts'
import { bytea, id, timestamptz, timestamptzNow } from './columns.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/** Pictures to be added to parts: uploaded files, and URLs from an imported file of parts. */
export const pictureQueue = pgTable(
  'picture_queue',
  {
    _id: id(),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id, { onDelete: 'cascade' }),
    /** The import that added it; undoing the import removes it. */
    batchId: uuid('batch_id').references(() => batches._id, { onDelete: 'set null' }),
    /** The file's name, or the URL. */
    name: text('name').notNull(),
    /** The SHA-256 of a file, whose bytes are in `picture_files`; '' for a URL. */
    content: text('content').notNull().default(''),
    /** The URL to fetch; '' for a file. */
    address: text('address').notNull().default(''),
    /**
     * Its place among the part's pictures: all first pictures are processed before all second ones.
     */
    place: integer('place').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users._id),
    /** The API key of the program that sent it; null without one. */
    apiKey: text('api_key'),
    createdAt: timestamptzNow('created_at'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timestamptzNow('next_attempt_at'),
    /**
     * Until when a process works on it. If the process dies, another takes over after that time.
     */
    takenUntil: timestamptz('taken_until'),
    lastError: text('last_error'),
    addedAt: timestamptz('added_at'),
    /** When the shop stopped trying; an admin can restart it. */
    givenUpAt: timestamptz('given_up_at'),
  },
  (t) => [
    // a part gets each file or URL once, however often it is sent
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

/** The contents of waiting files. Backups omit them. */
export const pictureFiles = pgTable('picture_files', {
  queueId: uuid('queue_id')
    .primaryKey()
    .references(() => pictureQueue._id, { onDelete: 'cascade' }),
  bytes: bytea('bytes').notNull(),
})
