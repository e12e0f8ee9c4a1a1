/** The home page of shops of any size. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HomeParts } from '#contracts/part-lists.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({}, { web: await builtWeb() })
}, 90_000)
afterAll(() => shop.close())

const newest = { cookie: 'ferrite.catalogue=changed' }
const get = async (path: string) => (await call(shop.origin, 'GET', path, { headers: newest })).body
const homeParts = (): Promise<HomeParts> => get('/api/home-parts')

test('twelve parts are shown, and of more a link to all', async () => {
  expect(await homeParts()).toEqual({
    parts: [],
    total: 0,
    kinds: [],
    slides: [null, null, null],
    featured: [],
    bestSeller: null,
    hasSold: false,
  })
  for (let i = 1; i <= 12; i += 1)
    await stockPart(shop.pool, { onHand: i > 2 ? 5 : 0, name: `Shelf part ${i}` })
  await shop.pool.query(
    `update parts set kind = case when name ~ '9$' then 'keyboard' when name ~ '5$' then 'fan' else 'monitor' end`,
  )
  const whole = await homeParts()
  expect(whole.parts).toHaveLength(12)
  expect(whole).toMatchObject({ total: 12, bestSeller: { name: 'Shelf part 1' }, hasSold: false })
  expect(whole.kinds.map(({ slug, count }) => [slug, count])).toEqual([
    ['fan', 1],
    ['monitor', 10],
    ['keyboard', 1],
  ])
  // sold out parts are not featured
  expect(whole.featured.map(({ name }) => name)).toEqual([
    'Shelf part 3',
    'Shelf part 5',
    'Shelf part 9',
  ])
  const home = await get('/')
  expect(home).not.toContain('See all')
  // the figures belong to the demonstration
  expect(home).toContain('Business summary')
  expect(home).not.toContain('Happy clients')

  await shop.pool.query(
    `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents)
     select 'More ' || n, 'monitor', '/images/none-960.webp', repeat('Many words. ', 160), 1, 1000
     from generate_series(1, 188) n;
     update parts set description = repeat('Many words. ', 160)`,
  )
  const some = await homeParts()
  expect(some.total).toBe(200)
  expect(some.parts.map(({ name }) => name)).toEqual(whole.parts.map(({ name }) => name))
  const html = await get('/')
  expect(html).toContain('See all <!-- -->200<!-- --> parts')
  expect(html).toContain('href="/parts/keyboard"')
  // excludes the styles, which are the same on every page
  expect(html.replace(/<style.*?<\/style>/gs, '').length).toBeLessThan(90_000)
})

test('the best seller is called so once it has sold', async () => {
  expect(await get('/')).toContain('>Our pick</h2>')
  await shop.pool.query(`update parts set sold_90 = 2 where name = 'Shelf part 4'`)
  expect(await homeParts()).toMatchObject({ bestSeller: { name: 'Shelf part 4' }, hasSold: true })
  expect(await get('/')).toContain('>Best-selling product</h2>')
})
