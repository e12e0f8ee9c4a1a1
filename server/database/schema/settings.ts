import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable } from 'drizzle-orm/pg-core'
import type { ShopFacts } from '#contracts/shop.ts'
import { timestamptzNow } from './columns.ts'

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
