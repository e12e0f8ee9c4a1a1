import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { partSorts, partStates } from '#contracts/lists.ts'
import { AdminPart } from '#contracts/parts.ts'
import { csvColumns, ImportReport, importLimits, pictureAddress } from '#contracts/parts-csv.ts'
import { atLength } from '#tests/support/length.ts'
import { bookingOf, call, createUsers, login, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, editBody, stockOf } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let image: string

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  image = (await upload(shop, owner, await photo())).body.data.url
})
beforeEach(async () => {
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

const headers = { 'content-type': 'text/csv' }
const send = (csv: string | Uint8Array<ArrayBuffer>, query = '') =>
  owner.call('POST', `/api/products/import${query}`, csv, headers)
async function imported(csv: string, query = ''): Promise<ImportReport> {
  const { status, body } = await send(csv, query)
  expect(status).toBe(200)
  return ImportReport.parse(body)
}
const dryRun = (csv: string) => imported(csv, '?dryRun=true')
const exported = async (query = ''): Promise<string> =>
  (await owner.call('GET', `/api/products.csv${query}`)).body
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true, bom: true })

let named = 0
const newPart = (more: object = {}) => {
  named += 1
  return {
    name: `Ember ${named}`,
    image,
    description: 'A fan that glows.\n- quiet;=bright\n\n"Really", they say.',
    minimumOrderQuantity: 2,
    availableQuantity: 10,
    price: 49,
    ...more,
  }
}
async function owned(id: string): Promise<AdminPart> {
  return AdminPart.parse((await owner.call('GET', `/api/product/${id}`)).body)
}
async function added(more: object = {}): Promise<AdminPart> {
  const { status, body } = await owner.call('POST', '/api/product', newPart(more))
  expect(status).toBe(200)
  return owned(body.insertedId)
}
/** Builds CSV with these columns. */
const csvOf = (columns: string, ...lines: string[]) => [columns, ...lines].join('\n')
const actionsOn = async (id: string) => {
  const query = 'select action, detail from audit_log where part_id = $1 order by _id'
  return (await shop.pool.query(query, [id])).rows
}
const everything = async () => {
  const tables = ['parts', 'stock_movements', 'audit_log']
  const read = tables.map((table) => shop.pool.query(`select * from ${table} order by _id`))
  return (await Promise.all(read)).map(({ rows }) => rows)
}

describe('products.csv', () => {
  test('holds the parts of the list, for every filter, in every order', async () => {
    await added({ name: '=cmd|"/c calc"!A1', kind: '@fan' })
    await added({ name: 'Rare, "quoted" fan', availableQuantity: 1 })
    const gone = await added()
    await owner.call('DELETE', `/api/adminProduct/${gone._id}`)
    const lists = [
      ...partStates.map((state) => ({ state })),
      ...partSorts.map((sort) => ({ sort })),
      ...['fan', '"quoted"'].map((q) => ({ q, sort: '-price', state: 'on-sale' })),
    ]
    for (const list of lists) {
      const query = `?${new URLSearchParams(list)}`
      const { body } = await owner.call('GET', `/api/products${query}`)
      const ids = body.map(({ _id }: AdminPart) => _id)
      expect(rowsOf(await exported(query)).map(({ _id }) => _id)).toEqual(ids)
    }
    expect((await owner.call('GET', '/api/products.csv?sort=odd')).status).toBe(400)
  })

  test('opens in spreadsheets, where no cell is computed', async () => {
    const answer = await fetch(`${shop.origin}/api/products.csv`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/)
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="products-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const bytes = await answer.bytes()
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const csv = new TextDecoder().decode(bytes)
    expect(csv.split('\r\n')[0]).toMatch(new RegExp(`^${csvColumns.join(',')},spec:size_mm,`))
    const cells = rowsOf(csv).flatMap((row) => Object.values(row))
    expect(cells).toContain('\'=cmd|"/c calc"!A1')
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
  })

  test('imported unchanged changes nothing, however a spreadsheet saved it', async () => {
    for (const query of ['', '?state=deleted']) {
      const csv = await exported(query)
      const before = await everything()
      const cells = parse(csv, { bom: true })
      const quoted = (delimiter: string) =>
        cells
          .map((row: string[]) =>
            row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter),
          )
          .join('\r\n')
      for (const saved of [csv, quoted(';'), quoted('\t'), `${csv}\r\n,,\r\n\r\n`]) {
        const report = await imported(saved)
        const none = { added: 0, updated: 0, problems: [], notes: [], rows: [], batch: null }
        expect(report).toMatchObject({ lines: cells.length - 1, ...none })
      }
      expect(await everything()).toEqual(before)
    }
  })
})

describe('an import', () => {
  test('adds and changes parts, and logs each', async () => {
    const part = await added({ name: 'Cinder' })
    const csv = csvOf(
      'name,_id,price,availableQuantity,availableBefore,version,image,description,minimumOrderQuantity',
      `Cinder II,${part._id},59,7,10,${part.version},,,`,
      `,,,,,,,,`,
      `Coal,,20,5,,,${image},Black.,1`,
      `Ash,,10,0,,,${image},Grey.,1`,
    )
    const before = await everything()
    const expected = { lines: 3, added: 2, updated: 1, problems: [] }
    expect(await dryRun(csv)).toMatchObject(expected)
    expect(await everything()).toEqual(before)
    expect(await imported(csv)).toMatchObject(expected)
    const changed = await owned(part._id)
    expect(changed).toMatchObject({ name: 'Cinder II', price: 59, onHand: 7, version: 2 })
    expect(changed).toMatchObject({ description: part.description, kind: part.kind })
    const { body: lines } = await owner.call('GET', `/api/product/${part._id}/stock`)
    expect(lines[0]).toMatchObject({ type: 'adjust', onHandDelta: -3, reason: 'import' })
    const detail = {
      name: { from: 'Cinder', to: 'Cinder II' },
      price: { from: 49, to: 59 },
      stock: { change: -3, reason: 'import' },
    }
    expect((await actionsOn(part._id)).at(-1)).toEqual({ action: 'part changed', detail })
    const { body: newest } = await owner.call('GET', '/api/products?q=Coal')
    expect(newest[0]).toMatchObject({ name: 'Coal', kind: 'computer part', availableQuantity: 5 })
    expect(await actionsOn(newest[0]._id)).toMatchObject([{ action: 'part added' }])
    const { body: all } = await owner.call('GET', '/api/products')
    expect(all.slice(-2).map(({ name }: AdminPart) => name)).toEqual(['Coal', 'Ash'])
  })

  test('keeps sales since the export', async () => {
    const part = await added({ availableQuantity: 100 })
    const [row = {}] = rowsOf(await exported(`?q=${part._id}`))
    await bookingOf(ada, part, { quantity: 30 })
    const columns = '_id,availableQuantity,availableBefore,version'
    const line = `${part._id},120,${row.availableBefore},${row.version}`
    // each customer books one minimum order, which every customer may
    const others = await createUsers(shop, 4)
    const selling = others.map((each) => bookingOf(each, part, { quantity: 2 }))
    const [report] = await Promise.all([imported(csvOf(columns, line)), ...selling])
    expect(report).toMatchObject({ updated: 1, problems: [] })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 120, reserved: 38 })
  })

  test('lets others book what it changes until it has made what is new', async () => {
    const part = await added()
    const holder = await shop.pool.connect()
    await holder.query('begin')
    // a new part waits here
    await holder.query(`select from kinds where name = 'fan' for update`)
    const columns = '_id,name,kind,price,availableQuantity,image,description,minimumOrderQuantity'
    const running = imported(
      csvOf(columns, `${part._id},,,71,,,,`, `,New beside,fan,5,1,${image},x,1`),
    )
    try {
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await expect.poll(async () => (await shop.pool.query(waits)).rowCount).toBeGreaterThan(0)
      await bookingOf(ada, part)
    } finally {
      await holder.query('commit')
      holder.release()
    }
    expect(await running).toMatchObject({ added: 1, updated: 1, problems: [] })
    expect(await owned(part._id)).toMatchObject({
      price: 71,
      reserved: part.minimumOrderQuantity,
    })
  })

  test('lets parts swap names', async () => {
    const [a, b] = [await added(), await added()]
    const csv = csvOf('_id,name', `${a._id},${b.name}`, `${b._id},${a.name}`)
    expect(await imported(csv)).toMatchObject({ updated: 2, problems: [] })
    expect((await owned(a._id)).name).toBe(b.name)
  })

  test('of the same CSV by two admins at once is made once', async () => {
    const part = await added()
    const columns = '_id,name,price,version,availableQuantity,availableBefore'
    const change = csvOf(columns, `${part._id},${part.name},70,1,13,10`)
    const twice = await Promise.all([imported(change), imported(change)])
    expect(twice.map(({ problems }) => problems.length).sort()).toEqual([0, 1])
    expect(await owned(part._id)).toMatchObject({ price: 70, version: 2, onHand: 13 })
    const one = csvOf(
      'name,price,availableQuantity,image,description,minimumOrderQuantity',
      `Twin,1,1,${image},x,1`,
    )
    const reports = await Promise.all([imported(one), imported(one)])
    expect(reports.map(({ problems }) => problems.length).sort()).toEqual([0, 1])
  })

  test('refuses a file that is not a CSV of parts', async () => {
    const by = (person: Person, type = 'text/csv') =>
      call(shop.origin, 'POST', '/api/products/import', {
        token: person.token,
        body: 'name\nx',
        headers: { 'content-type': type },
      })
    expect((await by(ada)).status).toBe(403)
    expect((await by(owner, 'application/json')).status).toBe(415)
    expect((await send('name\nx', '?dryRun=perhaps')).status).toBe(400)
    expect((await send(`name\n${'x\n'.repeat(importLimits.lines + 1)}`)).status).toBe(413)
    const problems = async (csv: string | Uint8Array<ArrayBuffer>) =>
      ImportReport.parse((await send(csv)).body).problems
    expect(await problems('')).toMatchObject([{ line: 1 }])
    expect(await problems('price\n1')).toMatchObject([{ line: 1, field: 'name' }])
    expect(await problems('name,colour\nx,red')).toMatchObject([{ line: 1, field: 'colour' }])
    expect(await problems('name,name\nx,y')).toMatchObject([{ line: 1, field: 'name' }])
    expect(await problems('name\n"x')).toMatchObject([{ message: /quotation/ }])
    expect(await problems(Uint8Array.of(0x6e, 0xe4))).toMatchObject([{ field: 'nä' }, { line: 1 }])
    for (const bytes of [new Uint8Array(100), Uint8Array.of(0x50, 0x4b, 3, 4, 0)])
      expect(await problems(bytes)).toMatchObject([{ message: /can’t read this file as a table/ }])
  })

  // runs last, because the server soon closes a connection whose request it refused unread
  test('is at most 8 MB', async () => {
    const { status, body } = await send(`name\n${'x'.repeat(importLimits.bytes)}`)
    expect({ status, code: body.error.code }).toEqual({ status: 413, code: 'TOO_LARGE' })
    expect(body.error.message).toContain('8 MB')
  })
})

describe('lines that cannot be imported are named, and with one of them nothing is written', () => {
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
  const csvOfLines = (lines: Line[]) =>
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
    await bookingOf(ada, held, { quantity: 5 })
    const put = { ...editBody({ name: 'Sooty', image, price: 6 }), version: 1 }
    expect((await owner.call('PUT', `/api/product/${stale._id}`, put)).status).toBe(200)
    await owner.call('DELETE', `/api/adminProduct/${deleted._id}`)
    const gone = '/images/0123456789abcdef01234567-960.webp'
    const lines: [Line, ...[field: string, message: RegExp][]][] = [
      [whole('Good')],
      [{ _id: part._id, price: 7 }],
      [
        { _id: '00000000-0000-4000-8000-000000000000', price: 7 },
        ['_id', /No product has this ID/],
      ],
      [{ _id: 'seven', price: 7 }, ['_id', /must be a product’s ID/]],
      [{ _id: part._id, price: 8 }, ['_id', /already on line 3/]],
      [{ _id: deleted._id, price: 8 }, ['_id', /deleted/]],
      [{ _id: stale._id, price: 5, version: 1 }, ['version', /changed this product/]],
      [whole('good'), ['name', /on line 2/]],
      [whole(other.name.toUpperCase()), ['name', /on line 20 already has/]],
      [whole('SOOTY'), ['name', /on line 8 already has/]],
      [
        whole('Half', { price: '1.505' }),
        ['price', /^Price can have at most two decimals, not “1\.505”$/],
      ],
      [whole('Dear', { price: '1e3' }), ['price', /must be a number/]],
      [
        whole('None', { minimumOrderQuantity: 0 }),
        ['minimumOrderQuantity', /^Minimum order quantity must be 1 or more, not “0”$/],
      ],
      [whole('Below', { availableQuantity: -1 }), ['availableQuantity', /0 or more, not “-1”$/]],
      [whole('Blind', { image: gone }), ['image', /no longer exists/]],
      [whole('Odd', { image: 'https://example.com/x.png' }), ['image', /uploaded/]],
      [{ name: 'Bare', price: 1 }, ['description', /./]],
      [
        { _id: held._id, availableQuantity: 1, availableBefore: 10 },
        ['availableQuantity', /Only 5 are in stock now/],
      ],
      [{ _id: other._id, availableQuantity: 3 }, ['availableQuantity', /availableBefore/]],
      [
        { _id: other._id, price: 1, availableBefore: -4 },
        ['availableBefore', /as it was exported/],
      ],
      [whole('Nul', { description: 'a\u0000b' }), ['description', /cannot be stored/]],
      [whole('y'.repeat(121)), ['name', /120 characters/]],
    ]
    const csv = csvOfLines(lines.map(([line]) => line))
    const before = await everything()
    for (const isDryRun of [true, false]) {
      const { problems, lines: count } = await imported(csv, `?dryRun=${isDryRun}`)
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
    expect(await everything()).toEqual(before)
    const [good, cheaper] = lines.map(([line]) => line) as [Line, Line]
    const report = await imported(csvOfLines([good, cheaper]))
    expect(report).toMatchObject({ lines: 2, added: 1, updated: 1, problems: [] })
  })

  test('a long value and very many addresses are refused by their line, not read', async () => {
    const long = 'x'.repeat(importLimits.spec + 1)
    const many = Array.from({ length: importLimits.addresses + 1 }, (_, i) => `https://a/${i}.jpg`)
    const csv = [
      `name,image,description,price,minimumOrderQuantity,availableQuantity,spec:size_mm,${pictureAddress}`,
      `Long,${image},x,1,1,1,${long},`,
      `Many,${image},x,1,1,1,,${many.join(' ')}`,
    ].join('\n')
    const { problems } = await dryRun(csv)
    expect(problems).toEqual([
      { line: 2, field: 'spec:size_mm', message: 'A value can have at most 500 characters.' },
      {
        line: 3,
        field: pictureAddress,
        message: 'A line can have at most 100 picture addresses.',
      },
    ])
  })

  test('of very many problems the first are listed', async () => {
    const csv = `name\n${'x\n'.repeat(importLimits.lines)}`
    const { lines, problems } = await dryRun(csv)
    expect(lines).toBe(importLimits.lines)
    expect(problems).toHaveLength(importLimits.problems)
    expect(problems[0]?.line).toBe(2)
  })

  test('a name that is taken concurrently stops the whole import', async () => {
    const blocker = await shop.pool.connect()
    try {
      await blocker.query('begin')
      await blocker.query(`insert into parts (name, kind, image, description, minimum_order_quantity, price_cents)
        values ('Contested', 'fan', '/i', 'x', 1, 100)`)
      const importing = owner.call(
        'POST',
        '/api/products/import',
        csvOfLines([whole('Fellow'), whole('Contested')]),
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

  test('a file made to exhaust time and memory is refused early', async () => {
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
    // short runs try every second one
    const tried = Object.entries(bombs).filter((_, i) => atLength || i % 2 === 0)
    const before = await everything()
    for (const [name, csv] of tried) {
      const start = process.cpuUsage()
      const headers = { 'content-type': 'text/csv' }
      const { status, body } = await owner.call('POST', '/api/products/import', csv, headers)
      expect([200, 413], name).toContain(status)
      if (status === 200) expect(body.problems.length, name).toBeGreaterThan(0)
      expect(process.cpuUsage(start).user / 1e6, `${name}: seconds`).toBeLessThan(5)
    }
    expect(await everything()).toEqual(before)
  }, 120_000)
})

describe('a specification', () => {
  const specsOf = async (id: string) => (await owned(id)).specs

  test('is exported and imported by columns of its keys, with units and other spellings', async () => {
    const part = await added({ kind: 'storage drive', specs: { type: 'SSD', capacity_gb: 1000 } })
    const row = rowsOf(await exported()).find(({ _id }) => _id === part._id)
    expect(row).toMatchObject({ 'spec:type': 'SSD', 'spec:capacity_gb': '1000', 'spec:rpm': '' })
    const columns = '_id,brand,sku,gtin,spec:type,spec:capacity_gb,spec:form_factor,spec:read_mbs'
    const csv = csvOf(columns, `${part._id},Ember,A-1,4006381-333931,-,2 TB,m.2-2280,"7,000 MB/s"`)
    expect(await dryRun(csv)).toMatchObject({ updated: 1, problems: [] })
    expect(await imported(csv)).toMatchObject({ updated: 1, problems: [] })
    expect(await owned(part._id)).toMatchObject({
      brand: 'Ember',
      sku: 'A-1',
      gtin: '4006381333931',
      specs: { capacity_gb: 2000, form_factor: 'M.2 2280', read_mbs: 7000 },
    })
    const [{ detail }] = (await actionsOn(part._id)).slice(-1)
    expect(detail).toMatchObject({
      brand: { from: '', to: 'Ember' },
      'spec:Type': { from: 'SSD', to: null },
      'spec:Capacity': { from: '1000 GB', to: '2000 GB' },
    })
    expect(await imported(csv)).toMatchObject({ updated: 0, problems: [] })
    const cleared = csvOf('_id,brand,sku', `${part._id},-,-`)
    expect(await imported(cleared)).toMatchObject({ updated: 1, problems: [] })
    expect(await owned(part._id)).toMatchObject({ brand: '', sku: '' })
  })

  test('with a field that its kind lacks is named by line and column; nothing is written', async () => {
    const part = await added({ kind: 'processor', specs: { socket: 'AM5' } })
    const columns =
      '_id,name,kind,image,description,minimumOrderQuantity,availableQuantity,price,spec:socket,spec:cores'
    const csvRow = (name: string, kind: string, specs: string) =>
      `,${name},${kind},${image},A part.,1,5,10,${specs}`
    const report = await imported(
      csvOf(
        columns,
        `${part._id},,,,,,,,AM55,`,
        csvRow('Spare 1', 'processor', 'am4,257'),
        csvRow('Spare 2', 'riser cable', 'AM4,'),
        csvRow('Spare 3', 'CPUs', 'AM4,9 kg'),
        csvRow('Spare 4', 'Processor', 'lga1851,8 kg'),
      ),
    )
    const problem = (line: number, field: string, message: unknown) => ({ line, field, message })
    expect(report.problems).toEqual([
      problem(
        2,
        'spec:socket',
        expect.stringMatching(/^Socket cannot be “AM55”. Choose from: AM4, AM5, /),
      ),
      problem(3, 'spec:cores', 'Cores must be between 0 and 256'),
      problem(4, 'spec:socket', expect.stringContaining('“riser cable” has no field “socket”')),
      problem(5, 'spec:cores', 'Cores must be a number'),
      problem(6, 'spec:cores', 'Cores must be a number'),
    ])
    expect(await specsOf(part._id)).toEqual({ socket: 'AM5' })
    const csv = csvOf(
      columns,
      csvRow('Spare 5', 'Processor', 'lga1851,8'),
      csvRow('Spare 6', 'riser cable', ','),
    )
    expect(await imported(csv)).toMatchObject({ added: 2, problems: [] })
    const [spare] = rowsOf(await exported('?q=Spare')).filter(({ name }) => name === 'Spare 5')
    expect(spare).toMatchObject({ kind: 'processor', 'spec:socket': 'LGA 1851', 'spec:cores': '8' })
    const moved = csvOf('_id,kind', `${part._id},fan`)
    expect(await imported(moved)).toMatchObject({ updated: 1, problems: [] })
    expect(await specsOf(part._id)).toEqual({})
  })
})
