import { sql } from 'drizzle-orm'
import {
  bigserial,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, searched, timestamptz, timestamptzNow } from './columns.ts'
import { users } from './users.ts'

export const parts = pgTable(
  'parts',
  {
    _id: id(),
    name: text('name').notNull(),
    kind: text('kind').notNull(),
    image: text('image').notNull(),
    description: text('description').notNull(),
    minimumOrderQuantity: integer('minimum_order_quantity').notNull(),
    price: integer('price').notNull(),
    onHand: integer('on_hand').notNull().default(0),
    reserved: integer('reserved').notNull().default(0),
    position: bigserial('position', { mode: 'number' }).notNull(),
    createdAt: timestamptzNow('created_at'),
    deletedAt: timestamptz('deleted_at'),
    /** Units paid in the last 90 days less restocked ones; a job counts them. */
    sold90: integer('sold_90').notNull().default(0),
    /** Rises with every edit, so that the second of two simultaneous edits is refused. */
    version: integer('version').notNull().default(1),
    search: searched('name', 'kind', 'description', '_id::text'),
  },
  (t) => [
    uniqueIndex('parts_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    index('parts_position').on(t.position).where(sql`${t.deletedAt} is null`),
    index('parts_by_price').on(t.price, t._id).where(sql`${t.deletedAt} is null`),
    index('parts_by_created').on(t.createdAt, t._id).where(sql`${t.deletedAt} is null`),
    index('parts_image').on(t.image),
    check('parts_on_hand', sql`${t.onHand} >= 0`),
    check('parts_reserved', sql`${t.reserved} >= 0 and ${t.reserved} <= ${t.onHand}`),
    check('parts_price', sql`${t.price} between 1 and 999999`),
    check('parts_minimum', sql`${t.minimumOrderQuantity} between 1 and 100000`),
  ],
)

/** The files at a host of pictures that can not list them, and those that somebody has to delete there. */
export const hostedPictures = pgTable(
  'hosted_pictures',
  {
    url: text('url').primaryKey(),
    /** The last segment of its address in the shop. */
    name: text('name').notNull(),
    deleteUrl: text('delete_url').notNull(),
    createdAt: timestamptzNow('created_at'),
    /** Since when the shop does not show it any more. */
    removedAt: timestamptz('removed_at'),
  },
  (t) => [index('hosted_pictures_name').on(t.name)],
)

/** Uploaded pictures. The demo's drawings are not here: they stay with their parts. */
export const pictures = pgTable(
  'pictures',
  {
    url: text('url').primaryKey(),
    /** Pixels of the widest file. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** A tiny picture as a data: URL. */
    placeholder: text('placeholder').notNull(),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => users._id),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('pictures_uploaded').on(t.uploadedBy, t.createdAt),
    index('pictures_created').on(t.createdAt),
  ],
)
