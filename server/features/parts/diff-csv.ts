import { stockLimit } from '#contracts/catalogue.ts'
import { type Kind, readSpec, type Specs } from '#contracts/kinds.ts'
import {
  editableFields,
  forEachField,
  NewPart,
  type PartDetails,
  uniqueFields,
} from '#contracts/parts.ts'
import { type ImportProblem, noValue, specColumn } from '#contracts/parts-csv.ts'
import { type Differences, differences } from './edit-part.ts'
import { checkSpecs } from './kinds.ts'
import type { CsvLine } from './parse-csv.ts'

/** A part as the shop has it, which a line is compared with. */
export type StoredPart = PartDetails & {
  _id: string
  onHand: number
  reserved: number
  version: number
  deletedAt: Date | null
}

export type NewLine = { line: number; part: NewPart }

export type ChangedLine = {
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
  added?: NewLine
  updated?: ChangedLine
  unique: UniqueValue[]
  /** How the report counts the line, with or without problems. */
  is: 'new' | 'changed' | 'same' | 'unknown'
  problems: ImportProblem[]
}

/** The kinds that lines and parts name, by the text that names them. */
export type Kinds = Map<string, Kind>

/**
 * The specification after the line: an empty cell leaves what the part has, of what the kind has.
 * @param name how the line or the part names the kind
 */
function wantedSpecs(
  { line, specs }: CsvLine,
  name: string,
  kind: Kind | undefined,
  before: Specs = {},
) {
  const after = checkSpecs(kind, name, before).specs
  const problems: ImportProblem[] = []
  const say = (key: string, message: string) =>
    problems.push({ line, field: specColumn(key), message })
  for (const [key, cell] of Object.entries(specs)) {
    const field = kind?.fields.find((each) => each.key === key)
    const read = field && cell !== noValue && readSpec(field, cell)
    if (cell === noValue) delete after[key]
    else if (!read) say(key, checkSpecs(kind, name, { [key]: cell }).problems[key] ?? '')
    else if ('problem' in read) say(key, read.problem)
    else after[key] = read.value
  }
  return { specs: after, problems }
}

/** The part after the line: an empty cell leaves what the part has. */
const wanted = (line: CsvLine, part: StoredPart, kind: string, specs: Specs) =>
  ({
    ...forEachField(editableFields, (name) =>
      name === 'specs' ? specs : (line[name] ?? part[name]),
    ),
    kind,
  }) as PartDetails

/** Units more or less than when the file was exported, whatever was sold since; null without `availableBefore`. */
function correctionOf(line: CsvLine, part: StoredPart): number | null {
  const { availableQuantity: now, availableBefore: before } = line
  if (now === undefined) return 0
  if (before !== undefined) return now - before
  return now === part.onHand - part.reserved ? 0 : null
}

/** Why the stock can not change by so many units, or undefined. */
function correctionProblem(part: StoredPart, change: number | null): string | undefined {
  const available = part.onHand - part.reserved
  if (change === null) {
    return `Say in availableBefore from how many you counted; ${available} are available now.`
  }
  if (available + change < 0) {
    return `Only ${available} are available now: ${-change} can not be taken away.`
  }
  if (change === 0 || part.onHand + change <= stockLimit) return undefined
  return `There would be more than ${stockLimit.toLocaleString('en-US')}.`
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
    return [
      { line, id: known?._id ?? null, field, value, isOld: known ? !known.changed[field] : false },
    ]
  })

function compareNew(csvLine: CsvLine, kinds: Kinds): Compared {
  const { line, specs: _, ...values } = csvLine
  const parsed = NewPart.safeParse(values)
  const unique = uniqueValues(line, values)
  if (!parsed.success) {
    const found = parsed.error.issues.map(
      ({ path, message }) => [String(path[0]), message] as [string, string],
    )
    return { is: 'new', unique, problems: problemsOf(line, found) }
  }
  const { kind: typed } = parsed.data
  const kind = kinds.get(typed)
  const { specs, problems } = wantedSpecs(csvLine, typed, kind)
  const added = { line, part: { ...parsed.data, kind: kind?.name ?? typed, specs } }
  return { is: 'new', ...(problems.length === 0 && { added }), unique, problems }
}

/** Why a line may not change this part, or undefined. */
function staleness(csvLine: CsvLine, part: StoredPart): string | undefined {
  if (part.deletedAt) return 'This part is deleted. Restore it first.'
  if (csvLine.version === undefined || csvLine.version === part.version) return undefined
  return 'Somebody changed this part after the file was exported. Export it again, then repeat your change.'
}

function compareKnown(csvLine: CsvLine, part: StoredPart, kinds: Kinds): Compared {
  const { line, kind: typed = part.kind } = csvLine
  const kind = kinds.get(typed)
  const stated = wantedSpecs(csvLine, typed, kind, part.specs)
  const details = wanted(csvLine, part, kind?.name ?? typed, stated.specs)
  const changed = differences(part, details, kinds.values())
  const change = correctionOf(csvLine, part)
  const unique = part.deletedAt ? [] : uniqueValues(line, details, { _id: part._id, changed })
  if (Object.keys(changed).length === 0 && change === 0 && stated.problems.length === 0)
    return { is: 'same', unique, problems: [] }
  const problems = [
    ...problemsOf(line, [
      [part.deletedAt ? '_id' : 'version', staleness(csvLine, part)],
      ['availableQuantity', correctionProblem(part, change)],
    ]),
    ...stated.problems,
  ]
  const updated = { line, part, details, changed, change: change ?? 0 }
  return { is: 'changed', unique, problems, ...(problems.length === 0 && { updated }) }
}

/** What the line would change in the shop. @param part the part with the line's `_id`, if there is one */
export function diffLine(csvLine: CsvLine, part: StoredPart | undefined, kinds: Kinds): Compared {
  if (part) return compareKnown(csvLine, part, kinds)
  if (csvLine._id === undefined) return compareNew(csvLine, kinds)
  const { line } = csvLine
  return {
    is: 'unknown',
    unique: [],
    problems: [{ line, field: '_id', message: 'There is no part of this id.' }],
  }
}
