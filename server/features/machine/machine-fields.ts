/** The fields by which customers describe a part that is not of the catalogue. */

import { sql } from 'drizzle-orm'
import { type FieldRef, fitFields, isFieldRef, keyOf, kindOf } from '#contracts/fit-fields.ts'
import { checkSpec, type SpecField, type SpecOption, type Specs } from '#contracts/kinds.ts'
import { type MachineKind, ruleKinds } from '#contracts/machine.ts'
import { capital } from '#contracts/plural.ts'
import type { Queryable } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { AppError } from '#server/errors.ts'

type Row = Pick<SpecField, 'min' | 'max' | 'isOpen' | 'options'> & { ref: string }

/** The distinct values of several fields that stand for one. */
const valuesOf = (rows: Row[]): SpecOption[] => {
  const all = rows.flatMap(({ options }) => options)
  return [...new Map(all.map((option) => [option.value, option])).values()]
}

/** A field of the rules, with the limits and values that the shop's own fields for it have. */
function fieldOf(ref: FieldRef, rows: Row[]): SpecField {
  const {
    type,
    says,
    unit = '',
  }: { type: SpecField['type']; says: string; unit?: string } = fitFields[ref]
  return {
    ...{ key: keyOf(ref), label: capital(says), type, unit },
    min: Math.min(...rows.map(({ min }) => min), 0),
    max: rows.length > 0 ? Math.max(...rows.map(({ max }) => max)) : 1_000_000,
    options: valuesOf(rows),
    // rules compare what is spelled alike: without a field of the shop's, any text is one
    isOpen:
      (type === 'one' || type === 'many') &&
      (rows.length === 0 || rows.some(({ isOpen }) => isOpen)),
  }
}

/** Lists the kinds that rules know, with what they read of each. */
export async function listMachineKinds(db: Queryable): Promise<MachineKind[]> {
  const { rows } = await db.execute<Row>(sql`
    select coalesce(f.fit_field, k.slug || '.' || f.key) as ref, f.min, f.max, f.options, f.is_open as "isOpen"
    from ${kinds} k join ${specFields} f on f.kind = k.slug where f.is_builtin or f.fit_field is not null
    order by k.position, f.position`)
  const byRef = Map.groupBy(rows, ({ ref }) => ref)
  const refs = Object.keys(fitFields).filter(isFieldRef)
  return ruleKinds.map((kind) => ({
    kind,
    fields: refs
      .filter((ref) => kindOf(ref) === kind)
      .map((ref) => fieldOf(ref, byRef.get(ref) ?? [])),
  }))
}

/**
 * The values of a part that rules compare, in the shop's spelling.
 * @param kind a kind that rules know
 * @throws AppError INVALID, with a message for each value that its field does not allow
 */
export async function checkFields(db: Queryable, kind: string, stated: Specs): Promise<Specs> {
  const fields = (await listMachineKinds(db)).find((each) => each.kind === kind)?.fields ?? []
  const specs: Specs = {}
  const problems: Record<string, string> = {}
  for (const [key, value] of Object.entries(stated)) {
    const field = fields.find((each) => each.key === key)
    const read = field
      ? checkSpec(field, value)
      : { problem: `Rules read no field “${key}” of a ${kind.replaceAll('-', ' ')}` }
    if ('problem' in read) problems[`specs.${key}`] = read.problem
    else specs[key] = read.value
  }
  const [first] = Object.values(problems)
  if (first !== undefined) throw new AppError('INVALID', first, problems)
  return specs
}
