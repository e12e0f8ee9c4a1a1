/** What fits a build: lists with `fits`, and the same verdicts as the rules give. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BasketParts } from '#contracts/compare.ts'
import { type FitPart, judgeCandidates } from '#contracts/fit.ts'
import type { PartList } from '#contracts/part-lists.ts'
import type { PartOnSale } from '#contracts/part-pages.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { atLength } from '#tests/support/length.ts'
import { call, cardsOf, confirmCard, createUsers, intentFor, login } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
/** All parts of the demo shop by number, as the browser gets them for its own judgement. */
const byNumber = new Map<number, FitPart>()
const numberOf = new Map<string, number>()
let kinds: BasketParts['kinds']

/** Reads as somebody does who has just changed something. */
async function get<T>(path: string): Promise<T> {
  const headers = { cookie: 'ferrite.catalogue=changed' }
  const { status, body } = await call(shop.origin, 'GET', path, { headers })
  expect(status, path).toBe(200)
  return body
}
const list = (query: string) => get<PartList>(`/api/parts?limit=48&${query}`)

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  await seedKinds(drizzle(shop.pool))
  await seedDemo(drizzle(shop.pool))
  const { rows } = await shop.pool.query<{ number: number }>('select number from parts order by 1')
  for (let at = 0; at < rows.length; at += 20) {
    const some = rows.slice(at, at + 20).map(({ number }) => number)
    const basket = await get<BasketParts>(`/api/basket?parts=${some.join(',')}`)
    kinds = basket.kinds
    for (const { number, name, fit, minimumOrderQuantity: units } of basket.parts) {
      numberOf.set(name, number)
      if (fit) byNumber.set(number, { ...fit, name, units })
    }
  }
})
afterAll(() => shop.close())

const numbered = (...names: string[]) => names.map((name) => numberOf.get(name)).join(',')

test('a list says of each part whether it fits, and leaves out what does not', async () => {
  const board = numbered('Basalt B650 ATX')
  const all = await list(`kind=processor&fits=${board}`)
  const fitOf = new Map(all.parts.map(({ name, fit }) => [name, fit]))
  expect(fitOf.get('Lodestone 7 9700X')?.level).toBe('fits')
  expect(fitOf.get('Fluxgate 5 245')).toEqual({
    level: 'problem',
    text: 'Fluxgate 5 245 is LGA 1851, Basalt B650 ATX is AM5',
  })
  const fitting = all.parts.filter(({ fit }) => fit?.level !== 'problem').map(({ name }) => name)
  expect(fitting.length).toBeLessThan(all.total)
  expect(all.fit).toEqual({
    kind: 'processor',
    count: fitting.length,
    with: [{ number: Number(board), name: 'Basalt B650 ATX', kind: 'motherboard' }],
  })
  const only = await list(`kind=processor&fits=${board}&only=fits`)
  expect(only.parts.map(({ name }) => name)).toEqual(fitting)
  expect([only.total, only.all, only.fit?.count]).toEqual([
    fitting.length,
    all.total,
    fitting.length,
  ])
  // counts of other filters know it
  const sockets = only.facets.find(({ key }) => key === 'socket')?.values
  expect(sockets?.find(({ value }) => value === 'LGA 1851')).toEqual({
    value: 'LGA 1851',
    count: 0,
  })
  expect(sockets?.find(({ value }) => value === 'AM5')?.count).toBe(fitting.length)
  // with a filter, the count says what its own choice leaves
  const cheap = await list(`kind=processor&fits=${board}&price-max=250`)
  const cheapOnly = await list(`kind=processor&fits=${board}&price-max=250&only=fits`)
  expect(cheap.fit?.count).toBe(cheapOnly.total)
})

test('what is not known stays in the list, and says so', async () => {
  const only = await list(`kind=case&fits=${numbered('Brook 240')}&only=fits`)
  expect(only.parts.find(({ name }) => name === 'Vitrine ATX')?.fit).toEqual({
    level: 'unknown',
    text: 'Not enough data about Vitrine ATX: radiators',
  })
})

test('a part is judged in the place of the one it replaces, and with its smallest order', async () => {
  const board = numbered('Basalt B650 ATX')
  const memory = async (more: string) =>
    (await list(`kind=memory-module&only=fits&fits=${board}${more}`)).parts.map(({ name }) => name)
  const fitting = await memory('')
  expect(fitting).toContain('Twinbank DDR5 32 GB')
  // sold from ten on, and the board has four slots
  expect(fitting).not.toContain('Twinbank DDR5 16 GB')
  // one that does not fit lets no other in
  expect(await memory(`,${numbered('Twinbank DDR4 16 GB')}`)).toEqual(fitting)
  expect(await memory(`,${numbered('Twinbank DDR5 96 GB')}x2`)).toEqual(fitting)
  // without a board, the processor says which memory
  const types = (await list(`kind=memory-module&only=fits&fits=${numbered('Lodestone 5 5600')}`))
    .parts
  expect(types.map(({ name }) => name.includes('DDR4'))).toEqual(types.map(() => true))
  // parts of several PCs are not judged together
  const several = await list(`kind=memory-module&fits=${board}x2`)
  expect(several.parts.filter(({ fit }) => fit)).toEqual([])
})

test('lists without a rule are as they were', async () => {
  const empty = { kind: 'processor', count: (await list('kind=processor')).total, with: [] }
  for (const [query, fit] of [
    ['kind=monitor&fits=1', null],
    ['fits=1', null],
    ['kind=processor&only=fits', null],
    // a build without a part that rules know
    ['kind=processor&fits=999999&only=fits', empty],
    ['kind=processor&fits=new', empty],
  ] as const) {
    const found = await list(query)
    expect(found.fit, query).toEqual(fit)
    expect(found.total, query).toBe(found.all)
    expect(found.parts.filter(({ fit }) => fit)).toEqual([])
  }
  const { status, body } = await call(shop.origin, 'GET', '/api/parts?kind=case&only=all')
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('must be fits')
})

test('the browser, the server and the filter of a list agree on pairs of the shop', async () => {
  const shelf = [...byNumber]
  expect(shelf.length).toBeGreaterThan(60)
  // a part of each kind in the gate
  const builds = atLength
    ? shelf
    : kinds.flatMap(({ kind }) => shelf.filter(([, part]) => part.kind === kind).slice(1, 2))
  let judged = 0
  for (const [number, part] of builds)
    for (const { slug, kind } of kinds) {
      const judge = judgeCandidates([{ ...part, units: 1 }], kind)
      const expected = shelf
        .filter(([, { kind: its }]) => its === kind)
        .map(([of, candidate]) => {
          const worst = judge(candidate)
          return [of, worst && { level: worst.level, text: worst.say() }] as const
        })
      const all = await list(`kind=${slug}&fits=${number}`)
      expect(new Map(all.parts.map((each) => [each.number, each.fit]))).toEqual(new Map(expected))
      const only = await list(`kind=${slug}&fits=${number}&only=fits`)
      expect(new Set(only.parts.map((each) => each.number))).toEqual(
        new Set(expected.flatMap(([of, fit]) => (fit?.level === 'problem' ? [] : [of]))),
      )
      judged += expected.length
    }
  expect(judged).toBeGreaterThan(500)
})

test('a part’s page counts what fits it, and shows what is bought with it and fits', async () => {
  const [board, processor, wrong, monitor] = [
    'Basalt B650 ATX',
    'Lodestone 7 9700X',
    'Fluxgate 5 245',
    'Paperwhite 27 QHD',
  ] as const
  const page = () => get<PartOnSale>(`/api/parts/${numbered(board)}`)
  for (const { slug, count } of (await page()).fits ?? [])
    expect((await list(`kind=${slug}&fits=${numbered(board)}&only=fits`)).total, slug).toBe(count)
  const { rows } = await shop.pool.query<{ _id: string; name: string }>(
    'select _id, name from parts where name = any($1)',
    [[board, processor, wrong, monitor]],
  )
  const lines = rows.map(({ _id, name }) => ({
    partId: _id,
    quantity: name === monitor ? 2 : 1,
  }))
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  for (const person of await createUsers(shop, 3)) {
    const { body } = await person.call('POST', '/api/orders', { phone: '+1 555 0100', lines })
    const [orderId] = body.orderIds
    const payment = await intentFor(person, orderId)
    expect((await confirmCard(cardsOf(shop), payment)).status).toBe(200)
    const paid = { transactionId: payment.intentId }
    expect((await person.call('PATCH', `/api/order/${orderId}`, paid)).status).toBe(200)
    // two customers do not say it, nor does what was not shipped, which can be canceled
    expect((await page()).goesWith).toEqual([])
    const parcel = { carrier: 'DHL', trackingNumber: '1' }
    const shipped = await owner.call('PUT', `/api/checkout/${body.insertedId}/shipped`, parcel)
    expect(shipped.status).toBe(200)
  }
  // the page is made anew when something else on it changes
  await shop.pool.query(`update parts set description = 'New.' where name = $1`, [board])
  const shown = (await page()).goesWith.map(({ name }) => name)
  expect(shown.toSorted()).toEqual([processor, monitor].toSorted())
})

test('a field of the owner’s stands for one that rules read', async () => {
  const { pool } = shop
  await pool.query(`insert into kinds (slug, name) values ('laptop-board', 'laptop board');
    insert into spec_fields (kind, key, label, type, is_open, position, fit_field)
      values ('laptop-board', 'sockel', 'Sockel', 'one', true, 0, 'motherboard.socket');
    insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs)
      values ('Own board', 'laptop board', '/i', 'Ours.', 1, 100, '{"sockel": "AM4"}')`)
  const own = (await list(`kind=laptop-board&fits=${numbered('Lodestone 7 9700X')}`)).parts
  expect(own.map(({ fit }) => fit)).toEqual([
    { level: 'problem', text: 'Lodestone 7 9700X is AM5, Own board is AM4' },
  ])
})

test('the same build is judged once, until a part changes', async () => {
  await shop.pool.query(`insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs)
    select 'Made case ' || n, 'case', '/i', 'Made.', 1, 100, jsonb_build_object('card_max_mm', 200 + n % 400, 'cooler_max_mm', 100 + n / 400, 'boards', '["ATX"]'::jsonb)
    from generate_series(1, 3000) n`)
  const of = (kind: string) =>
    [...byNumber].filter(([, part]) => part.kind === kind).map(([number]) => number)
  const single = ['motherboard', 'power-supply', 'tower-cooler'].flatMap(
    (kind) => of(kind)[0] ?? [],
  )
  const many = ['graphics-card', 'storage-drive', 'fan'].flatMap((kind) => of(kind).slice(0, 5))
  const ask = async (i: number) => {
    const fits = [of('processor')[i], ...single, ...many].join(',')
    const answer = await call(shop.origin, 'GET', `/api/parts?kind=case&fits=${fits}&limit=1`)
    expect(answer.status).toBe(200)
  }
  await ask(0)
  const first = await cpuTime(() => ask(1))
  expect(await cpuTime(() => ask(1))).toBeLessThan(first / 2)
})
