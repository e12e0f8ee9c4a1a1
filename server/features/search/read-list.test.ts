/** Searches in everyday words: questions, superlatives, values, several kinds, and what is no part. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanQuery, meantPath, typedPath } from '#contracts/list-address.ts'
import type { PartList } from '#contracts/part-lists.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { vocabularyRefresher } from './refresh-vocabulary.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  await seedKinds(drizzle(shop.pool))
  await seedDemo(drizzle(shop.pool))
  await vocabularyRefresher(shop.deps)()
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
const names = ({ parts }: PartList) => parts.map(({ name }) => name)

describe('question words and politeness', () => {
  test.each([
    ['what monitor should i buy', 'monitor'],
    ['do you have any good keyboards', 'keyboard'],
    ['can you show me some mice please', 'mouse'],
    ['who sells a webcam', 'webcam'],
    ['where could we get headsets', 'headset'],
    ['how much is a monitor', 'monitor'],
    ['What’s the best keyboard?', 'keyboard'],
    ['i want to buy a mouse, thanks', 'mouse'],
  ])('%s: says no more than %s', async (q, kind) => {
    const found = await list({ q })
    const plain = await list({ q: kind })
    expect(names(found)).toEqual(names(plain))
    expect([found.read, found.left]).toEqual([null, []])
  })

  test.each([
    ['which ram works with am4', 'ram for am4'],
    ['what ram should i get for am4', 'ram for am4'],
    ['which cpu goes on a b650 board', 'cpu for a b650 board'],
    ['which psu do i need for an rtx 5080', 'psu for rtx 5080'],
    ['what cpu fits basalt b650', 'cpu for basalt b650'],
  ])('%s: is %s', async (q, plain) => {
    const [asked, short] = [await list({ q }), await list({ q: plain })]
    expect(asked.meant?.filters).toEqual(short.meant?.filters)
    expect(asked.meant?.kind).toBe(short.meant?.kind)
    expect(names(asked)).toEqual(names(short))
    expect([asked.read, asked.left]).toEqual([null, []])
  })

  test('letters of a model number and sockets stay words', async () => {
    expect(names(await list({ q: 'am 5 cpu' })).join()).toMatch(/^Lodestone \d 9/)
    expect((await list({ q: 'us layout keyboard' })).left).not.toContain('us')
  })
})

describe('misspelled by sound', () => {
  test.each([
    ['grafics card', 'graphics card'],
    ['grafic card', 'graphic card'],
    ['prossesor', 'processor'],
    ['proceser', 'processor'],
    ['moniter', 'monitor'],
    ['hedset', 'headset'],
    ['keybored', 'keyboard'],
    ['kase', 'case'],
    ['koolers', 'coolers'],
    ['memmory', 'memory'],
    ['memorie', 'memory'],
    ['maus', 'mouse'],
  ])('%s: %s', async (typed, meant) => {
    const found = await list({ q: typed })
    const plain = await list({ q: meant })
    expect(names(found)).toEqual(names(plain))
    expect(found.left).toEqual([])
  })

  test('quiet is what a quite silent fan is', async () => {
    const found = await list({ q: 'quite fan' })
    expect(found).toMatchObject({ read: 'quiet fan', left: [] })
    expect(found.total).toBe((await list({ q: 'quiet fan' })).total)
  })

  test('what sounds alike by chance stays as it is', async () => {
    for (const q of ['sfx', 'rtx', 'tower', 'white case', 'black case', 'paste', 'slim', 'clave'])
      expect([q, (await list({ q })).read]).toEqual([q, null])
    expect((await list({ q: 'quokka fan' })).read).toBeNull()
  })
})

describe('a word whose meaning is explained too', () => {
  test('amd graphics cards are those with radeon chips', async () => {
    for (const q of ['amd gpu', 'amd graphics card', 'graphics card by amd']) {
      const found = await list({ q })
      expect(found.total).toBe(7)
      expect(names(found).filter((name) => !name.startsWith('Cinder RX'))).toEqual([])
      expect([found.read, found.left]).toEqual([null, []])
    }
    expect(names(await list({ q: 'amd cpu' })).join()).toMatch(/^(Lodestone[^,]*,?)+$/)
  })

  test('means what is one step further and no more, also in a circle', async () => {
    const { rows } = await shop.pool.query<{ word: string; means: string[] }>(
      `insert into search_words (word, means) values ('aaaone', '{aaatwo}'), ('aaatwo', '{aaathree, aaaone}'),
        ('aaathree', '{webcam}'), ('bbbone', '{bbbone, aaathree}') returning word, means`,
    )
    try {
      expect((await list({ q: 'aaathree' })).total).toBeGreaterThan(0)
      expect((await list({ q: 'aaatwo' })).total).toBeGreaterThan(0)
      expect((await list({ q: 'bbbone' })).total).toBeGreaterThan(0)
      expect((await list({ q: 'aaaone' })).total).toBe(0)
    } finally {
      await shop.pool.query('delete from search_words where word = any($1)', [
        rows.map(({ word }) => word),
      ])
    }
  })
})

const inUrl = (filters: Record<string, string[]>) =>
  Object.entries(filters)
    .flatMap(([name, values]) => values.map((value) => `&${name}=${encodeURIComponent(value)}`))
    .join('')

describe('superlatives', () => {
  const byField: [query: string, kind: string, sort: string, first: string, says: string][] = [
    ['biggest ssd', 'storage-drive', '-capacity_gb', '', 'Capacity: high to low'],
    [
      'largest hard drive',
      'storage-drive',
      '-capacity_gb',
      'Granary 24 TB',
      'Capacity: high to low',
    ],
    ['smallest case', 'case', 'volume_l', '', 'Volume: low to high'],
    ['quietest fan', 'fan', 'noise_db', 'Lull 120 Slow', 'Noise: low to high'],
    ['the most silent fan', 'fan', 'noise_db', 'Lull 120 Slow', 'Noise: low to high'],
    ['fastest ssd', 'storage-drive', '-read_mbs', '', 'Read: high to low'],
    ['lightest mouse', 'mouse', 'weight_g', 'Vole 54', 'Weight: low to high'],
    ['what is the brightest monitor', 'monitor', '-brightness_cdm2', '', 'Brightness: high to low'],
    ['most powerful psu', 'power-supply', '-wattage_w', '', 'Power: high to low'],
    ['fastest ram', 'memory-module', '-speed_mts', '', 'Speed: high to low'],
    ['most expensive gpu', 'graphics-card', '-price', 'Kestrel RTX 5080', 'Price: high to low'],
    ['newest mouse', 'mouse', 'newest', '', 'what is newest'],
  ]
  test.each(byField)('%s', async (q, kind, sort, first, says) => {
    const found = await list({ q })
    expect(found.meant).toMatchObject({ kind, sort })
    expect(found.meant?.text).toContain(says)
    if (first) expect(found.parts[0]?.name).toBe(first)
    expect([found.read, found.left]).toEqual([null, []])
    const plain = await list(`kind=${kind}&sort=${sort}${inUrl(found.meant?.filters ?? {})}`)
    expect(names(found)).toEqual(names(plain))
    expect(found.total).toBe(plain.total)
  })

  test('a list is sorted by a number field; what does not state it comes last', async () => {
    const speed = (all: PartList) =>
      all.parts.map(({ specs }) => specs.find(({ key }) => key === 'capacity_gb')?.text)
    const up = await list('kind=storage-drive&sort=capacity_gb')
    const down = await list('kind=storage-drive&sort=-capacity_gb')
    expect(speed(up)[0]).toBe('500 GB')
    expect(speed(down)[0]).toBe('24000 GB')
    // only hard drives have a speed of rotation
    const rpm = async (sort: string) => names(await list(`kind=storage-drive&sort=${sort}`))
    for (const sort of ['rpm', '-rpm']) {
      expect((await rpm(sort)).slice(0, 4).every((name) => name.startsWith('Granary'))).toBe(true)
      const pages: string[] = []
      for (let after: number | null | undefined; after !== null; ) {
        const page = await list(
          `kind=storage-drive&sort=${sort}&limit=3${after ? `&after=${after}` : ''}`,
        )
        expect(page.before).toBe(pages.length)
        pages.push(...names(page))
        after = page.next
      }
      expect(pages).toEqual(await rpm(sort))
    }
    const filtered = await list('kind=storage-drive&sort=-capacity_gb&type=SSD&limit=2')
    expect(filtered.parts[0]?.name).toContain('4 TB')
    expect(
      (
        await list(
          `kind=storage-drive&sort=-capacity_gb&type=SSD&after=${filtered.parts[0]?.number}`,
        )
      ).before,
    ).toBe(1)
  })

  test('is refused by a field without a kind, and ignored by what is no number of the kind', async () => {
    for (const query of [
      'sort=capacity_gb',
      "kind=case&sort=volume_l'",
      'kind=case&sort=--volume_l',
    ]) {
      const { status, body } = await call(shop.origin, 'GET', `/api/parts?${query}`)
      expect([query, status]).toEqual([query, 400])
      expect(body.error.fields.sort).toContain('must be one of best')
    }
    for (const sort of ['type', 'noise', '-cache_mb', '-volume_l'])
      expect(names(await list(`kind=storage-drive&sort=${sort}`))).toEqual(
        names(await list('kind=storage-drive')),
      )
  })

  test('of a kind without the field they are words, and a chosen sort stays', async () => {
    const headsets = await list({ q: 'brightest headset' })
    expect(headsets).toMatchObject({ meant: null, left: ['brightest'] })
    const chosen = await list({ q: 'biggest ssd', sort: 'price' })
    expect(chosen.parts[0]?.price).toBe(Math.min(...chosen.parts.map(({ price }) => price)))
    const cheap = await list({ q: 'cheapest biggest ssd' })
    expect(cheap.parts[0]?.price).toBe(chosen.parts[0]?.price)
  })
})

describe('values', () => {
  const values: [query: string, kind: string, filters: Record<string, string[]>][] = [
    ['mini itx case', 'case', { boards: ['Mini-ITX'] }],
    ['itx case', 'case', { boards: ['Mini-ITX'] }],
    ['case for mini-itx', 'case', { boards: ['Mini-ITX'] }],
    ['mouse for left hand', 'mouse', { hand: ['Both'] }],
    ['left handed mouse', 'mouse', { hand: ['Both'] }],
    ['monitor without curve', 'monitor', { curved: ['no'] }],
    ['curved monitor', 'monitor', { curved: ['yes'] }],
    ['keyboard without numpad', 'keyboard', { size: ['TKL', '75 %', '65 %', '60 %'] }],
    ['keyboard with no number pad', 'keyboard', { size: ['TKL', '75 %', '65 %', '60 %'] }],
    ['am5 cpu', 'processor', { socket: ['AM5'] }],
    ['white case', 'case', { colour: ['White'] }],
    ['black or white case', 'case', { colour: ['Black', 'White'] }],
    ['wireless mouse', 'mouse', { connection: ['2.4 GHz', 'Bluetooth'] }],
    ['keyboard with linear switches', 'keyboard', { switches: ['Linear'] }],
    ['mechanical keyboard', 'keyboard', { switches: ['Linear', 'Tactile', 'Clicky'] }],
    ['fanless psu', 'power-supply', { fanless: ['yes'] }],
    ['psu without fan', 'power-supply', { fanless: ['yes'] }],
    ['cpu with graphics', 'processor', { graphics: ['yes'] }],
    ['cpu without cooler', 'processor', { cooler: ['no'] }],
  ]
  test.each(values)('%s', async (q, kind, filters) => {
    const found = await list({ q })
    expect(found.meant).toMatchObject({ kind })
    for (const [name, wanted] of Object.entries(filters)) {
      const chosen = found.meant?.filters[name] ?? []
      expect(wanted).toEqual(expect.arrayContaining(chosen))
      expect(chosen.length).toBeGreaterThan(0)
    }
    expect(Object.keys(found.meant?.filters ?? {})).toEqual(Object.keys(filters))
    const plain = await list(`kind=${kind}${inUrl(found.meant?.filters ?? {})}`)
    expect(names(found).toSorted()).toEqual(names(plain).toSorted())
    expect(found.total).toBeGreaterThan(0)
    expect([found.read, found.left]).toEqual([null, []])
  })

  test('a case for small boards by name comes first, and those that take them too', async () => {
    const found = await list({ q: 'mini itx case' })
    expect(found.total).toBe(8)
    expect(found.parts[0]?.name).toBe('Breadbox ITX')
    expect(names(found)).toContain('Breadbox Loaf')
    expect(found.meant?.text).toBe('“mini itx” means Boards: Mini-ITX.')
  })

  test('suggestions are the first parts of the list, a single one without its kind', async () => {
    const suggest = async (q: string) =>
      (await call(shop.origin, 'GET', `/api/search?${new URLSearchParams({ q })}`)).body
    for (const q of ['mini itx case', 'biggest ssd', 'keyboards and mice']) {
      const found = await list({ q })
      const { parts, kinds, meant } = await suggest(q)
      expect(parts.map(({ name }: { name: string }) => name)).toEqual(names(found).slice(0, 8))
      expect(kinds).toEqual([{ ...found.kinds[0], drawing: undefined, count: found.total }])
      expect(meant).toBe(found.meant?.text)
    }
    expect(await suggest('cinder rx 7600 card')).toMatchObject({
      parts: [{ name: 'Cinder RX 7600' }],
      kinds: [],
    })
  })

  test('costs a few statements and little time, whatever the words', async () => {
    for (const q of [
      'and or and or & + ,',
      `case ${'white '.repeat(15)}`.trim(),
      `${'cpu and '.repeat(12)}case`,
      `case without ${'without '.repeat(10)}glass`,
      `biggest ${'smallest '.repeat(9)}ssd`,
      `case ${'ﷺ'.repeat(90)}`,
      `case '%_" \\ ; drop table parts; --`,
      `ca${'s'.repeat(90)}e`,
    ])
      expect([q, (await cpuTime(() => list({ q: q.slice(0, 100) }))) < 500]).toEqual([q, true])
  })

  test('what is excluded is on no part of the list', async () => {
    const glass = await list({ q: 'case without glass' })
    expect(glass.meant?.filters.side).not.toContain('Glass')
    expect(glass.total).toBeGreaterThan(0)
    const curve = await list({ q: 'monitor without curve' })
    expect(names(curve)).not.toContain('Easel 34 OLED')
    expect(curve.meant?.text).toBe('“without curve” means Curved: No.')
    const memory = await list({ q: 'ram without rgb' })
    expect(memory.meant?.filters).toEqual({ lights: ['no'] })
    // without a kind every kind that says it is offered
    const open = await list({ q: 'without rgb' })
    expect(open.meant).toMatchObject({ kind: null, filters: {} })
    expect(open.meant?.others).toContainEqual({
      ...{ text: 'Memory modules', kind: 'memory-module', filters: { lights: ['no'] } },
    })
  })

  test('other words are searched for within the values', async () => {
    const found = await list({ q: 'lodestone am5 cpu' })
    expect(found.meant?.filters).toEqual({ socket: ['AM5'] })
    expect(names(found).every((name) => name.startsWith('Lodestone'))).toBe(true)
    const odd = await list({ q: 'sparkly white case' })
    expect(odd).toMatchObject({ left: ['sparkly'], meant: { filters: { colour: ['White'] } } })
    expect(odd.total).toBe((await list('kind=case&colour=White')).total)
  })

  test('the address that the words become answers the same, as typed it does not', async () => {
    for (const q of [
      'mini itx case',
      'biggest ssd',
      'sparkly white case',
      'keyboards and mice',
      'most expensive gpu',
    ]) {
      const query = cleanQuery(Object.entries({ q }))
      const found = await list({ q })
      const { meant } = found
      if (!meant?.kind) throw new Error(`nothing is meant by ${q}`)
      const url = new URL(
        meantPath(query, { ...meant, kind: meant.kind }, found.facets),
        'http://shop.example',
      )
      const canonical = cleanQuery(url.searchParams)
      expect(url.search).toBe(`?${canonical}`)
      expect(await list(`kind=${meant.kind}&${canonical}`)).toEqual(found)
      expect(await list(String(canonical))).toEqual(found)
      const typed = new URL(typedPath(canonical, meant.sort), url)
      expect([...typed.searchParams.keys()]).toEqual(['q', 'as'])
      expect((await list(typed.search.slice(1))).meant).toBeNull()
    }
    // a filter that the visitor removed stays away
    const all = await list('kind=case&q=mini+itx+case&as=fits')
    expect(all.total).toBe((await list('kind=case')).total)
  })

  test.each([
    'monitor for gaming',
    'best gpu for 1440p',
    'ssd for ps5',
    'gpu',
    'ssd',
    'case',
    'case for rtx 5080 without glass',
    'board for basalt b650',
    'quiet fan',
    '25 ssd',
  ])('%s: words', async (q) => {
    expect((await list({ q })).meant).toBeNull()
  })

  test('a value that only drafts have says nothing', async () => {
    const { pool } = shop
    const white = `kind = 'case' and specs -> 'colour' ? 'White'`
    await pool.query(`update parts set state = 'draft' where ${white}`)
    await expect.poll(async () => (await list({ q: 'white case' })).meant).toBeNull()
    await pool.query(`update parts set state = 'on sale' where ${white}`)
    await expect.poll(async () => (await list({ q: 'white case' })).meant?.kind).toBe('case')
  })
})

describe('several kinds', () => {
  test.each([
    ['cpu and motherboard', 'processor', ['Motherboards']],
    ['keyboards and mice', 'keyboard', ['Mice']],
    ['a case, power supply', 'case', ['Power supplies']],
    ['monitor + keyboard + mouse', 'monitor', ['Keyboards', 'Mice']],
    ['graphics card & monitor', 'graphics-card', ['Monitors']],
    ['webcam or headset', 'webcam', ['Headsets']],
  ])('%s: the first, and links to the others', async (q, kind, others) => {
    const found = await list({ q })
    expect(found.meant?.kind).toBe(kind)
    expect(found.meant?.text).toMatch(/^Shows .+\.$/)
    expect(found.meant?.others.map(({ text }) => text)).toEqual(others)
    expect(names(found)).toEqual(names(await list({ kind, q: '' })))
    expect([found.read, found.left]).toEqual([null, []])
    const other = found.meant?.others[0]
    const next = await list({ kind: other?.kind ?? '', q, as: 'fits' })
    expect(next.meant?.kind).toBe(other?.kind)
    expect(next.meant?.others.map((each) => each.kind)).toContain(kind)
  })

  test('each with its own values', async () => {
    const found = await list({ q: 'am5 cpu and mini itx case' })
    expect(found.meant).toMatchObject({ kind: 'processor', filters: { socket: ['AM5'] } })
    expect(found.meant?.others).toEqual([
      { text: 'Cases', kind: 'case', filters: { boards: ['Mini-ITX'] } },
    ])
  })

  test('two values of a kind are one list', async () => {
    const found = await list({ q: 'ssd or hdd' })
    expect(found.meant).toMatchObject({
      kind: 'storage-drive',
      filters: { type: ['SSD', 'Hard drive'] },
      others: [],
    })
    expect(found.total).toBe((await list('kind=storage-drive')).total)
  })
})

describe('what is no part', () => {
  const found = (q: string) => list({ q })
  test.each([
    ['returns', '/returns', 'returns'],
    ['return policy', '/returns', 'return policy'],
    ['what is your refund policy', '/returns', 'refund policy'],
    ['delivery', '/delivery', 'delivery'],
    ['how much is the shipping cost', '/delivery', 'shipping cost'],
    ['contact', '/contact', 'contact'],
    ['invoices', '/dashboard/myOrders', 'invoices'],
    ['where is my order', '/dashboard/myOrders', 'my order'],
    ['warranty', '/returns', 'warranty'],
    ['warranty of a graphics card', '/returns', 'warranty'],
  ])('%s: links %s', async (q, path, text) => {
    expect((await found(q)).pages).toEqual([{ path, text }])
    const { body } = await call(shop.origin, 'GET', `/api/search?${new URLSearchParams({ q })}`)
    expect(body.pages).toEqual([{ path, text }])
    expect((await list({ q, as: 'typed' })).pages).toEqual([])
  })

  test.each([
    ...[
      'windows 11',
      'gift card',
      'laptop',
      'gaming laptop',
      'printer',
      'phone',
      'a new phone please',
    ],
    ...['gaming pc', 'usb hub', 'hdmi cable', 'iphone 15', 'playstation 5', 'samovar 11', 'tv'],
  ])('%s: is not sold', async (q) => {
    const answer = await found(q)
    expect([answer.isUnsold, answer.total, answer.meant]).toEqual([true, 0, null])
    const { body } = await call(shop.origin, 'GET', `/api/search?${new URLSearchParams({ q })}`)
    expect([body.isUnsold, body.parts]).toEqual([true, []])
    expect((await list({ q, as: 'typed' })).isUnsold).toBe(false)
  })

  test.each([
    ...['laptop ram', 'ssd for ps5', 'gaming pc case', 'sparkly case', 'clave desk', 'laptop ddr5'],
    ...['cinder 7700', 'marow 750 sparkly', 'office keyboard', 'monitor for macbook', 'mouse 11'],
  ])('%s: is sold', async (q) => {
    const answer = await found(q)
    expect(answer.isUnsold).toBe(false)
    expect(answer.pages).toEqual([])
    expect(answer.total).toBeGreaterThan(0)
  })

  test('a part or a kind of this name is sold, a page elsewhere is none', async () => {
    const { pool } = shop
    await pool.query(`update parts set name = 'Printer of Posters' where name = 'Clave Desk'`)
    await pool.query(`insert into search_words (word, means) values ('evil', '{//evil.example/x}')`)
    try {
      await expect.poll(async () => (await found('printer')).isUnsold).toBe(false)
      expect((await found('evil')).pages).toEqual([])
    } finally {
      await pool.query(`update parts set name = 'Clave Desk' where name = 'Printer of Posters'`)
      await pool.query(`delete from search_words where word = 'evil'`)
    }
  })
})

describe('other languages', () => {
  test.each([
    ['Grafikkarte', 'graphics card'],
    ['Prozessor', 'processor'],
    ['Tastatur', 'keyboard'],
    ['Maus', 'mouse'],
    ['Bildschirm', 'monitor'],
    ['Netzteil', 'power supply'],
    ['Gehäuse', 'case'],
    ['Arbeitsspeicher', 'memory'],
    ['Kopfhörer', 'headset'],
    ['carte mère', 'motherboard'],
    ['carte graphique', 'graphics card'],
    ['disque dur', 'hard drive'],
    ['clavier', 'keyboard'],
    ['souris', 'mouse'],
    ['écran', 'monitor'],
    ['boîtier', 'case'],
    ['tarjeta gráfica', 'graphics card'],
    ['placa base', 'motherboard'],
    ['disco duro', 'hard drive'],
    ['ratón', 'mouse'],
    ['teclado', 'keyboard'],
    ['fuente de alimentación', 'power supply'],
    ['auriculares', 'headset'],
    ['Lüfter', 'fan'],
    ['refroidisseur', 'cooler'],
  ])('%s: %s', async (q, english) => {
    const foreign = await list({ q })
    const plain = await list({ q: english })
    expect(names(foreign).toSorted()).toEqual(names(plain).toSorted())
    expect([foreign.read, foreign.left]).toEqual([null, []])
  })

  test('filters and sorts are read as with the English names', async () => {
    expect((await list({ q: 'Mini-ITX Gehäuse' })).meant).toMatchObject({
      ...{ kind: 'case', filters: { boards: ['Mini-ITX'] } },
    })
    expect((await list({ q: 'DDR5 Arbeitsspeicher' })).meant?.kind).toBe('memory-module')
    expect((await list({ q: 'Netzteil für rtx 5080' })).left).toEqual([])
  })
})
