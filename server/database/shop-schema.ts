import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** The shop itself, one row: by it a process knows that its secret and its pictures belong to this database. */
export const shop = pgTable(
  'shop',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** Stands in `images/shop-id` too. */
    shopId: uuid('shop_id').notNull().defaultRandom(),
    /** Derived from the secret of the shop, and telling nothing about it. */
    secretFingerprint: text('secret_fingerprint').notNull(),
  },
  (t) => [check('shop_only_row', sql`${t.onlyRow}`)],
)
