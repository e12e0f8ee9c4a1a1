/**
 * Owners add and edit kinds without a developer. Parts, files, lists, search and the audit log
 * follow.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawingAddress, noPicture } from '#contracts/drawings.ts'
import { type KindPage, reservedKeys } from '#contracts/kind-edits.ts'
import { kindLimits } from '#contracts/kinds.ts'
import { ListQuery } from '#contracts/part-lists.ts'
import { call, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

type Change = Partial<Omit<KindPage, 'fields'>> & { fields?: object[]; losing?: boolean }

async function kindOf(slug: string): Promise<KindPage> {
  const { status, body } = await owner.call('GET', `/api/kinds/${encodeURIComponent(slug)}`)
  expect(status, slug).toBe(200)
  return body
}
/** The request of the editor without any change. */
const asRead = ({ version, name, otherNames, drawing, fields }: KindPage) => ({
  version,
  name,
  otherNames,
  drawing,
  fields: fields.map(({ isBuiltin: _, stated: __, values: ___, ...field }) => field),
})
async function edit(slug: string, change: Change) {
  const read = asRead(await kindOf(slug))
  return owner.call('PUT', `/api/kinds/${encodeURIComponent(slug)}`, { ...read, ...change })
}
async function added(name: string, fields: object[] = []): Promise<string> {
  const { status, body } = await owner.call('POST', '/api/kinds', { name })
  expect([status, name]).toEqual([200, name])
  if (fields.length > 0) expect((await edit(body.slug, { fields })).status).toBe(200)
  return body.slug
}
const one = (key: string, label: string, ...values: string[]) => {
  return { key, label, type: 'one', options: values.map((value) => ({ value })) }
}
async function part(kind: string, specs: object = {}, image = '/i'): Promise<string> {
  const { rows } = await shop.pool.query(
    `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs)
     values ($1, $2, $3, 'A part.', 1, 1000, $4) returning _id`,
    [`Part ${crypto.randomUUID()}`, kind, image, specs],
  )
  return rows[0]._id
}
const specsOf = async (id: string) =>
  (await shop.pool.query('select specs from parts where _id = $1', [id])).rows[0].specs
const list = async (query: string) => (await call(shop.origin, 'GET', `/api/parts?${query}`)).body
const lastNote = async () => (await owner.call('GET', '/api/audit?limit=1')).body[0]

test('a kind with a number and a choice is added, filled by a file and filtered by both, at once', async () => {
  const slug = await added('riser cable')
  expect(slug).toBe('riser-cable')
  const fields = [
    { key: 'length_mm', label: 'Length', type: 'number', unit: 'mm', max: 1000, isCard: true },
    { ...one('pcie', 'PCIe', '3.0', '4.0'), promoted: true },
  ]
  expect((await edit(slug, { fields, otherNames: ['gpu riser'] })).status).toBe(200)
  expect(await lastNote()).toMatchObject({
    action: 'kind changed',
    note: 'riser cable: Also called: nothing → gpu riser, Length added, PCIe added',
  })

  const file = [
    'name,kind,description,minimumOrderQuantity,availableQuantity,price,spec:length_mm,spec:pcie',
    ...[150, 200, 250, 300, 450].map(
      (length, i) =>
        `Ribbon ${length},${i % 2 ? 'riser cables' : 'GPU riser'},A cable.,1,5,39,${length / 10} cm,${i % 2 ? '3.0' : '4.0'}`,
    ),
  ].join('\r\n')
  const headers = { 'content-type': 'text/csv' }
  const report = await owner.call('POST', '/api/products/import', file, headers)
  expect(report.body).toMatchObject({ added: 5, problems: [] })

  const found = await list('kind=riser-cable&length_mm-max=300&pcie=4.0')
  expect(found.parts.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Ribbon 150',
    'Ribbon 250',
  ])
  expect(found.parts[0].specs).toMatchObject([{ label: 'Length' }])
  expect(found.facets.map(({ key, promoted }: KindPage['fields'][0]) => [key, promoted])).toEqual([
    ['length_mm', false],
    ['pcie', true],
  ])
  // search, the owner's form, bulk edits, comparisons and the export use the kind too
  expect((await list('q=riser+cables')).total).toBe(5)
  expect((await list('q=450mm')).total).toBe(1)
  const { body: kinds } = await owner.call('GET', '/api/kinds')
  expect(kinds.at(-1)).toMatchObject({ name: 'riser cable', parts: 5, stated: 10 })
  const missing = async () =>
    (await owner.call('GET', `/api/products/count?kind=${slug}&misses=pcie`)).body.count
  expect(await missing()).toBe(0)
  await part('riser cable', { length_mm: 90 })
  expect(await missing()).toBe(1)
  const change = { what: 'specification', key: 'pcie', value: '4.0' }
  const bulk = await owner.call('POST', '/api/products/bulk', { filter: { q: 'ribbon' }, change })
  expect(bulk.body).toMatchObject({ shown: 5, changed: 2, refused: 0 })
  const numbers = found.parts.map(({ number }: { number: number }) => number)
  const { body: compared } = await call(shop.origin, 'GET', `/api/compare?parts=${numbers}`)
  expect(compared.rows.map(({ label }: { label: string }) => label)).toEqual(['Length', 'PCIe'])
  expect((await owner.call('GET', '/api/products.csv')).body).toContain('spec:pcie')
})

test('a renamed value changes all parts that state it, in one transaction and in the audit log', async () => {
  const slug = await added('socket adapter', [
    one('fit', 'Fit', 'AM55', 'AM4'),
    { ...one('boards', 'Boards', 'ATX', 'mATX', 'Micro ATX'), type: 'many' },
  ])
  const ids = [
    await part('socket adapter', { fit: 'AM55', boards: ['mATX', 'ATX', 'Micro ATX'] }),
    await part('socket adapter', { fit: 'AM55' }),
    await part('socket adapter', { fit: 'AM4', boards: ['ATX'] }),
  ]
  await shop.pool.query('update parts set deleted_at = now() where _id = $1', [ids[1]])
  const [fit, boards] = asRead(await kindOf(slug)).fields
  const renamed = {
    ...fit,
    options: [
      { value: 'AM5', also: ['socket am5'], was: ['AM55'] },
      { value: 'AM4', also: [] },
    ],
  }
  const joined = { ...boards, options: [{ value: 'ATX' }, { value: 'mATX', was: ['Micro ATX'] }] }

  // one invalid field rejects the whole edit
  const wrongField = { ...renamed, type: 'number', options: [] }
  expect((await edit(slug, { fields: [wrongField, joined] })).status).toBe(400)
  expect(await specsOf(ids[0] as string)).toMatchObject({ fit: 'AM55' })

  expect((await edit(slug, { fields: [renamed, joined] })).body).toMatchObject({ modifiedCount: 1 })
  expect(await Promise.all(ids.map(specsOf))).toEqual([
    { fit: 'AM5', boards: ['mATX', 'ATX'] },
    { fit: 'AM5' },
    { fit: 'AM4', boards: ['ATX'] },
  ])
  expect((await list(`kind=${slug}&fit=AM5`)).total).toBe(1)
  expect(await lastNote()).toMatchObject({
    note: 'socket adapter: Fit: AM55 → AM5, Boards: Micro ATX → mATX',
  })
  const { body: log } = await owner.call('GET', `/api/audit?about=part:${ids[1]}`)
  expect(log[0]).toMatchObject({ action: 'part changed', note: 'Fit: AM55 → AM5' })

  // two values are swapped
  const swapped = [
    { value: 'AM4', was: ['AM5'] },
    { value: 'AM5', was: ['AM4'] },
  ]
  expect((await edit(slug, { fields: [{ ...fit, options: swapped }, joined] })).status).toBe(200)
  expect((await Promise.all(ids.map(specsOf))).map((specs) => specs.fit)).toEqual([
    'AM4',
    'AM4',
    'AM5',
  ])
})

test('removing stated values needs a confirmation that names their number', async () => {
  const slug = await added('bracket', [
    one('metal', 'Metal', 'Steel', 'Brass'),
    { key: 'depth_mm', label: 'Depth', type: 'number', unit: 'mm', max: 500 },
  ])
  const ids = [
    await part('bracket', { metal: 'Steel', depth_mm: 40 }),
    await part('bracket', { metal: 'Brass', depth_mm: 60 }),
  ]
  const [metal, depth] = asRead(await kindOf(slug)).fields
  const without = { fields: [{ ...metal, options: [{ value: 'Steel' }] }] }
  const refusal = await edit(slug, without)
  expect([refusal.status, refusal.body.error.code]).toEqual([409, 'IN_USE'])
  expect(refusal.body.error.message).toContain(
    '2 products use what you’re removing: Depth (2), Metal “Brass” (1).',
  )
  expect(await specsOf(ids[1] as string)).toEqual({ metal: 'Brass', depth_mm: 60 })
  // a smaller range and another type are refused without a question
  const narrow = await edit(slug, { fields: [metal as object, { ...depth, max: 50 }] })
  expect(narrow.body.error.fields).toEqual({ 'fields.1.max': '1 product uses 60' })
  const typed = await edit(slug, { fields: [{ ...metal, type: 'many' }, depth as object] })
  expect(typed.body.error.fields).toHaveProperty(['fields.0.type'])

  expect((await edit(slug, { ...without, losing: true })).status).toBe(200)
  expect(await Promise.all(ids.map(specsOf))).toEqual([{ metal: 'Steel' }, {}])
  expect(await kindOf(slug)).toMatchObject({
    parts: 2,
    fields: [{ key: 'metal', stated: 1, values: [{ value: 'Steel', parts: 1 }] }],
  })
  // closing an open choice removes values that are not listed, after the same question
  const open = { ...metal, isOpen: true, options: [] }
  expect((await edit(slug, { fields: [open] })).status).toBe(200)
  expect((await edit(slug, { fields: [{ ...metal, options: [{ value: 'Zinc' }] }] })).status).toBe(
    409,
  )
})

test('names of query parameters are refused as keys, by form and database', async () => {
  const slug = await added('oddity')
  const names = Object.keys(ListQuery.shape).map((name) => name.replace(/-(min|max)$/, ''))
  expect(names.filter((name) => !reservedKeys.test(name))).toEqual([])
  for (const key of [...names, 'utm_source', 'fbclid', 'constructor']) {
    const field = { key, label: 'Odd', type: 'yes' }
    const { status, body } = await edit(slug, { fields: [field] })
    expect([key, status, Object.keys(body.error.fields)]).toEqual([key, 400, ['fields.0.key']])
    const raw = shop.pool.query(
      `insert into spec_fields (kind, key, label, type, position) values ('oddity', $1, 'Odd', 'yes', 0)`,
      [key],
    )
    await expect(raw).rejects.toMatchObject({ constraint: 'spec_fields_reserved' })
  }
})

test('errors are at their field: too many fields or values, duplicates, an empty choice', async () => {
  const slug = await added('limit')
  const yes = (i: number) => ({ key: `k${i}`, label: `Label ${i}`, type: 'yes' })
  const refused = async (fields: object[]) => (await edit(slug, { fields })).body.error?.fields
  const most = Array.from({ length: kindLimits.fields }, (_, i) => yes(i))
  expect(await refused([...most, yes(99)])).toHaveProperty('fields')
  expect(await refused([yes(1), { ...yes(1), key: 'k2' }])).toHaveProperty(['fields.1.label'])
  expect(await refused([one('a', 'A')])).toHaveProperty(['fields.0.options'])
  const same = [{ value: 'Mini-ITX', also: ['itx'] }, { value: 'ITX' }]
  expect(await refused([{ ...one('a', 'A'), options: same }])).toEqual({
    'fields.0.options.1.value': 'This is the same as “Mini-ITX”',
  })
  const values = Array.from({ length: kindLimits.values + 1 }, (_, i) => ({ value: `v${i}` }))
  expect(await refused([{ ...one('a', 'A'), options: values }])).toHaveProperty([
    'fields.0.options',
  ])
  expect(await refused(most.map((field) => ({ ...field, isCard: true })))).toHaveProperty([
    'fields.6.isCard',
  ])
  expect((await edit(slug, { fields: most })).status).toBe(200)
})

test('of two admins who edit at once, the second is refused', async () => {
  const slug = await added('pair')
  const read = asRead(await kindOf(slug))
  const answers = await Promise.all(
    ['one', 'two'].map((otherName) =>
      owner.call('PUT', `/api/kinds/${slug}`, { ...read, otherNames: [otherName] }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const refusal = answers.find(({ status }) => status === 409)
  expect(refusal?.body.error).toMatchObject({ code: 'OUTDATED' })
})

test('a kind keeps its address and its old name when it is renamed, and shows its drawing', async () => {
  const slug = await added('desk lamp')
  await part('desk lamp', {}, noPicture)
  const change = { name: 'Lamp', drawing: drawingAddress('fan') }
  expect((await edit(slug, change)).status).toBe(200)
  expect(await kindOf(slug)).toMatchObject({ name: 'Lamp', otherNames: ['desk lamp'], parts: 1 })
  const { parts, kinds } = await list(`kind=${slug}`)
  expect([parts[0].kind, parts[0].image, kinds[0].drawing]).toEqual([
    'Lamp',
    drawingAddress('fan'),
    drawingAddress('fan'),
  ])
  expect((await list('q=desk+lamp')).total).toBe(1)
  // a part with another spelling of the kind creates no new kind
  const another = await part('lamp')
  expect((await owner.call('GET', `/api/product/${another}`)).body.kind).toBe('Lamp')
  const nameRefusal = await owner.call('POST', '/api/kinds', { name: 'Desk-Lamp' })
  expect([nameRefusal.status, nameRefusal.body.error.code]).toEqual([409, 'NAME_TAKEN'])
  const used = await owner.call('DELETE', `/api/kinds/${slug}`)
  expect(used.body.error).toMatchObject({ code: 'IN_USE' })
  const empty = await added('typing error')
  expect((await owner.call('DELETE', `/api/kinds/${empty}`)).body).toMatchObject({
    deletedCount: 1,
  })
  expect((await owner.call('DELETE', '/api/kinds/fan')).status).toBe(400)
})

test('built-in kinds can be saved unchanged, renamed and filtered otherwise, but keep their fields', async () => {
  const { body: kinds } = await owner.call('GET', '/api/kinds')
  for (const { slug } of kinds) {
    const before = await kindOf(slug)
    expect([slug, (await edit(slug, {})).status]).toEqual([slug, 200])
    expect(await kindOf(slug)).toEqual(before)
  }
  const fields = asRead(await kindOf('fan')).fields
  expect((await edit('fan', { fields: fields.slice(1) })).body.error.message).toContain('rename')
  const changes = `select sum(changes)::int as sum from catalogue_changes where topic = 'parts' and part_id is null`
  const before = (await shop.pool.query(changes)).rows[0].sum
  const labelled = fields
    .toReversed()
    .map((field, i) => (i === 0 ? { ...field, label: 'Width' } : field))
  expect((await edit('fan', { fields: labelled })).status).toBe(200)
  // no part changed, but pages show the label
  expect((await shop.pool.query(changes)).rows[0].sum).toBeGreaterThan(before)
  expect((await kindOf('fan')).fields[0]).toMatchObject({ label: 'Width' })
  expect(await lastNote()).toMatchObject({ note: expect.stringContaining('Order changed') })
})

test('a field of an owner’s stands for one that rules of fit read, if it means the same', async () => {
  const mm = (key: string, label: string, fitField: string | null = null, unit = 'mm') => {
    return { key, label, type: 'number', unit, fitField }
  }
  const slug = await added('Used card', [
    mm('long', 'Long', 'graphics-card.length_mm'),
    mm('w', 'W'),
  ])
  expect((await kindOf(slug)).fields.map((f) => [f.key, f.fitField, f.isBuiltin])).toEqual([
    ['long', 'graphics-card.length_mm', false],
    ['w', null, false],
  ])
  const refused = async (kind: string, ...fields: object[]) =>
    (await edit(kind, { fields })).body.error?.fields
  const long = mm('long', 'Long', 'graphics-card.length_mm')
  expect(await refused(slug, { ...long, unit: 'cm' })).toEqual({
    'fields.0.fitField': '“Long” is a number in cm, “graphics card: length (mm)” is a number in mm',
  })
  expect(await refused(slug, { ...one('o', 'O', 'a'), fitField: 'graphics-card.slots' })).toEqual({
    'fields.0.fitField': '“O” is one of several values, “graphics card: slots” is a number',
  })
  expect(await refused(slug, long, mm('w', 'W', 'graphics-card.length_mm'))).toEqual({
    'fields.1.fitField': '“Long” already counts as “graphics card: length (mm)”, so “W” can’t',
  })
  expect(await refused(slug, long, mm('w', 'W', 'case.card_max_mm'))).toEqual({
    'fields.1.fitField':
      '“Long” makes this category a graphics card, so “W” can’t count as a field of a case',
  })
  expect(await refused(slug, mm('long', 'Long', 'graphics-card.colour'))).toHaveProperty([
    'fields.0.fitField',
  ])
  // fields of the shop's own stand for themselves, and no other one beside them can
  const own = asRead(await kindOf('graphics-card')).fields
  const size = own.findIndex(({ key }) => key === 'length_mm')
  const renamed = own.with(size, { ...own[size], fitField: 'graphics-card.length_mm' } as never)
  expect(await refused('graphics-card', ...renamed)).toEqual({
    [`fields.${size}.fitField`]: expect.stringContaining('Length is a built-in field'),
  })
  expect(await refused('graphics-card', ...own, mm('w', 'W', 'case.card_max_mm'))).toEqual({
    [`fields.${own.length}.fitField`]: expect.stringContaining('W can’t take another’s meaning'),
  })
})

test('what rules of fit read is given up once they are named, moved and swapped without a question', async () => {
  const number = (key: string, fitField: string | null) => {
    return { key, label: key.toUpperCase(), type: 'number', unit: '', fitField }
  }
  const [eight, six] = ['graphics-card.plugs_8pin', 'graphics-card.plugs_6pin']
  const slug = await added('Old card', [number('a', eight), number('b', six)])
  // without parts nothing is switched off
  expect((await edit(slug, { fields: [number('a', null), number('b', six)] })).status).toBe(200)
  expect((await edit(slug, { fields: [number('a', six), number('b', eight)] })).status).toBe(200)
  expect(await lastNote()).toMatchObject({
    note: 'Old card: A, in fit checks: nothing → graphics card: 6-pin plugs, B, in fit checks: graphics card: 6-pin plugs → graphics card: 8-pin plugs',
  })
  const id = await part('Old card', { a: 2, b: 1 })
  const swapped = { fields: [number('a', eight), number('b', six)] }
  expect((await edit(slug, swapped)).status).toBe(200)
  const refs = async () => (await kindOf(slug)).fields.map(({ fitField }) => fitField)
  expect(await refs()).toEqual([eight, six])

  const without = { fields: [number('a', null), number('b', six)] }
  const { status, body } = await edit(slug, without)
  expect([status, body.error.code, body.error.fields]).toEqual([409, 'IN_USE', undefined])
  expect(body.error.message).toBe(
    'No field would count as “graphics card: 8-pin plugs”. This turns off 1 fit rule for 1 product in this category: Plugs for the graphics card.',
  )
  expect(await refs()).toEqual([eight, six])
  // a removed field loses values as well: one question names both
  const removed = await edit(slug, { fields: [number('b', six)] })
  expect(removed.body.error.message).toMatch(
    /^1 product uses what you’re removing: A \(1\)\..*No field/,
  )
  expect((await edit(slug, { ...without, losing: true })).status).toBe(200)
  expect(await refs()).toEqual([null, six])
  expect(await specsOf(id)).toEqual({ a: 2, b: 1 })
})

test('a renamed value that rules of fit compare with other fields is asked about once', async () => {
  const fields = asRead(await kindOf('processor')).fields
  const at = fields.findIndex(({ key }) => key === 'socket')
  const { options } = fields[at] as KindPage['fields'][0]
  const renamed = options.map((option) =>
    option.value === 'AM5' ? { value: 'Socket 5', also: [], was: ['AM5'] } : option,
  )
  const change = { fields: fields.with(at, { ...fields[at], options: renamed } as never) }
  const id = await part('processor', { socket: 'AM5' })
  const { body } = await edit('processor', change)
  expect(body.error.code).toBe('IN_USE')
  expect(body.error.message).toMatch(
    /^Fit rules compare “AM5” with other fields, .*: Processor in the board · /,
  )
  expect(await specsOf(id)).toEqual({ socket: 'AM5' })
  expect((await edit('processor', { ...change, losing: true })).status).toBe(200)
  expect(await specsOf(id)).toEqual({ socket: 'Socket 5' })
})

test('kinds are in the owner’s order, a new one last', async () => {
  const slugs = async () =>
    (await owner.call('GET', '/api/kinds')).body.map((kind: { slug: string }) => kind.slug)
  const [a, b, c] = [await added('Place a'), await added('Place b'), await added('Place c')]
  const move = async (slug: string, to: object) =>
    (await owner.call('PUT', `/api/kinds/${slug}/position`, to)).status
  expect(await move(c, { before: a })).toBe(200)
  expect(await move(a, { after: b })).toBe(200)
  expect((await slugs()).slice(-3)).toEqual([c, b, a])
  expect(await move(a, { before: null })).toBe(200)
  const d = await added('Place d')
  expect(await move(c, { after: null })).toBe(200)
  const all = await slugs()
  expect([all[0], ...all.slice(-3)]).toEqual([a, b, d, c])
  // both concurrent moves succeed
  expect(await Promise.all([move(b, { after: null }), move(d, { before: null })])).toEqual([
    200, 200,
  ])
  expect((await slugs()).filter((slug: string) => [a, b, c, d].includes(slug))).toEqual([
    d,
    a,
    c,
    b,
  ])
  expect(await move(a, { after: a })).toBe(400)
  expect(await move(a, { after: 'none' })).toBe(404)
  const { version } = await kindOf(a)
  expect(version).toBe(1)
  await part('Place a')
  await part('Place d')
  const { kinds } = await list('')
  expect(kinds.map(({ slug }: { slug: string }) => slug).slice(0, 2)).toEqual([d, a])
})
