/** A file of parts as a table: CSV in any encoding, or XLSX. */
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
/** `header` is the line with the names of the columns. */
export type Table = { names: string[]; header: number; lines: TableLine[] }

/** Limits that count empty lines and unknown columns too, so that no file is read endlessly. */
const maxLines = 2 * importLimits.lines
const maxColumns = 500

/** The columns of the shop's own files. */
export const ownColumns: readonly string[] = [...csvColumns, countedColumn, pictureAddress]

/** Without what PostgreSQL can not keep: NUL, and half a character. In the shop's own files they are problems of their fields. */
const keepable = (cell: SheetCell) =>
  typeof cell === 'string' ? cell.replaceAll('\0', '').toWellFormed() : cell

const isFilled = (cell: SheetCell | undefined) => String(cell ?? '').trim() !== ''

/** Suppliers write a title above the table: its header is the first line with nearly as many cells as the widest. */
function headerOf(rows: SheetCell[][]): number {
  const widths = rows.slice(0, 20).map((cells) => cells.filter(isFilled).length)
  const widest = Math.max(...widths, 0)
  return Math.max(
    widths.findIndex((width) => width >= 2 && width >= 0.6 * widest),
    0,
  )
}

/** Names each column once: an unnamed one gets its number, and so does the second one of a name. */
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

/** How files begin that are no table, and what to say of them. */
const signatures: [RegExp, string][] = [
  [/^\xd0\xcf.\xe0\xa1\xb1.\xe1/s, csvMessages.oldWorkbook],
  [/^%PDF-/, csvMessages.pdf],
  [/^(\xef\xbb\xbf)?\s*<(!doctype|html|head|table|\?xml|workbook)\b/i, csvMessages.webPage],
]

/** Refuses files that are named .xls, .csv or .xlsx and are something else. @throws InvalidCsv which says what */
function assertTable(bytes: Uint8Array): void {
  const start = Buffer.from(bytes.subarray(0, 100)).toString('latin1')
  const [, why] = signatures.find(([pattern]) => pattern.test(start)) ?? []
  if (why !== undefined) throw new InvalidCsv(1, why)
}

/**
 * @param isOwn whether the first line names the shop's own columns, and nothing is guessed
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
      `The first line has more than ${maxColumns} cells. Is this a sheet of parts?`,
    )
  }
  return { names: isOwn ? names : distinct(names), header: header + 1, lines }
}

/** The problems of the first line of a file in the shop's own columns. @param keys the keys of all fields of kinds */
export function columnProblems(names: string[], keys: readonly string[]): ImportProblem[] {
  const columns = [...ownColumns, ...keys.map(specColumn)]
  const columnProblem = (field: string, message: string) => ({ line: 1, field, message })
  const problems = names.flatMap((name, i) => {
    if (!columns.includes(name))
      return [
        columnProblem(name, `There is no column of this name. There are: ${columns.join(', ')}.`),
      ]
    if (names.indexOf(name) < i)
      return [columnProblem(name, 'There is a column of this name already.')]
    return []
  })
  const namesPart = ['_id', 'name', 'sku', 'mpn', 'gtin'].some((name) => names.includes(name))
  if (!namesPart)
    problems.push(
      columnProblem('name', 'The first line must name the columns, name or _id among them.'),
    )
  return problems
}
