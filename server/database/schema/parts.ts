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

/** The digits of a GTIN count three times and once in turn, from the left of fourteen. */
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
    /** What addresses and people call it: /part/1042-…. The API uses `_id`. */
    number: integer('number').notNull().unique().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    /** The name of its kind. */
    kind: text('kind').notNull(),
    brand: text('brand').notNull().default(''),
    /** The shop's own number. */
    sku: text('sku').notNull().default(''),
    /** The manufacturer's. Two parts may have it, such as a new and a used one. */
    mpn: text('mpn').notNull().default(''),
    /** Also known as EAN or UPC: 8, 13 or 14 digits. */
    gtin: text('gtin').notNull().default(''),
    /** What it states of its kind's fields. Unknown facts are left out. */
    specs: jsonb('specs').$type<Specs>().notNull().default({}),
    /** The first of its pictures. */
    image: text('image').notNull(),
    /** What the first one shows, for those who do not see it; '' when there is none. */
    imageAlt: text('image_alt').notNull().default(''),
    /** The others in their order. A trigger keeps each picture once. */
    morePictures: jsonb('more_pictures').$type<PartPicture[]>().notNull().default([]),
    description: text('description').notNull(),
    minimumOrderQuantity: integer('minimum_order_quantity').notNull(),
    price: money('price_cents').notNull(),
    /** What the shop pays for one; 0 when unknown. */
    cost: money('cost_cents').notNull().default(0),
    onHand: integer('on_hand').notNull().default(0),
    /** Units on hand that are held, offered, or paid and not shipped yet. */
    reserved: integer('reserved').notNull().default(0),
    /** Those of them that are paid. */
    toShip: integer('to_ship').notNull().default(0),
    /** The owner's order. Halfway between two numbers there is always another, so a move changes one row. */
    position: numeric('position', { mode: 'number' })
      .notNull()
      .default(sql`nextval('part_positions')`),
    /** A draft is in no list but the owner's, and cannot be booked. */
    state: text('state', { enum: partFields.state.choices }).notNull().default('on sale'),
    createdAt: timestamptzNow('created_at'),
    deletedAt: timestamptz('deleted_at'),
    /** Units paid in the last 90 days less restocked ones; a job counts them. */
    sold90: integer('sold_90').notNull().default(0),
    /** Rises with every edit, so that the second of two simultaneous edits is refused. */
    version: integer('version').notNull().default(1),
    /** Shown reviews of it, and the sum of their stars. Triggers of `reviews` write both. */
    ratingCount: integer('rating_count').notNull().default(0),
    ratingSum: integer('rating_sum').notNull().default(0),
    /** When what its page says last changed, stock aside. A trigger writes it. */
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
    check('parts_state', sql`${t.state} in ('on sale', 'draft')`),
    check(
      'parts_gtin_digits',
      sql`${t.gtin} = '' or case when ${t.gtin} ~ '^([0-9]{8}|[0-9]{13,14})$'
        then (${gtinSum(t.gtin)}) % 10 = 0 else false end`,
    ),
    check('parts_minimum', sql`${t.minimumOrderQuantity} between 1 and 100000`),
  ],
)

/** Every picture that a part shows, deleted ones too: the first has place 0. */
export const partPictures = pgView('part_pictures', {
  partId: uuid('part_id').notNull(),
  place: integer('place').notNull(),
  image: text('image').notNull(),
  alt: text('alt').notNull(),
}).as(sql`
  select _id as part_id, 0 as place, image, image_alt as alt from parts
  union all select _id, place::int, picture ->> 'image', picture ->> 'alt'
  from parts, jsonb_array_elements(more_pictures) with ordinality more(picture, place)`)

/** What customers see and book. */
export const isOnSale = sql`${parts.deletedAt} is null and ${parts.state} = 'on sale'`

/** Parts whose words are still to be written to `part_index`: many changed at once (`index_parts`). */
export const partsToIndex = pgTable('parts_to_index', {
  partId: uuid('part_id')
    .primaryKey()
    .references(() => parts._id, { onDelete: 'cascade' }),
})

/**
 * What searches and lists read of each part, deleted ones too. Triggers of `parts` write it, so no code can forget it; it
 * lies beside `parts` because PostgreSQL would recompute it there with every booking.
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
    /** As of the part: a search looks at the best sold of those that answer. */
    sold90: integer('sold_90').notNull(),
    /** `socket=AM5` for each value of each facet, and `brand=…`. */
    facets: text('facets').array().notNull(),
    /** What customers find it by. A: name, brand, SKU, manufacturer's number and EAN; B: the kind; C: values with their units; D: what it fits, and the description. */
    words: tsvector('words').notNull(),
    /** What the owner's list looks through, as `searched()` makes it of other tables. */
    search: text('search').notNull(),
  },
  (t) => [
    // no list of pending entries: after an import every search would read it
    index('part_index_words')
      .using('gin', t.words)
      .where(sql`${t.isOnSale}`)
      .with({ fastupdate: false }),
    // of all parts: one of those on sale would also be taken to read every one of them instead of the words
    index('part_index_kind').on(t.kind, t.price, t.partId),
    index('part_index_search').using('gin', t.search.op('gin_trgm_ops')),
  ],
)

/** The files at a host of pictures that cannot list them, and those that a person has to delete there. */
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
    /** The SHA-256 of the file that was uploaded, by which the same file is known again. */
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
