/**
 * Parses the lines of a table into values of parts. The shop's own files need no plan; a supplier's
 * file is read by its plan.
 */
import { z } from 'zod'
import { converted } from '#contracts/kinds.ts'
import {
  fieldNames,
  isNumeric,
  type PartField,
  partField,
  partFields,
  partRules,
  readText,
} from '#contracts/parts.ts'
import {
  columnOf,
  countedColumn,
  type ImportPlan,
  type ImportProblem,
  importLimits,
  noValue,
  pictureAddress,
  specColumn,
} from '#contracts/parts-csv.ts'
import { type PartPicture, pictureLimits } from '#contracts/pictures.ts'
import type { SheetCell } from '#server/http/xlsx.ts'
import { unitOfColumn } from './import-plan.ts'
import { amountOf, roundedPrice, toCents } from './parse-numbers.ts'
import { plainText, shortened } from './plain-text.ts'
import type { Table, TableLine } from './read-table.ts'

const exported = (name: string) => {
  const message = `${name} must be as it was exported, or empty`
  return z.int(message).min(0, message)
}

/** The rule of each column. An empty cell counts as missing. */
const { specs: _, ...columnRules } = partRules
const Cells = z
  .object({
    _id: z.uuid('_id must be a product’s ID, or empty for a new product'),
    ...columnRules,
    [countedColumn]: partRules.availableQuantity,
    availableBefore: exported('availableBefore'),
    version: exported('version'),
  })
  .partial()

/**
 * One line of the file; empty cells are missing. `specs` contains the specification cells by key,
 * as typed.
 */
export type CsvLine = z.infer<typeof Cells> & {
  line: number
  specs: Record<string, string>
  /** Addresses to fetch pictures from. */
  pictures: string[]
  /** Notes about values that were left out or shortened, so that the rest can be imported. */
  notes: ImportProblem[]
}

/** The valid lines, and the problems of the others. */
export type ParsedLines = { lines: CsvLine[]; problems: ImportProblem[] }

const numbers = new Set<string>([
  ...fieldNames.filter(isNumeric),
  countedColumn,
  'availableBefore',
  'version',
])

const isField = (name: string): name is PartField => Object.hasOwn(partFields, name)
/** Columns of amounts. Spreadsheets may write their cents after a comma. */
const isAmountColumn = (name: string) => isField(name) && partField(name).format === 'amount'

type Value = string | number | PartPicture[] | undefined

/**
 * Reads a cell of the shop's own file. Text in a number column stays text, so that the column's
 * rule refuses it.
 */
function ownValue(column: string, text: string): Value {
  if (!text) return undefined
  const { whenMissing } = isField(column) ? partField(column) : {}
  if (text === noValue && (whenMissing === '' || Array.isArray(whenMissing)))
    return readText(column, '')
  if (isAmountColumn(column) && /^-?\d{1,12}[.,]\d{1,6}$/.test(text))
    return Number(text.replace(',', '.'))
  return numbers.has(column) && /^-?\d{1,12}$/.test(text) ? Number(text) : readText(column, text)
}

type Values = Record<string, Value>

/**
 * Converts each text of a file once. A workbook stores a repeated text once, so a small file could
 * have thousands of long ones.
 */
function plainTexts() {
  const known = new Map<string, string>()
  return (text: string): string => {
    const plain = known.get(text) ?? plainText(text)
    known.set(text, plain)
    return plain
  }
}

/** The unit of a weight in a supplier's file: that of its cell, else of its header, else grams. */
function unitOfWeight(plan: ImportPlan, cell: SheetCell): string {
  const [unit] = /\p{L}+\s*$/u.exec(String(cell)) ?? []
  return unit ?? unitOfColumn(plan, 'weightG') ?? 'g'
}

/**
 * Reads the values of a supplier's line. Rounds amounts, converts HTML to text, and accepts numbers
 * in any notation.
 */
function plannedValues(
  plan: ImportPlan,
  typed: Map<string, SheetCell>,
  toPlain: typeof plainText,
): Values {
  const amount = (column: string): number | undefined => {
    const cell = typed.get(column)
    if (cell === undefined) return undefined
    return typeof cell === 'number' ? cell : amountOf(cell, plan.decimals)
  }
  const values: Values = {}
  for (const [column, cell] of typed) {
    if (column === 'price' || column.startsWith('spec:')) continue
    const text = String(cell).trim()
    if (numbers.has(column)) {
      const number = amount(column) ?? Number.NaN
      const whole = column === 'weightG' ? converted(number, unitOfWeight(plan, cell), 'g') : number
      values[column] = isAmountColumn(column) ? toCents(number) : Math.round(whole ?? Number.NaN)
    } else if (isField(column) && column !== 'gtin')
      values[column] = readText(column, toPlain(text))
    else values[column] = text
  }
  const { from, ...rule } = plan.price
  const paid = amount(from)
  if (paid !== undefined) values.price = roundedPrice(paid, rule)
  const kind = typed.get('kind')
  const named = kind === undefined ? plan.kind : String(kind).trim()
  if (named) values.kind = plan.kinds[named] ?? named
  return values
}

/** Shortens texts that are too long. @returns a note for each */
function shorten(line: number, values: Values): ImportProblem[] {
  return (['name', 'description', 'brand'] as const).flatMap((field) => {
    const value = values[field]
    const { max } = partFields[field]
    if (typeof value !== 'string' || value.length <= max) return []
    values[field] = shortened(value, max)
    return [
      { line, field, message: `${partFields[field].label} was shortened to ${max} characters` },
    ]
  })
}

/**
 * Splits the addresses in a cell: `https://…/a.jpg | https://…/b.jpg`, or separated by blanks,
 * commas or semicolons.
 */
const addressesIn = (text: string): string[] => [
  ...new Set(text.split(/[\s|]+|[,;](?=https?:)/i).filter(Boolean)),
]

/** Checks an address without fetching it. Returns the problem, or undefined. */
function addressProblem(address: string): string | undefined {
  const url = URL.parse(address)
  if (url && ['http:', 'https:'].includes(url.protocol) && address.length <= 2000) return undefined
  return `A picture address must start with http:// or https://, and “${address.slice(0, 60)}” doesn’t.`
}

/** Columns whose invalid values make a line unreadable. */
const required = new Set(['_id', 'name', 'price', 'version', 'availableBefore'])

/** The other contents of a line. `textOf` returns the text of a column in the file. */
type Rest = { specs: CsvLine['specs']; named: string[]; textOf: (column: string) => string }

/** Adds the number in the file to a message, because the file is corrected in another program. */
function withText(field: string, message: string, text: string): string {
  if (!numbers.has(field) || text === '') return message
  return `${message}, not “${text.slice(0, 60)}”`
}

/** Validates the values of a line. @returns the line, or its problems */
function checkLine(
  line: number,
  values: Values,
  { specs, named, textOf }: Rest,
  plan: ImportPlan | undefined,
): CsvLine | ImportProblem[] {
  const notes = plan?.unreadable === 'leave out' ? shorten(line, values) : []
  const parsed = Cells.safeParse(values)
  const read = named.slice(0, importLimits.addresses)
  const pictures = read.filter((each) => !addressProblem(each)).slice(0, pictureLimits.ofPart)
  const badAddresses = read.flatMap((each) => {
    const message = addressProblem(each)
    return message ? [{ line, field: pictureAddress, message }] : []
  })
  if (named.length > read.length) {
    const message = `A line can have at most ${importLimits.addresses} picture addresses.`
    badAddresses.push({ line, field: pictureAddress, message })
  }
  const longSpecs = Object.entries(specs).flatMap(([key, text]) => {
    if (text.length <= importLimits.spec) return []
    const message = `A value can have at most ${importLimits.spec} characters.`
    return [{ line, field: specColumn(key), message }]
  })
  const shortSpecs = Object.entries(specs).filter(([, text]) => text.length <= importLimits.spec)
  const rest = { line, specs: Object.fromEntries(shortSpecs), pictures }
  const others = [...badAddresses, ...longSpecs]
  if (parsed.success && others.length === 0) return { ...parsed.data, ...rest, notes }
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => {
      const field = String(path[0] ?? '')
      return { line, field, message: withText(field, message, textOf(field)) }
    }),
    ...others,
  ]
  if (plan?.unreadable !== 'leave out' || problems.some(({ field }) => required.has(field)))
    return problems
  const readable = { ...values }
  for (const { field } of problems) delete readable[field]
  const again = Cells.safeParse(readable)
  if (!again.success) return problems
  const leftOut = problems.map((each) => ({ ...each, message: `Left out: ${each.message}` }))
  return { ...again.data, ...rest, notes: [...notes, ...leftOut] }
}

function readOwnColumns({ names }: Table, { line, cells }: TableLine): CsvLine | ImportProblem[] {
  if (cells.slice(names.length).some((cell) => String(cell ?? '').trim())) {
    const message = 'This line has more cells than there are column names.'
    return [{ line, field: '', message }]
  }
  const texts = names.map((name, i) => [name, String(cells[i] ?? '').trim()] as const)
  const values = texts.map(([name, text]) => [name, ownValue(name, text)] as const)
  const specs = texts.flatMap(([name, text]) =>
    name.startsWith('spec:') && text ? [[name.slice('spec:'.length), text] as const] : [],
  )
  const named = addressesIn(String(cells[names.indexOf(pictureAddress)] ?? ''))
  const textOf = (column: string) => texts.find(([name]) => name === column)?.[1] ?? ''
  return checkLine(
    line,
    Object.fromEntries(values),
    { specs: Object.fromEntries(specs), named, textOf },
    undefined,
  )
}

/** Converts a number with a decimal comma to the notation that specification fields accept. */
const withPoint = (text: string) =>
  text.replace(
    /^([+-]?)(\d{1,3}(?:\.\d{3})+|\d+),(\d+)/,
    (_all, sign, whole, rest) => `${sign}${whole.replaceAll('.', '')}.${rest}`,
  )

function readPlanned(
  { names }: Table,
  { line, cells }: TableLine,
  plan: ImportPlan,
  toPlain: typeof plainText,
): CsvLine | ImportProblem[] {
  const typed = new Map<string, SheetCell>()
  for (const [i, name] of names.entries()) {
    const column = columnOf(plan.columns, name)
    const cell = cells[i] ?? ''
    if (column && String(cell).trim() && !typed.has(column)) typed.set(column, cell)
  }
  const specs = [...typed].flatMap(([column, cell]) => {
    if (!column.startsWith('spec:')) return []
    const text = toPlain(String(cell)).trim()
    return [[column.slice('spec:'.length), plan.decimals === 'comma' ? withPoint(text) : text]]
  })
  // suppliers often have one column per picture
  const named = names.flatMap((name, i) =>
    columnOf(plan.columns, name) === pictureAddress ? addressesIn(String(cells[i] ?? '')) : [],
  )
  const textOf = (column: string) =>
    String(typed.get(column === 'price' ? plan.price.from : column) ?? '').trim()
  const rest = { specs: Object.fromEntries(specs), named: [...new Set(named)], textOf }
  return checkLine(line, plannedValues(plan, typed, toPlain), rest, plan)
}

/**
 * Parses all lines of a table.
 * @param plan the supplier's plan; without it the columns are the shop's own
 */
export function parseLines(table: Table, plan?: ImportPlan): ParsedLines {
  const toPlain = plainTexts()
  const read = table.lines.map((line) =>
    plan ? readPlanned(table, line, plan, toPlain) : readOwnColumns(table, line),
  )
  const refused = read.filter(Array.isArray)
  // limits the problems in the report; lines after that count with one problem each
  let shown = 0
  const problems = refused.flatMap((each) => {
    const some = shown < importLimits.problems ? each : each.slice(0, 1)
    shown += some.length
    return some
  })
  return { lines: read.filter((line): line is CsvLine => !Array.isArray(line)), problems }
}
