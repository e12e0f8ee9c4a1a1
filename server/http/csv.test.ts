import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { csvLines, phoneCell, readCsv } from './csv.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
/**
 * The cells that a spreadsheet reads with this separator. Quotation marks inside a cell are
 * ordinary characters.
 */
const cellsBy = (delimiter: string, text: string): string[] =>
  parse(text, { delimiter, relax_column_count: true, relax_quotes: true }).flat()

/** All texts of up to `length` characters from this alphabet. */
function texts(alphabet: string[], length: number): string[] {
  if (length === 0) return ['']
  const shorter = texts(alphabet, length - 1)
  const longest = shorter.filter((text) => text.length === length - 1)
  return [
    ...shorter,
    ...longest.flatMap((text) => alphabet.map((mailTemplate) => text + mailTemplate)),
  ]
}

describe('a cell', () => {
  test.each([
    '=1+1',
    '+1 555 0100',
    '-1',
    '@sum(a1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠x',
    "'=1",
    'x;=HYPERLINK("http://evil.example")',
    'x,=1+1',
    'x;"=1+1',
    'x,"=1+1"',
    'x\t=1',
    'two\r\n=lines',
  ])('is never a formula: %j', (text) => {
    for (const decimals of ['point', 'comma'] as const) {
      const line = csvLines([[text, 'x']], decimals)
      const head = csvLines([['a', 'b']], decimals)
      for (const delimiter of [',', ';', '\t']) {
        for (const cell of cellsBy(delimiter, line)) {
          expect(cell).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/)
        }
      }
      expect(readCsv(bytes(head + line), 99)[1]?.[0]).toBe(text)
    }
  })

  test('that is a number stays one, even below zero', () => {
    expect(csvLines([[-5, 0.5, null]])).toBe('-5,0.5,\r\n')
  })

  test('that is money has two decimals, below zero too, as the country writes them', () => {
    const row = [{ cents: -5_000 }, { cents: 1_234_567 }, 0.5, 'a,b;c']
    expect(csvLines([row])).toBe('-50.00,12345.67,0.5,"a,b;c"\r\n')
    expect(csvLines([row], 'comma')).toBe('-50,00;12345,67;0,5;"a,b;c"\r\n')
  })

  test.each([
    ['+49 30 1234567', 'tel:+49-30-1234567'],
    ['030 123', 'tel:030-123'],
    ['+1-2-3', 'tel:+1-2-3'],
    ['0676/123 45', 'tel:0676-123-45'],
    ['-', ''],
  ])('the phone number %s is text, as %s', (phone, cell) => {
    expect(phoneCell(phone)).toBe(cell)
  })

  test('comes back as it was, whatever it holds', () => {
    const all = texts(['=', "'", ';', '\n', '\r', 'a', '"', ','], 4)
    const back = readCsv(bytes(csvLines(all.map((text) => [`${text}.`, text]))), 99_999)
    expect(back.map(([, cell]) => cell)).toEqual(all)
    const other = csvLines(
      all.map((text) => [`${text}.`, text]),
      'comma',
    )
    // the first line determines the separator
    const backToo = readCsv(bytes(`a;b\r\n${other}`), 99_999).slice(1)
    expect(backToo.map(([, cell]) => cell)).toEqual(all)
  })
})

describe('a CSV file', () => {
  test.each([
    ['commas', 'a,b\n1,"x, ""y"""\n'],
    ['semicolons', 'a;b\r\n1;"x, ""y"""\r\n'],
    ['tabs', 'a\tb\n1\t"x, ""y"""'],
    ['a byte order mark', '\ufeffa,b\n1,"x, ""y"""\n'],
  ])('is read with %s', (_, text) => {
    expect(readCsv(bytes(text), 99)).toEqual([
      ['a', 'b'],
      ['1', 'x, "y"'],
    ])
  })

  test('counts lines as spreadsheets do', () => {
    const lines = readCsv(bytes('a,b\r\n\r\n1,"two\r\nlines"\r\n , \r\n2,x'), 99)
    expect(lines).toEqual([['a', 'b'], [], ['1', 'two\r\nlines'], [], ['2', 'x']])
  })

  test('ends its lines in any way, and keeps those within a cell', () => {
    const lines = readCsv(bytes('a,b\n1,x\r\n2,"y\rz"\r3,w'), 99)
    expect(lines.map(([, cell]) => cell)).toEqual(['b', 'x', 'y\rz', 'w'])
    expect(csvLines([['two\nlines', 'x']])).toBe('"two\nlines",x\r\n')
  })

  test('that cannot be read says from where on', () => {
    expect(() => readCsv(bytes('a,b\n1,2\n3,"4\n5,6'), 99)).toThrow(/quotation marks/)
    expect(readCsv(Uint8Array.of(0x61, 0xe4, 0x62), 99)).toEqual([['aäb']])
    expect(() => readCsv(new Uint8Array(99), 99)).toThrow(/can’t read this file as a table/)
  })
})
