import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { Review, Reviewed } from '#contracts/reviews.ts'
import { call, crowd, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let ada: Person

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
// somebody new for each story: there is a limit an hour
beforeEach(async () => {
  ;[ada] = (await crowd(shop, 1)) as [Person]
})

const write = (person: Person, body: unknown, key?: string) =>
  person.call('POST', '/api/review', body, key === undefined ? {} : { 'idempotency-key': key })

const listed = async (reader?: Person) => {
  const { body } = await call(shop.origin, 'GET', '/api/review', { token: reader?.token })
  return z.array(Review).parse(body)
}

test('a review is there for everybody at once, under the name of who wrote it', async () => {
  const before = await listed()
  const claims = { name: 'Mallory', email: 'm@example.com', _id: crypto.randomUUID() }
  const { status, body } = await write(ada, { ...claims, review: '  Arrived dry. ', ratings: 4 })
  expect(status).toBe(200)
  const { insertedId } = Reviewed.parse(body)
  const [newest, ...rest] = await listed()
  expect(newest).toEqual({ _id: insertedId, name: ada.name, review: 'Arrived dry.', ratings: 4 })
  expect(rest).toEqual(before)
  const [own] = await listed(ada)
  expect(own?.email).toBe(ada.email)
})

describe('a review is refused', () => {
  test.each([0, 6, -1, 4.5, '5', null, [5], undefined, Number.MAX_VALUE])(
    'with %j stars',
    async (ratings) => {
      const { status, body } = await write(ada, { review: 'Fine.', ratings })
      expect({ status, said: body.error.fields }).toEqual({
        status: 400,
        said: { ratings: messages.ratingOutOfRange },
      })
    },
  )
  test.each([
    { text: 'no', review: '', said: messages.reviewRequired },
    { text: 'an empty', review: ' \n ', said: messages.reviewRequired },
    { text: 'a missing', review: undefined, said: messages.reviewRequired },
    { text: 'an endless', review: 'x'.repeat(2001), said: messages.reviewTooLong },
  ])('with $text text', async ({ review, said }) => {
    const { status, body } = await write(ada, { review, ratings: 5 })
    expect({ status, said: body.error.fields }).toEqual({ status: 400, said: { review: said } })
  })
})

test('a double click is one review; the key is good for nothing else', async () => {
  const review = { review: 'Twice?', ratings: 5 }
  const answers = await Promise.all([1, 2, 3].map(() => write(ada, review, 'one-click')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.insertedId)).size).toBe(1)
  expect((await listed()).filter((one) => one.review === 'Twice?')).toHaveLength(1)
  expect((await write(ada, { ...review, ratings: 1 }, 'one-click')).status).toBe(422)
  expect((await write(ada, review, '')).status).toBe(400)
})

test('five reviews in an hour are enough, also when they come all at once', async () => {
  const strict = await openTestShop({ RATE_LIMIT: 'on' })
  const eager = await register(strict.origin, 'Eager Customer')
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => write(eager, { review: `Number ${n}`, ratings: 3 })),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(3)
  expect(refused[0]?.body.error.message).toBe(
    'You can write 5 reviews in an hour. Try again later.',
  )
  await strict.pool.query(`update reviews set created_at = created_at - interval '1 hour'`)
  expect((await write(eager, { review: 'An hour later', ratings: 3 })).status).toBe(200)
  await strict.close()
})
