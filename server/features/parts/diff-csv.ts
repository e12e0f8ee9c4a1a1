import { randomUUID } from 'node:crypto'
import { stockLimit } from '#contracts/catalogue.ts'
import { whole } from '#contracts/counted.ts'
import { noPicture } from '#contracts/drawings.ts'
import { type Kind, readSpec, type SpecField, type Specs } from '#contracts/kinds.ts'
import { changeText, type Differences } from '#contracts/part-changes.ts'
import {
  editableFields,
  forEachField,
  NewPart,
  type PartDetails,
  uniqueFields,
} from '#contracts/parts.ts'
import {
  counted,
  type ImportPlan,
  type ImportProblem,
  noValue,
  type Outcome,
  specColumn,
} from '#contracts/parts-csv.ts'
import { differences } from './edit-part.ts'
import { checkSpecs } from './kinds.ts'
import type { CsvLine } from './parse-csv.ts'
import type { NamedPicture } from './picture-queue.ts'

/** A part as the shop has it, which a line is compared with. */
export type StoredPart = PartDetails & {
  _id: string
  onHand: number
  reserved: number
  version: number
  deletedAt: Date | null
}

export type AddedPart = { line: number; _id: string; part: NewPart }

export type ChangedPart = {
  line: number
  part: StoredPart
  details: PartDetails
  changed: Differences
  /** Units more or less. */
  change: number
}

/**
 * The name, SKU or EAN that a line gives a part which is not deleted. `isOld` when the part has it already; `id` is null for
 * a new part.
 */
export type UniqueValue = {
  line: number
  id: string | null
  field: (typeof uniqueFields)[number]
  value: string
  isOld: boolean
}

/** What a line would change. A line that changes nothing has neither `added` nor `updated`. */
export type Compared = {
  line: number
  name: string
  added?: AddedPart
  updated?: ChangedPart
  unique: UniqueValue[]
  /** With or without problems. */
  is: Exclude<Outcome, 'refused'> | 'unknown'
  changes: string
  problems: ImportProblem[]
  notes: ImportProblem[]
  /** Those that the line names for its part. */
  pictures: NamedPicture[]
}

/** What lines are compared with: the kinds that lines and parts name, by the text that names them, and a supplier's plan. */
export type Terms = {
  kinds: Map<string, Kind>
  plan: ImportPlan | undefined
  /** What the fields of all kinds are called, by their keys. */
  labels: Map<string, string>
}

/** Reads a cell of the specification. In a supplier's file a comma, too, parts several values. */
function readCell(field: SpecField, cell: string, plan: ImportPlan | undefined) {
  const read = readSpec(field, cell)
  if (!plan || !('problem' in read) || field.type !== 'many') return read
  const parted = readSpec(field, cell.replaceAll(/[,;/]/g, '|'))
  return 'problem' in parted ? read : parted
}

/**
 * The specification after the line: an empty cell leaves what the part has, of what the kind has. A column of a supplier's
 * file is for the kinds that have the field.
 * @param name how the line or the part names the kind
 */
function wantedSpecs({ line, specs }: CsvLine, name: string, terms: Terms, before: Specs = {}) {
  const kind = terms.kinds.get(name)
  const after = checkSpecs(kind, name, before).specs
  const found: ImportProblem[] = []
  const say = (key: string, message: string) =>
    found.push({ line, field: specColumn(key), message })
  for (const [key, cell] of Object.entries(specs)) {
    // 'Memory' is one column of a supplier, and another field of each kind
    const label = terms.plan && terms.labels.get(key)
    const field =
      kind?.fields.find((each) => each.key === key) ??
      kind?.fields.find((each) => each.label === label)
    if (!field && terms.plan) continue
    const read = field && cell !== noValue && readCell(field, cell, terms.plan)
    if (cell === noValue) delete after[key]
    else if (!read) say(key, checkSpecs(kind, name, { [key]: cell }).problems[key] ?? '')
    else if ('problem' in read) say(key, read.problem)
    else after[field?.key ?? key] = read.value
  }
  const isNote = terms.plan?.unreadable === 'leave out'
  const notes = found.map((each) => ({ ...each, message: `Left out: ${each.message}` }))
  return isNote
    ? { specs: after, problems: [], notes }
    : { specs: after, problems: found, notes: [] }
}

/** The alternative text of another first picture is not that of the picture before. */
function altAfter({ image, imageAlt }: CsvLine, part: StoredPart): string {
  if (imageAlt !== undefined || image === undefined || image === part.image)
    return imageAlt ?? part.imageAlt
  return part.morePictures.find((each) => each.image === image)?.alt ?? ''
}

/** The part after the line: an empty cell leaves what the part has. */
const wanted = (line: CsvLine, part: StoredPart, kind: string, specs: Specs) =>
  ({
    ...forEachField(editableFields, (name) =>
      name === 'specs' ? specs : (line[name] ?? part[name]),
    ),
    imageAlt: altAfter(line, part),
    kind,
  }) as PartDetails

/**
 * Units more or less: than on hand when they were counted, else than when the file was exported, whatever was sold since.
 * Null without `availableBefore`.
 */
function correctionOf(line: CsvLine, part: StoredPart): number | null {
  const { availableQuantity: now, availableBefore: before } = line
  if (line[counted] !== undefined) return line[counted] - part.onHand
  if (now === undefined) return 0
  if (before !== undefined) return now - before
  return now === part.onHand - part.reserved ? 0 : null
}

/** Why the stock can not change by so many units, or undefined. */
export function correctionProblem(part: StoredPart, change: number | null): string | undefined {
  const available = part.onHand - part.reserved
  if (change === null) {
    return `Say in availableBefore from how many you counted; ${available} are available now.`
  }
  if (available + change < 0 && change < 0) {
    return part.reserved > 0
      ? `Only ${available} are available now: ${-change} can not be taken away. ${part.reserved} are held for orders.`
      : `Only ${available} are available now: ${-change} can not be taken away.`
  }
  if (change === 0 || part.onHand + change <= stockLimit) return undefined
  return `There would be more than ${whole(stockLimit)}.`
}

const problemsOf = (line: number, found: [field: string, message: string | undefined][]) =>
  found.flatMap(([field, message]) => (message ? [{ line, field, message }] : []))

/** @param known of the part that the line changes */
const uniqueValues = (
  line: number,
  values: Partial<Pick<PartDetails, (typeof uniqueFields)[number]>>,
  known?: { _id: string; changed: Differences },
): UniqueValue[] =>
  uniqueFields.flatMap((field) => {
    const value = values[field]
    if (!value) return []
    const isOld = known !== undefined && !known.changed[field]
    return [{ line, id: known?._id ?? null, field, value, isOld }]
  })

/** A supplier's kind that is none here is a kind only when an admin said so. */
function kindProblem(typed: string, { kinds, plan }: Terms): string | undefined {
  if (!plan || kinds.has(typed) || Object.values(plan.kinds).includes(typed)) return undefined
  return `No kind here is called “${typed.slice(0, 60)}”. Say under “Kinds” which it is.`
}

/** What a new part has that the line does not say. A supplier's file says less than the shop's own. */
function newValues(csvLine: CsvLine, plan: ImportPlan | undefined) {
  const { line: _, specs: __, notes: ___, pictures: ____, [counted]: onHand, ...values } = csvLine
  const own = { image: noPicture, ...(onHand !== undefined && { availableQuantity: onHand }) }
  if (!plan) return { ...own, ...values }
  const supplied = {
    ...{ availableQuantity: 0, minimumOrderQuantity: 1, description: values.name },
    state: plan.newParts === 'draft' ? ('draft' as const) : ('on sale' as const),
  }
  return { ...supplied, ...own, ...values }
}

const namedFor = (partId: string, { pictures }: CsvLine): NamedPicture[] =>
  pictures.map((address, place) => ({ partId, address, place }))

function compareNew(csvLine: CsvLine, terms: Terms): Compared {
  const { line, notes } = csvLine
  const values = newValues(csvLine, terms.plan)
  const name = values.name ?? ''
  const base = { line, name, unique: [], changes: '', problems: [], notes: [], pictures: [] }
  if (terms.plan?.newParts === 'skip') return { ...base, is: 'unmatched' }
  const parsed = NewPart.safeParse(values)
  const unique = uniqueValues(line, values)
  if (!parsed.success) {
    const found = parsed.error.issues.map(
      ({ path, message }) => [String(path[0]), message] as [string, string],
    )
    return { ...base, is: 'new', unique, problems: problemsOf(line, found) }
  }
  const { kind: typed, price, availableQuantity } = parsed.data
  const stated = wantedSpecs(csvLine, typed, terms)
  const kind = terms.kinds.get(typed)?.name ?? typed
  const problems = [...problemsOf(line, [['kind', kindProblem(typed, terms)]]), ...stated.problems]
  const added = { line, _id: randomUUID(), part: { ...parsed.data, kind, specs: stated.specs } }
  const facts = Object.keys(stated.specs).length
  const changes = `${kind}, $${price}, ${availableQuantity} in stock, ${facts} of its specification`
  return {
    ...{ ...base, is: 'new', unique, changes, problems, notes: [...notes, ...stated.notes] },
    ...(problems.length === 0 && { added, pictures: namedFor(added._id, csvLine) }),
  }
}

/** Why a line may not change this part, or undefined. */
function staleness(csvLine: CsvLine, part: StoredPart): string | undefined {
  if (part.deletedAt) return 'This part is deleted. Restore it first.'
  if (csvLine.version === undefined || csvLine.version === part.version) return undefined
  return 'Another admin changed this part after the file was exported. Export it again, then repeat your change.'
}

/** What the line says of a part that is here, as far as the supplier's plan lets it. */
function saidOfKnown(csvLine: CsvLine, plan: ImportPlan | undefined): CsvLine {
  // a file for drafts does not take what is on sale off sale
  if (plan?.known !== 'price and stock') return csvLine
  const { line, _id, price, cost, notes } = csvLine
  const stock = { [counted]: csvLine[counted] }
  return { line, _id, price, cost, ...stock, notes, specs: {}, pictures: [] }
}

/** 'Price: $100 → $120, Stock: +5' */
export const changesText = (changed: Differences, change: number): string =>
  [
    ...Object.entries(changed).map(([name, each]) => changeText(name, each)),
    ...(change === 0 ? [] : [`Stock: ${change > 0 ? '+' : ''}${change}`]),
  ].join(', ')

function compareKnown(typedLine: CsvLine, part: StoredPart, terms: Terms): Compared {
  const csvLine = saidOfKnown(typedLine, terms.plan)
  const { line, kind: typed = part.kind } = csvLine
  const stated = wantedSpecs(csvLine, typed, terms, part.specs)
  const details = wanted(csvLine, part, terms.kinds.get(typed)?.name ?? typed, stated.specs)
  const changed = differences(part, details, terms.kinds.values())
  const change = correctionOf(csvLine, part)
  const unique = part.deletedAt ? [] : uniqueValues(line, details, { _id: part._id, changed })
  const notes = [...csvLine.notes, ...stated.notes]
  const base = { line, name: part.name, unique, notes, pictures: namedFor(part._id, csvLine) }
  if (Object.keys(changed).length === 0 && change === 0 && stated.problems.length === 0)
    return { ...base, is: 'same', changes: '', problems: [] }
  const problems = [
    ...problemsOf(line, [
      [part.deletedAt ? '_id' : 'version', staleness(csvLine, part)],
      [
        csvLine[counted] === undefined ? 'availableQuantity' : counted,
        correctionProblem(part, change),
      ],
      ['kind', kindProblem(typed, terms)],
    ]),
    ...stated.problems,
  ]
  const updated = { line, part, details, changed, change: change ?? 0 }
  const changes = changesText(changed, change ?? 0)
  return { ...base, is: 'changed', changes, problems, ...(problems.length === 0 && { updated }) }
}

/** What the line would change in the shop. @param part that the line means, if there is one */
export function diffLine(csvLine: CsvLine, part: StoredPart | undefined, terms: Terms): Compared {
  if (part) return compareKnown(csvLine, part, terms)
  if (csvLine._id === undefined) return compareNew(csvLine, terms)
  const { line, name = '' } = csvLine
  const problems = [{ line, field: '_id', message: 'There is no part of this id.' }]
  return { line, name, is: 'unknown', unique: [], changes: '', problems, notes: [], pictures: [] }
}
