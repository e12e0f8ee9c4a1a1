/** Sheets as spreadsheets read and write them: CSV in UTF-8, in which no text is ever a formula. */
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | null

/** What spreadsheets compute, or what was guarded from that already, at the begin of a cell. */
const computed = /^(?='*[=+\-@\t\r\n＝＋－＠])/
const guarded = /^'(?='*[=+\-@\t\r\n＝＋－＠])/
/** Where a cell begins for a spreadsheet that parts them by semicolons or tabs. */
const computedInside = /[;\t\r\n](?='*[=+\-@＝＋－＠])/g
const guardedInside = /([;\t\r\n])'(?='*[=+\-@＝＋－＠])/g

/** An apostrophe before whatever a spreadsheet would compute; numbers are written as numbers. */
const guard = (text: string) => text.replace(computedInside, "$&'").replace(computed, "'")
/** The text as it was before `guard`. */
const unguard = (cell: string) => cell.replace(guarded, '').replace(guardedInside, '$1')

/** Spreadsheets take a file for UTF-8 only when it begins with this. */
export const byteOrderMark = '\ufeff'

/** Lines of a sheet, each ended. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    record_delimiter: 'windows',
    // csv-stringify knows only the whole \r\n for the end of a line
    quoted_match: /[;\t\r\n]/,
    cast: { string: guard },
  })
}

/** A sheet that can not be read on from `line`. */
export class UnreadableSheet extends Error {
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
 * @throws UnreadableSheet when it is no UTF-8, or a quotation mark stands where none can be
 */
export function readCsv(bytes: Uint8Array, most: number): string[][] {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableSheet(1, 'The file is not in UTF-8. Save it as “CSV UTF-8”.')
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
    throw new UnreadableSheet(line, why)
  }
}
