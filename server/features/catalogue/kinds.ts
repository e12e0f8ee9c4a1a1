import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { KindPage, KindRow } from '#contracts/kind-edits.ts'
import { checkSpec, type Kind, type Specs, specWords } from '#contracts/kinds.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { parts } from '#server/database/schema/parts.ts'
import { AppError } from '#server/errors.ts'

const kindOf = sql`k.name, k.slug, coalesce((
  select json_agg(json_build_object('key', f.key, 'label', f.label, 'type', f.type, 'unit', f.unit, 'min', f.min,
    'max', f.max, 'options', f.options, 'isOpen', f.is_open) order by f.position, f.key)
  from ${specFields} f where f.kind = k.slug), '[]') as fields`

/** Lists all kinds, in the shop's order. */
export async function listKinds(db: Queryable): Promise<KindRow[]> {
  const { rows } = await db.execute<KindRow>(sql`
    select ${kindOf}, k.other_names as "otherNames", k.drawing, coalesce(p.parts, 0) as parts,
      coalesce(p.stated, 0) as stated
    from ${kinds} k left join (
      select kind, count(*)::int as parts, sum((select count(*) from jsonb_object_keys(specs)))::int as stated
      from ${parts} where deleted_at is null group by kind) p on p.kind = k.name
    order by k.position`)
  return rows
}

/** The most values of a field that a kind's page lists. */
const maxValues = 200

/** Finds a kind for its editor, with the number of parts for each field and value. */
export async function findKindPage(db: Queryable, slug: string): Promise<KindPage | undefined> {
  const { rows } = await db.execute<KindPage>(sql`
    with k as (select * from ${kinds} where slug = ${slug}),
    facts as materialized (
      select s.key, s.value from ${parts} p join k on k.name = p.kind, jsonb_each(p.specs) s where p.deleted_at is null),
    stated as (select key, count(*)::int as parts from facts group by key),
    valued as (
      select key, value, count(*)::int as parts, row_number() over (partition by key order by count(*) desc, value) as place
      from (select t.key, v.value from facts t, jsonb_array_elements_text(case jsonb_typeof(t.value)
        when 'array' then t.value when 'string' then jsonb_build_array(t.value) else '[]' end) v) each
      group by key, value)
    select name, slug, other_names as "otherNames", drawing, version,
      (select count(*)::int from ${parts} p where p.kind = k.name and p.deleted_at is null) as parts,
      coalesce((
        select json_agg(json_build_object('key', f.key, 'label', f.label, 'type', f.type, 'unit', f.unit, 'min', f.min,
          'max', f.max, 'options', f.options, 'isOpen', f.is_open, 'isFacet', f.is_facet, 'isSearched', f.is_searched,
          'isCard', f.is_card, 'promoted', f.promoted, 'better', f.better, 'group', f."group", 'fitField', f.fit_field, 'isBuiltin', f.is_builtin,
          'stated', coalesce(s.parts, 0), 'values', coalesce((
            select json_agg(json_build_object('value', v.value, 'parts', v.parts) order by v.place) from valued v
            where v.key = f.key and f.type in ('one', 'many') and v.place <= ${maxValues}), '[]'))
          order by f.position, f.key)
        from ${specFields} f left join stated s on s.key = f.key where f.kind = k.slug), '[]') as fields
    from k`)
  return rows[0]
}

/**
 * Finds the kinds that texts name, by text. Matches names, other names and their plurals; of a path
 * like 'Hardware > Fans', only the end counts. A text without a match gets a new kind when its
 * first part is added.
 */
export async function findKinds(db: Queryable, named: string[]): Promise<Map<string, Kind>> {
  // computing a slug costs much more than comparing, so this computes each slug only once
  const { rows } = await db.execute<Kind & { typed: string }>(sql`
    with texts as materialized (
      select given, typed, slug_of(given) as given_slug, slug_of(typed) as typed_slug
      from unnest(${sql.param(named)}::text[]) given
      cross join lateral (select trim(regexp_replace(given, '^.*[>|/»]', '')) as typed) ending),
    spelled as materialized (
      select slug as kind, name, position, slug_of(name) as name_slug, array[slug, slug_of(name)] as own,
        array(select slug_of(other) from unnest(other_names) other) as others from ${kinds})
    select t.given as typed, ${kindOf} from texts t
    cross join lateral (
      select array[typed_slug, regexp_replace(typed_slug, 's$', ''), regexp_replace(typed_slug, 'ies$', 'y')] as slugs) meant
    cross join lateral (
      select s.kind from spelled s where s.name in (t.given, t.typed) or s.own && slugs or s.others && slugs
      order by s.name <> t.given, s.name_slug <> t.given_slug, s.kind <> t.given_slug, not s.own && slugs, s.position
      limit 1) chosen
    join ${kinds} k on k.slug = chosen.kind`)
  return new Map(rows.map(({ typed, ...kind }) => [typed, kind]))
}

/**
 * Lists the keys of all fields of kinds that have parts: the specification columns of a CSV file.
 */
export async function keysInUse(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select f.key from ${specFields} f join ${kinds} k on k.slug = f.kind
    where exists (select from ${parts} p where p.kind = k.name)
    group by f.key order by min(k.position), min(f.position), f.key`)
  return rows.map(({ key }) => key)
}

/** Validates a specification. Returns it with canonical values, and its problems by key. */
export function checkSpecs(kind: Kind | undefined, name: string, specs: Specs) {
  const checked: Specs = {}
  const problems: Record<string, string> = {}
  for (const [key, stated] of Object.entries(specs)) {
    const field = kind?.fields.find((each) => each.key === key)
    if (!field) {
      const available = kind?.fields.map((each) => each.key).join(', ') || 'no field yet'
      problems[key] = `The category “${name}” has no field “${key}”. It has: ${available}`
      continue
    }
    const read = checkSpec(field, stated)
    if ('problem' in read) problems[key] = read.problem
    else checked[key] = read.value
  }
  return { specs: checked, problems }
}

/**
 * Returns the part with canonical spellings of its kind and specification.
 * @throws AppError INVALID, with a message for each value that the kind does not allow
 */
export async function inKind<P extends { kind: string; specs: Specs }>(
  db: Queryable,
  part: P,
): Promise<P> {
  const kind = (await findKinds(db, [part.kind])).get(part.kind)
  const { specs, problems } = checkSpecs(kind, part.kind, part.specs)
  const [first] = Object.values(problems)
  if (first !== undefined) {
    const fields = Object.entries(problems).map(([key, why]) => [`specs.${key}`, why])
    throw new AppError('INVALID', first, Object.fromEntries(fields))
  }
  return { ...part, kind: kind?.name ?? part.kind, specs }
}

/** Finds the values that differ, by the current label of their field; a missing value is null. */
export function specDifferences(
  before: Specs,
  after: Specs,
  knownKinds: readonly (Kind | undefined)[],
) {
  const fields = new Map(
    knownKinds.flatMap((kind) => (kind?.fields ?? []).map((each) => [each.key, each])),
  )
  const words = (specs: Specs, key: string) => {
    const stated = specs[key]
    return stated === undefined ? null : specWords(stated, fields.get(key)?.unit)
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...keys]
      .filter((key) => !isDeepStrictEqual(before[key], after[key]))
      .map((key) => [
        `spec:${fields.get(key)?.label ?? key}`,
        { from: words(before, key), to: words(after, key) },
      ]),
  )
}
