/** Rules for kinds, specifications and the index of parts, which hold for raw SQL, too. */

import { drizzle } from 'drizzle-orm/node-postgres'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { indexParts } from '#server/database/bulk-changes.ts'
import { picturedParts } from '#server/database/seed/content.ts'
import { drawnParts } from '#server/database/seed/drawn-parts.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { brokenInvariants } from '#tests/support/stock.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await migratedDatabase()
  pool = database.pool
})
afterAll(() => database.drop())

/** Numbers in descriptions that no field contains. */
const unstated: Record<string, string[]> = {
  'Basalt B650 ATX': ['244 mm'],
  'Vitrine ATX': ['120 mm'],
  'Twinbank DDR5 32 GB': ['16 GB'],
  'Slipstream NVMe 2 TB': ['80 mm'],
  'Marrow 750': ['300 W'],
  'Basalt B650I ITX': ['170 mm'],
  'Hearth SSD 1 TB': ['7 mm'],
  'Pebble Trackball': ['44 mm'],
}

const refusal = (query: string, values: unknown[] = []) =>
  pool.query(query, values).then(
    () => 'accepted',
    (error) => error.constraint ?? error.message,
  )

const insert = `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs)
  values ($1, $2, '/i', 'A part.', 1, 1000, $3)`
let named = 0
async function added(kind: string, specs: object = {}): Promise<string> {
  named += 1
  const { rows } = await pool.query(`${insert} returning _id`, [`Part ${named}`, kind, specs])
  return rows[0]._id
}
const indexOf = async (id: string) =>
  (await pool.query('select * from part_index where part_id = $1', [id])).rows[0]
const hits = async (query: string) =>
  (await pool.query('select part_id from part_index where words @@ $1::tsquery', [query])).rows.map(
    ({ part_id }) => part_id,
  )

describe('a kind', () => {
  test('is made by its first part, and has one spelling', async () => {
    const kindOf = async (id: string) =>
      (await pool.query('select kind from parts where _id = $1', [id])).rows[0].kind
    expect(await kindOf(await added('Riser Cable'))).toBe('Riser Cable')
    expect(await kindOf(await added('riser-cable'))).toBe('Riser Cable')
    expect(await kindOf(await added('Graphics card'))).toBe('graphics card')
    expect(await kindOf(await added('кабель'))).toBe('кабель')
    expect(await kindOf(await added('?!'))).toBe('?!')
    expect(await kindOf(await added('!!'))).toBe('!!')
  })

  test('is renamed with its parts, which are found by its new name', async () => {
    const id = await added('webcam', { resolution: '1080p' })
    await pool.query(`update kinds set name = 'video camera' where slug = 'webcam'`)
    expect(await indexOf(id)).toMatchObject({ kind: 'webcam', facets: ['resolution=1080p'] })
    expect(await hits('video & @webcam')).toEqual([id])
    await pool.query(`update kinds set other_names = '{eye}', slug = 'eyes' where slug = 'webcam'`)
    expect(await hits('eye & @eyes')).toEqual([id])
  })
})

describe('the index of a part', () => {
  test('takes its figures at once, and words only where they changed', async () => {
    const id = await added('webcam')
    const mark = `update part_index set words = 'marked' where part_id = $1`
    await pool.query(mark, [id])
    const same = `update parts set name = name, description = description, price_cents = 4200, state = 'draft' where _id = $1`
    await pool.query(same, [id])
    expect(await indexOf(id)).toMatchObject({
      words: "'marked'",
      price_cents: 4200,
      is_on_sale: false,
    })
    await pool.query(`update parts set description = 'Sharp.' where _id = $1`, [id])
    expect(await hits('sharp')).toEqual([id])
  })

  test('waits for index_parts where parts change by the thousand, and then outdates the pages', async () => {
    const id = await added('webcam')
    const client = await pool.connect()
    await client.query(`begin; set local ferrite.index_later to 'on'`)
    const change = `update parts set description = 'Wide.', price_cents = 4300 where _id = $1`
    await client.query(change, [id])
    await client.query('commit')
    client.release()
    expect(await indexOf(id)).toMatchObject({ price_cents: 4300 })
    expect(await hits('wide')).toEqual([])
    const changes = async () =>
      (await pool.query(`select count(*)::int as n from catalogue_changes where topic = 'parts'`))
        .rows[0].n
    const before = await changes()
    await indexParts(drizzle(pool))
    expect(await hits('wide')).toEqual([id])
    expect(await changes()).toBe(before + 1)
    expect(await brokenInvariants(pool)).toEqual([])
  })
})

describe('a specification', () => {
  const badSpecs: [kind: string, specs: object | string][] = [
    ['processor', { length_mm: 240 }],
    ['processor', { socket: 'AM55' }],
    ['processor', { socket: 'am5' }],
    ['processor', { socket: ['AM5'] }],
    ['processor', { socket: null }],
    ['processor', { cores: '8' }],
    ['processor', { cores: -1 }],
    ['processor', { cores: 257 }],
    ['processor', { graphics: 'yes' }],
    ['processor', { architecture: '' }],
    ['processor', { architecture: ' Zen' }],
    ['case', { boards: [] }],
    ['case', { boards: 'ATX' }],
    ['case', { boards: ['ATX', 'ATX'] }],
    ['case', { boards: ['ATX', 7] }],
    ['case', { boards: ['ATX', 'XTA'] }],
    ['nothing of the sort', { boards: ['ATX'] }],
  ]
  test('is one that the kind has, within its range', async () => {
    for (const [kind, specs] of badSpecs) {
      expect(await refusal(insert, ['No', kind, specs]), JSON.stringify(specs)).toBe(
        'parts_specs_of_kind',
      )
    }
    expect(await refusal(insert, ['No', 'case', JSON.stringify(['ATX'])])).toMatch(/object|specs/)
    const id = await added('processor', {
      socket: 'AM5',
      cores: 8,
      graphics: true,
      architecture: 'Zen 5',
    })
    await added('case', { boards: ['ATX', 'Mini-ITX'], volume_l: 11.5 })
    const moved = `update parts set kind = 'fan' where _id = '${id}'`
    expect(await refusal(moved)).toBe('parts_specs_of_kind')
  })

  test('cannot be taken from under a part', async () => {
    const id = await added('headset', { microphone: true, back: 'Open' })
    const field = `kind = 'headset' and key = 'back'`
    expect(await refusal(`delete from spec_fields where ${field}`)).toMatch(/append-only/)
    await pool.query(`update spec_fields set is_builtin = false where ${field}`)
    expect(await refusal(`delete from spec_fields where ${field}`)).toBe('parts_specs_of_kind')
    expect(await refusal(`update spec_fields set options = '[]' where ${field}`)).toBe(
      'parts_specs_of_kind',
    )
    await pool.query(`update parts set specs = specs - 'back' where _id = $1`, [id])
    expect(await refusal(`delete from spec_fields where ${field}`)).toBe('accepted')
  })
})

describe('the index', () => {
  test('has words by weight, facets and the text of the list', async () => {
    const { rows } = await pool.query(
      `insert into parts (name, brand, mpn, kind, image, description, minimum_order_quantity, price_cents, specs)
       values ('Cinder RX 7600™', 'Émber', 'CI-7600-8G', 'graphics card', '/i', 'Two fans.', 1, 25900, $1) returning _id`,
      [{ memory_gb: 8, length_mm: 240, chip: 'Navi 33', slots: 2 }],
    )
    const [{ _id }] = rows
    const found = await indexOf(_id)
    expect(found.facets).toEqual([
      'brand=Émber',
      'chip=Navi 33',
      'length_mm=240',
      'memory_gb=8',
      'slots=2',
    ])
    for (const word of [
      'rx7600:A',
      'ember:A',
      'ci76008g:A',
      '@graphics-card:B',
      'gpu:B',
      '240mm:C',
      'navi33:C',
      'fans:D',
    ])
      expect(await hits(word), word).toContain(_id)
    for (const word of ['gpu:A', 'fans:ABC', '2']) expect(await hits(word), word).not.toContain(_id)
    expect(found.search).toContain('ci- 7600- 8g')
  })

  const edits = atLength ? 1000 : 100
  test(`stays what its functions say, through ${edits} random edits`, async () => {
    const chances = fc.sample(fc.nat(), { seed, numRuns: 10 * edits })
    const chance = () => chances.pop() ?? 0
    const pick = <T>(from: readonly T[]) => from[chance() % from.length] as T
    const specsOf: Record<string, object[]> = {
      fan: [{}, { size_mm: 120 }, { pwm: true, noise_db: 21.5 }],
      case: [{}, { boards: ['ATX'] }, { side: 'Glass', volume_l: 11 }],
      'odd kind': [{}],
    }
    const write = async () => {
      const { rows } = await pool.query(
        'select _id from parts order by position offset $1 % (select count(*) from parts) limit 1',
        [chance()],
      )
      const id = rows[0]?._id
      const kind = pick(Object.keys(specsOf))
      const ways: (() => Promise<unknown>)[] = [
        () => added(kind, pick(specsOf[kind] as object[])),
        () =>
          pool.query('update parts set kind = $2, specs = $3 where _id = $1', [
            id,
            kind,
            pick(specsOf[kind] as object[]),
          ]),
        () =>
          pool.query('update parts set name = name || $2, description = $2 where _id = $1', [
            id,
            pick(['-X1', ' ÅÄ', " 'x' \\ :1A"]),
          ]),
        () =>
          pool.query('update parts set brand = $2, mpn = $3, state = $4 where _id = $1', [
            id,
            pick(['', 'Ember']),
            pick(['', 'A-1', '4 711']),
            pick(['on sale', 'draft']),
          ]),
        () => pool.query('update parts set price_cents = price_cents + 100 where _id = $1', [id]),
        () =>
          pool.query(
            'update parts set deleted_at = case when deleted_at is null then now() end where _id = $1',
            [id],
          ),
        () => pool.query('delete from parts where _id = $1', [id]),
        () =>
          pool.query(
            `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 1)`,
            [id],
          ),
        () =>
          pool.query(`update kinds set other_names = $1 where slug = 'fan'`, [
            [pick(['blower', 'vent'])],
          ]),
        () =>
          pool.query(
            `update spec_fields set is_facet = not is_facet where kind = 'fan' and key = 'pwm'`,
          ),
      ]
      await pick(ways)().catch((error) => {
        // a part with stock movements cannot be deleted
        if (error.constraint !== 'stock_movements_part_id_parts__id_fk') throw error
      })
    }
    for (let i = 0; i < edits; i += 1) await write()
    expect(await brokenInvariants(pool)).toEqual([])
    await pool.query(
      `update part_index set facets = '{x}' where part_id = (select min(part_id::text)::uuid from part_index)`,
    )
    expect(await brokenInvariants(pool)).toEqual(['the index of a part says what the part says'])
  })
})

describe('the demo', () => {
  const drawn = drawnParts()

  test('describes a drawn part only with numbers from its name or specification', () => {
    // resolutions and names of plugs are not figures of the part
    const numbersOf = (text: string) =>
      text
        .replaceAll(/(for|at) (1080p|1440p|4K)|M\.2 |16-pin/g, '')
        .match(/\d+(\.\d+)?/g)
        ?.map(Number) ?? []
    for (const { name, description, specs } of drawn) {
      const stated = Object.values(specs).flatMap((value) => numbersOf(String(value)))
      const isStated = (number: number) =>
        [...stated, ...numbersOf(name)].some((each) => each === number || each === 1000 * number)
      const each = specs.modules ? [Number(specs.capacity_gb) / Number(specs.modules)] : []
      const missing = numbersOf(description).filter((n) => !isStated(n) && !each.includes(n))
      expect([name, ...missing]).toEqual([name])
    }
  })

  test('has 120 parts of plausible sockets, lengths and watts, and kinds that are worth filtering', () => {
    const all = [...picturedParts, ...drawn]
    expect([all.length, new Set(all.map(({ name }) => name)).size]).toEqual([120, 120])
    const ofKind = Map.groupBy(all, ({ kind }) => kind)
    const compared =
      'processor,graphics card,motherboard,memory module,storage drive,power supply,case'
    const others = 'tower cooler,liquid cooler,fan,monitor,keyboard,mouse,headset'
    for (const kind of [compared, others].join(',').split(','))
      expect([kind, (ofKind.get(kind)?.length ?? 0) >= 4]).toEqual([kind, true])
    expect([...ofKind.values()].filter(({ length }) => length >= 10).length).toBeGreaterThan(2)
    for (const { name, specs = {} } of all) {
      const {
        socket = '',
        memory_type: memory,
        memory_types: memories,
        chipset,
        tdp_w: tdp,
      } = specs
      const [ram] = [memory ?? memories ?? []].flat()
      const of: Record<string, string> = { AM4: 'DDR4', AM5: 'DDR5', 'LGA 1851': 'DDR5' }
      if (socket !== '') expect([name, of[String(socket)]]).toEqual([name, ram])
      const board = { B550: 'AM4', B650: 'AM5', B850: 'AM5', X870E: 'AM5' }[String(chipset)]
      if (chipset) expect([name, board ?? 'LGA 1851']).toEqual([name, socket])
      if (specs.power_limit_w)
        expect(Number(specs.power_limit_w)).toBeGreaterThanOrEqual(Number(tdp))
      const plugs = [
        ['plugs_8pin', 150],
        ['plugs_6pin', 75],
        ['plugs_16pin', 600],
      ] as const
      const fed = plugs.reduce((sum, [key, watts]) => sum + watts * Number(specs[key] ?? 0), 75)
      if (specs.chip) expect([name, Number(tdp) <= fed]).toEqual([name, true])
    }
    const stock = Map.groupBy(drawn, ({ onHand }) =>
      onHand === 0 ? 'out' : onHand < 5 ? 'low' : 'in',
    )
    expect([stock.get('out')?.length, stock.get('low')?.length]).toEqual([5, 10])
  })
})

test('what a description of the demo states as a number, its specification states too', () => {
  const stated = /(\d[\d.]*)[ -](mm|GB|W|MB\/s|rpm|Hz|inch|litre|g|V)\b/g
  for (const { name, description, specs = {} } of picturedParts) {
    const numbers = Object.values(specs).filter((value) => typeof value === 'number')
    const missing = [...description.matchAll(stated)].filter(
      ([, number]) => !numbers.includes(Number(number)),
    )
    expect([name, ...missing.map(([all]) => all)]).toEqual([name, ...(unstated[name] ?? [])])
  }
})
