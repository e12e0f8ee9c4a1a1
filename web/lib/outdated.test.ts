import { QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { type CachedQuery, outdate } from './outdated.ts'
import { makeQueryClient } from './query.ts'

function browser() {
  const client = makeQueryClient()
  const fetched: string[] = []
  const queryOf = (topic: CachedQuery, id: string) => ({
    queryKey: [topic, id] as const,
    queryFn: () => {
      fetched.push(`${topic} ${id}`)
      return id
    },
  })
  return {
    client,
    fetched,
    /** Loads a query that is not on screen. */
    load: (topic: CachedQuery, id: string) => client.fetchQuery(queryOf(topic, id)),
    /** Loads a query and keeps it on screen. */
    async show(topic: CachedQuery, id: string) {
      await client.fetchQuery(queryOf(topic, id))
      onTestFinished(new QueryObserver(client, queryOf(topic, id)).subscribe(() => {}))
    },
    isOutdated: (topic: CachedQuery, id: string) =>
      client.getQueryState([topic, id])?.isInvalidated ?? false,
  }
}

test('what is on screen is fetched again at once, the rest when it is next shown', async () => {
  const { client, fetched, load, show, isOutdated } = browser()
  await show('delivery', 'one')
  await show('products', 'all')
  await load('delivery', 'two')
  fetched.splice(0)
  await outdate(client, 'receiveDelivery')
  expect(fetched).toEqual(['delivery one'])
  expect([isOutdated('products', 'all'), isOutdated('delivery', 'two')]).toEqual([true, true])
})

test('a change leaves what it does not outdate', async () => {
  const { client, fetched, show, isOutdated } = browser()
  await show('words', 'all')
  await show('orders', 'mine')
  fetched.splice(0)
  await outdate(client, 'explainWord')
  expect(fetched).toEqual(['words all'])
  expect(isOutdated('orders', 'mine')).toBe(false)
})

test('a deleted order is not asked for', async () => {
  const { client, fetched, show } = browser()
  await show('order', 'deleted')
  await show('orders', 'mine')
  fetched.splice(0)
  await outdate(client, 'deleteOrder', 'deleted')
  expect(fetched).toEqual(['orders mine'])
})

test('a first load in flight is followed by a second, as it may bring what was before the change', async () => {
  const { client } = browser()
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const asked: string[] = []
  const query = new QueryObserver(client, {
    queryKey: ['queue'],
    queryFn: () => {
      asked.push('queue')
      return answers[asked.length - 1]?.promise ?? 'no third'
    },
  })
  onTestFinished(query.subscribe(() => {}))
  const outdated = outdate(client, 'joinQueue')
  answers[0]?.resolve('before')
  answers[1]?.resolve('after')
  await outdated
  await expect.poll(() => query.getCurrentResult().data).toBe('after')
  expect(asked).toHaveLength(2)
})
