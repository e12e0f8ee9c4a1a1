/** The rendering queue under overload: no visitor waits for the clients that request most. */
import { describe, expect, test } from 'vitest'
import { networksOf } from '#server/http/client-address.ts'
import { renderingLine } from './rendering-line.ts'

/** A queue whose renderings the test finishes and records. */
function openLine() {
  const order: string[] = []
  let refused = 0
  const line = renderingLine(() => {
    refused += 1
  })
  const ends: (() => void)[] = []
  const statusOf = (address: string, key: string, isListed = false) =>
    line
      .render(
        { key, isListed },
        networksOf(address),
        () =>
          new Promise<void>((resolve) => {
            order.push(key)
            ends.push(resolve)
          }),
      )
      .then(
        () => 200,
        (error) => error.code as string,
      )
  return {
    statusOf,
    order,
    join: (address: string, key: string) => line.join(key, networksOf(address)),
    refusedCount: () => refused,
    /** Finishes the current rendering, and waits for the next. */
    async endOne() {
      await expect.poll(() => ends.length, { interval: 1 }).toBe(1)
      ends.shift()?.()
      await expect.poll(() => ends.length, { interval: 1 }).toBe(1)
    },
  }
}

/**
 * 64 networks, each with made-up searches in flight, and a visitor who requests twenty pages.
 * @returns how many of these were rendered, and the number of all turns
 */
async function amongSearches(addressOf: (i: number) => string, isListed: boolean) {
  const line = renderingLine(() => {})
  let asked = 0
  let isOver = false
  // refused requests are repeated during the next rendering
  const again = new Set<() => void>()
  let turns = 0
  const work = async () => {
    turns += 1
    for (const ask of again) ask()
    again.clear()
  }
  const attack = async (i: number) => {
    while (!isOver) {
      asked += 1
      const made = { key: `/parts?q=made-up-${asked}`, isListed: false }
      await line
        .render(made, networksOf(addressOf(i % 64)), work)
        .catch(() => new Promise<void>((resolve) => again.add(resolve)))
    }
  }
  const attacks = Array.from({ length: 64 * 5 }, (_, i) => attack(i))
  let answered = 0
  for (let i = 0; i < 20; i += 1) {
    const key = isListed ? `/part/${i}` : '/parts?q=fan'
    await line.render({ key, isListed }, ['203.0.113.7'], work).then(
      () => {
        answered += 1
      },
      () => {},
    )
  }
  isOver = true
  const result = { answered, turns }
  await Promise.all(attacks)
  return result
}

describe('while 64 networks ask for made-up searches, another visitor has every page, and soon', () => {
  test.each([
    ['of addresses of their own', (i: number) => `198.51.100.${i}`],
    ['of one home', (i: number) => `2001:db8:1:${(0x200 + i).toString(16)}::1`],
  ])('%s', async (_, addressOf) => {
    for (const isListed of [false, true]) {
      const { answered, turns } = await amongSearches(addressOf, isListed)
      expect(answered).toBe(20)
      // the visitor's own turns, and only a few of others
      expect(turns).toBeLessThan(4 * answered)
    }
  })
})

test('turns alternate between the network that waits for the fewest and the one that has waited longest', async () => {
  const { statusOf, order, endOne } = openLine()
  statusOf('192.0.2.1', 'a1')
  for (const key of ['a2', 'a3', 'a4']) statusOf('192.0.2.1', key)
  statusOf('192.0.2.2', 'b1')
  statusOf('192.0.2.2', 'b2')
  statusOf('192.0.2.3', 'c1')
  for (let i = 0; i < 6; i += 1) await endOne()
  expect(order).toEqual(['a1', 'c1', 'b1', 'b2', 'a2', 'a3', 'a4'])
})

test('a home has one turn, however many networks it has', async () => {
  const { statusOf, order, endOne } = openLine()
  for (let i = 0; i < 5; i += 1) statusOf(`2001:db8:1:${i}::1`, `home ${i}`)
  statusOf('192.0.2.2', 'visitor')
  await endOne()
  expect(order).toEqual(['home 0', 'visitor'])
})

test('pages of parts and kinds go before queries, and after three of them a query has its turn', async () => {
  const { statusOf, order, endOne } = openLine()
  statusOf('192.0.2.1', 'running')
  for (const key of ['q1', 'q2']) statusOf('192.0.2.2', key)
  for (const key of ['p1', 'p2', 'p3', 'p4']) statusOf('192.0.2.1', key, true)
  for (let i = 0; i < 6; i += 1) await endOne()
  expect(order).toEqual(['running', 'p1', 'p2', 'p3', 'q1', 'p4', 'q2'])
})

describe('when too many wait', () => {
  test('a network may have 32, its home twice as many; beyond that only its own are refused', async () => {
    const { statusOf, refusedCount } = openLine()
    statusOf('192.0.2.1', 'running')
    const own = Array.from({ length: 33 }, (_, i) => statusOf('192.0.2.1', `own ${i}`))
    expect(await own.at(-1)).toBe('UNAVAILABLE')
    expect(refusedCount()).toBe(1)
    const ofHome = Array.from({ length: 65 }, (_, i) =>
      statusOf(`2001:db8::${i % 3}:0:0:0:1`, `home ${i}`),
    )
    expect(await ofHome.at(-1)).toBe('UNAVAILABLE')
    expect(refusedCount()).toBe(2)
  })

  test('a page of a part displaces a query of the same network', async () => {
    const { statusOf } = openLine()
    statusOf('192.0.2.1', 'running')
    const queries = Array.from({ length: 32 }, (_, i) => statusOf('192.0.2.1', `query ${i}`))
    statusOf('192.0.2.1', 'page', true)
    expect(await queries.at(-1)).toBe('UNAVAILABLE')
  })

  test('the network that waits for most makes room for a newcomer', async () => {
    const { statusOf, refusedCount, order, endOne } = openLine()
    statusOf('192.0.2.1', 'running')
    for (let i = 0; i < 256 - 2; i += 1) statusOf(`198.51.100.${i}`, `one ${i}`)
    statusOf('192.0.2.2', 'two 1')
    const two = statusOf('192.0.2.2', 'two 2')
    expect(refusedCount()).toBe(0)
    statusOf('192.0.2.3', 'new')
    expect(await two).toBe('UNAVAILABLE')
    expect(refusedCount()).toBe(1)
    await endOne()
    expect(order).toEqual(['running', 'one 0'])
  })

  test('a page for which a newcomer also waits stays, and is rendered in the newcomer’s turn', async () => {
    const { statusOf, join, order, endOne } = openLine()
    statusOf('192.0.2.1', 'running')
    for (let i = 0; i < 32; i += 1) statusOf('192.0.2.1', `own ${i}`)
    join('192.0.2.9', 'own 31')
    statusOf('192.0.2.1', 'one more')
    await endOne()
    expect(order).toEqual(['running', 'own 31'])
  })
})
