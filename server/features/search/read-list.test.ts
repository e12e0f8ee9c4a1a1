/** Searches in everyday words: questions, superlatives, values, several kinds, and what is no part. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PartList } from '#contracts/part-lists.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
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
