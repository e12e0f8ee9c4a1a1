import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Address } from '#contracts/addresses.ts'
import { methodTypes } from '#contracts/shipping-rules.ts'
import { id, money, timestamptz, timestamptzNow } from './columns.ts'
import { users } from './users.ts'

/**
 * The ways in which the shop delivers. A checkout keeps a copy of what it chose, so that a method
 * can change and end.
 */
export const shippingMethods = pgTable(
  'shipping_methods',
  {
    _id: id(),
    /** Rises with every save. */
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    type: text('type', { enum: methodTypes }).notNull(),
    price: money('price_cents').notNull(),
    /** The goods' total from which it costs nothing; null: never. */
    freeFrom: money('free_from_cents'),
    /** Countries and regions that it delivers to (ISO 3166); none for a pick-up. */
    regions: text('regions').array().notNull(),
    /** Working days after the parcel was handed over. */
    daysFrom: integer('days_from').notNull(),
    daysTo: integer('days_to').notNull(),
    savedAt: timestamptzNow('saved_at'),
    /** When the owner deleted it; checkouts that chose it still cost what it does. */
    endedAt: timestamptz('ended_at'),
  },
  (t) => [
    uniqueIndex('shipping_methods_name').on(sql`lower(${t.name})`).where(sql`${t.endedAt} is null`),
    check('shipping_methods_version', sql`${t.version} > 0`),
    check('shipping_methods_type', sql`${t.type} in ('ship', 'pick up')`),
    check('shipping_methods_price', sql`${t.price} between 0 and 99999900`),
    check('shipping_methods_free_from', sql`${t.freeFrom} between 1 and 99999900`),
    check('shipping_methods_regions', sql`(${t.type} = 'ship') = (cardinality(${t.regions}) > 0)`),
    check(
      'shipping_methods_days',
      sql`${t.daysFrom} >= 0 and ${t.daysTo} between ${t.daysFrom} and 365`,
    ),
  ],
)

/**
 * What a method costs by the weight of a parcel: the cheapest step that holds it. Its own price is
 * for heavier parcels.
 */
export const shippingSteps = pgTable(
  'shipping_steps',
  {
    methodId: uuid('method_id')
      .notNull()
      .references(() => shippingMethods._id),
    /** The heaviest parcel of the step, in grams. */
    upToG: integer('up_to_g').notNull(),
    price: money('cents').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.methodId, t.upToG] }),
    check('shipping_steps_up_to_g', sql`${t.upToG} between 1 and 1000000`),
    check('shipping_steps_price', sql`${t.price} between 0 and 99999900`),
  ],
)

/** The addresses that a customer keeps for the next order; one of them is the default. */
export const addresses = pgTable(
  'addresses',
  {
    _id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id, { onDelete: 'cascade' }),
    address: jsonb('address').$type<Address>().notNull(),
    isDefault: boolean('is_default').notNull(),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    uniqueIndex('addresses_one_default').on(t.userId).where(sql`${t.isDefault}`),
    uniqueIndex('addresses_of_user').on(t.userId, t.address),
  ],
)
