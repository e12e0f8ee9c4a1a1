/** XLSX files from spreadsheets: reads the values of the first sheet with any. */
import { inflateRawSync } from 'node:zlib'
import { csvMessages, importLimits } from '#contracts/parts-csv.ts'
import { InvalidCsv } from './csv.ts'

/**
 * Limits for unpacking a whole workbook. A sheet of 10,000 lines has at most 30 MB and two million
 * tags.
 */
const limits = { bytes: 48 * 1024 * 1024, columns: 500, tags: 4_000_000 } as const
/** What remains of the limits while a workbook is read. */
type Budget = { bytes: number; tags: number }

const refused = (why: keyof typeof csvMessages) => new InvalidCsv(1, csvMessages[why])

/** A number when the spreadsheet stores one, so that nobody has to guess its decimal sign. */
export type SheetCell = string | number

/** Whether the bytes are an XLSX file, which is a ZIP. */
export const isXlsx = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

type Entry = { name: string; method: number; at: number; size: number }

/** The entries in the directory at the end of a ZIP. */
function entriesOf(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0) throw refused('damaged')
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, more] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)]
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      method: zip.readUInt16LE(at + 10),
      size: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + more + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** Unpacks a file of a ZIP, up to `max` bytes. */
function unpacked(zip: Buffer, { method, at, size }: Entry, max: number): Buffer {
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  const data = zip.subarray(start, start + size)
  if (method === 8) return inflateRawSync(data, { maxOutputLength: max })
  if (method !== 0) throw refused('damaged')
  if (data.length > max) throw refused('bomb')
  return data
}

/**
 * The selected files of a workbook, as text. @throws InvalidCsv when the file is not a ZIP, or
 * unpacks to too much
 */
function filesIn(
  bytes: Uint8Array,
  budget: Budget,
  isWanted: (name: string) => boolean,
): Map<string, string> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const entries = entriesOf(zip).filter(({ name }) => isWanted(name))
    return new Map(
      entries.map((entry) => {
        const file = unpacked(zip, entry, budget.bytes)
        budget.bytes -= file.length
        return [entry.name, file.toString('utf8')]
      }),
    )
  } catch (error) {
    if (error instanceof InvalidCsv) throw error
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
    throw refused(isTooLarge ? 'bomb' : 'damaged')
  }
}

/** The error for a ZIP without sheets, by what it is. */
function otherZip(bytes: Uint8Array): InvalidCsv {
  let is: keyof typeof csvMessages = 'zip'
  filesIn(bytes, { ...limits }, (name) => {
    if (name === 'xl/workbook.bin') is = 'binaryWorkbook'
    if (name === 'xl/workbook.xml') is = 'damaged'
    if (name === 'content.xml') is = 'openDocument'
    return false
  })
  return refused(is)
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text between tags, with entities and the spreadsheet's own escapes decoded. */
const textOf = (xml: string) =>
  xml
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (all, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      if (name) return named[name] ?? all
      return code <= 0x10_ffff ? String.fromCodePoint(code) : ''
    })
    .replaceAll('_x000D_', '')

type Tag = { name: string; isEnd: boolean; isEmpty: boolean; attributes: string; text: string }

/** The tags of a text in order, each with the text that follows it. */
function* tagsIn(xml: string, budget: Budget): Generator<Tag> {
  for (const [, end, name = '', attributes = '', text = ''] of xml.matchAll(
    /<(\/?)(?:[\w.-]{1,32}:)?([\w.-]{1,64})(?=[\s/>])([^<>]*)>([^<]*)/g,
  )) {
    budget.tags -= 1
    if (budget.tags < 0) throw refused('bomb')
    yield { name, isEnd: end === '/', isEmpty: attributes.endsWith('/'), attributes, text }
  }
}

const attributePatterns = {
  r: /(?:^|[\s:])r="([^"]*)"/,
  t: /(?:^|[\s:])t="([^"]*)"/,
  Id: /(?:^|[\s:])Id="([^"]*)"/,
  id: /(?:^|[\s:])id="([^"]*)"/,
  Target: /(?:^|[\s:])Target="([^"]*)"/,
}
const attribute = (attributes: string, name: keyof typeof attributePatterns): string | undefined =>
  attributePatterns[name].exec(attributes)?.[1]

/** The shared strings: each is one text or several runs. Skips runs for the pronunciation. */
function sharedStrings(xml = '', budget: Budget): string[] {
  const all: string[] = []
  let isSpoken = false
  for (const { name, isEnd, text } of tagsIn(xml, budget)) {
    if (name === 'si' && !isEnd) all.push('')
    if (name === 'rPh') isSpoken = !isEnd
    if (name === 't' && !isEnd && !isSpoken) all[all.length - 1] += textOf(text)
  }
  return all
}

/** `AB12` → 27. */
const columnOf = (cell: string): number =>
  [...cell.replaceAll(/[^A-Z]/g, '')].reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  ) - 1

function cellValue(type: string | undefined, text: string, strings: string[]): SheetCell {
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'b') return text === '1' ? 'yes' : 'no'
  if (type === 'e') return ''
  if (type === 'str' || type === 'inlineStr') return textOf(text)
  // 1.7430000000000001E1 is 17.43
  return text && Number.isFinite(Number(text)) ? Number(Number(text).toPrecision(15)) : text
}

/** The rows of a sheet. @param max the maximum number of rows to read */
function rowsOf(xml: string, strings: string[], max: number, budget: Budget): SheetCell[][] {
  const rows: SheetCell[][] = []
  let row = 0
  let column = -1
  let [type, text] = ['' as string | undefined, '']
  const put = () => {
    const value = cellValue(type, text, strings)
    if (value === '') return
    if (typeof value === 'string' && value.length > importLimits.cell)
      throw new InvalidCsv(row, csvMessages.cellTooLong)
    const own = rows[row] ?? []
    rows[row] = own
    if (column < limits.columns) own[column] = value
  }
  for (const tag of tagsIn(xml, budget)) {
    if (tag.name === 'row' && !tag.isEnd) {
      row = Number(attribute(tag.attributes, 'r') ?? row + 1)
      column = -1
      if (!(row >= 1)) throw refused('damaged')
      if (row > max) break
    } else if (tag.name === 'c') {
      if (tag.isEnd) put()
      else {
        const at = attribute(tag.attributes, 'r')
        column = at ? columnOf(at) : column + 1
        type = attribute(tag.attributes, 't')
        text = ''
      }
    } else if ((tag.name === 'v' || tag.name === 't') && !tag.isEnd) text += tag.text
  }
  // the first row of a sheet is 1
  return Array.from({ length: Math.max(rows.length - 1, 0) }, (_, i) =>
    Array.from(rows[i + 1] ?? [], (cell) => cell ?? ''),
  )
}

/**
 * Reads the first sheet with values into lines of cells; the array begins with line 1. Numbers stay
 * numbers, whatever their format.
 * @param max the maximum number of lines to read
 * @throws InvalidCsv
 */
export function readXlsx(bytes: Uint8Array, max: number): SheetCell[][] {
  const isSheet = (name: string) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)
  const budget: Budget = { ...limits }
  const index = filesIn(bytes, budget, (name) =>
    /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels)$/.test(name),
  )
  const targets = new Map(
    [...tagsIn(index.get('xl/_rels/workbook.xml.rels') ?? '', budget)].map(({ attributes }) => [
      attribute(attributes, 'Id'),
      `xl/${attribute(attributes, 'Target')?.replace(/^\/?(xl\/)?/, '')}`,
    ]),
  )
  const sheets = [...tagsIn(index.get('xl/workbook.xml') ?? '', budget)]
    .filter(({ name, isEnd }) => name === 'sheet' && !isEnd)
    .map(({ attributes }) => targets.get(attribute(attributes, 'id')) ?? '')
    .filter(isSheet)
  const strings = sharedStrings(
    filesIn(bytes, budget, (name) => name === 'xl/sharedStrings.xml').get('xl/sharedStrings.xml'),
    budget,
  )
  for (const sheet of sheets.slice(0, 20)) {
    const xml = filesIn(bytes, budget, (name) => name === sheet).get(sheet) ?? ''
    const rows = rowsOf(xml, strings, max, budget)
    if (rows.some((cells) => cells.length > 0)) return rows
  }
  throw sheets.length === 0 ? otherZip(bytes) : refused('empty')
}
