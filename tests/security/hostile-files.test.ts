/**
 * Files from suppliers are untrusted: none of them blocks the shop, and each is read or refused
 * with a message.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvMessages, importLimits } from '#contracts/parts-csv.ts'
import { builtinKinds } from '#server/database/seed/kinds.ts'
import { ownProcess, ProcessEnded } from '#server/own-process.ts'
import { cpuTime, longestBlock } from '#tests/support/cpu-time.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { workbookOf, zipOf } from '#tests/support/workbook.ts'

/** How long the shop may block its event loop, in milliseconds of a core. */
const blockMs = 200

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

type File = string | Uint8Array<ArrayBuffer>
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * A dry run of the file.
 * @returns the status, the messages, and how long the shop's event loop was blocked
 */
async function dryRun(file: File, query = '') {
  const headers = { 'content-type': typeof file === 'string' ? 'text/csv' : xlsx }
  const path = `/api/products/import?dryRun=true${query}`
  let answer: Awaited<ReturnType<Person['call']>> | undefined
  const block = await longestBlock(async () => {
    answer = await owner.call('POST', path, file, headers)
  })
  const { status = 0, body } = answer ?? {}
  const sentences: string[] =
    status === 200
      ? [...body.problems, ...body.notes].map(({ message }: { message: string }) => message)
      : [body.error.message]
  return { status, body, sentences, block }
}

/** A workbook with these sheets, as XML. */
const bookOf = (sheets: string[], more: Record<string, string> = {}) =>
  zipOf({
    'xl/workbook.xml': sheets.map((_, i) => `<sheet r:id="s${i}"/>`).join(''),
    'xl/_rels/workbook.xml.rels': sheets
      .map((_, i) => `<Relationship Id="s${i}" Target="worksheets/s${i}.xml"/>`)
      .join(''),
    ...Object.fromEntries(sheets.map((xml, i) => [`xl/worksheets/s${i}.xml`, xml])),
    ...more,
  })

const described = (html: string) => `SKU;Title;Long description;Price\nA-1;Fan;"${html}";12\n`

describe('a file that is made to stop the shop is read or refused while the shop answers', () => {
  const files: Record<string, () => File> = {
    'one cell of unclosed scripts': () =>
      workbookOf([
        ['SKU', 'Title', 'Long description', 'Price'],
        ['A-1', 'Fan', '<script>'.repeat(7_000), 12],
      ]),
    'a hundred cells of unclosed scripts': () =>
      `SKU;Title;Long description;Price\n${`A-1;Fan;${'<script>'.repeat(7_000)};12\n`.repeat(100)}`,
    'comments that never end': () => described(`<b>${'<!--'.repeat(15_000)}`),
    'tags without an end': () => described(`<b>${'<a b='.repeat(12_000)}`),
    'lists in lists': () => described('<ul><li>'.repeat(7_000)),
    'a cell of white space': () => described(`<b>${' \n'.repeat(30_000)}`),
    'cells that share one long text': () => {
      const cells = Array.from(
        { length: 12 },
        (_, i) => `<c r="${'ABCDEFGHIJKL'[i]}1" t="s"><v>${i}</v></c>`,
      ).join('')
      const line = (i: number) => `<row r="${i + 2}">${`<c t="s"><v>12</v></c>`.repeat(12)}</row>`
      const names = Array.from({ length: 12 }, (_, i) => (i === 0 ? 'name' : `spec:length_mm${i}`))
      const strings = [...names, 'x'.repeat(importLimits.cell)]
      return bookOf(
        [`<row r="1">${cells}</row>${Array.from({ length: 5_000 }, (_, i) => line(i)).join('')}`],
        {
          'xl/sharedStrings.xml': strings.map((text) => `<si><t>${text}</t></si>`).join(''),
        },
      )
    },
    'ten thousand lines': () =>
      `name,kind,price,description\n${Array.from({ length: importLimits.lines }, (_, i) => `Part ${i},fan,10,${'word '.repeat(60)}`).join('\n')}`,
  }
  // the most expensive ones only in the full run
  const inGate = Object.entries(files).filter(([name]) => atLength || name !== 'lists in lists')
  test.each(inGate)('%s', async (_, make) => {
    const { status, sentences, body, block } = await dryRun(make())
    expect([200, 413]).toContain(status)
    if (status === 413 || body.lines === 0) expect(sentences.length).toBeGreaterThan(0)
    expect(block).toBeLessThan(blockMs)
  })
})

test('problems in each of a million cells cost no more than those that the report shows', async () => {
  const keys = Object.values(builtinKinds).flatMap(({ fields }) => Object.keys(fields))
  const columns = [...new Set(keys)].map((key) => `spec:${key}`)
  const own = 'name,kind,price,description,availableQuantity,minimumOrderQuantity'
  const bad = columns.map(() => 'x').join()
  const lines = Array.from(
    { length: importLimits.lines },
    (_, i) => `Part ${i},Case,10,d,1,1,${bad}`,
  )
  const time = await cpuTime(async () => {
    const { body } = await dryRun([[own, ...columns].join(), ...lines].join('\n'))
    expect([body.refused, body.problems.length]).toEqual([
      importLimits.lines,
      importLimits.problems,
    ])
  })
  // a sentence for each cell took more than three seconds, and 600 MB
  expect(time).toBeLessThan(1500)
})

test('a long text that thousands of lines share is converted once', async () => {
  const text = '&lt;ul&gt;&lt;li&gt;'.repeat(6_000)
  const lines = Array.from({ length: 9_000 }, (_, i) => {
    const [sku, title, price] = [`A-${i}`, `Fan ${i}`, 12].map((cell) => `<c><v>${cell}</v></c>`)
    return `<row>${sku}${title}<c t="s"><v>4</v></c>${price}</row>`
  })
  const names = ['SKU', 'Title', 'Long description', 'Price']
  const header = names.map((_, i) => `<c t="s"><v>${i}</v></c>`).join('')
  const sheet = bookOf([`<row>${header}</row>${lines.join('')}`], {
    'xl/sharedStrings.xml': [...names, text].map((each) => `<si><t>${each}</t></si>`).join(''),
  })
  const { plan } = (await dryRun(sheet)).body.file
  expect(plan.columns).toMatchObject({ 'Long description': 'description' })
  await owner.call('PUT', '/api/supplier', { name: 'Northgate', plan })
  // ten milliseconds for each line would be more than the minute that a file may take
  const { status, body } = await dryRun(sheet, '&supplier=Northgate')
  expect([status, body.lines]).toEqual([200, 9_000])
})

test('a cell of more than 64 KB is refused by its line', async () => {
  const long = 'x'.repeat(importLimits.cell + 1)
  const sheet = workbookOf([
    ['SKU', 'Title', 'Price'],
    ['A-1', 'Fan', 12],
    ['A-2', long, 12],
  ])
  const { body } = await dryRun(sheet)
  expect(body.problems).toEqual([{ line: 3, field: '', message: csvMessages.cellTooLong }])
  const csv = await dryRun(`sku,name,price\nA-1,Fan,12\nA-2,${long},12\n`)
  expect(csv.body.problems).toEqual([{ line: 3, field: '', message: csvMessages.lineTooLong }])
})

test('a workbook has one budget of bytes and of tags, whatever the number of its sheets', async () => {
  const cells = `<row>${'<c/>'.repeat(1_500_000)}</row>`
  const { sentences, block } = await dryRun(bookOf([cells, cells, cells]))
  expect(sentences).toEqual([csvMessages.bomb])
  expect(block).toBeLessThan(blockMs)
  const wide = bookOf(Array.from({ length: 3 }, () => ' '.repeat(20 * 1024 * 1024)))
  expect((await dryRun(wide)).sentences).toEqual([csvMessages.bomb])
})

describe('a process of its own', () => {
  const options = {
    work: 'is tested',
    program: 'endless-task',
    caller: import.meta.filename,
    lower: 0,
    longestMs: 60_000,
  }
  test.each(['time', 'memory'])(
    'dies of a task that takes too much %s; the next is done',
    async (takes) => {
      const run = ownProcess<string, string, number>(options)
      const [endless, next] = [run(takes), run('answer')]
      await expect(endless).rejects.toBeInstanceOf(ProcessEnded)
      expect(await next).toEqual({ rows: ['a', 'b'], result: 2 })
    },
  )
})

test('any file is read, or refused in a sentence', async () => {
  const html = fc.constantFrom(
    ...[
      '<b>',
      '</b>',
      '<!--',
      '-->',
      '<script>',
      '</script',
      '<li>',
      '&amp;',
      '&#9;',
      '&#x110000;',
    ],
    ...['<a href="', "'", '<', '>', '&', '<td>', 'text', ' ', '<p/>', '<![CDATA[', '<?x', '\u0000'],
  )
  const cell = fc.oneof(
    fc.array(html, { maxLength: 60 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('1.299,00', '"', '=1+1', '-', '0', '1e99', 'https://x.example/a.jpg', '>50'),
  )
  const table = fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 8 })
  const header = fc.constantFrom<string[]>(
    ['sku', 'name', 'price', 'description'],
    ['Artikelnr', 'Bezeichnung', 'EK', 'Langtext'],
    ['a', 'b'],
  )
  const xml = fc
    .array(
      fc.constantFrom(
        '<row r="2">',
        '<row>',
        '</row>',
        '<c r="B2" t="s">',
        '<c t="inlineStr">',
        '<is><t>',
        '</t></is>',
        '<v>',
        '7',
        '</v>',
        '</c>',
        '<c r="ZZZZ9">',
        '<',
        '&lt;',
      ),
      { maxLength: 80 },
    )
    .map((pieces) => pieces.join(''))
  const files: fc.Arbitrary<File> = fc.oneof(
    fc
      .tuple(header, table, fc.constantFrom(',', ';', '\t'))
      .map(([names, rows, by]) => [names, ...rows].map((cells) => cells.join(by)).join('\n')),
    fc.tuple(header, table).map(([names, rows]) => workbookOf([names, ...rows])),
    fc
      .tuple(xml, xml)
      .map(([a, b]) => bookOf([a, b], { 'xl/sharedStrings.xml': `<sst><si><t>${b}` })),
    fc.tuple(xml, fc.nat(300), fc.nat(255)).map(([a, at, byte]) => {
      const bytes = bookOf([a])
      bytes[at % bytes.length] = byte
      return bytes
    }),
  )
  const property = fc.asyncProperty(
    files,
    fc.constantFrom('', '&accept=right'),
    async (file, query) => {
      const { status, body, sentences } = await dryRun(file, query)
      expect([200, 413]).toContain(status)
      // a report, whose shape `call` checks against the document, or the reason why there is none
      expect(status === 200 ? body.lines : sentences[0]).toBeDefined()
    },
  )
  await fc.assert(property, { numRuns: atLength ? 1500 : 40, ...(seed !== undefined && { seed }) })
}, 600_000)
