/** Sheets as spreadsheets read and write them: CSV in UTF-8, in which no text is ever a formula. */
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

/** `cents` are money: written with two decimals, below zero too, and never guarded. */
export type Cell = string | number | { cents: number } | null

/**
 * How a spreadsheet of some countries writes 1.5, and what then stands between the cells of a CSV file: it opens no other
 * file by a double click. A first line `sep=;` would tell one program and be a row for all others.
 */
export type DecimalSign = 'point' | 'comma'

/** What spreadsheets compute, or what was guarded from that already, at the begin of a cell. */
const computed = /^(?='*[=+\-@\t\r\n＝＋－＠])/
const guarded = /^'(?='*[=+\-@\t\r\n＝＋－＠])/
/** Where a cell begins for a spreadsheet that parts them by something else than the file does. */
const computedInside = /[,;\t\r\n](?='*[=+\-@＝＋－＠])/g
const guardedInside = /([,;\t\r\n])'(?='*[=+\-@＝＋－＠])/g

/** An apostrophe before whatever a spreadsheet would compute; numbers are written as numbers. */
const guard = (text: string) => text.replace(computedInside, "$&'").replace(computed, "'")
/** The text as it was before `guard`. */
const unguard = (cell: string) => cell.replace(guarded, '').replace(guardedInside, '$1')

/** Spreadsheets take a file for UTF-8 only when it begins with this. */
export const byteOrderMark = '\ufeff'

function written(cell: Cell, decimals: DecimalSign): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return guard(cell)
  const text = typeof cell === 'number' ? String(cell) : (cell.cents / 100).toFixed(2)
  return decimals === 'comma' ? text.replace('.', ',') : text
}

/** Lines of a sheet, each ended. */
export function csvLines(
  rows: readonly (readonly Cell[])[],
  decimals: DecimalSign = 'point',
): string {
  const texts = rows.map((cells) => cells.map((cell) => written(cell, decimals)))
  return stringify(texts, {
    delimiter: decimals === 'comma' ? ';' : ',',
    record_delimiter: 'windows',
    // csv-stringify knows only the whole \r\n for the end of a line
    quoted_match: /[;\t\r\n]/,
  })
}

/**
 * A phone number that stays one in every spreadsheet: as plain text `+49 30 …` would be computed, `030 …` lose its zero.
 * As a `tel:` address (RFC 3966) it is text everywhere, and programs that can call do.
 */
export const phoneCell = (phone: string): string =>
  /\d/.test(phone) ? `tel:${phone.trim().replaceAll(/\s+/g, '-')}` : ''

/** A sheet that can not be read on from `line`. */
export class InvalidCsv extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const delimiters = [',', ';', '\t'] as const

/** What stands between the cells of the first line: spreadsheets write what their country is used to. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

/** A line, with what it holds in quotation marks, in bytes: a quotation that never ends would be one line of everything. */
const longestLine = 64 * 1024

/**
 * The cells of a sheet, line by line as a spreadsheet counts them: line 1 is the first of the array, an empty line is
 * an empty array.
 * @param most lines are read, and no more
 * @throws InvalidCsv when it is no UTF-8, or a quotation mark stands where none can be
 */
export function readCsv(bytes: Uint8Array, most: number): string[][] {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InvalidCsv(1, 'The file is not in UTF-8. Save it as “CSV UTF-8”.')
  }
  try {
    const records: string[][] = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: longestLine,
      to: most,
    })
    return records.map((cells) => (cells.some((cell) => cell.trim()) ? cells.map(unguard) : []))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number(error.lines) || 1
    const why = 'From here on the file can not be read: look at the quotation marks.'
    throw new InvalidCsv(line, why)
  }
}
