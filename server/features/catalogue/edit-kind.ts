import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { counted } from '#contracts/counted.ts'
import { type FieldRef, fieldWords, isFieldRef } from '#contracts/fit-fields.ts'
import { rulesReading } from '#contracts/fit-rules.ts'
import type { FieldEdit, KindEdit } from '#contracts/kind-edits.ts'
import { kindLimits, type SpecOption, type Specs, valueSeparator } from '#contracts/kinds.ts'
import { detailsOf, type PartDetails } from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { inBulk } from '#server/database/bulk-changes.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { kinds, specFields } from '#server/database/schema/kinds.ts'
import { parts } from '#server/database/schema/parts.ts'
import { AppError, found } from '#server/errors.ts'
import type { ChangedPart } from '#server/features/imports/diff-csv.ts'
import { lockParts, updateParts } from '#server/features/imports/import-store.ts'
import { assertNamesFree } from './add-kind.ts'
import { specDifferences } from './kinds.ts'

type Stored = typeof specFields.$inferSelect
/**
 * A field before and after the edit. `before` is missing for a new field, `after` for a removed
 * one. `at` is its index in the edit.
 */
type FieldChange = { before?: Stored; after?: Omit<Stored, 'kind' | 'isBuiltin'>; at: number }

/** How an edit of a field changes the values that parts state. */
type ValueChange = {
  label: string
  /** New names of values, by their old ones. */
  renamed: Map<string, string>
  /** Whether the field still takes a value; a removed field takes none. */
  keeps: (value: string) => boolean
}

/** The changes of an edit. `values` are keyed by field. */
type Changes = { fields: FieldChange[]; values: Map<string, ValueChange> }

const outdated =
  'Another admin changed this category in the meantime, so your changes weren’t saved. Check it, then make your change again.'

/**
 * Locks a kind's parts and then the kind, in the same order as every write of a part. Returns the
 * kind with its fields and the number of its parts, deleted ones included.
 */
async function lockKind(tx: Transaction, slug: string) {
  const { rowCount } = await tx.execute(sql`
    select from ${parts} where kind = (select name from ${kinds} where slug = ${slug}) order by _id for no key update`)
  const [kind] = await tx.select().from(kinds).where(eq(kinds.slug, slug)).for('update')
  const fields = await tx
    .select()
    .from(specFields)
    .where(eq(specFields.kind, slug))
    .orderBy(asc(specFields.position), asc(specFields.key))
  return { ...found(kind, 'kind'), fields, parts: rowCount ?? 0 }
}
type LockedKind = Awaited<ReturnType<typeof lockKind>>

const toRow = ({ options, ...field }: FieldEdit, position: number) => ({
  ...field,
  options: options.map(({ value, also }): SpecOption => ({ value, also })),
  position,
})

function fieldChangesOf(kind: LockedKind, edit: KindEdit): FieldChange[] {
  const had = new Map(kind.fields.map((field) => [field.key, field]))
  const presentFields = edit.fields.map((field, at): FieldChange => {
    const before = had.get(field.key)
    return { ...(before && { before }), after: toRow(field, at), at }
  })
  const remaining = new Set(edit.fields.map(({ key }) => key))
  const removed = kind.fields.filter(({ key }) => !remaining.has(key))
  return [...presentFields, ...removed.map((before): FieldChange => ({ before, at: -1 }))]
}

const refuse = (path: string, why: string): never => {
  throw new AppError('INVALID', why, { [path]: why })
}

/**
 * Refuses changes of fixed properties: the type of any field, and everything but name, values and
 * order of built-in fields.
 */
function checkFixed({ before, after, at }: FieldChange): void {
  if (!before) return
  if (!after) {
    if (before.isBuiltin)
      refuse('fields', `${before.label} is a built-in field: you can rename it, but not remove it`)
    return
  }
  if (before.type !== after.type)
    refuse(
      `fields.${at}.type`,
      'You can’t change a field’s type. Remove the field and add a new one.',
    )
  if (before.isBuiltin && before.unit !== after.unit)
    refuse(`fields.${at}.unit`, 'You can’t change the unit of a built-in field')
  if (before.isBuiltin && after.fitField)
    refuse(`fields.${at}.fitField`, `${before.label} is a built-in field, so its meaning is fixed`)
}

/** Refuses to let a field stand for one beside fields of the shop's own that rules read. */
function checkBesideBuiltin(kind: LockedKind, { after, at }: FieldChange): void {
  if (!after?.fitField) return
  const own = kind.fields.find((f) => f.isBuiltin && isFieldRef(`${kind.slug}.${f.key}`))
  if (own)
    refuse(
      `fields.${at}.fitField`,
      `${own.label} and other fields of ${kind.name} are built in and used in fit checks, so ${after.label} can’t take another’s meaning`,
    )
}

async function checkRange(tx: Transaction, kind: LockedKind, { before, after, at }: FieldChange) {
  if (before?.type !== 'number' || !after) return
  if (after.min <= before.min && after.max >= before.max) return
  const number = sql`(specs ->> ${after.key})::float8`
  const { rows } = await tx.execute<{ count: number; from: number; to: number }>(sql`
    select count(*)::int as count, min(${number}) as "from", max(${number}) as "to" from ${parts}
    where kind = ${kind.name} and ${number} not between ${after.min} and ${after.max}`)
  const [{ count, from, to } = { count: 0, from: 0, to: 0 }] = rows
  if (count === 0) return
  const which = to > after.max ? 'max' : 'min'
  const many = counted(count, 'product uses', 'products use')
  refuse(`fields.${at}.${which}`, `${many} ${from === to ? from : `${from} to ${to}`}`)
}

/**
 * Describes how the values of a choice or of a removed field change; undefined when parts keep all
 * their values.
 */
function valueChangeOf(
  { before, after }: FieldChange,
  edit: FieldEdit | undefined,
): ValueChange | undefined {
  if (!before) return undefined
  const { label } = before
  if (!after || !edit) return { label, renamed: new Map(), keeps: () => false }
  if (after.type !== 'one' && after.type !== 'many') return undefined
  const values = new Set(after.options.map(({ value }) => value))
  const renamed = new Map(
    edit.options.flatMap(({ value, was }) =>
      was.filter((each) => each !== value).map((each) => [each, value] as const),
    ),
  )
  const isNarrower =
    !after.isOpen &&
    (before.isOpen || before.options.some(({ value }) => !values.has(value) && !renamed.has(value)))
  if (renamed.size === 0 && !isNarrower) return undefined
  return { label, renamed, keeps: (value) => after.isOpen || values.has(value) }
}

/**
 * Computes a part's specification after the edit, and what it loses.
 * @param changes by field key
 */
function statedAfter(specs: Specs, changes: Map<string, ValueChange>) {
  const lost: string[] = []
  const entries = Object.entries(specs).flatMap(([key, stated]) => {
    const change = changes.get(key)
    if (!change) return [[key, stated] as const]
    if (typeof stated === 'number' || typeof stated === 'boolean') {
      lost.push(change.label)
      return []
    }
    const had = [stated].flat()
    const has = [...new Set(had.map((value) => change.renamed.get(value) ?? value))]
    const keptValues = has.filter(change.keeps)
    lost.push(...has.filter((value) => !change.keeps(value)).map((v) => `${change.label} “${v}”`))
    const [first] = keptValues
    if (first === undefined) return []
    return [[key, typeof stated === 'string' ? first : keptValues] as const]
  })
  return { specs: Object.fromEntries(entries), lost }
}

/** The most losses that the refusal lists. */
const maxNamed = 5

/** What a field is for the rules of fit. */
function refOf({ slug }: LockedKind, field: Stored): FieldRef | undefined {
  const ref = field.fitField ?? (field.isBuiltin ? `${slug}.${field.key}` : '')
  return isFieldRef(ref) ? ref : undefined
}

/**
 * Says which rules of fit compare a renamed value with that of another field, which keeps its name;
 * '' when none do.
 */
function renamedForRules(kind: LockedKind, { fields, values }: Changes): string {
  const said = fields.flatMap(({ before }) => {
    const renamed = [...(values.get(before?.key ?? '')?.renamed.keys() ?? [])]
    const ref = before && refOf(kind, before)
    if (kind.parts === 0 || !ref || renamed.length === 0) return []
    const rules = rulesReading([ref])
    return `Fit rules compare “${renamed.join('”, “')}” with other fields, which you need to rename too: ${rules.join(' · ')}.`
  })
  return said.join(' ')
}

/** Says which rules of fit read a field of these parts no more; '' when all still do. */
function switchedOff({ parts: count }: LockedKind, fields: FieldChange[]): string {
  if (count === 0) return ''
  const refs = fields.flatMap(({ before }) => before?.fitField ?? [])
  const remaining = new Set(fields.map(({ after }) => after?.fitField))
  const lost = refs.filter((ref) => !remaining.has(ref)).filter(isFieldRef)
  const rules = rulesReading(lost)
  if (rules.length === 0) return ''
  const many = `${counted(rules.length, 'fit rule')} for ${counted(count, 'product')} in this category`
  return `No field would count as “${lost.map(fieldWords).join('”, “')}”. This turns off ${many}: ${rules.join(' · ')}.`
}

/**
 * Refuses an edit that would remove values from parts, or mislead rules of fit. The screen then asks
 * the admin, and repeats the request with `losing`.
 */
function refuseLosses(lost: string[][], rules: string): void {
  const values = lostValues(lost)
  if (values || rules) throw new AppError('IN_USE', [values, rules].filter(Boolean).join(' '))
}

/** Says what parts would lose; '' when nothing. */
function lostValues(lost: string[][]): string {
  const losing = lost.filter((each) => each.length > 0)
  if (losing.length === 0) return ''
  const counts = Map.groupBy(losing.flat(), (what) => what)
  const named = [...counts]
    .toSorted(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
    .map(([what, { length }]) => `${what} (${length})`)
    .slice(0, maxNamed)
    .join(', ')
  const more = counts.size > maxNamed ? ` and ${counts.size - maxNamed} more` : ''
  const many = counted(losing.length, 'product uses', 'products use')
  return `${many} what you’re removing: ${named}${more}. This counts deleted products too. They would lose it.`
}

/**
 * Renames and removes values in the specifications of parts.
 * @throws AppError IN_USE when parts would lose values, or rules what they read, and `losing` is not set
 */
async function changeParts(
  tx: Transaction,
  caller: Caller,
  kind: LockedKind,
  { fields, values, losing }: Changes & { losing: boolean },
): Promise<void> {
  const changes = { fields, values }
  const rules = losing
    ? ''
    : [switchedOff(kind, fields), renamedForRules(kind, changes)].filter(Boolean).join(' ')
  if (values.size === 0) return refuseLosses([], rules)
  const { rows } = await tx.execute<{ _id: string }>(sql`
    select _id from ${parts} where kind = ${kind.name} and specs ?| ${sql.param([...values.keys()])}::text[]`)
  const locked = await lockParts(
    tx,
    rows.map(({ _id }) => _id),
  )
  const all = [...locked.values()].map((part) => ({ part, ...statedAfter(part.specs, values) }))
  if (!losing)
    refuseLosses(
      all.map(({ lost }) => lost),
      rules,
    )
  const changedParts = all.flatMap(({ part, specs }): ChangedPart[] => {
    if (isDeepStrictEqual(part.specs, specs)) return []
    const details = { ...(detailsOf(part) as PartDetails), specs }
    const changed = specDifferences(part.specs, specs, [kind])
    return [{ line: 1, part, details, changed, change: 0 }]
  })
  await updateParts(tx, caller, changedParts, { reason: 'kind changed' })
}

const fieldIs = (kind: string, keys: string[]) =>
  and(eq(specFields.kind, kind), inArray(specFields.key, keys))

/** Adds the new values to choices. The old ones stay until all parts are updated. */
async function widenChoices(tx: Transaction, slug: string, { fields, values }: Changes) {
  for (const { before, after } of fields) {
    if (!before || !after || !values.get(before.key)?.renamed.size) continue
    const had = new Set(before.options.map(({ value }) => value))
    const options = [...before.options, ...after.options.filter(({ value }) => !had.has(value))]
    await tx
      .update(specFields)
      .set({ options })
      .where(fieldIs(slug, [before.key]))
  }
}

async function writeFields(tx: Transaction, slug: string, fields: FieldChange[]): Promise<void> {
  const removed = fields.flatMap(({ before, after }) => (before && !after ? [before.key] : []))
  if (removed.length > 0) await tx.delete(specFields).where(fieldIs(slug, removed))
  const freed = fields.flatMap(({ before, after }) =>
    before?.fitField && before.fitField !== after?.fitField ? [before.key] : [],
  )
  // two fields may swap what they stand for, which only one may do at a time
  if (freed.length > 0)
    await tx.update(specFields).set({ fitField: null }).where(fieldIs(slug, freed))
  for (const { before, after } of fields) {
    if (!after) continue
    if (!before) await tx.insert(specFields).values({ ...after, kind: slug })
    else if (!isDeepStrictEqual({ ...before, ...after }, before))
      await tx
        .update(specFields)
        .set(after)
        .where(fieldIs(slug, [after.key]))
  }
}

/** The audit log's names of a field's properties. Values and order have separate lines. */
const properties = {
  label: 'label',
  unit: 'unit',
  min: 'minimum',
  max: 'maximum',
  isOpen: 'takes further values',
  isFacet: 'filter',
  isSearched: 'searched',
  isCard: 'on the card',
  promoted: 'above the list',
  better: 'better',
  group: 'heading',
  fitField: 'in fit checks',
} as const

const asText = (value: unknown) =>
  value === true ? 'yes' : value === false ? 'no' : String(value ?? '') || 'nothing'

const propertyText = (name: string, value: unknown) =>
  name === 'fitField' && typeof value === 'string' && isFieldRef(value)
    ? fieldWords(value)
    : asText(value)

function fieldLines({ before, after }: FieldChange, change: ValueChange | undefined): string[] {
  if (!before || !after) {
    return before ? [`${before.label} removed`] : after ? [`${after.label} added`] : []
  }
  const { label } = before
  const renamed = [...(change?.renamed ?? [])].map(([from, to]) => `${label}: ${from} → ${to}`)
  const [had, has] = [before, after].map(
    ({ options }) => new Map(options.map(({ value, also }) => [value, also.join(valueSeparator)])),
  ) as [Map<string, string>, Map<string, string>]
  const reached = new Set(change?.renamed.values())
  const values = [
    ...[...has].flatMap(([value, also]) => {
      if (!had.has(value)) return reached.has(value) ? [] : [`${label}: ${value} added`]
      return had.get(value) === also ? [] : [`${label}: ${value} also ${also || 'nothing'}`]
    }),
    ...[...had.keys()]
      .filter((value) => !has.has(value) && !change?.renamed.has(value))
      .map((value) => `${label}: ${value} removed`),
  ]
  const others = Object.entries(properties).flatMap(([name, words]) => {
    const [from, to] = [before, after].map((field) => field[name as keyof typeof properties])
    return from === to
      ? []
      : [`${label}, ${words}: ${propertyText(name, from)} → ${propertyText(name, to)}`]
  })
  return [...renamed, ...values, ...others]
}

/** Describes an edit for the audit log, one line per change. */
function auditLines(kind: LockedKind, edit: KindEdit, { fields, values }: Changes): string[] {
  const order = fields.flatMap(({ before, after }) => (before && after ? [before.position] : []))
  const names = [kind.otherNames, edit.otherNames].map((each) => each.join(valueSeparator))
  return [
    ...(kind.name === edit.name ? [] : [`Name: ${kind.name} → ${edit.name}`]),
    ...(names[0] === names[1] ? [] : [`Also called: ${names.map(asText).join(' → ')}`]),
    ...(kind.drawing === edit.drawing ? [] : ['Drawing changed']),
    ...fields.flatMap((field) => fieldLines(field, values.get(field.before?.key ?? ''))),
    ...(order.some((place, i) => place < (order[i - 1] ?? -1)) ? ['Order changed'] : []),
  ]
}

/**
 * Adds the former name of a renamed kind to its other names, because files and searches still use
 * it.
 */
function namesAfter(kind: LockedKind, edit: KindEdit): string[] {
  const isNew = kind.name.toLowerCase() !== edit.name.toLowerCase()
  return [...new Set([...edit.otherNames, ...(isNew ? [kind.name] : [])])]
    .filter((name) => name !== edit.name)
    .slice(0, kindLimits.otherNames)
}

/**
 * Edits a kind and its fields, and updates its parts, unless the kind changed since the admin read
 * it.
 * @throws AppError NOT_FOUND, OUTDATED, NAME_TAKEN, INVALID for fixed properties, or IN_USE when
 *   parts would lose values or rules of fit what they read, and `losing` is not set
 */
export function editKind(
  db: Database,
  caller: Caller,
  slug: string,
  input: KindEdit,
): Promise<void> {
  return inBulk(db, async (tx) => {
    const kind = await lockKind(tx, slug)
    if (kind.version !== input.version) throw new AppError('OUTDATED', outdated)
    const edit = { ...input, otherNames: namesAfter(kind, input) }
    await assertNamesFree(tx, edit, slug)
    const fields = fieldChangesOf(kind, edit)
    for (const field of fields) {
      checkFixed(field)
      checkBesideBuiltin(kind, field)
      await checkRange(tx, kind, field)
    }
    const values = new Map(
      fields.flatMap((field) => {
        const change = valueChangeOf(field, edit.fields[field.at])
        return field.before && change ? [[field.before.key, change] as const] : []
      }),
    )
    const changes = auditLines(kind, edit, { fields, values })
    if (changes.length === 0) return
    await widenChoices(tx, slug, { fields, values })
    await changeParts(tx, caller, kind, { fields, values, losing: edit.losing })
    await writeFields(tx, slug, fields)
    const { name, otherNames, drawing } = edit
    await tx
      .update(kinds)
      .set({ name, otherNames, drawing, version: kind.version + 1 })
      .where(eq(kinds.slug, slug))
    const detail = { kind: kind.name, changes }
    await logActions(tx, [{ actor: caller, userId: caller._id, action: 'kind changed', detail }])
  })
}
