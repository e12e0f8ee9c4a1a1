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

/** Kinds of parts. A part of a kind that is not here makes it: a trigger adds the row, without fields. */
export const kinds = pgTable(
  'kinds',
  {
    /** How addresses and the index name the kind, such as `graphics-card`. */
    slug: text('slug').primaryKey(),
    name: text('name').notNull(),
    /** What people also call it, such as `gpu`. */
    otherNames: text('other_names').array().notNull().default(sql`'{}'`),
    /** What its parts show that have no picture of their own. */
    drawing: text('drawing').notNull().default(noPicture),
    position: bigserial('position', { mode: 'number' }).notNull(),
    /** Rises with every edit of the kind or its fields, so that the second of two simultaneous edits is refused. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('kinds_name').on(t.name),
    check('kinds_slug', sql`${t.slug} ~ '^[^[:space:]/?#%]{1,80}$'`),
  ],
)

/** What parts of a kind state. `parts.specs` holds the values by `key`; a trigger compares the two. */
export const specFields = pgTable(
  'spec_fields',
  {
    kind: text('kind')
      .notNull()
      .references(() => kinds.slug, { onUpdate: 'cascade', onDelete: 'cascade' }),
    /** Carries the unit, so that a number is never ambiguous: `length_mm`. */
    key: text('key').notNull(),
    label: text('label').notNull(),
    type: text('type', { enum: ['one', 'many', 'number', 'yes'] }).notNull(),
    unit: text('unit').notNull().default(''),
    min: doublePrecision('min').notNull().default(0),
    max: doublePrecision('max').notNull().default(1_000_000),
    /** The values of a choice, with their other spellings. */
    options: jsonb('options').$type<SpecOption[]>().notNull().default([]),
    /** Whether a choice takes further values. */
    isOpen: boolean('is_open').notNull().default(false),
    /** Whether customers narrow a list by it. */
    isFacet: boolean('is_facet').notNull().default(true),
    /** Whether its values are words that find the part. What a part fits does not say what it is. */
    isSearched: boolean('is_searched').notNull().default(true),
    /** Whether a part's card shows it. */
    isCard: boolean('is_card').notNull().default(false),
    /** Whether its filter also stands above the list. */
    promoted: boolean('promoted').notNull().default(false),
    /** What a comparison calls better; null when neither is. */
    better: text('better', { enum: ['more', 'less'] }),
    /** The heading under which a part's page lists it; '' stands first, under none. */
    group: text('group').notNull().default(''),
    position: integer('position').notNull(),
    /** Fields of the first release: the shop's own rules read them. */
    isBuiltin: boolean('is_builtin').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.key] }),
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
