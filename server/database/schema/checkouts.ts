import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Address } from '#contracts/addresses.ts'
import { methodTypes } from '#contracts/shipping-rules.ts'
import { taxModes } from '#contracts/tax.ts'
import { id, money, timestamptzNow } from './columns.ts'
import { shippingMethods } from './shipping.ts'
import { users } from './users.ts'

/**
 * What one payment pays: the orders that a customer booked together, usually just one, and what it
 * costs to ship them. Triggers of `orders` create it with its first order, and delete it with its
 * last. Once it is paid, triggers freeze what made its price.
 */
export const checkouts = pgTable(
  'checkouts',
  {
    _id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id),
    createdAt: timestamptzNow('created_at'),
    /** The chosen method; null before a choice. */
    methodId: uuid('method_id').references(() => shippingMethods._id),
    /** What the method was when it was chosen; null: none was chosen. */
    methodName: text('method_name'),
    methodType: text('method_type', { enum: methodTypes }),
    daysFrom: integer('days_from'),
    daysTo: integer('days_to'),
    shipTo: jsonb('ship_to').$type<Address>(),
    /** The address of the invoice; null: that of the parcel. */
    billTo: jsonb('bill_to').$type<Address>(),
    /** The customer's, for the invoice. */
    taxNumber: text('tax_number').notNull().default(''),
    shipping: money('shipping_cents').notNull().default(0),
    /** Null until the price was computed with the shop's rates. */
    taxMode: text('tax_mode', { enum: taxModes }),
    taxName: text('tax_name').notNull().default(''),
    /** In thousandths of a per cent: 8.875 % is 8875. */
    taxRate: integer('tax_rate').notNull().default(0),
    /** Only what is added to the price of shipping; orders have their own. */
    shippingTax: money('shipping_tax_cents').notNull().default(0),
  },
  (t) => [
    // lets an order refer to a checkout of its own customer
    unique('checkouts_customer').on(t._id, t.userId),
    check('checkouts_method_type', sql`${t.methodType} in ('ship', 'pick up')`),
    check(
      'checkouts_method',
      sql`num_nulls(${t.methodId}, ${t.methodName}, ${t.methodType}) in (0, 3)
        and (${t.methodId} is not null or ${t.shipping} = 0)
        and (${t.methodType} is distinct from 'ship' or ${t.shipTo} is not null)`,
    ),
    check('checkouts_shipping', sql`${t.shipping} between 0 and 99999900`),
    check('checkouts_tax_mode', sql`${t.taxMode} in ('none', 'included', 'added')`),
    check(
      'checkouts_tax',
      sql`${t.taxRate} between 0 and 100000 and ${t.shippingTax} >= 0
        and (${t.shippingTax} = 0 or ${t.taxMode} = 'added')`,
    ),
  ],
)
