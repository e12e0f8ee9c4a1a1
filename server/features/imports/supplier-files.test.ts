import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDrawing } from '#contracts/drawings.ts'
import { AdminPart } from '#contracts/parts.ts'
import { type ImportPlan, ImportReport } from '#contracts/parts-csv.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants } from '#tests/support/stock.ts'
import { workbookOf, zipOf } from '#tests/support/workbook.ts'
import { amountOf, decimalsOf, roundedPrice } from './parse-numbers.ts'
import { plainText, shortened } from './plain-text.ts'

let shop: TestShop
let owner: Person
let ada: Person

beforeAll(async () => {
  // the price lists of these tests are in euros
  shop = await openTestShop({ CURRENCY: 'EUR' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
async function send(file: string | Uint8Array<ArrayBuffer>, query: Record<string, string> = {}) {
  const path = `/api/products/import?${new URLSearchParams(query)}`
  const type = typeof file === 'string' ? 'text/csv' : xlsx
  const { status, body } = await owner.call('POST', path, file, { 'content-type': type })
  expect(status, JSON.stringify(body)).toBe(200)
  return ImportReport.parse(body)
}
const dry = (file: string | Uint8Array<ArrayBuffer>, supplier?: string) =>
  send(file, { dryRun: 'true', ...(supplier && { supplier }) })

/** Saves the plan that the shop suggests for a file, with changes. */
async function remembered(
  name: string,
  file: string | Uint8Array<ArrayBuffer>,
  more: Partial<ImportPlan> = {},
) {
  const { file: fileReport } = await dry(file)
  const plan = { ...fileReport?.plan, ...more }
  expect((await owner.call('PUT', '/api/supplier', { name, plan })).status).toBe(200)
  return fileReport
}
async function named(name: string): Promise<AdminPart> {
  const { body } = await owner.call('GET', `/api/products?${new URLSearchParams({ q: name })}`)
  return AdminPart.parse(body.find((part: AdminPart) => part.name === name))
}
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

const header = [
  ...['Artikelnummer', 'Hersteller', 'Herstellernummer', 'EAN', 'Bezeichnung', 'Warengruppe'],
  ...['EK netto', 'Bestand', 'Length (mm)', 'Memory', 'Langtext', 'Zolltarif'],
]
const rows = [
  [
    'NG-1',
    'Cinder',
    'CI-7600',
    4006381333931,
    'Cinder RX 7600',
    'GPU',
    '1.199,50 €',
    '>50',
    '24,0 cm',
    '8 GB',
    '<p>Two&nbsp;fans.</p><ul><li>quiet</li></ul>',
    '8473',
  ],
  [
    'NG-2',
    'Cinder',
    'CI-6400',
    '36000291452',
    'Cinder RX 6400',
    'Hardware > Graphics cards',
    '101,10',
    '3',
    '',
    '',
    '',
    '',
  ],
  ['NG-3', 'Gust', '', '12345', 'Lüfter 140', 'Lüfter', '9,95', '12', '', '', 'x'.repeat(2500), ''],
]
const csv = latin1(
  [['Preisliste', 'Mai'], header, ...rows]
    .map((cells) => cells.map((cell) => `"${cell}"`).join(';'))
    .join('\r\n')
    .replaceAll('€', 'EUR'),
)

test('a supplier’s file is read by its column names, later by the supplier’s saved mapping', async () => {
  const file = await remembered('Northgate', csv, {
    price: { from: 'cost', factor: 1.3, round: 'nine' },
    kinds: { Lüfter: 'fan' },
  })
  expect(file?.plan).toMatchObject({
    columns: {
      ...{ Artikelnummer: 'sku', Hersteller: 'brand', Herstellernummer: 'mpn', EAN: 'gtin' },
      ...{ Bezeichnung: 'name', Warengruppe: 'kind', 'EK netto': 'cost', Bestand: 'onHand' },
      ...{ 'Length (mm)': 'spec:length_mm', Langtext: 'description', Zolltarif: '' },
    },
    decimals: 'comma',
    price: { from: 'cost' },
  })
  expect(file?.unknownKinds).toEqual(['Lüfter'])
  const other = await dry('Manufacturer Part No;Dealer Price (USD);Wattage\nx;1;650 W')
  expect(other.file?.plan.columns).toEqual({
    ...{ 'Manufacturer Part No': 'mpn', 'Dealer Price (USD)': 'cost' },
    Wattage: 'spec:wattage_w',
  })
  expect(file?.plan.kinds).toEqual({ Lüfter: 'fan' })
  // a title of one cell, abbreviations, German names of fields and kinds, and HTML with quotation
  // marks
  const ugly = await dry(`Preisliste – Mai

Artikelnr.;Hersteller;Herstellernr.;Bezeichnung;Warengruppe;HEK netto €;UVP inkl. MwSt.;Länge;Farbe;Text
A1;Cinder;C1;Cinder X;Grafikkarten;"1.199,50 €";"1.400,00 €";24,0 cm;;"<p class=""a"">Two, quiet</p>"`)
  expect(ugly.file?.plan).toMatchObject({
    columns: {
      ...{ 'Artikelnr.': 'sku', 'Herstellernr.': 'mpn', 'HEK netto €': 'cost' },
      ...{ 'UVP inkl. MwSt.': 'price', Länge: 'spec:length_mm', Farbe: 'spec:colour' },
    },
    kinds: { Grafikkarten: 'graphics card' },
  })
  const more = await dry(`Artikelnr.;Herst.-Art.-Nr.;Bezeichnung;Warengruppe;VK;Gewicht (kg)
A2;C2;Drive;SSD intern;90;0,85
A3;C3;Screen;Hardware > Monitore;190;4`)
  expect(more.file?.plan).toMatchObject({
    columns: { 'Herst.-Art.-Nr.': 'mpn', 'Gewicht (kg)': 'spec:weight_g' },
    kinds: { 'SSD intern': 'storage drive', 'Hardware > Monitore': 'monitor' },
  })
  // next time, the shop recognises the supplier by the columns
  const again = await dry(csv)
  expect(again.file?.supplier).toBe('Northgate')
  expect(again).toMatchObject({ lines: 3, added: 3, updated: 0, refused: 0 })
  expect(again.rows.map(({ line, outcome }) => [line, outcome])).toEqual([
    [3, 'new'],
    [4, 'new'],
    [5, 'new'],
  ])
  expect(again.notes.map(({ line, field }) => [line, field])).toEqual([
    [5, 'description'],
    [5, 'gtin'],
  ])
  const report = await send(csv, { supplier: 'Northgate', name: 'may.csv' })
  expect(report).toMatchObject({ added: 3, problems: [] })
  const card = await named('Cinder RX 7600')
  expect(card).toMatchObject({
    ...{ sku: 'NG-1', mpn: 'CI-7600', gtin: '4006381333931', brand: 'Cinder' },
    ...{ kind: 'graphics card', cost: 1199.5, price: 1569, onHand: 50, state: 'on sale' },
    ...{ description: 'Two fans.\n- quiet', specs: { length_mm: 240, memory_gb: 8 } },
  })
  expect(isDrawing(card.image)).toBe(true)
  expect(await named('Cinder RX 6400')).toMatchObject({ gtin: '0036000291452', price: 139 })
  expect(await named('Lüfter 140')).toMatchObject({ kind: 'fan', gtin: '', price: 19 })
  expect(await dry(csv, 'Northgate')).toMatchObject({ added: 0, updated: 0, refused: 0 })
})

test('a value that is not a number is quoted, and a negative stock is reported with its replacement', async () => {
  const list = (cost: string, stock: string) =>
    `Artikelnummer;Bezeichnung;EK netto;Bestand\nODD-1;Odd one;${cost};${stock}`
  await remembered('Odd', list('10', '5'), { kind: 'fan' })
  const refused = await dry(list('auf Anfrage', '5'), 'Odd')
  expect(refused.problems).toMatchObject([
    { line: 2, field: 'price', message: 'Price must be a number, not “auf Anfrage”' },
    { line: 2, field: 'cost', message: 'Cost must be a number, not “auf Anfrage”' },
  ])
  const fresh = await send(list('10', '-5'), { supplier: 'Odd', name: 'odd.csv' })
  expect(fresh.problems).toEqual([])
  expect(fresh.notes).toEqual([
    {
      line: 2,
      field: 'onHand',
      message:
        'Left out: Available quantity must be 0 or more, not “-5”. The new product starts with 0 in stock',
    },
  ])
  expect((await named('Odd one')).onHand).toBe(0)
  const known = await dry(list('11', 'abc'), 'Odd')
  expect(known.notes).toMatchObject([
    {
      message: expect.stringMatching(
        /a whole number, not “abc”\. The product’s stock stays as it is$/,
      ),
    },
  ])
  expect(await dry(list('10', '0'), 'Odd')).toMatchObject({ same: 1, updated: 0, right: 0 })
})

test('a unit in a header counts for its numbers, unless a cell has its own', async () => {
  const list =
    'SKU;Name;Category;Price;Weight in kg\nW1;Paw A;mouse;20,40;0,085\nW2;Paw B;mouse;20,40;63 g'
  const file = await remembered('Weights', list)
  expect(file?.plan.columns).toMatchObject({ 'Weight in kg': 'spec:weight_g' })
  await send(list, { supplier: 'Weights' })
  expect((await named('Paw A')).specs).toEqual({ weight_g: 85 })
  expect((await named('Paw B')).specs).toEqual({ weight_g: 63 })
})

test('the weight of a parcel is read in the unit of its cell, else of its header', async () => {
  const list = [
    'SKU;Name;Category;Price;Bruttogewicht (kg)',
    'H1;Brick A;case;20,40;7,85',
    'H2;Brick B;case;20,40;850 g',
    'H3;Brick C;case;20,40;0,2504',
    'H4;Brick D;case;20,40;2 lb',
  ].join('\n')
  const file = await remembered('Heavy', list)
  expect(file?.plan.columns).toMatchObject({ 'Bruttogewicht (kg)': 'weightG' })
  const report = await send(list, { supplier: 'Heavy' })
  expect(report.notes).toMatchObject([{ line: 5, field: 'weightG' }])
  const weights = []
  for (const name of ['Brick A', 'Brick B', 'Brick C', 'Brick D'])
    weights.push((await named(name)).weightG)
  expect(weights).toEqual([7850, 850, 250, 0])
})

test('the same file as a workbook reads the same, without guessing decimal signs', async () => {
  const numeric = [[...(rows[0] ?? [])], [...(rows[1] ?? [])]]
  numeric[0]?.splice(6, 2, 1199.5, 50)
  numeric[1]?.splice(6, 2, 101.1, 3)
  const report = await dry(workbookOf([header, ...numeric]), 'Northgate')
  expect(report).toMatchObject({ lines: 2, added: 0, updated: 0, problems: [], notes: [] })
})

test('parts are matched by SKU, EAN, or manufacturer’s number and brand; stock is as counted', async () => {
  const card = await named('Cinder RX 7600')
  const short = await named('Cinder RX 6400')
  await bookingOf(ada, card, { quantity: 5 })
  const columns = 'sku,gtin,mpn,brand,onHand,price\n'
  const matched = await dry(`${columns}NG-1,,,,7,\n,36000291452,,,9,\n,,ci-7600,Gust,1,`)
  expect(matched.rows.map(({ line, outcome, changes }) => [line, outcome, changes])).toEqual([
    [2, 'changed', 'Stock: -43'],
    [3, 'changed', 'Stock: +6'],
    [4, 'refused', ''],
  ])
  const held = await dry(`${columns}ng-1,,,,4,`)
  expect(held.problems).toEqual([
    { line: 2, field: 'onHand', message: expect.stringContaining('5 are reserved') },
  ])
  const two = await dry(`${columns}ng-1,36000291452,,,4,\n,,CI-7600,,,1\nNG-1,,,,,2`)
  expect(two.problems.map(({ line, message }) => [line, message])).toEqual([
    [2, 'Its SKU and EAN belong to two different products here.'],
    [4, 'This product is already on line 3.'],
  ])
  expect(short.reserved).toBe(0)
})

test('valid lines are imported without the others, by choice, and an import is undone as one action', async () => {
  const [card, short] = [await named('Cinder RX 7600'), await named('Cinder RX 6400')]
  const csv = `sku,name,price,onHand,description,minimumOrderQuantity,availableQuantity
NG-1,,1500,60,,,\nNG-2,,150,,,,\nNG-9,Newcomer,5,,Small.,1,4\nNG-3,,0,,,,`
  expect(await send(csv)).toMatchObject({ refused: 1, batch: null })
  expect(await named('Cinder RX 7600')).toEqual(card)
  const report = await send(csv, { accept: 'right', name: 'prices.csv' })
  expect(report).toMatchObject({ added: 1, updated: 2, refused: 1, batch: expect.any(String) })
  expect(await named('Cinder RX 7600')).toMatchObject({ price: 1500, onHand: 60 })
  // after the undo of a later bulk edit, the import can be undone
  const dearer = {
    filter: { q: 'Newcomer' },
    change: { what: 'price', percent: 50, round: 'nearest' },
    shown: 1,
  }
  const { body: bulk } = await owner.call('POST', '/api/products/bulk', dearer)
  expect((await owner.call('POST', `/api/batch/${bulk.batch}/undo`)).body.undone).toBe(1)
  const newcomer = await named('Newcomer')
  const edited = { ...(await named('Cinder RX 6400')), price: 160 }
  expect((await owner.call('PUT', `/api/product/${short._id}`, edited)).status).toBe(200)
  const undone = await owner.call('POST', `/api/batch/${report.batch}/undo`)
  expect(undone.body).toEqual({
    undone: 2,
    refused: [{ partId: short._id, name: short.name, message: 'It was changed again after this.' }],
  })
  expect(await named('Cinder RX 7600')).toEqual({ ...card, version: card.version + 2 })
  expect(await named('Cinder RX 6400')).toMatchObject({ price: 160 })
  const { body: gone } = await owner.call('GET', `/api/product/${newcomer._id}`)
  expect(gone.deletedAt).not.toBeNull()
  expect((await owner.call('POST', `/api/batch/${report.batch}/undo`)).status).toBe(400)
  const { body: batches } = await owner.call('GET', '/api/batches')
  const last = { name: 'prices.csv', added: 1, updated: 2 }
  expect(batches.find(({ type }: { type: string }) => type === 'import')).toMatchObject(last)
})

test('a plan may add drafts or nothing, and change prices and stock alone', async () => {
  const file =
    'Article;Title;Category;List price;Qty\nNG-2;Renamed;Fan;1,234.50;8\nNG-10;Vortex;Fan;20.00;1'
  await remembered('Carry', file, { newParts: 'draft', known: 'price and stock' })
  expect(await send(file, { supplier: 'Carry' })).toMatchObject({ added: 1, updated: 1 })
  expect(await named('Cinder RX 6400')).toMatchObject({ price: 1234.5, onHand: 8 })
  expect(await named('Vortex')).toMatchObject({ state: 'draft', price: 20, kind: 'fan' })
  await remembered('Carry', file, { newParts: 'skip' })
  const other = file.replace('NG-10', 'NG-11').replace('Vortex', 'Other')
  expect(await dry(other, 'Carry')).toMatchObject({ added: 0, unmatched: 1 })
  expect(
    (
      await owner.call('POST', '/api/products/import?supplier=Nobody', file, {
        'content-type': 'text/csv',
      })
    ).status,
  ).toBe(404)
})

test('a bulk edit changes what a filter shows, after a preview, in one transaction, and is undone', async () => {
  const file = `sku,name,kind,price,description,minimumOrderQuantity,availableQuantity,spec:size_mm
B-1,Bulk one,fan,100,x,1,5,120\nB-2,Bulk two,fan,33,x,1,2,\nB-3,Bulk three,case,9,x,1,0,`
  expect(await send(file)).toMatchObject({ added: 3 })
  const bulk = async (change: object, shown?: number) =>
    (await owner.call('POST', '/api/products/bulk', { filter: { q: 'Bulk' }, change, shown })).body
  const dearer = { what: 'price', percent: 10, round: 'nine' }
  const preview = await bulk(dearer)
  expect(preview).toMatchObject({ shown: 3, changed: 3, refused: 0, batch: null })
  expect(preview.rows.map(({ changes }: { changes: string }) => changes)).toEqual([
    'Price: €100 → €119',
    'Price: €33 → €39',
    'Price: €9 → €19',
  ])
  expect(await named('Bulk one')).toMatchObject({ price: 100, version: 1 })
  expect((await bulk(dearer, 2)).error.code).toBe('OUTDATED')
  const { batch } = await bulk(dearer, 3)
  expect(await named('Bulk two')).toMatchObject({ price: 39, version: 2 })
  const size = await bulk({ what: 'specification', key: 'size_mm', value: '14 cm' }, 3)
  expect(size).toMatchObject({ changed: 2, refused: 1 })
  expect((await named('Bulk two')).specs).toEqual({ size_mm: 140 })
  expect(await bulk({ what: 'stock', units: -2 })).toMatchObject({ changed: 2, refused: 1 })
  expect(await bulk({ what: 'kind', kind: 'Fans' })).toMatchObject({ changed: 1 })
  const undo = await owner.call('POST', `/api/batch/${batch}/undo`)
  expect(undo.body).toMatchObject({
    undone: 1,
    refused: [{ name: 'Bulk one' }, { name: 'Bulk two' }],
  })
  await owner.call('POST', `/api/batch/${size.batch}/undo`)
  expect(await named('Bulk one')).toMatchObject({ price: 119, specs: { size_mm: 120 } })
  const { rows: actions } = await shop.pool.query(
    `select count(*)::int as lines from audit_log where action = 'part changed' and detail -> 'price' is not null
     and part_id in (select _id from parts where name like 'Bulk %')`,
  )
  expect(actions).toEqual([{ lines: 4 }])
  expect(await bulk({ what: 'state', state: 'draft' }, 3)).toMatchObject({ changed: 3 })
})

test('UTF-16, tabs and a file of 5,000 lines are read; the dry run takes less than five seconds', async () => {
  const lines = Array.from(
    { length: 5000 },
    (_, i) =>
      `N-${i}\tMaker\tFan number ${i} – 140 mm\tFan\t${(i % 90) + 10}.50\t${i % 40}\t140 mm\t<b>Fan</b>`,
  )
  const head = 'SKU\tBrand\tProduct name\tCategory\tDealer price\tStock\tSize\tDescription'
  const text = [head, ...lines].join('\n')
  const bytes = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
  await remembered('Sixteen', bytes)
  const milliseconds = await cpuTime(async () => {
    const report = await dry(bytes, 'Sixteen')
    expect(report).toMatchObject({ lines: 5000, added: 5000, refused: 0 })
  })
  expect(milliseconds).toBeLessThan(5000)
})

test('a workbook made to exhaust memory is refused', async () => {
  const relation = {
    'xl/_rels/workbook.xml.rels': '<Relationship Id="a" Target="worksheets/a.xml"/>',
  }
  const book = { 'xl/workbook.xml': '<sheet r:id="a"/>', ...relation }
  const bombs = {
    'much of nothing': zipOf({ ...book, 'xl/worksheets/a.xml': ' '.repeat(60_000_000) }),
    'tags without end': zipOf({ ...book, 'xl/worksheets/a.xml': `<${'a'.repeat(20_000_000)}` }),
    'a row far below': zipOf({
      ...book,
      'xl/worksheets/a.xml': '<row r="99999999"><c><v>1</v></c></row>',
    }),
    'a file cut off': workbookOf([['name'], ['x']]).slice(0, 200),
  }
  for (const [name, bytes] of Object.entries(bombs)) {
    const milliseconds = await cpuTime(async () => {
      expect((await dry(bytes)).problems.length, name).toBeGreaterThan(0)
    })
    expect(milliseconds, name).toBeLessThan(3000)
  }
})

test('a file that is something else is refused with what it is and what to do; one with another name is read', async () => {
  const bytes = (...numbers: number[]) => new Uint8Array([...numbers, ...Buffer.alloc(600)])
  const others: [RegExp, Uint8Array<ArrayBuffer>][] = [
    [
      /Excel 97–2003 workbook \(\.xls\), or it has a password/,
      bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    ],
    [
      /LibreOffice file \(\.ods\)/,
      zipOf({ mimetype: 'application/vnd.oasis', 'content.xml': '<a/>' }),
    ],
    [/binary workbook \(\.xlsb\)/, zipOf({ 'xl/workbook.bin': 'x' })],
    [/ZIP without a workbook/, zipOf({ 'prices.csv': 'name\nx' })],
    [/a PDF/, latin1('%PDF-1.7 prices')],
    [/a web page or XML/, latin1('\n<HTML><table><tr><td>name</td></tr></table>')],
    [/damaged or incomplete/, workbookOf([['name'], ['x']]).slice(0, 200)],
    [/workbook is empty/, workbookOf([])],
    [
      /far more than any product list/,
      zipOf({
        'xl/workbook.xml': '<sheet r:id="a"/>',
        'xl/_rels/workbook.xml.rels': '<Relationship Id="a" Target="worksheets/a.xml"/>',
        'xl/worksheets/a.xml': ' '.repeat(60_000_000),
      }),
    ],
  ]
  for (const [why, file] of others) {
    const { problems } = await dry(file)
    expect(problems, String(why)).toMatchObject([{ line: 1, message: expect.stringMatching(why) }])
  }
  // the bytes decide, not the name or type: here CSV is sent as XLSX
  const { file } = await dry(latin1('Bezeichnung;Warengruppe;EK netto\nRenamed;fan;20'))
  const names = ['Bezeichnung', 'Warengruppe', 'EK netto']
  expect(file?.columns.map(({ name }) => name)).toEqual(names)
})

test('numbers, prices and HTML are read in their usual spellings', () => {
  const amounts: [string, 'auto' | 'point' | 'comma', number][] = [
    ['1.299,00', 'auto', 1299],
    ['$1,299.99', 'auto', 1299.99],
    ['1 299', 'auto', 1299],
    ["1'299.50", 'auto', 1299.5],
    ['1.299', 'auto', 1299],
    ['0.999', 'auto', 0.999],
    ['1.299', 'point', 1.299],
    ['1.299', 'comma', 1299],
    ['12,5 EUR', 'auto', 12.5],
    ['>50', 'auto', 50],
    ['1,299,000', 'auto', 1_299_000],
  ]
  for (const [text, decimals, number] of amounts)
    expect(amountOf(text, decimals), `${text} ${decimals}`).toBe(number)
  for (const text of ['', 'on request', '1e9', '-']) expect(amountOf(text, 'auto')).toBeNaN()
  expect(decimalsOf(['1.299,00', '5'])).toBe('comma')
  expect(decimalsOf(['12.50'])).toBe('point')
  expect(decimalsOf(['12.50', '12,50'])).toBe('auto')
  const nine = [100.01, 1, 9, 9.1, 119].map((each) =>
    roundedPrice(each, { factor: 1, round: 'nine' }),
  )
  expect(nine).toEqual([109, 9, 9, 19, 119])
  expect(roundedPrice(10.1, { factor: 10, round: 'up' })).toBe(101)
  expect(plainText('a < b & c')).toBe('a < b & c')
  expect(plainText('<h2>Fast &amp; quiet</h2>12&nbsp;dB<br/>4 &times; M.2<script>x</script>')).toBe(
    'Fast & quiet\n12 dB\n4 × M.2',
  )
  expect(shortened('one two three', 9)).toBe('one two…')
})

test('an import reports its progress, and in the end its result or error', async () => {
  const run = async (file: string) => {
    const answer = await fetch(`${shop.origin}/api/products/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'text/csv',
        accept: 'application/x-ndjson',
      },
      body: file,
    })
    return (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  const lines = Array.from({ length: 600 }, (_, i) => `Step ${i},fan,Quiet.,20,1,1`)
  const file = `name,kind,description,price,availableQuantity,minimumOrderQuantity\n${lines.join('\n')}`
  const steps = await run(file)
  expect(steps.slice(0, -1)).toEqual([0, 250, 500, 600].map((done) => ({ done, total: 600 })))
  expect(ImportReport.parse(steps.at(-1).report).added).toBe(600)
  expect((await run(file)).at(-1).report.problems).toHaveLength(600)
  const [refusal] = await run(`name\n${'Too many\n'.repeat(10_001)}`)
  expect(refusal.error.code).toBe('TOO_LARGE')
})

test('control characters in the names of columns are spaces', async () => {
  const { file } = await dry('Article\u000eno;Price\u0000\n1;2')
  expect(file?.columns.map(({ name }) => name)).toEqual(['Article no', 'Price'])
})

test('columns and texts that only programs write are read like any others', async () => {
  const head = 'Artikelnummer;Bezeichnung;Warengruppe;EK netto;Langtext;constructor;__proto__'
  const long = `${'a'.repeat(999)}${'😀'.repeat(600)}`
  const file = `${head}\r\nX-77;Odd \u0000fan;fan;4,50;${long};x;y\r\n`
  await remembered('Odd', file)
  const { problems, added } = await send(file, { supplier: 'Odd' })
  expect([problems, added]).toEqual([[], 1])
  const { description } = await named('Odd fan')
  expect(description).toMatch(/^a{999}…$/)
  const workbook = workbookOf([
    ['Artikelnummer', 'Bezeichnung', 'Warengruppe', 'EK netto', 'Langtext'],
    ['X-78', 'Half &#xD800; fan', 'fan', 4, '<p>Half &#xD800; a character</p>'],
  ])
  expect((await send(workbook, { supplier: 'Odd' })).added).toBe(1)
})

test('amounts of another currency are refused, not read as the shop’s', async () => {
  const file = (price: string, currency = '', header = 'EK netto') =>
    `Artikelnummer;Bezeichnung;Warengruppe;${header};Währung\r\nX-1;Cable 1;fan;4,50;\r\nX-2;Cable 2;fan;${price};${currency}\r\n`
  /** The currency problems of an unknown file. */
  const problemsOf = async (text: string) => {
    const { problems, added } = await dry(text)
    expect(added).toBe(0)
    return problems.filter(({ message }) => message.includes(' says '))
  }
  const advice = 'but this shop sells in EUR.'
  expect(await problemsOf(file('5,00', '', 'EK USD'))).toEqual([
    {
      line: 1,
      field: 'cost',
      message: `“EK USD” says USD, ${advice} Convert the column, or leave it out.`,
    },
  ])
  expect(await problemsOf(file('£5.00'))).toEqual([
    {
      line: 3,
      field: 'cost',
      message: `“EK netto” says £, ${advice} Convert the column, or leave it out.`,
    },
  ])
  expect(await problemsOf(file('5,00', 'CHF'))).toEqual([
    {
      line: 3,
      field: 'Währung',
      message: `“Währung” says CHF, ${advice} Convert its prices first.`,
    },
  ])
  expect(await problemsOf(file('5,00 €', 'EUR', 'EK netto (EUR)'))).toEqual([])
})

test('a price in cents keeps its cents', async () => {
  const list =
    'Article;Title;Category;Retail price;Dealer price\r\nC-1;Cable 4.99;fan;4,99;3,333\r\n'
  const file = await remembered('Cables', list)
  expect(file?.plan.price).toEqual({ from: 'price', factor: 1, round: 'cent' })
  await send(list, { supplier: 'Cables' })
  expect(await named('Cable 4.99')).toMatchObject({ price: 4.99, cost: 3.33 })
})
