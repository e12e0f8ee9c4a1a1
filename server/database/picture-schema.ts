import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './schema.ts'

/** Uploaded pictures. Those of the demo's drawings are not here: they belong to their parts for ever. */
export const pictures = pgTable(
  'pictures',
  {
    url: text('url').primaryKey(),
    /** Pixels of the widest file. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** A tiny picture as a data: address. */
    placeholder: text('placeholder').notNull(),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => users._id),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (t) => [
    index('pictures_uploaded').on(t.uploadedBy, t.createdAt),
    index('pictures_created').on(t.createdAt),
  ],
)
