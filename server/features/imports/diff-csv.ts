import { randomUUID } from 'node:crypto'
import { stockLimit } from '#contracts/catalogue.ts'
import { whole } from '#contracts/counted.ts'
import { noPicture } from '#contracts/drawings.ts'
import { type Kind, readSpec, type SpecField, type Specs } from '#contracts/kinds.ts'
import { type Currency, money } from '#contracts/money.ts'
import { changeText, type Differences } from '#contracts/part-changes.ts'
import {
  editableFields,
  forEachField,
  NewPart,
  type PartDetails,
  uniqueFields,
} from '#contracts/parts.ts'
import {
  countedColumn,
  type ImportPlan,
  type ImportProblem,
  noValue,
  type Outcome,
  specColumn,
  stockColumns,
} from '#contracts/parts-csv.ts'
import { differences } from '#server/features/catalogue/edit-part.ts'
import { checkSpecs } from '#server/features/catalogue/kinds.ts'
import type { NamedPicture } from '#server/features/pictures/picture-queue.ts'
import { unitOfColumn } from './import-plan.ts'
import type { CsvLine } from './parse-csv.ts'

/** A stored part, with which a line is compared. */
export type StoredPart = PartDetails & {
  _id: string
  onHand: number
  reserved: number
  version: number
  deletedAt: Date | null
  /** Units that are paid and not shipped yet. */
  toShip: number
}

export type AddedPart = { line: number; _id: string; part: NewPart }

export type ChangedPart = {
  line: number
  part: StoredPart
  details: PartDetails
  changed: Differences
  /** The correction of the stock, in units. */
  change: number
}

/**
 * The name, SKU or EAN that a line gives to a part which is not deleted. `isOld` is true when the
 * part has it already; `id` is null for a new part.
 */
export type UniqueValue = {
  line: number
  id: string | null
  field: (typeof uniqueFields)[number]
  value: string
  isOld: boolean
}

/** The outcome of a line. A line without changes has neither `added` nor `updated`. */
export type Compared = {
  line: number
  name: string
  added?: AddedPart
  updated?: ChangedPart
  unique: UniqueValue[]
  /** The outcome regardless of problems. The report shows lines with problems as `refused`. */
  outcome: Exclude<Outcome, 'refused'> | 'unknown'
  changes: string
  problems: ImportProblem[]
  notes: ImportProblem[]
  /** Units that are paid and not shipped yet, if the line has a counted stock. */
  toShip?: number
  /** Pictures to fetch for the part. */
  pictures: NamedPicture[]
}

/**
 * What all lines of a file share. `kinds` are keyed by the texts that name them in lines and parts;
 * `plan` is that of a supplier.
 */
export type ImportContext = {
  kinds: Map<string, Kind>
  plan: ImportPlan | undefined
  currency: Currency
  /** The labels of the fields of all kinds, by key. */
  labels: Map<string, string>
  /** The kinds that an admin chose in the plan. */
  chosenKinds: Set<string>
  /** The most problems, or notes, that a line's specification needs: one once the report is full. */
  most: number
}

/**
 * Reads a specification cell. In a supplier's file, commas also separate values, and the header may
 * contain the unit.
 */
function readCell(
  field: SpecField,
  { column, cell }: { column: string; cell: string },
  plan: ImportPlan | undefined,
) {
  const unit = plan && field.type === 'number' && /\d$/.test(cell) && unitOfColumn(plan, column)
  const read = readSpec(field, unit ? `${cell} ${unit}` : cell)
  if (!plan || !('problem' in read) || field.type !== 'many') return read
  const separated = readSpec(field, cell.replaceAll(/[,;/]/g, '|'))
  return 'problem' in separated ? read : separated
}

/**
 * Computes the specification after the line. An empty cell keeps the part's value, if its kind has
 * the field. Columns of a supplier's file are ignored for kinds without the field.
 * @param name the text that names the kind in the line or part
 */
function specsAfter(
  { line, specs }: CsvLine,
  name: string,
  context: ImportContext,
  before: Specs = {},
) {
  const kind = context.kinds.get(name)
  const after = checkSpecs(kind, name, before).specs
  const isNote = context.plan?.unreadable === 'leave out'
  const problems: ImportProblem[] = []
  const addProblem = (key: string, message: string) =>
    problems.push({ line, field: specColumn(key), message })
  for (const [key, cell] of Object.entries(specs)) {
    const isFull = problems.length >= context.most
    if (isFull && !isNote) break
    // a column such as 'Memory' of a supplier's file may be a different field in each kind
    const label = context.plan && context.labels.get(key)
    const field =
      kind?.fields.find((each) => each.key === key) ??
      kind?.fields.find((each) => each.label === label)
    if (!field && context.plan) continue
    const read =
      field && cell !== noValue && readCell(field, { column: specColumn(key), cell }, context.plan)
    if (cell === noValue) delete after[key]
    else if (!read) addProblem(key, checkSpecs(kind, name, { [key]: cell }).problems[key] ?? '')
    else if ('problem' in read) isFull || addProblem(key, read.problem)
    else after[field?.key ?? key] = read.value
  }
  const notes = problems.map((each) => ({ ...each, message: `Left out: ${each.message}` }))
  return isNote ? { specs: after, problems: [], notes } : { specs: after, problems, notes: [] }
}

/**
 * The alternative text after the line. A new first picture keeps the text that it had among the
 * other pictures.
 */
function altAfter({ image, imageAlt }: CsvLine, part: StoredPart): string {
  if (imageAlt !== undefined || image === undefined || image === part.image)
    return imageAlt ?? part.imageAlt
  return part.morePictures.find((each) => each.image === image)?.alt ?? ''
}

/** Computes the part after the line. An empty cell keeps the part's value. */
const detailsAfter = (line: CsvLine, part: StoredPart, kind: string, specs: Specs) =>
  ({
    ...forEachField(editableFields, (name) =>
      name === 'specs' ? specs : (line[name] ?? part[name]),
    ),
    imageAlt: altAfter(line, part),
    kind,
  }) as PartDetails

/**
 * Computes the correction of the stock, in units. Compares a counted stock with the units on hand,
 * and `availableQuantity` with the export's `availableBefore`, so that sales since the export do
 * not matter. Returns null when `availableBefore` is needed but missing.
 */
function correctionOf(line: CsvLine, part: StoredPart): number | null {
  const { availableQuantity: now, availableBefore: before } = line
  if (line[countedColumn] !== undefined) return line[countedColumn] - part.onHand
  if (now === undefined) return 0
  if (before !== undefined) return now - before
  return now === part.onHand - part.reserved ? 0 : null
}

/** Returns why the stock cannot change by this many units, or undefined. */
export function correctionProblem(part: StoredPart, change: number | null): string | undefined {
  const available = part.onHand - part.reserved
  if (change === null) {
    return `Enter the number you started from in availableBefore; ${available} are in stock now.`
  }
  if (available + change < 0 && change < 0) {
    return part.reserved > 0
      ? `Only ${available} are in stock now, so ${-change} can’t be removed. ${part.reserved} are reserved.`
      : `Only ${available} are in stock now, so ${-change} can’t be removed.`
  }
  if (change === 0 || part.onHand + change <= stockLimit) return undefined
  return `That would be more than ${whole(stockLimit)}.`
}

const problemsOf = (line: number, messages: [field: string, message: string | undefined][]) =>
  messages.flatMap(([field, message]) => (message ? [{ line, field, message }] : []))

/** Collects the unique values of a line. @param changedPart the part that the line changes */
const uniqueValues = (
  line: number,
  values: Partial<Pick<PartDetails, (typeof uniqueFields)[number]>>,
  changedPart?: { _id: string; changed: Differences },
): UniqueValue[] =>
  uniqueFields.flatMap((field) => {
    const value = values[field]
    if (!value) return []
    const isOld = changedPart !== undefined && !changedPart.changed[field]
    return [{ line, id: changedPart?._id ?? null, field, value, isOld }]
  })

/** Refuses an unknown kind of a supplier's file, unless an admin chose it in the plan. */
function kindProblem(
  typed: string,
  { kinds, plan, chosenKinds }: ImportContext,
): string | undefined {
  if (!plan || kinds.has(typed) || chosenKinds.has(typed)) return undefined
  return `No category here is called “${typed.slice(0, 60)}”. Match it under “Categories”.`
}

/**
 * The values of a new part, with defaults for missing ones. Files of suppliers may omit more than
 * the shop's own files.
 */
function newValues(csvLine: CsvLine, plan: ImportPlan | undefined) {
  const {
    line: _,
    specs: __,
    notes: ___,
    pictures: ____,
    [countedColumn]: onHand,
    ...values
  } = csvLine
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

/**
 * Adds to notes about the stock what happens to it, because the report does not show this
 * elsewhere.
 */
const stockNotes = (notes: ImportProblem[], becomes: string): ImportProblem[] =>
  notes.map((note) =>
    stockColumns.includes(note.field) ? { ...note, message: `${note.message}. ${becomes}` } : note,
  )

function compareNew(csvLine: CsvLine, context: ImportContext): Compared {
  const { line } = csvLine
  const notes = stockNotes(csvLine.notes, 'The new product starts with 0 in stock')
  const values = newValues(csvLine, context.plan)
  const name = values.name ?? ''
  const base = { line, name, unique: [], changes: '', problems: [], notes: [], pictures: [] }
  if (context.plan?.newParts === 'skip') return { ...base, outcome: 'unmatched' }
  const parsed = NewPart.safeParse(values)
  const unique = uniqueValues(line, values)
  if (!parsed.success) {
    const messages = parsed.error.issues.map(
      ({ path, message }) => [String(path[0]), message] as [string, string],
    )
    return { ...base, outcome: 'new', unique, problems: problemsOf(line, messages) }
  }
  const { kind: typed, price, availableQuantity } = parsed.data
  const stated = specsAfter(csvLine, typed, context)
  const kind = context.kinds.get(typed)?.name ?? typed
  const problems = [
    ...problemsOf(line, [['kind', kindProblem(typed, context)]]),
    ...stated.problems,
  ]
  const added = { line, _id: randomUUID(), part: { ...parsed.data, kind, specs: stated.specs } }
  const facts = Object.keys(stated.specs).length
  const changes = `${kind}, ${money(price, context.currency)}, ${availableQuantity} in stock, ${facts} in its specification`
  return {
    ...{ ...base, outcome: 'new', unique, changes, problems, notes: [...notes, ...stated.notes] },
    ...(problems.length === 0 && { added, pictures: namedFor(added._id, csvLine) }),
  }
}

/** Returns why a line may not change this part, or undefined. */
function staleness(csvLine: CsvLine, part: StoredPart): string | undefined {
  if (part.deletedAt) return 'This product was deleted. Restore it first.'
  if (csvLine.version === undefined || csvLine.version === part.version) return undefined
  return 'Another admin changed this product after you exported the file. Export it again, then make your change again.'
}

/** Limits a line to what the supplier's plan allows it to change in an existing part. */
function allowedChanges(csvLine: CsvLine, plan: ImportPlan | undefined): CsvLine {
  // the plan's `newParts` does not apply to existing parts: a file that adds drafts takes no part
  // off sale
  if (plan?.known !== 'price and stock') return csvLine
  const { line, _id, price, cost, notes } = csvLine
  const stock = { [countedColumn]: csvLine[countedColumn] }
  return { line, _id, price, cost, ...stock, notes, specs: {}, pictures: [] }
}

/** Describes changes: 'Price: $100 → $120, Stock: +5'. */
export const changesText = (changed: Differences, change: number, currency: Currency): string =>
  [
    ...Object.entries(changed).map(([name, each]) => changeText(name, each, currency)),
    ...(change === 0 ? [] : [`Stock: ${change > 0 ? '+' : ''}${change}`]),
  ].join(', ')

function compareKnown(typedLine: CsvLine, part: StoredPart, context: ImportContext): Compared {
  const csvLine = allowedChanges(typedLine, context.plan)
  const { line, kind: typed = part.kind } = csvLine
  const stated = specsAfter(csvLine, typed, context, part.specs)
  const details = detailsAfter(csvLine, part, context.kinds.get(typed)?.name ?? typed, stated.specs)
  const changed = differences(part, details, [
    context.kinds.get(part.kind),
    context.kinds.get(typed),
  ])
  const change = correctionOf(csvLine, part)
  const unique = part.deletedAt ? [] : uniqueValues(line, details, { _id: part._id, changed })
  const ownNotes = stockNotes(csvLine.notes, 'The product’s stock stays as it is')
  const notes = [...ownNotes, ...stated.notes]
  const base = { line, name: part.name, unique, notes, pictures: namedFor(part._id, csvLine) }
  if (Object.keys(changed).length === 0 && change === 0 && stated.problems.length === 0)
    return { ...base, outcome: 'same', changes: '', problems: [] }
  const problems = [
    ...problemsOf(line, [
      [part.deletedAt ? '_id' : 'version', staleness(csvLine, part)],
      [
        csvLine[countedColumn] === undefined ? 'availableQuantity' : countedColumn,
        correctionProblem(part, change),
      ],
      ['kind', kindProblem(typed, context)],
    ]),
    ...stated.problems,
  ]
  const updated = { line, part, details, changed, change: change ?? 0 }
  const isCounted = csvLine[countedColumn] !== undefined && change !== 0
  const toShip = isCounted ? part.toShip : 0
  const paid = toShip > 0 ? ` (including ${toShip} paid and still to ship)` : ''
  const changes = changesText(changed, change ?? 0, context.currency) + paid
  return {
    ...base,
    outcome: 'changed',
    changes,
    problems,
    toShip,
    ...(problems.length === 0 && { updated }),
  }
}

/** Compares a line with the shop. @param part the part that the line refers to, if any */
export function diffLine(
  csvLine: CsvLine,
  part: StoredPart | undefined,
  context: ImportContext,
): Compared {
  if (part) return compareKnown(csvLine, part, context)
  if (csvLine._id === undefined) return compareNew(csvLine, context)
  const { line, name = '' } = csvLine
  const problems = [{ line, field: '_id', message: 'No product has this ID.' }]
  return {
    line,
    name,
    outcome: 'unknown',
    unique: [],
    changes: '',
    problems,
    notes: [],
    pictures: [],
  }
}
