import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { type LogoFile, logoFileNames } from '#contracts/logo.ts'
import type { ShopFacts } from '#contracts/shop.ts'
import { bytea, timestamptzNow } from './columns.ts'

/**
 * What the owner says of the shop, a single row; none until the first save. A trigger outdates
 * every page at each save.
 */
export const shopSettings = pgTable(
  'shop_settings',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** Rises with every save. */
    version: integer('version').notNull().default(1),
    settings: jsonb('settings').$type<{ shop: Partial<ShopFacts> }>().notNull(),
    savedAt: timestamptzNow('saved_at'),
  },
  (t) => [
    check('shop_settings_only_row', sql`${t.onlyRow}`),
    check('shop_settings_version', sql`${t.version} > 0`),
  ],
)

/** Uploaded logos, a row for each file. The settings name the one that is shown. */
export const shopLogos = pgTable(
  'shop_logos',
  {
    logo: text('logo').notNull(),
    file: text('file', { enum: logoFileNames }).$type<LogoFile>().notNull(),
    bytes: bytea('bytes').notNull(),
    uploadedAt: timestamptzNow('uploaded_at'),
  },
  (t) => [primaryKey({ columns: [t.logo, t.file] })],
)
