/** Reads a parts file as a table: CSV in any encoding, or XLSX. */
import { whole } from '#contracts/counted.ts'
import {
  countedColumn,
  csvColumns,
  csvMessages,
  type ImportProblem,
  importLimits,
  pictureAddress,
  specColumn,
} from '#contracts/parts-csv.ts'
import { AppError } from '#server/errors.ts'
import { InvalidCsv, readCsv } from '#server/http/csv.ts'
import { isXlsx, readXlsx, type SheetCell } from '#server/http/xlsx.ts'

export type TableLine = { line: number; cells: SheetCell[] }
/** `header` is the index of the line with the column names. */
export type Table = { names: string[]; header: number; lines: TableLine[] }

/** Limits that include empty lines and unknown columns, to bound the time of reading. */
const maxLines = 2 * importLimits.lines
const maxColumns = 500

/** The columns of the shop's own files. */
export const ownColumns: readonly string[] = [...csvColumns, countedColumn, pictureAddress]

/**
 * Removes what PostgreSQL cannot store: NUL and half surrogate pairs. In the shop's own files, they
 * are problems of their fields.
 */
const keepable = (cell: SheetCell) =>
  typeof cell === 'string' ? cell.replaceAll('\0', '').toWellFormed() : cell

const isFilled = (cell: SheetCell | undefined) => String(cell ?? '').trim() !== ''

/**
 * Finds the header: the first line with nearly as many cells as the widest. Suppliers often write a
 * title above it.
 */
function headerOf(rows: SheetCell[][]): number {
  const widths = rows.slice(0, 20).map((cells) => cells.filter(isFilled).length)
  const widest = Math.max(...widths, 0)
  return Math.max(
    widths.findIndex((width) => width >= 2 && width >= 0.6 * widest),
    0,
  )
}

/** Makes column names unique: adds a number to unnamed columns and repeated names. */
function distinct(names: string[]): string[] {
  const times = new Map<string, number>()
  return names.map((name, i) => {
    const own = name || `Column ${i + 1}`
    const time = (times.get(own) ?? 0) + 1
    times.set(own, time)
    return time === 1 ? own : `${own} (${time})`
  })
}

const namesIn = (cells: SheetCell[] = []) =>
  cells.map((name) =>
    String(name ?? '')
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, 200)
      .toWellFormed(),
  )

/** The first bytes of files that are not tables, and the messages about them. */
const signatures: [RegExp, string][] = [
  [/^\xd0\xcf.\xe0\xa1\xb1.\xe1/s, csvMessages.oldWorkbook],
  [/^%PDF-/, csvMessages.pdf],
  [/^(\xef\xbb\xbf)?\s*<(!doctype|html|head|table|\?xml|workbook)\b/i, csvMessages.webPage],
]

/**
 * Refuses other file types that are named .xls, .csv or .xlsx.
 * @throws InvalidCsv with the actual type
 */
function assertTable(bytes: Uint8Array): void {
  const start = Buffer.from(bytes.subarray(0, 100)).toString('latin1')
  const [, why] = signatures.find(([pattern]) => pattern.test(start)) ?? []
  if (why !== undefined) throw new InvalidCsv(1, why)
}

/**
 * Reads a file as a table.
 * @param isOwn whether the first line must have the shop's own columns, without any guessing
 * @throws AppError TOO_LARGE, InvalidCsv
 */
export function readTable(bytes: Uint8Array, isOwn: boolean): Table {
  assertTable(bytes)
  const rows: SheetCell[][] = isXlsx(bytes)
    ? readXlsx(bytes, maxLines)
    : readCsv(bytes, maxLines, isOwn)
  const header = isOwn ? 0 : headerOf(rows)
  const lines = rows
    .map((cells, i) => ({ cells: isOwn ? cells : cells.map(keepable), line: i + 1 }))
    .slice(header + 1)
    .filter(({ cells }) => cells.some(isFilled))
  if (lines.length > importLimits.lines || rows.length >= maxLines) {
    const max = whole(importLimits.lines)
    throw new AppError('TOO_LARGE', `The file has more than ${max} lines. Split the file.`)
  }
  const names = namesIn(rows[header])
  if (names.length > maxColumns) {
    throw new InvalidCsv(
      header + 1,
      `The first line has more than ${maxColumns} cells. Is this a product list?`,
    )
  }
  return { names: isOwn ? names : distinct(names), header: header + 1, lines }
}

/**
 * Checks the header of a file with the shop's own columns.
 * @param keys the keys of all fields of kinds
 */
export function columnProblems(names: string[], keys: readonly string[]): ImportProblem[] {
  const columns = [...ownColumns, ...keys.map(specColumn)]
  const columnProblem = (field: string, message: string) => ({ line: 1, field, message })
  const problems = names.flatMap((name, i) => {
    if (!columns.includes(name))
      return [
        columnProblem(
          name,
          `There’s no column with this name. Choose from: ${columns.join(', ')}.`,
        ),
      ]
    if (names.indexOf(name) < i)
      return [columnProblem(name, 'There’s already a column with this name.')]
    return []
  })
  const namesPart = ['_id', 'name', 'sku', 'mpn', 'gtin'].some((name) => names.includes(name))
  if (!namesPart)
    problems.push(
      columnProblem('name', 'The first line must contain column names, including name or _id.'),
    )
  return problems
}
