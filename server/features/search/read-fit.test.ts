/** Searches for what goes together: which become a list of what fits, and which stay words. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanQuery, meantPath, typedPath } from '#contracts/list-address.ts'
import { ListQuery, type PartList } from '#contracts/part-lists.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { listPartsOnSale } from './list-parts.ts'
import { vocabularyRefresher } from './refresh-vocabulary.ts'

let shop: TestShop
const numberOf = new Map<string, number>()
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  await seedKinds(drizzle(shop.pool))
  await seedDemo(drizzle(shop.pool))
  await vocabularyRefresher(shop.deps)()
  const { rows } = await shop.pool.query<{ number: number; name: string }>(
    'select number, name from parts',
  )
  for (const { number, name } of rows) numberOf.set(name, number)
})
afterAll(() => shop.close())

async function list(query: string | Record<string, string>): Promise<PartList> {
  const { status, body } = await call(
    shop.origin,
    'GET',
    `/api/parts?${new URLSearchParams(query)}`,
  )
  expect(status, String(new URLSearchParams(query))).toBe(200)
  return body
}
const fits = (...names: string[]) => ({
  fits: [names.map((name) => numberOf.get(name)).join(',')],
  only: ['fits'],
})
/** The same list by its address, without the words. */
const withFilters = (kind: string, filters: Record<string, string[]>, more = '') =>
  list(
    `kind=${kind}&${Object.entries(filters)
      .flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
      .join('&')}${more}`,
  )

const named: [query: string, kind: string, names: string[]][] = [
  ['cooler for 9800x3d', 'tower-cooler', ['Lodestone 7 9800X3D']],
  ['psu for rtx 5080', 'power-supply', ['Kestrel RTX 5080']],
  ['psu for rtx5080', 'power-supply', ['Kestrel RTX 5080']],
  ['cpu for basalt b650', 'processor', ['Basalt B650 ATX']],
  ['gpu for breadbox itx', 'graphics-card', ['Breadbox ITX']],
  [
    'power supply for 9800x3d and rx 7800 xt',
    'power-supply',
    ['Lodestone 7 9800X3D', 'Cinder RX 7800 XT'],
  ],
  ['psu for 9800x3d + rtx 5080', 'power-supply', ['Lodestone 7 9800X3D', 'Kestrel RTX 5080']],
  ['memory that fits basalt b650i', 'memory-module', ['Basalt B650I ITX']],
  ['case compatible with the b550m board', 'case', ['Basalt B550M']],
  ['cooler fitting LS-9800X3D', 'tower-cooler', ['Lodestone 7 9800X3D']],
]

test.each(named)('%s: a list of what fits', async (q, kind, names) => {
  const found = await list({ q })
  expect(found.meant).toMatchObject({ kind, filters: fits(...names) })
  for (const name of names) expect(found.meant?.text).toContain(name)
  expect(found.meant?.text).toMatch(/^What fits /)
  const plain = await withFilters(kind, fits(...names))
  expect(found).toEqual({ ...plain, meant: found.meant })
  expect(found.total).toBeGreaterThan(0)
  expect(found.parts.filter(({ fit }) => fit?.level === 'problem')).toEqual([])
  expect([found.left, found.read]).toEqual([[], null])
})

test('suggestions are the first parts of the list that a query means', async () => {
  const suggest = async (q: string) =>
    (await call(shop.origin, 'GET', `/api/search?${new URLSearchParams({ q })}`)).body
  for (const q of ['cooler for 9800x3d', 'ram for am4']) {
    const found = await list({ q })
    const { parts, kinds, meant } = await suggest(q)
    expect(parts.map(({ number }: { number: number }) => number)).toEqual(
      found.parts.slice(0, 8).map(({ number }) => number),
    )
    expect(kinds).toEqual([{ ...found.kinds[0], drawing: undefined, count: found.total }])
    expect(meant).toBe(found.meant?.text)
  }
  for (const q of ['ssd for ps5', 'fits vitrine atx'])
    expect((await suggest(q)).meant, q).toBeUndefined()
})

const facts: [query: string, kind: string, filters: Record<string, string[]>, text: string][] = [
  [
    'ram for am4',
    'memory-module',
    { type: ['DDR4'], module_form: ['DIMM'] },
    '“am4” means type DDR4 and form DIMM, as our motherboards with AM4 take it.',
  ],
  [
    'cpu for a b650 board',
    'processor',
    { socket: ['AM5'] },
    '“b650 board” means socket AM5, as our motherboards with B650 take it.',
  ],
  [
    'cooler for lga 1851',
    'tower-cooler',
    { sockets: ['LGA 1700', 'LGA 1851'] },
    '“lga 1851” means sockets LGA 1700 or LGA 1851, because what goes on one goes on the other.',
  ],
  [
    'case for a 330 mm card',
    'case',
    { 'card_max_mm-min': ['330'] },
    '“330mm card” means longest card of 330 mm or more.',
  ],
  [
    'case for a 16 cm tall cooler',
    'case',
    { 'cooler_max_mm-min': ['160'] },
    '“16cm tall cooler” means tallest cooler of 160 mm or more.',
  ],
  [
    'psu for 600 w',
    'power-supply',
    { 'wattage_w-min': ['600'] },
    '“600w” means power of 600 W or more.',
  ],
  [
    'case for a mini itx board',
    'case',
    { boards: ['Mini-ITX'] },
    '“mini itx board” means boards Mini-ITX.',
  ],
]

test.each(facts)('%s: a list with filters', async (q, kind, filters, text) => {
  const found = await list({ q })
  expect(found.meant).toMatchObject({ kind, filters, text })
  expect(found).toEqual({ ...(await withFilters(kind, filters)), meant: found.meant })
  expect(found.total).toBeGreaterThan(0)
  expect(found.total).toBeLessThan(found.all + 1)
})

test.each([
  // what no part is, or kinds that no rule knows
  'fan for quiet room',
  'monitor for gaming',
  'keyboard for mac',
  'stand for monitor',
  'best gpu for 1440p',
  'ssd for ps5',
  'gpu for gaming',
  // a budget or a size, not the power supply of 1000 W
  'gpu for 1000',
  // what many parts have in their names
  'gpu for itx',
  'case for basalt',
  'cooler for lodestone 7',
  // a part of the same kind, or of one that no rule compares with it
  'board for basalt b650',
  'fan for 9800x3d',
  'cooler for rtx 5080',
  // one of two is not known
  'psu for 9800x3d and rtx 9999',
  // what no part of the kind states
  'cooler for tr5',
  // what it should not have
  'case for rtx 5080 without glass',
  'processor with cooler for b650',
  'psu 9800x3d',
  // two numbers, and more than four names
  'case for a 0 mm 330 mm card',
  'psu for 9800x3d, 9600x, 9950x, 5600 and rtx 5080',
  'for for for for',
  `cooler ${'for '.repeat(30)}`.slice(0, 100).trim(),
  `psu for '%_" \\ ; drop table parts; --`,
  "cooler for ' | ' & !(:*A <-> \\",
])('%s: words, as before', async (q) => {
  const found = await list({ q })
  expect(found.meant).toBeNull()
  expect(found.fit).toBeNull()
  expect(found.total).toBeGreaterThan(0)
})

test('the words for the kind and the price are filters, and other words are searched for', async () => {
  const words = 'tower cooler for lodestone 7 9800x3d under 60 dollars'
  const cheap = await list({ q: words })
  expect(cheap.meant).toMatchObject({ kind: 'tower-cooler', filters: fits('Lodestone 7 9800X3D') })
  const filters = fits('Lodestone 7 9800X3D')
  expect(cheap.parts).toEqual((await withFilters('tower-cooler', filters, '&price-max=60')).parts)
  expect(cheap.parts.every(({ price }) => price <= 60)).toBe(true)

  const white = await list({ q: 'white case for a 330mm gpu' })
  expect(white.parts.map(({ name }) => name)).toEqual(['Larder Quiet White'])
  // a word that nothing has is left out, and the kind stays
  const kit = await list({ q: 'sparkly ram for causeway z890' })
  expect(kit).toMatchObject({ left: ['sparkly'], meant: { kind: 'memory-module' } })
  expect(kit.total).toBe((await withFilters('memory-module', fits('Causeway Z890'))).total)
  // 'ssd' is a kind and more than that
  const drives = await list({ q: 'ssd for causeway b860i' })
  expect(drives.meant?.kind).toBe('storage-drive')
  expect(drives.parts.some(({ name }) => name.startsWith('Granary'))).toBe(false)
})

test('other kinds and parts with the same name are offered', async () => {
  const cooler = await list({ q: 'cooler for 9800x3d' })
  expect(cooler.meant?.others).toEqual([
    { text: 'Liquid coolers', kind: 'liquid-cooler', filters: fits('Lodestone 7 9800X3D') },
  ])
  await shop.pool.query(`update parts set sold_90 = 9 where name = 'Cinder RX 9060 XT 16 GB'`)
  const card = await list({ q: 'case for rx 9060 xt' })
  expect(card.meant).toMatchObject({
    filters: fits('Cinder RX 9060 XT 16 GB'),
    others: [
      { text: 'Cinder RX 9060 XT 8 GB', kind: 'case', filters: fits('Cinder RX 9060 XT 8 GB') },
    ],
  })
  // without a kind the words are searched for, and every kind is offered
  const open = await list({ q: 'fits vitrine atx' })
  expect(open.parts[0]?.name).toBe('Vitrine ATX')
  expect(open.meant).toMatchObject({ kind: null, filters: {}, text: 'What fits Vitrine ATX.' })
  expect(open.meant?.others.map(({ kind }) => kind)).toContain('motherboard')
  expect(open.meant?.others.map(({ kind }) => kind)).not.toContain('case')
  // in the list of a kind, the kind need not be said
  const inKind = await list({ kind: 'liquid-cooler', q: 'for 9800x3d' })
  expect(inKind.meant).toMatchObject({
    kind: 'liquid-cooler',
    filters: fits('Lodestone 7 9800X3D'),
  })
  expect((await list({ kind: 'case', q: 'cooler for 9800x3d' })).meant).toBeNull()
})

test('the address that the words become answers the same, and gives the words back', async () => {
  for (const [words, address] of [
    ['cooler for 9800x3d', `fits=${numberOf.get('Lodestone 7 9800X3D')}&only=fits`],
    ['ram for am4 under $200', 'type=DDR4&module_form=DIMM&price-max=200'],
    ['quiet psu for rtx 5080', `fits=${numberOf.get('Kestrel RTX 5080')}&only=fits`],
  ] as const) {
    const typed = cleanQuery(Object.entries({ q: words, stock: 'in' }))
    const found = await list({ q: words, stock: 'in' })
    const { meant } = found
    if (!meant?.kind) throw new Error(`nothing is meant by ${words}`)
    const path = meantPath(typed, { ...meant, kind: meant.kind }, found.facets)
    const url = new URL(path, 'http://shop.example')
    const canonical = cleanQuery(url.searchParams)
    expect([words, url.search]).toEqual([words, `?${canonical}`])
    expect(address.split('&').filter((one) => !url.search.includes(one))).toEqual([])
    const slug = url.pathname.replace('/parts/', '')
    expect(await list(`kind=${slug}&${canonical}`)).toEqual(found)
    // without a kind in the address it is the same
    expect(await list(String(canonical))).toEqual(found)
    const asTyped = new URL(typedPath(canonical), url)
    expect([...asTyped.searchParams.keys()]).not.toContain('fits')
    expect((await list(asTyped.search.slice(1))).meant).toBeNull()
  }
})

test('filters that a visitor has chosen or removed stay so', async () => {
  const of = (query: string) => list(`q=ram+for+am4&${query}`)
  expect((await of('type=DDR5')).parts).toEqual(
    (await list('kind=memory-module&type=DDR5&module_form=DIMM')).parts,
  )
  const wider = await of('kind=memory-module&as=fits&module_form=DIMM')
  expect(wider.parts).toEqual((await list('kind=memory-module&module_form=DIMM')).parts)
  expect(wider.meant?.text).toContain('DDR4')
  // a list for a build is not turned into one for another part
  const build = await list(
    `q=cooler+for+9800x3d&kind=tower-cooler&fits=${numberOf.get('Causeway Z890')}`,
  )
  expect(build.meant).toBeNull()
  expect(build.fit?.with.map(({ name }) => name)).toEqual(['Causeway Z890'])
})

test('only parts on sale are named, and nothing is guessed of boards that are not', async () => {
  const { pool } = shop
  await pool.query(`update parts set state = 'draft' where name = 'Kestrel RTX 5080'`)
  await pool.query(
    `update parts set deleted_at = now() where kind = 'motherboard' and specs ->> 'socket' = 'AM4'`,
  )
  const kindMeant = async (q: string) => (await list({ q })).meant?.kind
  await expect.poll(() => kindMeant('psu for rtx 5080')).toBeUndefined()
  await expect.poll(() => kindMeant('ram for am4')).toBeUndefined()
  await pool.query(`update parts set state = 'on sale', deleted_at = null`)
  await expect.poll(() => kindMeant('psu for rtx 5080')).toBe('power-supply')
})

test('costs a few statements and little time, whatever the words', async () => {
  let statements = 0
  const logQuery = () => {
    statements += 1
  }
  const db = drizzle(shop.pool, { logger: { logQuery } })
  const ask = async (q: string) => {
    statements = 0
    await listPartsOnSale({ ...shop.deps, db }, ListQuery.parse({ q: q.slice(0, 100) }))
    return statements
  }
  for (const q of [
    'cooler for 9800x3d',
    'psu for 9800x3d and rtx 5080',
    'ram for am4',
    `psu for ${'a '.repeat(46)}`,
    `psu for ${'1 and '.repeat(15)}`,
    `psu for ${'ﷺ'.repeat(90)}`,
    `psu for ${'5080'.repeat(23)}`,
    `psu for ${'1a'.repeat(46)}`,
    'and for and + & , with',
    `fits ${'%'.repeat(95)}`,
  ]) {
    // a search for words alone may take 14
    expect([q, (await ask(q)) <= 24]).toEqual([q, true])
    expect([q, (await cpuTime(() => ask(q))) < 500]).toEqual([q, true])
  }
})
