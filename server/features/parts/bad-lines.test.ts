/** Every line of a CSV file that can not be imported is named, and with one of them nothing is written. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminPart } from '#contracts/parts.ts'
import { ImportReport, importLimits } from '#contracts/parts-csv.ts'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, partBody } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let image: string

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
  image = (await upload(shop, owner, await photo())).body.data.url
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

let named = 0
async function added(more: object = {}): Promise<AdminPart> {
  named += 1
  const { body } = await owner.call('POST', '/api/product', {
    name: `Soot ${named}`,
    image,
    description: 'Fine.',
    minimumOrderQuantity: 1,
    availableQuantity: 10,
    price: 5,
    ...more,
  })
  return (await owner.call('GET', `/api/product/${body.insertedId}`)).body
}
async function imported(csv: string, dryRun: boolean): Promise<ImportReport> {
  const headers = { 'content-type': 'text/csv' }
  const { body } = await owner.call('POST', `/api/products/import?dryRun=${dryRun}`, csv, headers)
  return ImportReport.parse(body)
}
const written = async () => {
  const { rows } = await shop.pool.query(`
    select (select json_agg(p order by _id) from parts p) parts,
      (select count(*)::int from stock_movements) movements, (select count(*)::int from audit_log) actions`)
  return rows[0]
}
const columns = [
  '_id',
  'name',
  'image',
  'description',
  'price',
  'minimumOrderQuantity',
  'availableQuantity',
  'availableBefore',
  'version',
] as const
type Line = Partial<Record<(typeof columns)[number], string | number>>
const csvOf = (lines: Line[]) =>
  [columns, ...lines.map((line) => columns.map((column) => line[column] ?? ''))]
    .map((cells) => cells.join(','))
    .join('\r\n')
const whole = (name: string, more: Line = {}): Line => ({
  name,
  image,
  description: 'x',
  price: 1,
  minimumOrderQuantity: 1,
  availableQuantity: 1,
  ...more,
})

test('every bad line is named, the good ones are not, and nothing is written', async () => {
  const part = await added()
  const other = await added()
  const held = await added()
  const stale = await added()
  const deleted = await added()
  await bookingOf(ada, held, { quantity: 8 })
  const put = { ...partBody({ name: 'Sooty', image, price: 6 }), version: 1 }
  expect((await owner.call('PUT', `/api/product/${stale._id}`, put)).status).toBe(200)
  await owner.call('DELETE', `/api/adminProduct/${deleted._id}`)
  const gone = '/images/0123456789abcdef01234567-960.webp'
  const lines: [Line, ...[field: string, message: RegExp][]][] = [
    [whole('Good')],
    [{ _id: part._id, price: 7 }],
    [{ _id: '00000000-0000-4000-8000-000000000000', price: 7 }, ['_id', /no part of this id/]],
    [{ _id: 'seven', price: 7 }, ['_id', /must be the id of a part/]],
    [{ _id: part._id, price: 8 }, ['_id', /on line 3 already/]],
    [{ _id: deleted._id, price: 8 }, ['_id', /deleted/]],
    [{ _id: stale._id, price: 5, version: 1 }, ['version', /changed this part/]],
    [whole('good'), ['name', /on line 2/]],
    [whole(other.name.toUpperCase()), ['name', /on line 20 has/]],
    [whole('SOOTY'), ['name', /on line 8 has/]],
    [whole('Half', { price: '1.5' }), ['price', /whole number/]],
    [whole('Dear', { price: '1e3' }), ['price', /whole number/]],
    [whole('None', { minimumOrderQuantity: 0 }), ['minimumOrderQuantity', /1 or more/]],
    [whole('Below', { availableQuantity: -1 }), ['availableQuantity', /0 or more/]],
    [whole('Blind', { image: gone }), ['image', /not here any more/]],
    [whole('Odd', { image: 'https://example.com/x.png' }), ['image', /uploaded/]],
    [{ name: 'Bare', price: 1 }, ['image', /./], ['description', /./]],
    [
      { _id: held._id, availableQuantity: 1, availableBefore: 10 },
      ['availableQuantity', /Only 2 are available/],
    ],
    [{ _id: other._id, availableQuantity: 3 }, ['availableQuantity', /availableBefore/]],
    [{ _id: other._id, price: 1, availableBefore: -4 }, ['availableBefore', /as it was exported/]],
    [whole('Nul', { description: 'a\u0000b' }), ['description', /can not be kept/]],
    [whole('y'.repeat(121)), ['name', /120 characters/]],
  ]
  const csv = csvOf(lines.map(([line]) => line))
  const before = await written()
  for (const dryRun of [true, false]) {
    const { problems, lines: count } = await imported(csv, dryRun)
    expect(count).toBe(lines.length)
    for (const [i, [, ...expected]] of lines.entries()) {
      const found = problems.filter(({ line }) => line === i + 2)
      expect(
        found.map(({ field }) => field),
        `line ${i + 2}`,
      ).toEqual(expect.arrayContaining(expected.map(([field]) => field)))
      if (expected.length === 0) expect(found).toEqual([])
      for (const [field, message] of expected)
        expect(found.find((problem) => problem.field === field)?.message).toMatch(message)
    }
    expect(problems.map(({ line }) => line)).toEqual(
      problems.map(({ line }) => line).toSorted((a, b) => a - b),
    )
  }
  expect(await written()).toEqual(before)
  const [good, cheaper] = lines.map(([line]) => line) as [Line, Line]
  const report = await imported(csvOf([good, cheaper]), false)
  expect(report).toEqual({ lines: 2, added: 1, updated: 1, problems: [] })
})

test('of very many problems the first are told', async () => {
  const csv = `name\n${'x\n'.repeat(importLimits.lines)}`
  const { lines, problems } = await imported(csv, true)
  expect(lines).toBe(importLimits.lines)
  expect(problems).toHaveLength(importLimits.problems)
  expect(problems[0]?.line).toBe(2)
})

test('a name that somebody takes at that moment lets nothing be written', async () => {
  const blocker = await shop.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query(`insert into parts (name, kind, image, description, minimum_order_quantity, price)
      values ('Contested', 'fan', '/i', 'x', 1, 1)`)
    const importing = owner.call(
      'POST',
      '/api/products/import',
      csvOf([whole('Fellow'), whole('Contested')]),
      { 'content-type': 'text/csv' },
    )
    const waits = `select from pg_stat_activity where wait_event = 'transactionid' and datname = current_database()`
    await expect.poll(async () => (await blocker.query(waits)).rowCount).toBe(1)
    await blocker.query('commit')
    const { status, body } = await importing
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'NAME_TAKEN' })
    expect((await owner.call('GET', '/api/products?q=Fellow')).body).toEqual([])
  } finally {
    blocker.release()
  }
})

test('a file that is made to cost the shop time and memory is refused as soon as that is seen', async () => {
  const { bytes } = importLimits
  const fill = (text: string, size = bytes) => text.repeat(Math.floor(size / text.length))
  const bombs: Record<string, string> = {
    'lines without anything': fill('\n'),
    'more lines than may be': fill('x\n', bytes / 2),
    'names without end': fill('a,', bytes / 2) + fill('name,', bytes / 2),
    'cells without end': `name\nx${fill(',', bytes - 9)}`,
    'a quotation without end': `name\n"${fill('x\n', bytes - 9)}`,
    'guards without end': `name\n"${fill(";'", bytes - 9)}"`,
  }
  const before = await written()
  for (const [name, csv] of Object.entries(bombs)) {
    const start = process.cpuUsage()
    const headers = { 'content-type': 'text/csv' }
    const { status, body } = await owner.call('POST', '/api/products/import', csv, headers)
    expect([200, 413], name).toContain(status)
    if (status === 200) expect(body.problems.length, name).toBeGreaterThan(0)
    expect(process.cpuUsage(start).user / 1e6, `${name}: seconds`).toBeLessThan(5)
  }
  expect(await written()).toEqual(before)
}, 120_000)
