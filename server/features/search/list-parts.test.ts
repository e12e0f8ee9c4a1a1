/** Lists of parts for visitors: filters, counts, sorting and pages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PartList } from '#contracts/part-lists.ts'
import { atLength } from '#tests/support/length.ts'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockDemo, stockPart } from '#tests/support/stock.ts'
import { vocabularyRefresher } from './refresh-vocabulary.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  await stockDemo(shop.pool)
  await vocabularyRefresher(shop.deps)()
})
afterAll(() => shop.close())

const ask = (query: string | URLSearchParams) => call(shop.origin, 'GET', `/api/parts?${query}`)
async function list(query: string | URLSearchParams): Promise<PartList> {
  const { status, body } = await ask(query)
  expect(status, String(query)).toBe(200)
  return body
}
const facetIn = ({ facets }: PartList, key: string) => {
  const facet = facets.find((each) => each.key === key)
  if (!facet) throw new Error(`no facet ${key}`)
  return facet
}
const counts = (all: PartList, key: string) =>
  Object.fromEntries(facetIn(all, key).values.map(({ value, count }) => [value, count]))
const names = ({ parts }: PartList) => parts.map(({ name }) => name)

/**
 * Chooses every value that a list offers, one at a time, and compares the results with the promised
 * counts.
 */
async function checkCounts(chosen: URLSearchParams): Promise<number> {
  const partList = await list(chosen)
  let choiceCount = 0
  const expectTotal = async (count: number, change: (next: URLSearchParams) => void) => {
    const next = new URLSearchParams(chosen)
    change(next)
    const then = await list(next)
    expect(then.total, String(next)).toBe(count)
    expect(then.parts.length).toBe(Math.min(then.total, 24))
    choiceCount += 1
  }
  for (const { key, type, values, from, to } of partList.facets) {
    for (const { value, count } of values)
      await expectTotal(count, (next) => {
        next.delete(key)
        next.append(key, value)
      })
    if (type === 'number' && from !== null) {
      const outside = new URLSearchParams(chosen)
      outside.set(`${key}-min`, String(Number(to) + 1))
      outside.delete(`${key}-max`)
      expect((await list(outside)).total, String(outside)).toBe(0)
    }
  }
  await expectTotal(partList.inStock, (next) => next.set('stock', 'in'))
  return choiceCount
}

test('every count is the number of parts shown after choosing its value', async () => {
  const { kinds } = await list('')
  expect(kinds.length).toBeGreaterThan(5)
  for (const { slug, name, count } of atLength ? kinds : kinds.slice(0, 3)) {
    const plain = await list(`kind=${slug}`)
    expect(plain).toMatchObject({ total: count, all: count, kinds: [{ name, slug, count }] })
    await checkCounts(new URLSearchParams({ kind: slug }))
    // again with a value of each of two filters
    for (const facet of plain.facets.filter(({ values }) => values.length > 1).slice(0, 2)) {
      const { value = '' } = facet.values.at(-1) ?? {}
      expect(
        await checkCounts(new URLSearchParams({ kind: slug, [facet.key]: value })),
      ).toBeGreaterThan(1)
    }
  }
}, 120_000)

test('values of one filter widen the list, filters narrow each other', async () => {
  for (const [name, specs] of Object.entries({
    'Board A': { socket: 'AM5', form_factor: 'ATX', memory_slots: 4 },
    'Board B': { socket: 'AM4', form_factor: 'ATX', memory_slots: 4 },
    'Board C': { socket: 'AM4', form_factor: 'Mini-ITX', memory_slots: 2 },
    'Board D': { form_factor: 'ATX' },
  })) {
    const { _id } = await stockPart(shop.pool, { onHand: name === 'Board B' ? 0 : 3, name })
    await shop.pool.query(
      `update parts set kind = 'motherboard', brand = 'Testbrand', specs = $2 where _id = $1`,
      [_id, specs],
    )
  }
  const boardsQuery = 'kind=motherboard&brand=Testbrand&sort=price'
  const plain = await list(boardsQuery)
  expect(names(plain)).toEqual(['Board A', 'Board B', 'Board C', 'Board D'])
  expect(counts(plain, 'socket')).toMatchObject({ AM4: 2, AM5: 1 })
  expect(plain.inStock).toBe(3)
  expect(plain.all).toBeGreaterThan(plain.total)

  const am5 = await list(`${boardsQuery}&socket=AM5`)
  expect(names(am5)).toEqual(['Board A'])
  expect(counts(am5, 'socket')).toEqual(counts(plain, 'socket'))
  expect(counts(am5, 'form_factor')).toMatchObject({ ATX: 1, 'Mini-ITX': 0 })
  expect(names(await list(`${boardsQuery}&socket=AM5&socket=AM4`))).toHaveLength(3)

  const both = await list(`${boardsQuery}&socket=AM5&form_factor=ATX`)
  expect(counts(both, 'socket')).toMatchObject({ AM4: 1, AM5: 1 })
  expect(counts(both, 'form_factor')).toMatchObject({ ATX: 1, 'Mini-ITX': 0 })

  // a part without the number is in no range
  expect(names(await list(`${boardsQuery}&memory_slots-min=1`))).toHaveLength(3)
  const wide = await list(`${boardsQuery}&memory_slots-min=3&memory_slots-max=4`)
  expect(names(wide)).toEqual(['Board A', 'Board B'])
  expect(facetIn(wide, 'memory_slots')).toMatchObject({ from: 2, to: 4, values: [] })
  expect(names(await list(`${boardsQuery}&stock=in&memory_slots-min=3`))).toEqual(['Board A'])
  expect(wide.parts[0]?.specs).toEqual([
    { key: 'socket', label: 'Socket', text: 'AM5' },
    { key: 'form_factor', label: 'Form factor', text: 'ATX' },
  ])
  // if nothing passes, the values stay with a count of 0
  const none = await list(`${boardsQuery}&socket=AM5&form_factor=Mini-ITX`)
  expect(none).toMatchObject({ total: 0, parts: [], next: null })
  expect(counts(none, 'socket')).toMatchObject({ AM4: 1, AM5: 0 })
})

test.each(['sold', 'price', '-price', 'newest', 'rating'])(
  'pages by %s hold every part once, in order',
  async (sort) => {
    const whole = await list(`sort=${sort}&limit=48`)
    const ids: string[] = []
    let after: number | null = null
    do {
      const page: PartList = await list(`sort=${sort}&limit=10${after ? `&after=${after}` : ''}`)
      expect(page.total).toBe(whole.total)
      ids.push(...page.parts.map(({ _id }) => _id))
      after = page.next
    } while (after)
    expect(ids).toHaveLength(whole.total)
    expect(new Set(ids).size).toBe(whole.total)
    expect(ids.slice(0, 48)).toEqual(whole.parts.map(({ _id }) => _id))
    const prices = whole.parts.map(({ price }) => price)
    if (sort === 'price') expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    if (sort === '-price') expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  },
)

test('the next page follows a deleted part', async () => {
  const before = await list('sort=price&limit=3')
  const [, , last] = before.parts
  await shop.pool.query('update parts set deleted_at = now() where _id = $1', [last?._id])
  const then = await list(`sort=price&limit=1&after=${last?.number}`)
  expect(then.parts[0]?._id).toBe((await list('sort=price&limit=3')).parts[2]?._id)
})

test('a search lists the best match first, with right counts', async () => {
  const found = await list('q=board&sort=best&brand=Testbrand')
  expect(names(found).toSorted()).toEqual(['Board A', 'Board B', 'Board C', 'Board D'])
  expect(found.kinds).toMatchObject([{ slug: 'motherboard', count: 4 }])
  expect(names(await list('q=board+d'))[0]).toBe('Board D')
  expect(await list('q=motherbord&brand=Testbrand')).toMatchObject({ total: 4 })
  expect(await list('q=qqqqqq')).toMatchObject({ total: 0, parts: [], left: ['qqqqqq'] })
  const words = { kind: 'motherboard', q: 'board', form_factor: 'ATX' }
  expect(await checkCounts(new URLSearchParams(words))).toBeGreaterThan(3)
})

test('a card gets only as much of the description as it shows', async () => {
  const { _id } = await stockPart(shop.pool, { onHand: 1, name: 'A part of many words' })
  await shop.pool.query('update parts set description = $2 where _id = $1', [
    _id,
    'word '.repeat(300),
  ])
  const { parts } = await list('sort=newest&limit=1')
  expect(parts[0]).toMatchObject({ _id, description: expect.stringMatching(/^.{199}…$/) })
})

test('invalid queries are refused', async () => {
  expect((await ask('kind=nothing')).status).toBe(404)
  // every response contains the kind's name, which works like the slug
  const byName = await list('kind=memory%20module')
  expect(byName.total).toBeGreaterThan(0)
  expect(byName).toEqual(await list('kind=memory-module'))
  const fields = (await list('kind=motherboard')).facets.length
  expect(fields).toBeGreaterThan(0)
  const values = (count: number) =>
    Array.from({ length: count }, (_, i) => `socket=value-${i}`).join('&')
  expect((await ask(`kind=motherboard&${values(20)}`)).status).toBe(200)
  const many = await ask(`kind=motherboard&${values(21)}`)
  expect(many.status).toBe(400)
  expect(many.body.error.message).toContain('at most 20 values')
  const numbers = 'cores boost_ghz tdp_w power_limit_w l3_mb price'.split(' ')
  const choices = 'socket architecture memory_types graphics cooler brand'.split(' ')
  const twelve = [...numbers.map((key) => `${key}-min=1`), ...choices.map((key) => `${key}=x`)]
  expect((await ask(`kind=processor&${twelve.join('&')}`)).status).toBe(200)
  const thirteen = await ask(`kind=processor&${twelve.join('&')}&stock=in`)
  expect(thirteen.status).toBe(400)
  expect(thirteen.body.error.message).toContain('at most 12 filters')
  for (const query of ['sort=odd', 'stock=out', 'price-min=x', 'after=x', 'limit=49', 'limit=0'])
    expect((await ask(query)).status, query).toBe(400)
  expect((await ask('kind=processor&cores-min=many')).status).toBe(400)
  // ignores parameters that are not filters of the kind, and the empty values of a form
  expect((await list('kind=fan&utm_source=x&socket=AM5&price-min=&stock=&brand=')).total).toBe(
    (await list('kind=fan')).total,
  )
})
