import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { type TextPageName, textLimits, textPages } from '#contracts/texts.ts'
import { timestamptzNow } from './columns.ts'

/**
 * The owner's own texts in Markdown, a row for each page that had one. An empty text is the shop's
 * own again. A trigger outdates every page at each save.
 */
export const shopTexts = pgTable(
  'shop_texts',
  {
    page: text('page', { enum: textPages }).$type<TextPageName>().primaryKey(),
    /** Rises with every save. */
    version: integer('version').notNull().default(1),
    lead: text('lead').notNull(),
    text: text('text').notNull(),
    savedAt: timestamptzNow('saved_at'),
  },
  (t) => [
    check('shop_texts_version', sql`${t.version} > 0`),
    check(
      'shop_texts_length',
      sql.raw(`length(lead) <= ${textLimits.lead} and length(text) <= ${textLimits.text}`),
    ),
  ],
)
