import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { slideCount, slideLimits } from '#contracts/slides.ts'
import {
  type PageGroup,
  pageGroups,
  type TextPageName,
  textLimits,
  textPages,
} from '#contracts/texts.ts'
import { timestamptzNow } from './columns.ts'
import { pictures } from './parts.ts'

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

/** Pages of the owner's own. A trigger outdates every page at each change, for the footer. */
export const ownPages = pgTable(
  'own_pages',
  {
    address: text('address').primaryKey(),
    /** Rises with every save. */
    version: integer('version').notNull().default(1),
    title: text('title').notNull(),
    group: text('group', { enum: pageGroups }).$type<PageGroup>().notNull(),
    lead: text('lead').notNull(),
    text: text('text').notNull(),
    savedAt: timestamptzNow('saved_at'),
  },
  (t) => [
    check('own_pages_version', sql`${t.version} > 0`),
    check('own_pages_address', sql`${t.address} ~ '^[a-z0-9]+(-[a-z0-9]+)*$'`),
    check(
      'own_pages_length',
      sql.raw(`length(lead) <= ${textLimits.lead} and length(text) <= ${textLimits.text}`),
    ),
  ],
)

/**
 * The owner's own slides of the home page, a row for each place that had one. Without a title it is
 * the shop's own again. A trigger outdates every page at each save.
 */
export const homeSlides = pgTable(
  'home_slides',
  {
    place: integer('place').primaryKey(),
    /** Rises with every save. */
    version: integer('version').notNull().default(1),
    title: text('title').notNull(),
    text: text('text').notNull(),
    linkText: text('link_text').notNull(),
    link: text('link').notNull(),
    /** Null: the picture of a part. */
    image: text('image').references(() => pictures.url),
    savedAt: timestamptzNow('saved_at'),
  },
  (t) => [
    check('home_slides_place', sql`${t.place} between 1 and ${sql.raw(String(slideCount))}`),
    check('home_slides_version', sql`${t.version} > 0`),
    check(
      'home_slides_length',
      sql.raw(
        `length(title) <= ${slideLimits.title} and length(text) <= ${slideLimits.text}
         and length(link_text) <= ${slideLimits.linkText} and length(link) <= ${slideLimits.link}`,
      ),
    ),
  ],
)
