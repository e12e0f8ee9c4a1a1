import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { checkSpec, type Kind, type Specs, specWords } from '#contracts/kinds.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { parts } from '#server/database/schema/parts.ts'
import { AppError } from '#server/errors.ts'

const kindOf = sql`k.name, k.slug, coalesce((
  select json_agg(json_build_object('key', f.key, 'label', f.label, 'type', f.type, 'unit', f.unit, 'min', f.min,
    'max', f.max, 'options', f.options, 'isOpen', f.is_open) order by f.position, f.key)
  from ${specFields} f where f.kind = k.slug), '[]') as fields`

/** Every kind, in the order of the shop. */
export async function listKinds(db: Queryable): Promise<Kind[]> {
  const { rows } = await db.execute<Kind>(sql`select ${kindOf} from ${kinds} k order by k.position`)
  return rows
}

/** The text as a slug, and what it may be the plural of. */
const slugsOf = sql.raw(
  `array[slug_of(typed), regexp_replace(slug_of(typed), 's$', ''), regexp_replace(slug_of(typed), 'ies$', 'y')]`,
)

/**
 * The kinds that these texts name, by the text: by the name, another name, or the plural of one; of 'Hardware > Fans' the end.
 * A text without one names a kind that its first part will make.
 */
export async function findKinds(db: Queryable, named: string[]): Promise<Map<string, Kind>> {
  const { rows } = await db.execute<Kind & { typed: string }>(sql`
    select given as typed, ${kindOf} from unnest(${sql.param(named)}::text[]) given
    cross join lateral (select trim(regexp_replace(given, '^.*[>|/»]', '')) as typed) ending
    cross join lateral (
      select * from ${kinds} where name in (given, typed) or slug = any(${slugsOf})
        or exists (select from unnest(other_names) other where slug_of(other) = any(${slugsOf}))
      order by name <> given, slug <> slug_of(given), slug <> all(${slugsOf}), position limit 1) k`)
  return new Map(rows.map(({ typed, ...kind }) => [typed, kind]))
}

/** The keys of all fields that parts on sale could state: the columns of a CSV file. */
export async function keysInUse(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select f.key from ${specFields} f join ${kinds} k on k.slug = f.kind
    where exists (select from ${parts} p where p.kind = k.name)
    group by f.key order by min(k.position), min(f.position), f.key`)
  return rows.map(({ key }) => key)
}

/** A specification in its one spelling, and what is wrong with it by key. */
export function checkSpecs(kind: Kind | undefined, name: string, specs: Specs) {
  const checked: Specs = {}
  const problems: Record<string, string> = {}
  for (const [key, stated] of Object.entries(specs)) {
    const field = kind?.fields.find((each) => each.key === key)
    if (!field) {
      const there = kind?.fields.map((each) => each.key).join(', ') || 'no field yet'
      problems[key] = `The kind “${name}” has no field “${key}”. It has: ${there}`
      continue
    }
    const read = checkSpec(field, stated)
    if ('problem' in read) problems[key] = read.problem
    else checked[key] = read.value
  }
  return { specs: checked, problems }
}

/**
 * The part with its kind and its specification in their one spelling.
 * @throws AppError INVALID, with a sentence for each value that the kind does not have
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

/** The stated values that differ, by the label that the field has now; null where nothing is stated. */
export function specDifferences(before: Specs, after: Specs, known: Iterable<Kind>) {
  const fields = new Map([...known].flatMap((kind) => kind.fields.map((each) => [each.key, each])))
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
