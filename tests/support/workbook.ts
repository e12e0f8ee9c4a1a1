/** A workbook as spreadsheets save it, limited to the parts that the shop reads. */
import { deflateRawSync } from 'node:zlib'

/** A ZIP of these files. No reader here verifies checksums, so there are none. */
export function zipOf(files: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  const entries: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const data = deflateRawSync(content)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(name.length, 26)
    entries.push(head, Buffer.from(name), data)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    directory.push(entry, Buffer.from(name))
    at += 30 + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...entries, ...directory, end]))
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** @param rows numbers become number cells */
export function workbookOf(rows: (string | number)[][]): Uint8Array<ArrayBuffer> {
  const texts: string[] = []
  const cell = (value: string | number, row: number, column: number) => {
    const r = `${String.fromCharCode(65 + column)}${row + 1}`
    if (typeof value === 'number') return `<c r="${r}"><v>${value}</v></c>`
    if (value === '') return ''
    texts.push(`<si><t xml:space="preserve">${escaped(value)}</t></si>`)
    return `<c r="${r}" t="s"><v>${texts.length - 1}</v></c>`
  }
  const sheet = rows.map((cells, row) => {
    return `<row r="${row + 1}">${cells.map((value, i) => cell(value, row, i)).join('')}</row>`
  })
  return zipOf({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Parts" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>`,
  })
}
