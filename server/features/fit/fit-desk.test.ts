/** The owner's page about the rules of fit: what parts on sale do not state for them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeskRule, FitDesk, Lacking } from '#contracts/fit-desk.ts'
import { fitRules, neededOf } from '#contracts/fit-rules.ts'
import { login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

async function desk(): Promise<FitDesk> {
  const { status, body } = await owner.call('GET', '/api/fit')
  expect(status).toBe(200)
  return body
}
async function lackingOf(id: string): Promise<Lacking[]> {
  const { rules } = await desk()
  return (rules.find((rule) => rule.id === id) as DeskRule).lacking
}
async function part(kind: string, name: string, specs: object = {}, state = 'on sale') {
  const { rows } = await shop.pool.query(
    `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs, state)
     values ($1, $2, '/i', 'A part.', 1, 1000, $3, $4) returning _id`,
    [name, kind, specs, state],
  )
  return { _id: rows[0]._id as string, name }
}

test('each rule says what it is, and names only kinds that have parts on sale', async () => {
  const { parts, rules, own, others } = await desk()
  expect(rules.map(({ id }) => id)).toEqual(fitRules.map(({ id }) => id))
  expect(rules.find(({ id }) => id === 'card-length')).toEqual({
    id: 'card-length',
    name: 'Length of the graphics card',
    level: 'problem',
    says: 'The graphics card is … mm long; the case takes cards up to … mm',
    lacking: [],
  })
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
  expect(rules.filter(({ says }) => /[{}]|undefined|the {2}|the ;/.test(says))).toEqual([])
  expect([parts, own, others]).toEqual([0, [], []])
})

test('parts that lack a field are counted, the first named, and the list has exactly these', async () => {
  const short = []
  for (const name of ['A', 'B', 'C', 'D']) short.push(await part('graphics card', name))
  await part('graphics card', 'E', { length_mm: 300 })
  await part('graphics card', 'F', {}, 'draft')
  await part('graphics card', 'G')
  await shop.pool.query(`update parts set deleted_at = now() where name = 'G'`)
  await part('case', 'Box', { card_max_mm: 320 })

  const [lack, ...others] = await lackingOf('card-length')
  expect(others).toEqual([])
  expect(lack).toEqual({
    kind: 'graphics-card',
    kindName: 'graphics card',
    field: 'graphics-card.length_mm',
    says: 'length',
    key: 'length_mm',
    parts: 4,
    first: short.slice(0, 3),
  })
  // the parts are sold out, and so are those of the list
  const list = await owner.call(
    'GET',
    `/api/products?kind=${lack?.kind}&misses=${lack?.key}&state=in-shop`,
  )
  expect(list.body.map(({ name }: { name: string }) => name)).toEqual(['A', 'B', 'C', 'D'])
  expect((await desk()).parts).toBe(6)
})

test('what is read in place of another is not asked for', async () => {
  await part('processor', 'Eight', { power_limit_w: 120 })
  const fields = (await lackingOf('power')).map(({ field }) => field)
  expect(fields).not.toContain('processor.tdp_w')
  expect(fields).not.toContain('processor.power_limit_w')
  await part('processor', 'Six', { tdp_w: 65 })
  expect((await lackingOf('tower-cooler-strength'))[0]).toMatchObject({
    field: 'processor.power_limit_w',
    first: [{ name: 'Six' }],
  })
  expect(fitRules.filter((rule) => neededOf(rule).length === 0)).toEqual([])
})

test('an owner’s kind takes part by a field that stands for one, and others are listed', async () => {
  const { body } = await owner.call('POST', '/api/kinds', { name: 'Used card' })
  const fields = [{ key: 'long', label: 'Long', type: 'number', unit: 'mm' }]
  const edit = (change: object) =>
    owner.call('PUT', `/api/kinds/${body.slug}`, {
      version: 1,
      name: 'Used card',
      fields,
      ...change,
    })
  expect((await edit({})).status).toBe(200)
  await part('Used card', 'Old one', { long: 250 })
  const blank = await part('Used card', 'Older one')
  await part('Lamp', 'Bulb')
  const before = await desk()
  expect(before.others).toEqual([
    { slug: 'used-card', name: 'Used card', parts: 2 },
    { slug: 'lamp', name: 'Lamp', parts: 1 },
  ])

  const standing = [{ ...fields[0], fitField: 'graphics-card.length_mm' }]
  expect((await edit({ version: 2, fields: standing })).status).toBe(200)
  const { parts, own, others } = await desk()
  expect(parts - before.parts).toBe(2)
  expect(own).toEqual([{ slug: 'used-card', name: 'Used card', parts: 2, as: 'graphics card' }])
  expect(others.map(({ slug }) => slug)).toEqual(['lamp'])
  expect((await lackingOf('card-length')).at(-1)).toMatchObject({
    kind: 'used-card',
    key: 'long',
    parts: 1,
    first: [blank],
  })
  // no field of the kind stands for the slots
  expect((await lackingOf('card-slots')).find(({ kind }) => kind === 'used-card')).toMatchObject({
    field: 'graphics-card.slots',
    key: null,
    parts: 2,
    first: [],
  })
})
