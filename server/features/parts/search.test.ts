/** Visitors find parts by words: what a question means, and what it may cost. */
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/database/client.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { stockDemo } from '#tests/support/stock.ts'
import { findParts, timeLimited } from './find-parts.ts'
import { vocabularyRefresher } from './refresh-vocabulary.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await migratedDatabase()
  db = drizzle(database.pool)
  await stockDemo(database.pool)
  await vocabularyRefresher({ db })()
})
afterAll(() => database.drop())

async function find(question: string, within?: SQL) {
  const { where, rank, ...how } = await findParts(db, question, within)
  const { rows } = await db.execute<{ name: string }>(sql`
    select parts.name from part_index join parts on parts._id = part_index.part_id
    where part_index.is_on_sale and ${where} order by ${rank} desc, parts.position`)
  return { names: rows.map(({ name }) => name), ...how }
}

const firsts: [question: string, first: string][] = [
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
]

describe('a question', () => {
  test('finds first what was meant', async () => {
    const found = []
    for (const [question] of firsts) found.push([question, (await find(question)).names[0]])
    expect(found).toEqual(firsts)
  })

  test('says what it was read as, and what had to be left out', async () => {
    expect(await find('lodstone 9700x')).toMatchObject({ read: 'lodestone 9700x' })
    expect(await find('marow 750 sparkly')).toMatchObject({
      names: ['Marrow 750'],
      read: 'marrow 750',
      left: ['sparkly'],
    })
    // a number is never taken for another
    expect(await find('cinder 7700')).toMatchObject({ left: ['7700'] })
    expect(await find('zzqq xyzzy')).toEqual({ names: [], left: ['zzqq', 'xyzzy'] })
    expect((await find('')).names).toHaveLength(27)
    expect((await find(' ™ – !? ')).names).toHaveLength(27)
    expect(await find('b650', sql`part_index.kind = 'fan'`)).toEqual({ names: [], left: ['b650'] })
  })

  test('costs little, whatever is sent', async () => {
    const odd = [
      'a '.repeat(5_000),
      'x'.repeat(100_000),
      '1'.repeat(99),
      `'); drop table parts; --`,
      `' | ' & !(:*A <-> \\ \0`.replace('\0', ''),
      'ﷺ'.repeat(100),
      '100-100-100-100-100-100-100-100-100',
      'keybord mous monitr fann procesor casse memry drve',
    ]
    for (const question of odd) await timeLimited(db, (tx) => findParts(tx, question))
    const { rows } = await database.pool.query(
      `select count(*)::int from parts where deleted_at is null`,
    )
    expect(rows).toEqual([{ count: 27 }])
  })
})
