/** CSV for spreadsheets. Writes UTF-8 in which no text becomes a formula; reads any encoding. */
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { guard, unguard } from '#contracts/csv-guard.ts'
import { csvMessages, importLimits } from '#contracts/parts-csv.ts'

/**
 * `cents` are money, written with two decimals or those of another currency; a minus sign before
 * them does not start a formula.
 */
export type Cell = string | number | { cents: number; decimals?: number } | null

/**
 * The decimal sign, which also decides the cell separator: where commas separate decimals, a double
 * click opens only files with semicolons. A first line `sep=;` would help one program and be a data
 * row for all others.
 */
export type DecimalSign = 'point' | 'comma'

/** Excel reads a file as UTF-8 only when it begins with this mark. */
export const byteOrderMark = '\ufeff'

const moneyText = ({ cents, decimals = 2 }: { cents: number; decimals?: number }) =>
  (cents / 10 ** decimals).toFixed(decimals)

function written(cell: Cell, decimals: DecimalSign): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return guard(cell)
  const text = typeof cell === 'number' ? String(cell) : moneyText(cell)
  return decimals === 'comma' ? text.replace('.', ',') : text
}

/** Lines of a CSV file, each with its line break. */
export function csvLines(
  rows: readonly (readonly Cell[])[],
  decimals: DecimalSign = 'point',
): string {
  const texts = rows.map((cells) => cells.map((cell) => written(cell, decimals)))
  return stringify(texts, {
    delimiter: decimals === 'comma' ? ';' : ',',
    record_delimiter: 'windows',
    // csv-stringify would quote only cells with a whole \r
    //
    quoted_match: /[;\t\r\n]/,
  })
}

/**
 * Writes a phone number as a `tel:` URL (RFC 3966), which every spreadsheet treats as text. A
 * spreadsheet would compute `+49 30 …`, and drop the leading zero of `030 …`.
 */
export const phoneCell = (phone: string): string =>
  /\d/.test(phone) ? `tel:${phone.trim().replaceAll(/[\s/]+/g, '-')}` : ''

/** A CSV file with an error at `line`. */
export class InvalidCsv extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const delimiters = [',', ';', '\t'] as const
const foreign = [...delimiters, '|'] as const

/**
 * Detects the separator from the header, because spreadsheets write their country's.
 * @param isOwn whether the header is the first line; otherwise it is the first line with at least
 * three cells
 */
function delimiterOf(text: string, isOwn: boolean): string {
  const among = isOwn ? delimiters : foreign
  const lines = text.split(/\r\n|\r|\n/, isOwn ? 1 : 20)
  const count = (line: string, delimiter: string) => line.split(delimiter).length
  const header = lines.find((line) => among.some((each) => count(line, each) >= 3))
  const first = header ?? lines[0] ?? ''
  return among.toSorted((a, b) => count(first, b) - count(first, a))[0] ?? ','
}

/**
 * The encoding of a text: from its first bytes, else UTF-8 if it is valid, else the Western
 * encoding of Windows.
 */
function encodingOf([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a && b === 0 && c && d === 0) return 'utf-16le'
  return a === 0 && b && c === 0 && d ? 'utf-16be' : undefined
}

/** @throws InvalidCsv when the bytes are not text */
function decoded(bytes: Uint8Array): string {
  const decode = (encoding: string, fatal = false) =>
    new TextDecoder(encoding, { fatal }).decode(bytes)
  const encoding = encodingOf(bytes)
  let text: string
  try {
    text = decode(encoding ?? 'utf-8', !encoding)
  } catch {
    text = decode('windows-1252')
  }
  // a field may contain NUL, which has its own error message; a file full of them is not text
  if (text.slice(0, 4096).split('\0').length > 16) throw new InvalidCsv(1, csvMessages.noTable)
  return text
}

/**
 * Parses a CSV file into lines of cells, numbered as in a spreadsheet: the array begins with line
 * 1, and an empty line is an empty array.
 * @param max the maximum number of lines to read
 * @param isOwn whether the first line names the columns
 * @throws InvalidCsv when it is not text, or has a misplaced quotation mark
 */
export function readCsv(bytes: Uint8Array, max: number, isOwn = true): string[][] {
  const text = decoded(bytes)
  try {
    const records: string[][] = parse(text, {
      delimiter: delimiterOf(text, isOwn),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // an unclosed quotation mark would swallow the rest of the file
      max_record_size: importLimits.cell,
      to: max,
    })
    return records.map((cells) => (cells.some((cell) => cell.trim()) ? cells.map(unguard) : []))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number(error.lines) || 1
    const isTooLong = error.code === 'CSV_MAX_RECORD_SIZE'
    throw new InvalidCsv(line, isTooLong ? csvMessages.lineTooLong : csvMessages.quotation)
  }
}
