/** The search of visitors: what queries mean, and how long they may take. */
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/database/client.ts'
import { call, login } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockDemo, stockPart } from '#tests/support/stock.ts'
import { findParts, timeLimited } from './find-parts.ts'
import { vocabularyRefresher } from './refresh-vocabulary.ts'

let shop: TestShop
let db: Database
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', JOB_SECONDS: '60' })
  db = shop.deps.db
  await stockDemo(shop.pool)
  await vocabularyRefresher(shop.deps)()
})
afterAll(() => shop.close())

async function find(query: string, within?: SQL) {
  const {
    where,
    inName: _,
    relevance,
    ...changed
  } = await findParts(db, query, within ? { within } : {})
  const { rows } = await db.execute<{ name: string }>(sql`
    select p.name from part_index i join parts p on p._id = i.part_id
    where i.is_on_sale and ${where} order by ${relevance} desc, p.position`)
  return { names: rows.map(({ name }) => name), ...changed }
}

const firstMatches: [query: string, first: string][] = [
  ['lodstone', 'Lodestone 7 9700X'],
  ['marow 750', 'Marrow 750'],
  ['rx7600', 'Cinder RX 7600'],
  ['rx 7600', 'Cinder RX 7600'],
  ['b 650', 'Basalt B650 ATX'],
  ['b650i', 'Basalt B650I ITX'],
  ['b650 i', 'Basalt B650I ITX'],
  ['2 tb', 'Slipstream NVMe 2 TB'],
  ['2tb', 'Slipstream NVMe 2 TB'],
  ['2000 gb ssd', 'Slipstream NVMe 2 TB'],
  ['750w', 'Marrow 750'],
  ['750 watt', 'Marrow 750'],
  ['psu', 'Marrow 750'],
  ['power supply', 'Marrow 750'],
  ['gpu', 'Cinder RX 7600'],
  ['mobo', 'Basalt B650 ATX'],
  ['quiet psu 750', 'Marrow 750'],
  ['sfx', 'Marrow 450 SFX'],
  ['hard drive', 'Granary 8 TB'],
  ['hdd', 'Granary 8 TB'],
  ['ssd', 'Hearth SSD 1 TB'],
  ['case fan 120', 'Updraft 120'],
  ['140mm fan', 'Updraft 140'],
  ['mini itx case', 'Breadbox ITX'],
  ['small case', 'Breadbox ITX'],
  ['white case', 'Breadbox ITX'],
  ['am5 cpu', 'Lodestone 7 9700X'],
  ['8 core processor', 'Lodestone 7 9700X'],
  ['intel cpu', 'Fluxgate 5 245'],
  ['graphics card 16 gb', 'Cinder RX 7800 XT'],
  ['ultrawide monitor', 'Paperwhite 34 Wide'],
  ['27 inch', 'Paperwhite 27 QHD'],
  ['27"', 'Paperwhite 27 QHD'],
  ['1440p monitor', 'Paperwhite 27 QHD'],
  ['wireless mouse', 'Pebble Wireless'],
  ['trackball', 'Pebble Trackball'],
  ['numpad', 'Keystone Pad'],
  ['mechanical keyboard', 'Keystone 75'],
  ['keybord', 'Keystone 75'],
  ['keystne 75', 'Keystone 75'],
  ['ddr5 32gb', 'Twinbank DDR5 32 GB'],
  ['32 gb ram', 'Twinbank DDR5 32 GB'],
  ['cpu cooler', 'Chimney 120'],
  ['chimny duo', 'Chimney 140 Duo'],
  ['paperwite', 'Paperwhite 27 QHD'],
  ['slip', 'Slipstream NVMe 2 TB'],
  ['Cinder™ RX-6400', 'Cinder RX 6400 Short'],
  ['monitors', 'Paperwhite 27 QHD'],
  ['the best monitor for my pc', 'Paperwhite 27 QHD'],
  // compatible parts
  ['cpu cooler am5', 'Chimney 120'],
  ['case micro atx', 'Vitrine ATX'],
  ['memory for am5 motherboard', 'Twinbank DDR5 32 GB'],
  ['a 450 W supply that fits a small case', 'Marrow 450 SFX'],
  // numbers with and without units
  ['27-inch 165', 'Paperwhite 27 QHD'],
  ['monitor 34 144', 'Paperwhite 34 Wide'],
  ['motherboard 2.5 gbps', 'Basalt B650 ATX'],
  ['16g ram', 'Twinbank DDR5 16 GB'],
  // the letters of a model number
  ['ddr', 'Twinbank DDR5 32 GB'],
  ['cooler 250w', 'Chimney 140 Duo'],
  ['2x16gb', 'Twinbank DDR5 32 GB'],
  ['quiet 140 fan', 'Updraft 140'],
  ['Lüfter Updraft 140', 'Updraft 140'],
]

describe('a query', () => {
  test('finds the intended part first', async () => {
    const found = []
    for (const [query] of firstMatches) found.push([query, (await find(query)).names[0]])
    expect(found).toEqual(firstMatches)
  })

  test('says how it was corrected, and which words were left out', async () => {
    expect(await find('lodstone 9700x')).toMatchObject({ read: 'lodestone 9700x' })
    expect(await find('motherbord without wifi')).toMatchObject({
      read: 'motherboard without wifi',
    })
    expect(await find('marow 750 sparkly')).toMatchObject({
      names: ['Marrow 750'],
      read: 'marrow 750',
      left: ['sparkly'],
    })
    // numbers are never corrected
    expect(await find('cinder 7700')).toMatchObject({ left: ['7700'] })
    // a kind is never dropped in favour of other words
    expect(await find('usb c ssd')).toMatchObject({
      names: ['Hearth SSD 1 TB', 'Slipstream NVMe 2 TB'],
    })
    expect((await find('cinder graphics card marrow')).left).toEqual(['marrow'])
    expect(await find('zzqq xyzzy')).toEqual({ names: [], left: ['zzqq', 'xyzzy'] })
    expect((await find('')).names).toHaveLength(27)
    expect((await find(' ™ – !? ')).names).toHaveLength(27)
    expect(await find('b650', sql`i.kind = 'fan'`)).toEqual({ names: [], left: ['b650'] })
  })

  test('excludes parts with what it goes without, and is explained by its plain form', async () => {
    const boards = async (query: string) => (await find(query)).names.toSorted()
    expect(await boards('motherboard')).toEqual(['Basalt B650 ATX', 'Basalt B650I ITX'])
    expect(await boards('motherboard without wifi')).toEqual(['Basalt B650 ATX'])
    expect((await find('cpu without cooler')).names).toHaveLength(2)
    // both parts have it, so the negated term is dropped
    expect((await find('cpu without graphics')).left).toEqual(['graphics'])
    expect((await find('smallest case')).names).toEqual(['Breadbox ITX'])
  })

  test('about compatible parts is answered by facts, and shows similar ones', async () => {
    const { rows } = await shop.pool.query<{ _id: string }>(`
      insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs)
      values ('Marrow 650 Quiet', 'power supply', '/i', '650 W, 140 mm short.', 1, 8900,
        '{"wattage_w": 650, "form_factor": "ATX", "noise_db": 19}') returning _id`)
    try {
      for (const query of [
        'a quiet 650 W supply that fits a small case',
        'quiet 650w psu small case',
      ]) {
        const { names, left, instead } = await find(query)
        expect([query, names, left]).toEqual([query, ['Marrow 650 Quiet'], ['small case']])
        expect(instead?.left).toEqual(['quiet', '650w'])
        const other = await find(instead?.q ?? '')
        expect([other.names, other.left]).toEqual([['Marrow 450 SFX'], undefined])
      }
    } finally {
      await shop.pool.query('delete from parts where _id = $1', [rows[0]?._id])
    }
  })

  test('costs little, whatever the input', async () => {
    const odd = [
      'a '.repeat(5_000),
      'x'.repeat(100_000),
      '1'.repeat(99),
      `'); drop table parts; --`,
      `' | ' & !(:*A <-> \\ \0`.replace('\0', ''),
      'ﷺ'.repeat(100),
      'no wifi without fan',
      '100-100-100-100-100-100-100-100-100',
      'keybord mous monitr fann procesor casse memry drve',
    ]
    for (const query of odd) await timeLimited(db, (tx) => findParts(tx, query))
    const { rows } = await shop.pool.query(
      `select count(*)::int from parts where deleted_at is null`,
    )
    expect(rows).toEqual([{ count: 27 }])
  })
})

describe('GET /search', () => {
  const search = async (q: string) =>
    (await call(shop.origin, 'GET', `/api/search?${new URLSearchParams({ q })}`)).body

  test('answers with parts, and kinds that have several', async () => {
    const { parts, kinds, ...how } = await search('marow')
    expect(parts.map(({ name }: { name: string }) => name)).toEqual([
      'Marrow 750',
      'Marrow 450 SFX',
    ])
    expect(parts[0]).toMatchObject({ price: 99, availableQuantity: 19, minimumOrderQuantity: 1 })
    expect(kinds).toEqual([{ name: 'power supply', slug: 'power-supply', count: 2 }])
    expect(how).toEqual({ read: 'marrow' })
    expect((await search('r')).parts).toEqual([])
    expect(await search('zzqq')).toEqual({ parts: [], kinds: [], left: ['zzqq'] })
  })

  test('reflects an admin’s change at once', async () => {
    const names = async (q: string) =>
      (await search(q)).parts.map(({ name }: { name: string }) => name)
    const rename = (to: string, from: string) =>
      shop.pool.query('update parts set name = $1 where name = $2', [to, from])
    await rename('Quasar 750', 'Marrow 750')
    expect(await names('quasar')).toEqual(['Quasar 750'])
    await shop.pool.query(`update parts set deleted_at = now() where name = 'Quasar 750'`)
    expect(await names('quasar')).toEqual([])
    await shop.pool.query(`update parts set deleted_at = null where name = 'Quasar 750'`)
    await rename('Marrow 750', 'Quasar 750')
    expect(await names('marrow 7')).toEqual(['Marrow 750'])
  })

  test('reads amounts of money as a price filter', async () => {
    const query = 'a quiet 650 W supply under 90 dollars that fits a small case'
    const { parts, price, left } = await search(query)
    expect(price).toEqual({ to: 90 })
    expect(parts.map(({ name }: { name: string }) => name)).toEqual(['Marrow 450 SFX'])
    expect(left).toEqual(['quiet', '650w'])
    expect((await search('cheap fan')).parts[0].name).toBe('Updraft 120')
    expect((await search('cooler < 150 mm')).price).toBeUndefined()
    const list = await call(shop.origin, 'GET', '/api/parts?q=graphics%20card%20under%20%24200')
    expect(list.body.parts.map(({ name }: { name: string }) => name)).toEqual([
      'Cinder RX 6400 Short',
    ])
    // an explicit filter takes precedence over the words
    const more = await call(shop.origin, 'GET', '/api/parts?q=gpu%20under%20%24200&price-max=999')
    expect(more.body.total).toBe(3)
  })

  test('reads a price above any that a part can have as the highest one', async () => {
    for (const price of ['99,999,999', '999,999,999,999,999,999', `9${',999'.repeat(20)}`]) {
      const { status, body } = await call(shop.origin, 'GET', `/api/search?q=gpu+under+%24${price}`)
      expect([status, body.price], price).toEqual([200, { to: 999_999 }])
    }
  })

  test('refuses a query of more than 100 characters', async () => {
    const refused = await call(shop.origin, 'GET', `/api/search?q=${'x'.repeat(101)}`)
    expect(refused.status).toBe(400)
    expect((await call(shop.origin, 'GET', '/api/search')).status).toBe(200)
  })
})

describe('words', () => {
  test('that find nothing are counted, and an admin explains them', async () => {
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    const list = (q: string) =>
      call(shop.origin, 'GET', `/api/parts?${new URLSearchParams({ q })}`).then(({ body }) => body)
    const readWords = async () => {
      await shop.deps.missedSearches.write()
      return (await owner.call('GET', '/api/words')).body
    }
    expect((await list('snorkelbox')).total).toBe(0)
    await list('Snorkel BOX')
    await list('SNORKELBOX')
    await list('psu')
    // the log does not record who searched
    const { rows } = await shop.pool.query(`select column_name from information_schema.columns
      where table_name = 'search_log' order by column_name`)
    expect(rows.map(({ column_name }) => column_name)).toEqual(['asked', 'day', 'found', 'words'])
    expect((await readWords()).missed).toEqual([
      expect.objectContaining({ words: 'snorkelbox', asked: 2, found: 0 }),
      expect.objectContaining({ words: 'snorkel box', asked: 1 }),
    ])

    const explain = (means: string[]) =>
      owner.call('PUT', `/api/words/${encodeURIComponent('Snorkel box')}`, { means })
    expect((await explain(['@power-supply'])).status).toBe(200)
    expect((await list('snorkelbox 750')).parts[0].name).toBe('Marrow 750')
    const { words, missed } = await readWords()
    expect(words).toContainEqual({ word: 'snorkelbox', means: ['@power-supply'] })
    expect(missed).toEqual([])
    expect((await owner.call('GET', '/api/audit')).body[0]).toMatchObject({
      action: 'search word changed',
      note: 'snorkelbox: nothing → @power-supply',
    })
    expect((await owner.call('PUT', '/api/words/!!', { means: [] })).status).toBe(400)
    const nameless = await owner.call('PUT', '/api/words/%20', { means: [] })
    expect(nameless.body.error.fields).toEqual({ word: 'Word is required' })
    expect((await owner.call('DELETE', '/api/words/snorkelbox')).status).toBe(200)
    expect((await owner.call('DELETE', '/api/words/snorkelbox')).status).toBe(404)
  })

  test('of a flood fill only a day’s rows, and displace none that several visitors searched', async () => {
    const { note, write } = shop.deps.missedSearches
    for (let n = 0; n < 2; n += 1) note('flux capacitor', 0)
    for (let turn = 0; turn < 5; turn += 1) {
      for (let n = 0; n < 600; n += 1) note(`flood ${turn} ${n}`, 0)
      await write()
    }
    note('late words', 0)
    note('late words', 0)
    await write()
    const { rows } = await shop.pool.query(`select count(*)::int as rows,
      count(*) filter (where words in ('flux capacitor', 'late words'))::int as kept from search_log`)
    expect(rows).toEqual([{ rows: 2_000, kept: 2 }])
  })

  test('that are searched as typed are not corrected', async () => {
    const list = async (query: string) =>
      (await call(shop.origin, 'GET', `/api/parts?${query}`)).body
    expect(await list('q=marow')).toMatchObject({ total: 2, read: 'marrow' })
    expect(await list('q=marow&as=typed')).toMatchObject({ total: 0, read: null })
    expect(await list('q=marrow&as=typed')).toMatchObject({ total: 2, read: null, left: [] })
    expect((await call(shop.origin, 'GET', '/api/parts?q=marow&as=spoken')).status).toBe(400)
  })
})

test('the words for corrections are read again after an edit, but not after a booking', async () => {
  let read = 0
  const logQuery = (query: string) => {
    if (query.includes('ts_stat')) read += 1
  }
  const refresh = vocabularyRefresher({ db: drizzle(shop.pool, { logger: { logQuery } }) })
  const { _id } = await stockPart(shop.pool, { onHand: 5 })
  await refresh()
  await shop.pool.query(`insert into stock_movements (part_id, type, on_hand_delta, reason)
    values ('${_id}', 'adjust', -1, 'counted')`)
  await refresh()
  expect(read).toBe(1)
  await shop.pool.query(`update parts set name = 'Vocabularian' where _id = '${_id}'`)
  await refresh()
  expect(read).toBe(2)
})
