import { z } from 'zod'
import {
  fieldNames,
  isNumeric,
  type PartField,
  partField,
  partFields,
  partRules,
} from '#contracts/parts.ts'
import {
  type CsvColumn,
  csvColumns,
  type ImportProblem,
  importLimits,
  noValue,
  specColumn,
} from '#contracts/parts-csv.ts'
import { AppError } from '#server/errors.ts'
import { InvalidCsv, readCsv } from '#server/http/csv.ts'

const exported = (name: string) => {
  const message = `${name} must be as it was exported, or empty`
  return z.int(message).min(0, message)
}

/** The rule of each column. An empty cell is missing, and has none. */
const { specs: _, ...columnRules } = partRules
const Cells = z
  .object({
    _id: z.uuid('_id must be the id of a part, or empty for a new one'),
    ...columnRules,
    availableBefore: exported('availableBefore'),
    version: exported('version'),
  })
  .partial()

/** One line of the file; empty cells are missing. `specs` has the cells of the specification by their keys, as typed. */
export type CsvLine = z.infer<typeof Cells> & { line: number; specs: Record<string, string> }

/** The valid lines, how many lines are not empty, and the problems of the others. */
export type PartsCsvFile = { lines: CsvLine[]; count: number; problems: ImportProblem[] }

const numbers = new Set<string>([...fieldNames.filter(isNumeric), 'availableBefore', 'version'])

const isField = (name: string): name is PartField => Object.hasOwn(partFields, name)

/** A cell's value. Text in a column of numbers stays text, which the column's rule refuses. */
function readCell(column: string, cell: string): string | number | undefined {
  const text = cell.trim()
  if (!text) return undefined
  if (text === noValue && isField(column) && partField(column).whenMissing === '') return ''
  return numbers.has(column) && /^-?\d{1,12}$/.test(text) ? Number(text) : text
}

const isColumn = (name: string): name is CsvColumn =>
  (csvColumns as readonly string[]).includes(name)

/** Limits of empty lines and of unknown columns, so that no file is read endlessly. */
const mostLines = 2 * importLimits.lines
const mostColumns = 500

function checkColumns(names: string[], specs: readonly string[]): ImportProblem[] {
  const wrong = (field: string, message: string) => ({ line: 1, field, message })
  if (names.length > mostColumns) {
    return [
      wrong('', `The first line has more than ${mostColumns} cells. Is this a file of parts?`),
    ]
  }
  const problems = names.flatMap((name, i) => {
    if (!isColumn(name) && !specs.includes(name)) {
      const known = [...csvColumns, ...specs].join(', ')
      return [wrong(name, `There is no column of this name. There are: ${known}.`)]
    }
    if (names.indexOf(name) < i) return [wrong(name, 'There is a column of this name already.')]
    return []
  })
  if (!names.includes('_id') && !names.includes('name'))
    problems.push(wrong('name', 'The first line must name the columns, name or _id among them.'))
  return problems
}

/** @returns the line, or its problems */
function readLine(
  names: string[],
  cells: string[],
  line: number,
  keys: readonly string[],
): CsvLine | ImportProblem[] {
  if (cells.slice(names.length).some((cell) => cell.trim())) {
    const message = 'This line has more cells than the first line has names.'
    return [{ line, field: '', message }]
  }
  const values = names.map((name, i) => [name, readCell(name, cells[i] ?? '')] as const)
  const parsed = Cells.safeParse(Object.fromEntries(values))
  if (parsed.success) {
    const said = keys.map((key) => [key, (cells[names.indexOf(specColumn(key))] ?? '').trim()])
    return { ...parsed.data, line, specs: Object.fromEntries(said.filter(([, cell]) => cell)) }
  }
  return parsed.error.issues.map(({ path, message }) => ({
    line,
    field: String(path[0] ?? ''),
    message,
  }))
}

function readLines(all: string[][], known: readonly string[]): PartsCsvFile {
  const [first = [], ...rest] = all
  const names = first.map((name) => name.trim())
  const filled = rest
    .map((cells, i) => ({ cells, line: i + 2 }))
    .filter(({ cells }) => cells.length > 0)
  if (filled.length > importLimits.lines || all.length >= mostLines) {
    const most = importLimits.lines.toLocaleString('en-US')
    throw new AppError('TOO_LARGE', `The file has more than ${most} lines. Send it in parts.`)
  }
  const count = filled.length
  const problems = checkColumns(names, known.map(specColumn))
  if (problems.length > 0) return { lines: [], count, problems }
  const keys = known.filter((key) => names.includes(specColumn(key)))
  const read = filled.map(({ cells, line }) => readLine(names, cells, line, keys))
  return {
    lines: read.filter((line): line is CsvLine => !Array.isArray(line)),
    count,
    problems: read.filter(Array.isArray).flat(),
  }
}

/**
 * Reads a CSV file as GET /products.csv writes it, or with fewer columns in any order.
 * @param keys of all fields that kinds of this shop have
 * @throws AppError TOO_LARGE
 */
export function parsePartsCsv(bytes: Uint8Array, keys: readonly string[]): PartsCsvFile {
  try {
    return readLines(readCsv(bytes, mostLines), keys)
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error
    const { line, message } = error
    return { lines: [], count: 0, problems: [{ line, field: '', message }] }
  }
}
