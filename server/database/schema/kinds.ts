import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { noPicture } from '#contracts/drawings.ts'
import { reservedKeys } from '#contracts/kind-edits.ts'
import type { SpecOption } from '#contracts/kinds.ts'

/** Kinds of parts. A part of an unknown kind creates it: a trigger adds the row, without fields. */
export const kinds = pgTable(
  'kinds',
  {
    /** The kind's name in URLs and in the index, such as `graphics-card`. */
    slug: text('slug').primaryKey(),
    name: text('name').notNull(),
    /** Other names that people search for, such as `gpu`. */
    otherNames: text('other_names').array().notNull().default(sql`'{}'`),
    /** The image of the kind's parts that have no picture of their own. */
    drawing: text('drawing').notNull().default(noPicture),
    position: bigserial('position', { mode: 'number' }).notNull(),
    /**
     * Increases with every edit of the kind or its fields, so that the second of two concurrent
     * edits is refused.
     */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('kinds_name').on(t.name),
    check('kinds_slug', sql`${t.slug} ~ '^[^[:space:]/?#%]{1,80}$'`),
  ],
)

/**
 * The specification fields of a kind. `parts.specs` has the values by `key`; a trigger validates
 * them against the fields.
 */
export const specFields = pgTable(
  'spec_fields',
  {
    kind: text('kind')
      .notNull()
      .references(() => kinds.slug, { onUpdate: 'cascade', onDelete: 'cascade' }),
    /** Includes the unit, so that numbers are unambiguous: `length_mm`. */
    key: text('key').notNull(),
    label: text('label').notNull(),
    type: text('type', { enum: ['one', 'many', 'number', 'yes'] }).notNull(),
    unit: text('unit').notNull().default(''),
    min: doublePrecision('min').notNull().default(0),
    max: doublePrecision('max').notNull().default(1_000_000),
    /** The values of a choice, with their alternative spellings. */
    options: jsonb('options').$type<SpecOption[]>().notNull().default([]),
    /** Whether a choice accepts further values. */
    isOpen: boolean('is_open').notNull().default(false),
    /** Whether customers can filter a list by it. */
    isFacet: boolean('is_facet').notNull().default(true),
    /**
     * Whether its values are search words for the part. False for what a part fits, because that
     * does not describe the part itself.
     */
    isSearched: boolean('is_searched').notNull().default(true),
    /** Whether a part's card shows it. */
    isCard: boolean('is_card').notNull().default(false),
    /** Whether its filter is also above the list. */
    promoted: boolean('promoted').notNull().default(false),
    /** Which value a comparison marks as better; null when neither is. */
    better: text('better', { enum: ['more', 'less'] }),
    /** The heading under which a part's page lists it; '' comes first, without a heading. */
    group: text('group').notNull().default(''),
    position: integer('position').notNull(),
    /** Fields of the first release, which the shop's own rules read. */
    isBuiltin: boolean('is_builtin').notNull().default(false),
    /**
     * The field of the rules of fit that this one of the owner's stands for (contracts/fit-fields.ts).
     * A built-in field stands for itself.
     */
    fitField: text('fit_field'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.key] }),
    unique('spec_fields_fit').on(t.kind, t.fitField),
    check(
      'spec_fields_fit_field',
      sql`${t.fitField} is null or (not ${t.isBuiltin} and ${t.fitField} ~ '^[a-z-]{1,40}[.][a-z0-9_]{1,40}$')`,
    ),
    check('spec_fields_key', sql`${t.key} ~ '^[a-z][a-z0-9_]{0,39}$'`),
    check('spec_fields_reserved', sql`${t.key} !~ ${sql.raw(`'${reservedKeys.source}'`)}`),
    check('spec_fields_type', sql`${t.type} in ('one', 'many', 'number', 'yes')`),
    check('spec_fields_unit', sql`${t.unit} = '' or ${t.type} = 'number'`),
    check(
      'spec_fields_better',
      sql`${t.better} is null or (${t.better} in ('more', 'less') and ${t.type} = 'number')`,
    ),
    check('spec_fields_range', sql`${t.min} <= ${t.max}`),
    check(
      'spec_fields_options',
      sql`case when ${t.type} in ('one', 'many') then jsonb_typeof(${t.options}) = 'array'
        and not jsonb_path_exists(${t.options}, '$[*] ? (!(@.value.type() == "string" && @.also.type() == "array"))')
        else ${t.options} = '[]' and not ${t.isOpen} end`,
    ),
  ],
)
