import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  type PgColumn,
  pgSequence,
  pgTable,
  pgView,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Specs } from '#contracts/kinds.ts'
import { partFields } from '#contracts/parts.ts'
import { type PartPicture, pictureLimits } from '#contracts/pictures.ts'
import { id, money, timestamptz, timestamptzNow } from './columns.ts'
import { kinds } from './kinds.ts'
import { users } from './users.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export const partPositions = pgSequence('part_positions')

/**
 * The digits of a GTIN, padded to fourteen, alternately count three times and once from the left.
 */
const gtinSum = (column: PgColumn) =>
  sql.join(
    Array.from(
      { length: 14 },
      (_, i) =>
        sql`substr(lpad(${column}, 14, '0'), ${sql.raw(String(i + 1))}, 1)::int${sql.raw(i % 2 ? '' : ' * 3')}`,
    ),
    sql` + `,
  )

export const parts = pgTable(
  'parts',
  {
    _id: id(),
    /** The number in URLs and for people: /part/1042-…. The API uses `_id`. */
    number: integer('number').notNull().unique().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    /** The name of the part's kind. */
    kind: text('kind').notNull(),
    brand: text('brand').notNull().default(''),
    /** The shop's own number. */
    sku: text('sku').notNull().default(''),
    /** The manufacturer's part number. Two parts can share it, such as a new and a used one. */
    mpn: text('mpn').notNull().default(''),
    /** Also known as EAN or UPC: 8, 13 or 14 digits. */
    gtin: text('gtin').notNull().default(''),
    /** The values of its kind's fields. Unknown values are omitted. */
    specs: jsonb('specs').$type<Specs>().notNull().default({}),
    /** The first picture. */
    image: text('image').notNull(),
    /** The alternative text of the first picture; '' without a picture. */
    imageAlt: text('image_alt').notNull().default(''),
    /** The other pictures in order. A trigger removes duplicates. */
    morePictures: jsonb('more_pictures').$type<PartPicture[]>().notNull().default([]),
    description: text('description').notNull(),
    minimumOrderQuantity: integer('minimum_order_quantity').notNull(),
    price: money('price_cents').notNull(),
    /** The purchase price of one unit; 0 when unknown. */
    cost: money('cost_cents').notNull().default(0),
    /** Grams of one unit as it is packed; 0 when unknown. */
    weightG: integer('weight_g').notNull().default(0),
    onHand: integer('on_hand').notNull().default(0),
    /** Units on hand that are held, offered, or paid but not shipped. */
    reserved: integer('reserved').notNull().default(0),
    /** The reserved units that are paid. */
    toShip: integer('to_ship').notNull().default(0),
    /**
     * The owner's sort order. There is always a number halfway between two others, so a move
     * changes one row.
     */
    position: numeric('position', { mode: 'number' })
      .notNull()
      .default(sql`nextval('part_positions')`),
    /** A draft appears only in the owner's lists, and cannot be booked. */
    state: text('state', { enum: partFields.state.choices }).notNull().default('on sale'),
    createdAt: timestamptzNow('created_at'),
    deletedAt: timestamptz('deleted_at'),
    /** Units paid in the last 90 days, less restocked ones; a job updates it. */
    sold90: integer('sold_90').notNull().default(0),
    /** Increases with every edit, so that the second of two concurrent edits is refused. */
    version: integer('version').notNull().default(1),
    /**
     * The number of visible reviews of the part, and the sum of their stars. Triggers of `reviews`
     * set both.
     */
    ratingCount: integer('rating_count').notNull().default(0),
    ratingSum: integer('rating_sum').notNull().default(0),
    /** When the content of its page, except stock, last changed. A trigger sets it. */
    changedAt: timestamptzNow('changed_at'),
  },
  (t) => [
    uniqueIndex('parts_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    uniqueIndex('parts_sku')
      .on(sql`lower(${t.sku})`)
      .where(sql`${t.sku} <> '' and ${t.deletedAt} is null`),
    uniqueIndex('parts_gtin').on(t.gtin).where(sql`${t.gtin} <> '' and ${t.deletedAt} is null`),
    index('parts_mpn').on(sql`lower(${t.mpn})`).where(sql`${t.mpn} <> ''`),
    index('parts_position').on(t.position).where(sql`${t.deletedAt} is null`),
    index('parts_by_price').on(t.price, t._id).where(sql`${t.deletedAt} is null`),
    index('parts_by_created').on(t.createdAt, t._id).where(sql`${t.deletedAt} is null`),
    index('parts_image').on(t.image),
    index('parts_kind').on(t.kind),
    foreignKey({
      name: 'parts_kind_fkey',
      columns: [t.kind],
      foreignColumns: [kinds.name],
    }).onUpdate('cascade'),
    check('parts_on_hand', sql`${t.onHand} >= 0`),
    check('parts_reserved', sql`${t.reserved} >= 0 and ${t.reserved} <= ${t.onHand}`),
    check('parts_to_ship', sql`${t.toShip} >= 0 and ${t.toShip} <= ${t.reserved}`),
    check(
      'parts_rating',
      sql`${t.ratingCount} >= 0 and ${t.ratingSum} between ${t.ratingCount} and 5 * ${t.ratingCount}`,
    ),
    check('parts_image_alt', sql`length(${t.imageAlt}) <= ${sql.raw(String(pictureLimits.alt))}`),
    check(
      'parts_more_pictures',
      sql`case jsonb_typeof(${t.morePictures}) when 'array' then
        jsonb_array_length(${t.morePictures}) < ${sql.raw(String(pictureLimits.ofPart))}
        and jsonb_array_length(${t.morePictures}) = jsonb_array_length(jsonb_path_query_array(${t.morePictures},
          '$[*] ? (@.image.type() == "string" && @.alt.type() == "string")'))
        else false end`,
    ),
    check('parts_price', sql`${t.price} between 1 and 99999900`),
    check('parts_cost', sql`${t.cost} between 0 and 99999900`),
    check('parts_weight_g', sql`${t.weightG} between 0 and 100000`),
    check('parts_state', sql`${t.state} in ('on sale', 'draft')`),
    check(
      'parts_gtin_digits',
      sql`${t.gtin} = '' or case when ${t.gtin} ~ '^([0-9]{8}|[0-9]{13,14})$'
        then (${gtinSum(t.gtin)}) % 10 = 0 else false end`,
    ),
    check('parts_minimum', sql`${t.minimumOrderQuantity} between 1 and 100000`),
  ],
)

/** Every picture of a part, even of deleted parts; the first has place 0. */
export const partPictures = pgView('part_pictures', {
  partId: uuid('part_id').notNull(),
  place: integer('place').notNull(),
  image: text('image').notNull(),
  alt: text('alt').notNull(),
}).as(sql`
  select _id as part_id, 0 as place, image, image_alt as alt from parts
  union all select _id, place::int, picture ->> 'image', picture ->> 'alt'
  from parts, jsonb_array_elements(more_pictures) with ordinality more(picture, place)`)

/** The parts that customers can see and book. */
export const isOnSale = sql`${parts.deletedAt} is null and ${parts.state} = 'on sale'`

/** Parts not yet in `part_index` after a bulk change (`index_parts`). */
export const partsToIndex = pgTable('parts_to_index', {
  partId: uuid('part_id')
    .primaryKey()
    .references(() => parts._id, { onDelete: 'cascade' }),
})

/**
 * What searches and lists read of each part, including deleted ones. Triggers of `parts` write it,
 * so that no code can omit it. It is a separate table because PostgreSQL would recompute generated
 * columns in `parts` with every booking.
 */
export const partIndex = pgTable(
  'part_index',
  {
    partId: uuid('part_id')
      .primaryKey()
      .references(() => parts._id, { onDelete: 'cascade' }),
    isOnSale: boolean('is_on_sale').notNull(),
    /** The kind's slug. */
    kind: text('kind').notNull(),
    price: money('price_cents').notNull(),
    /** A copy of the part's `sold_90`: a search considers the best-selling matches. */
    sold90: integer('sold_90').notNull(),
    /** `socket=AM5` for each value of each facet, and `brand=…`. */
    facets: text('facets').array().notNull(),
    /**
     * The words that customers search for. A: name, brand, SKU, manufacturer's number and EAN; B:
     * kind; C: values with units; D: what the part fits, and the description.
     */
    words: tsvector('words').notNull(),
    /** The text that searches in the owner's list match, in the format of `searched()`. */
    search: text('search').notNull(),
  },
  (t) => [
    // without a pending list, which every search would scan after an import
    index('part_index_words')
      .using('gin', t.words)
      .where(sql`${t.isOnSale}`)
      .with({ fastupdate: false }),
    // covers all parts: with one for parts on sale, PostgreSQL would scan all of them instead of
    // using the words
    index('part_index_kind').on(t.kind, t.price, t.partId),
    index('part_index_search').using('gin', t.search.op('gin_trgm_ops')),
  ],
)

/** Files at a picture host that cannot list them, and files that a person has to delete there. */
export const hostedPictures = pgTable(
  'hosted_pictures',
  {
    url: text('url').primaryKey(),
    /** The last segment of its URL in the shop. */
    name: text('name').notNull(),
    deleteUrl: text('delete_url').notNull(),
    createdAt: timestamptzNow('created_at'),
    /** Since when the shop no longer shows it. */
    removedAt: timestamptz('removed_at'),
  },
  (t) => [index('hosted_pictures_name').on(t.name)],
)

/** Uploaded pictures. The demo's drawings are not in this table: their parts refer to them. */
export const pictures = pgTable(
  'pictures',
  {
    url: text('url').primaryKey(),
    /** Width of the widest file in pixels. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** A tiny version of the picture as a data: URL. */
    placeholder: text('placeholder').notNull(),
    /** The SHA-256 of the uploaded file, which identifies a repeated upload. */
    content: text('content').notNull(),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => users._id),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('pictures_uploaded').on(t.uploadedBy, t.createdAt),
    index('pictures_created').on(t.createdAt),
    index('pictures_content').on(t.content),
  ],
)
