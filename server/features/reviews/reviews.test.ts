import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Inserted } from '#contracts/api.ts'
import { meanOf } from '#contracts/catalogue.ts'
import { messages } from '#contracts/messages.ts'
import { partPath } from '#contracts/part-address.ts'
import { PartPage } from '#contracts/part-pages.ts'
import type { Part } from '#contracts/parts.ts'
import { OwnReview, PartReviews, Review, ReviewStars, shopReviewStep } from '#contracts/reviews.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { atLength } from '#tests/support/length.ts'
import {
  bookingOf,
  call,
  cardsOf,
  confirmCard,
  createUsers,
  intentFor,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let ada: Person
let owner: Person

beforeAll(async () => {
  shop = await openTestShop({}, { web: await builtWeb() })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
}, 90_000)
afterAll(() => shop.close())
/** With this cookie, the server bypasses its cache and returns the current data. */
const newest = { cookie: 'ferrite.catalogue=changed' }
// a new customer for each test, because without a paid order there is one review a day
beforeEach(async () => {
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})

const write = (person: Person, body: unknown, key?: string) =>
  person.call('POST', '/api/review', body, key === undefined ? {} : { 'idempotency-key': key })

const listed = async (reader?: Person) => {
  const { body } = await call(shop.origin, 'GET', '/api/review', { token: reader?.token })
  return z.array(Review).parse(body)
}

test('a review is public at once, under its author’s name', async () => {
  const before = await listed()
  const claims = { name: 'Mallory', email: 'm@example.com', _id: crypto.randomUUID() }
  const { status, body } = await write(ada, { ...claims, review: '  Arrived dry. ', ratings: 4 })
  expect(status).toBe(200)
  const { insertedId } = Inserted.parse(body)
  const [newest, ...rest] = await listed()
  expect(newest).toEqual({
    _id: insertedId,
    name: ada.name,
    review: 'Arrived dry.',
    ratings: 4,
    boughtHere: false,
    createdAt: expect.any(String),
    editedAt: null,
  })
  expect(rest).toEqual(before)
  const [own] = await listed(ada)
  expect(own?.email).toBe(ada.email)
})

describe('a review is refused', () => {
  test.each([0, 6, -1, 4.5, '5', null, [5], undefined, Number.MAX_VALUE])(
    'with %j stars',
    async (ratings) => {
      const { status, body } = await write(ada, { review: 'Fine.', ratings })
      expect({ status, fields: body.error.fields }).toEqual({
        status: 400,
        fields: { ratings: messages.ratingOutOfRange },
      })
    },
  )
  test.each([
    { text: 'no', review: '', message: messages.reviewRequired },
    { text: 'an empty', review: ' \n ', message: messages.reviewRequired },
    { text: 'a missing', review: undefined, message: messages.reviewRequired },
    { text: 'an endless', review: 'x'.repeat(2001), message: messages.reviewTooLong },
  ])('with $text text', async ({ review, message }) => {
    const { status, body } = await write(ada, { review, ratings: 5 })
    expect({ status, fields: body.error.fields }).toEqual({
      status: 400,
      fields: { review: message },
    })
  })
})

test('a double click is one review; the key is good for nothing else', async () => {
  const review = { review: 'Twice?', ratings: 5 }
  const answers = await Promise.all([1, 2, 3].map(() => write(ada, review, 'one-click')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.insertedId)).size).toBe(1)
  expect((await listed()).filter((one) => one.review === 'Twice?')).toHaveLength(1)
  expect((await write(ada, { ...review, ratings: 1 }, 'one-click')).status).toBe(422)
  // the key refers to the original request, whatever the author changed since then
  const _id = answers[0]?.body.insertedId
  await ada.call('PUT', `/api/review/${_id}`, { review: 'Twice? Once.', ratings: 4 })
  expect(await write(ada, review, 'one-click')).toMatchObject({
    status: 200,
    body: { insertedId: _id },
  })
  expect((await write(ada, review, '')).status).toBe(400)
})

/** Gives a customer a paid order by a real payment. */
async function pay(person: Person, at = shop, bought?: Part): Promise<string> {
  const part = bought ?? (await stockPart(at.pool, { onHand: 5 }))
  const id = await bookingOf(person, part)
  const payment = await intentFor(person, id)
  await confirmCard(cardsOf(at), payment)
  await person.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
  return id
}

const good = { review: 'Arrived dry.', ratings: 4 }
const texts = (reviews: Review[]) => reviews.map(({ review }) => review)

describe('who may write, and how often, is the database’s to say', () => {
  test('only from a verified address', async () => {
    const [stranger] = (await createUsers(shop, 1, { verified: false })) as [Person]
    const { status, body } = await write(stranger, { review: 'Never bought.', ratings: 1 })
    expect([status, body.error.code]).toEqual([409, 'NOT_VERIFIED'])
    expect(texts(await listed())).not.toContain('Never bought.')
    await shop.pool.query('update users set email_verified = true where email = $1', [
      stranger.email,
    ])
    expect((await write(stranger, good)).status).toBe(200)
  })

  test('one a day without a paid order, however many come at once and whatever was removed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => write(ada, { review: `At once ${n}`, ratings: 1 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(11)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body.error.message).toBe(messages.reviewOncePerDay)
    const written = answers.find(({ status }) => status === 200)?.body.insertedId
    await ada.call('DELETE', `/api/review/${written}`)
    expect((await write(ada, good)).status).toBe(429)
    await shop.pool.query(
      `update reviews set created_at = created_at - interval '1 day' where _id = $1`,
      [written],
    )
    expect((await write(ada, good)).status).toBe(200)
    expect((await listed(ada))[0]).toMatchObject({ boughtHere: false, email: ada.email })
  })

  test('statements that bypass the API are refused, too', async () => {
    const insert = `insert into reviews (user_id, name, email, review, ratings, bought_here)
      select _id, name, email, 'By hand', 5, true from users where email = $1 returning bought_here`
    const { rows } = await shop.pool.query(insert, [ada.email])
    expect(rows).toEqual([{ bought_here: false }])
    const second = shop.pool.query(insert, [ada.email]).catch(({ constraint }) => constraint)
    expect(await second).toBe('reviews_one_a_day')
  })

  test('a customer with a paid order bought here, and writes more than one', async () => {
    await write(ada, good)
    await pay(ada)
    const [before] = await listed(ada)
    expect(before?.boughtHere).toBe(false)
    expect((await write(ada, { review: 'And again.', ratings: 5 })).status).toBe(200)
    expect((await listed())[0]).toMatchObject({ review: 'And again.', boughtHere: true })
    await ada.call('PUT', `/api/review/${before?._id}`, { review: 'Bought since.', ratings: 5 })
    expect((await listed()).find(({ _id }) => _id === before?._id)).toMatchObject({
      review: 'Bought since.',
      boughtHere: true,
    })
  })

  const cancel = async (person: Person, orderId: string) => {
    const { checkoutId } = (await person.call('GET', `/api/order/${orderId}`)).body
    const headers = { 'idempotency-key': crypto.randomUUID() }
    return (await person.call('POST', `/api/checkout/${checkoutId}/cancel`, {}, headers)).status
  }
  const marksOf = async (person: Person) => {
    const { body } = await person.call('GET', '/api/me/reviews')
    return z
      .array(OwnReview)
      .parse(body)
      .map(({ boughtHere }) => boughtHere)
  }

  test('who cancels all that was bought, before it was sent, did not buy here', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => stockPart(shop.pool, { onHand: 5 })))
    const first = await pay(ada, shop, one)
    const second = await pay(ada, shop, two)
    for (const partId of [undefined, one?._id, two?._id])
      expect((await write(ada, { ...good, partId })).status).toBe(200)
    expect(await marksOf(ada)).toEqual([true, true, true])
    // the reviews of the shop, and of what is still to come, are a buyer's
    expect(await cancel(ada, first)).toBe(200)
    expect(await marksOf(ada)).toEqual([true, false, true])
    const { body: all } = await ada.call('GET', '/api/me/reviews')
    const ofCanceled = all.find(({ part }: OwnReview) => part?._id === one?._id)
    await ada.call('PUT', `/api/review/${ofCanceled._id}`, { review: 'Edited.', ratings: 2 })
    expect(await marksOf(ada)).toEqual([true, false, true])
    expect(await cancel(ada, second)).toBe(200)
    expect(await marksOf(ada)).toEqual([false, false, false])
    const [own] = (await ada.call('GET', '/api/me/reviews')).body
    await ada.call('PUT', `/api/review/${own._id}`, { review: 'Edited.', ratings: 1 })
    expect(await marksOf(ada)).toEqual([false, false, false])
  })

  test('what was sent was bought, also when its money went back', async () => {
    const orderId = await pay(ada)
    await owner.call('PUT', `/api/order/${orderId}/shipped`, {})
    expect((await write(ada, good)).status).toBe(200)
    const { totalPrice: amount } = (await ada.call('GET', `/api/order/${orderId}`)).body
    const all = { amount, restock: 0, reason: 'It broke.' }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    await owner.call('POST', `/api/order/${orderId}/refund`, all, headers)
    expect(await marksOf(ada)).toEqual([true])
  })

  test('a review that is written while its order is canceled is not a buyer’s', async () => {
    for (let round = 0; round < (atLength ? 100 : 6); round += 1) {
      const [person] = (await createUsers(shop, 1)) as [Person]
      const orderId = await pay(person)
      const review = async () => (await write(person, { ...good, review: `Round ${round}` })).status
      const inTurn =
        round % 2 === 0 ? [cancel(person, orderId), review()] : [review(), cancel(person, orderId)]
      expect(await Promise.all(inTurn)).toEqual([200, 200])
      expect(await marksOf(person)).toEqual([false])
    }
  })

  test('five a day from one network are enough for all who bought nothing, however many accounts they make', async () => {
    const strict = await openTestShop({ RATE_LIMIT: 'on', TRUST_PROXY: 'on' })
    const people = await createUsers(strict, 14)
    const from = (network: string) => (person: Person, n: number) =>
      person.call(
        'POST',
        '/api/review',
        { review: `Number ${n}`, ratings: 1 },
        {
          'x-forwarded-for': network,
          'idempotency-key': 'once',
        },
      )
    const [first] = people as [Person]
    // refused requests and double clicks do not count
    const [stranger] = (await createUsers(strict, 1, { verified: false })) as [Person]
    for (let n = 0; n < 6; n += 1) expect((await from('9.9.9.9')(stranger, n)).status).toBe(409)
    const twice = await Promise.all([1, 2].map(() => from('9.9.9.9')(first, 0)))
    expect(new Set(twice.map(({ body }) => body.insertedId)).size).toBe(1)
    const answers = await Promise.all(people.slice(1, 12).map(from('9.9.9.9')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(refused).toHaveLength(7)
    expect(refused[0]?.body.error.message).toBe(messages.reviewsFromNetwork)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(80_000)
    // repeating the same review still succeeds
    expect((await from('9.9.9.9')(first, 0)).status).toBe(200)
    const [buyer, neighbour] = people.slice(12) as [Person, Person]
    expect((await from('9.9.9.8')(neighbour, 1)).status).toBe(200)
    await pay(buyer, strict)
    expect((await from('9.9.9.9')(buyer, 1)).status).toBe(200)
    await strict.close()
  })

  test('five in an hour are enough for a customer, also when they come all at once', async () => {
    const strict = await openTestShop({ RATE_LIMIT: 'on' })
    const eager = await register(strict.origin, 'Eager Customer')
    await pay(eager, strict)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => write(eager, { review: `Number ${n}`, ratings: 3 })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(3)
    expect(refused[0]?.body.error.message).toBe(
      'You can write 5 reviews in an hour. Try again later.',
    )
    await strict.pool.query(`update rate_limits set expire = 1`)
    expect((await write(eager, { review: 'An hour later', ratings: 3 })).status).toBe(200)
    await strict.close()
  })
})

describe('the author', () => {
  test('edits a review, and all readers see the new text at once', async () => {
    const { insertedId: id } = (await write(ada, good)).body
    await listed()
    const better = { review: ' Arrived dry, and works. ', ratings: 5 }
    const edited = await ada.call('PUT', `/api/review/${id}`, better)
    expect([edited.status, edited.body.modifiedCount]).toEqual([200, 1])
    const listedReview = (await listed()).find(({ _id }) => _id === id)
    expect(listedReview).toMatchObject({ review: 'Arrived dry, and works.', ratings: 5 })
    expect(listedReview?.editedAt).not.toBeNull()
    expect((await ada.call('PUT', `/api/review/${id}`, better)).body.modifiedCount).toBe(0)
    const bad = await ada.call('PUT', `/api/review/${id}`, { review: '', ratings: 6 })
    expect(bad.body.error.fields).toEqual({
      review: messages.reviewRequired,
      ratings: messages.ratingOutOfRange,
    })
  })

  test('removes a review: its text is gone, a second removal changes nothing', async () => {
    const { insertedId: id } = (await write(ada, { ...good, review: 'Regretted.' })).body
    expect(texts(await listed())).toContain('Regretted.')
    const removed = await ada.call('DELETE', `/api/review/${id}`)
    expect([removed.status, removed.body.deletedCount]).toEqual([200, 1])
    expect(texts(await listed())).not.toContain('Regretted.')
    expect((await ada.call('GET', '/api/me/reviews')).body).toEqual([])
    expect((await ada.call('DELETE', `/api/review/${id}`)).body.deletedCount).toBe(0)
    expect((await ada.call('PUT', `/api/review/${id}`, good)).status).toBe(404)
    const { rows } = await shop.pool.query('select review from reviews where _id = $1', [id])
    expect(rows).toEqual([{ review: '' }])
  })

  test('alone: others, even admins, get a 404 when they edit or remove it', async () => {
    const { insertedId: id } = (await write(ada, good)).body
    const [bob] = (await createUsers(shop, 1)) as [Person]
    for (const person of [bob, owner]) {
      expect((await person.call('PUT', `/api/review/${id}`, good)).status).toBe(404)
      expect((await person.call('DELETE', `/api/review/${id}`)).status).toBe(404)
    }
    expect((await listed())[0]?._id).toBe(id)
  })
})

describe('an admin', () => {
  const hide = (id: string, reason: unknown = 'An insult.') =>
    owner.call('POST', `/api/review/${id}/hide`, { reason })
  const show = (id: string) =>
    owner.call('POST', `/api/review/${id}/show`, { reason: 'A mistake.' })

  test('hides a review and shows it again, each with its reason on the audit log', async () => {
    const { insertedId: id } = (await write(ada, { ...good, review: 'You fools.' })).body
    expect(texts(await listed())).toContain('You fools.')
    const before = await listed()
    expect((await hide(id, '  ')).body.error.fields).toEqual({ reason: messages.reasonRequired })
    expect((await hide(id)).body.modifiedCount).toBe(1)
    expect(await listed()).toEqual(before.filter(({ _id }) => _id !== id))
    expect((await hide(id)).body.modifiedCount).toBe(0)
    const [own] = z.array(OwnReview).parse((await ada.call('GET', '/api/me/reviews')).body)
    expect(own).toMatchObject({ _id: id, hiddenReason: 'An insult.' })
    // editing the text does not show it again
    await ada.call('PUT', `/api/review/${id}`, { review: 'You dears.', ratings: 5 })
    expect(await listed()).toEqual(before.filter(({ _id }) => _id !== id))
    expect((await show(id)).body.modifiedCount).toBe(1)
    expect((await show(id)).body.modifiedCount).toBe(0)
    expect(texts(await listed())).toContain('You dears.')
    const { body: lines } = await owner.call('GET', `/api/audit?about=review:${id}`)
    expect(lines).toMatchObject([
      { action: 'review shown', by: owner.email, name: ada.name, note: '“A mistake.”' },
      { action: 'review hidden', by: owner.email, name: ada.name, note: '“An insult.”' },
    ])
  })

  test('finds reviews by author, words, state, stars and page', async () => {
    const fresh = await openTestShop()
    const keeper = await login(fresh.origin, 'owner@ferrite.example', 'owner-password')
    const people = await createUsers(fresh, 7)
    for (const [n, person] of people.entries())
      await write(person, { review: `Sturdy box ${n}`, ratings: (n % 5) + 1 })
    const list = async (query: string) =>
      z.array(OwnReview).parse((await keeper.call('GET', `/api/reviews?${query}`)).body)
    const all = await list('')
    expect(all.map(({ email }) => email)).toEqual(people.map(({ email }) => email).reverse())
    expect(await list(`q=box ${all[2]?.email.split('@')[0]}`)).toEqual([all[2]])
    expect(await list('ratings=1')).toEqual([all[1], all[6]])
    expect(await list('bought=yes')).toEqual([])
    await keeper.call('POST', `/api/review/${all[3]?._id}/hide`, { reason: 'Spam.' })
    expect(texts(await list('state=hidden'))).toEqual([all[3]?.review])
    expect(await list('state=shown')).toHaveLength(6)
    const pages = []
    let after = ''
    for (let page = 0; page < 3; page += 1) {
      const rows = await list(`sort=-ratings&limit=3${after && `&after=${after}`}`)
      pages.push(...rows)
      after = rows.at(-1)?._id ?? ''
    }
    expect(pages.map(({ ratings }) => ratings)).toEqual([5, 4, 3, 2, 2, 1, 1])
    expect(new Set(pages.map(({ _id }) => _id)).size).toBe(7)
    await fresh.close()
  })
})

describe('a review of a part', () => {
  let part: Part
  beforeEach(async () => {
    part = await stockPart(shop.pool, { onHand: 200 })
  })
  const partReview = (more: object = {}) => ({ ...good, partId: part._id, ...more })
  async function ofPart(query = '') {
    const { body } = await call(shop.origin, 'GET', `/api/parts/${part._id}/reviews${query}`)
    return PartReviews.parse(body)
  }
  async function rated() {
    const { body } = await call(shop.origin, 'GET', `/api/parts/${part._id}`)
    const page = PartPage.parse(body)
    return page.isOnSale && [page.ratingCount, page.ratingSum]
  }

  test('is refused to users who did not buy this part, by the shop and by the database', async () => {
    await pay(ada)
    const orderId = await bookingOf(ada, part)
    expect(await write(ada, partReview())).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', message: messages.reviewNeedsPurchase } },
    })
    const { rows } = await shop.pool.query('select _id from users where email = $1', [ada.email])
    const insert = (order: string | null) =>
      shop.pool.query(
        `insert into reviews (user_id, part_id, order_id, name, email, review, ratings)
         values ($1, $2, $3, 'Ada', 'ada@example.com', 'Raw.', 5)`,
        [rows[0]._id, part._id, order],
      )
    await expect(insert(orderId)).rejects.toMatchObject({ constraint: 'reviews_of_purchase' })
    await expect(insert(null)).rejects.toMatchObject({ constraint: 'reviews_part_order' })
    expect(await rated()).toEqual([0, 0])
  })

  test('is one for each buyer, which the second changes, and a refund of all ends the right', async () => {
    const orderId = await pay(ada, shop, part)
    const shopReviews = await listed()
    const { body } = await write(ada, partReview(), 'part-1')
    expect((await write(ada, partReview(), 'part-1')).body).toEqual(body)
    expect(await rated()).toEqual([1, 4])
    expect((await write(ada, partReview({ review: 'It broke.', ratings: 2 }))).body).toEqual(body)
    expect(await rated()).toEqual([1, 2])
    const [written] = (await ofPart()).reviews
    expect(written).toMatchObject({ review: 'It broke.', ratings: 2, boughtHere: true })
    expect(written?.editedAt).not.toBeNull()
    expect(written).not.toHaveProperty('email')
    expect(await listed()).toEqual(shopReviews)
    const own = (await ada.call('GET', '/api/me/reviews')).body
    expect(own).toMatchObject([{ part: { _id: part._id, name: part.name } }])
    await owner.call('POST', `/api/review/${body.insertedId}/hide`, { reason: 'An insult.' })
    expect(await rated()).toEqual([0, 0])
    await owner.call('POST', `/api/review/${body.insertedId}/show`, { reason: 'A mistake.' })
    await ada.call('DELETE', `/api/review/${body.insertedId}`)
    expect([await rated(), (await ofPart()).reviews]).toEqual([[0, 0], []])
    expect((await write(ada, partReview({ ratings: 5 }))).body).toEqual(body)
    expect(await rated()).toEqual([1, 5])
    const all = { amount: part.price, restock: 0, reason: 'It broke.' }
    const refund = await owner.call('POST', `/api/order/${orderId}/refund`, all, {
      'idempotency-key': crypto.randomUUID(),
    })
    expect(refund.status).toBe(200)
    expect((await write(ada, partReview({ ratings: 1 }))).status).toBe(403)
    expect(await rated()).toEqual([1, 5])
  })

  const many = atLength ? 100 : 7
  test(`of ${many} at once leaves equal figures everywhere, and stars and pages filter`, async () => {
    const buyers = await createUsers(shop, many)
    await Promise.all(buyers.map((buyer) => pay(buyer, shop, part)))
    const allRatings = buyers.map((_, n) => (n % 5) + 1)
    await Promise.all(
      [1, 2].flatMap((round) =>
        buyers.map((buyer, n) =>
          write(buyer, partReview({ ratings: allRatings[n], review: `In ${round}` })),
        ),
      ),
    )
    const sum = allRatings.reduce((all, stars) => all + stars, 0)
    expect(await rated()).toEqual([many, sum])
    const pages = [await ofPart()]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
      pages.push(await ofPart(`?after=${next}`))
    expect(pages[0]?.stars).toEqual(
      [1, 2, 3, 4, 5].map((stars) => allRatings.filter((each) => each === stars).length),
    )
    const reviews = pages.flatMap(({ reviews }) => reviews)
    expect(new Set(reviews.map(({ _id }) => _id)).size).toBe(many)
    expect(new Set((await ofPart('?stars=2')).reviews.map(({ ratings }) => ratings))).toEqual(
      new Set([2]),
    )
    const list = await call(shop.origin, 'GET', '/api/parts?limit=48&sort=newest')
    const card = list.body.parts.find(({ _id }: Part) => _id === part._id)
    expect(card).toMatchObject({ ratingCount: many, ratingSum: sum })
    // the rating for people and search engines
    const read = async (path: string): Promise<string> =>
      (await call(shop.origin, 'GET', path, { headers: newest })).body
    const mean = meanOf(card)
    const listed = (await read('/parts?sort=newest')).replaceAll('<!-- -->', '')
    expect(listed).toContain(`${mean} of 5 stars, </span>(${many} reviews)`)
    const page = await read(partPath(card))
    expect(page).toContain(`${mean} of 5 stars · ${many} reviews`)
    const [, json = ''] =
      /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(page) ?? []
    expect(JSON.parse(json)['@graph'][0].aggregateRating).toMatchObject({
      ratingValue: Number(mean),
      reviewCount: many,
    })
    expect(await brokenInvariants(shop.pool)).toEqual([])
    await shop.pool.query('update parts set rating_sum = rating_sum + 1 where _id = $1', [part._id])
    expect(await brokenInvariants(shop.pool)).toContain(
      'the stars of a part are those of its shown reviews',
    )
  })
})

// the last test: others read all reviews in one answer
test('of many, the newest hundred are listed, then those after one, and all count', async () => {
  const starsNow = async () => {
    const { body } = await call(shop.origin, 'GET', '/api/review/stars', { headers: newest })
    return ReviewStars.parse(body).stars
  }
  const before = await starsNow()
  const authors = await createUsers(shop, 120)
  await shop.pool.query(
    `insert into reviews (user_id, name, email, review, ratings, created_at)
     select u._id, u.name, u.email, 'Old ' || i, 2, now() - make_interval(days => i::int)
     from unnest($1::text[]) with ordinality each (email, i) join users u using (email)`,
    [authors.map(({ email }) => email)],
  )
  await write(ada, { review: 'The newest', ratings: 5 })
  const first = await listed(ada)
  expect(first).toHaveLength(shopReviewStep)
  expect(first[0]?.review).toBe('The newest')
  expect(await starsNow()).toEqual(before.map((count, i) => count + ([0, 120, 0, 0, 1][i] ?? 0)))
  const after = (id: string | undefined) => call(shop.origin, 'GET', `/api/review/after/${id}`)
  const { body } = await after(first.at(-1)?._id)
  const second = z.array(Review).parse(body)
  expect(second.map(({ review }) => review)).toContain('Old 120')
  expect(second.filter(({ _id }) => first.some((one) => one._id === _id))).toEqual([])
  expect(second[0]?.email).toBeUndefined()
  expect((await after(second.at(-1)?._id)).body).toEqual([])
  expect((await after('x')).status).toBe(400)
})

test('the page of all reviews leads to older ones, and back', async () => {
  const [first] = (await listed()).slice(-1)
  const page = await call(shop.origin, 'GET', '/reviews', { headers: newest })
  expect(page.body).toContain(`href="/reviews?after=${first?._id}"`)
  expect(page.body).toMatch(/\b1\d\d reviews/)
  const older = await call(shop.origin, 'GET', `/reviews?after=${first?._id}`)
  expect(older.body).toContain('Old 120')
  expect(older.body).toContain('Back to the newest')
  expect(older.body).not.toContain('Older reviews')
  const wrong = await fetch(`${shop.origin}/reviews?after=x`, { redirect: 'manual' })
  expect([wrong.status, wrong.headers.get('location')]).toEqual([302, '/reviews'])
})
