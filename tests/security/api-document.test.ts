/**
 * The API document and its page. Every test that calls a shop checks that responses match the
 * document.
 */
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionInfo } from '#contracts/account.ts'
import type { QueuePlace } from '#contracts/queue.ts'
import type { ApiDocument } from '#server/http/api-docs/api-document.ts'
import { describedCalls, exampleBody } from '#tests/support/api-document.ts'
import { call, cardsOf, confirmCard, idToken, login, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let document: ApiDocument

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  document = (await call(shop.origin, 'GET', '/api/openapi.json')).body
})
afterAll(() => shop.close())

test('is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true })
})

test('is not sent again to a client that has it', async () => {
  const path = '/api/openapi.json'
  const { headers } = await call(shop.origin, 'HEAD', path)
  const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  expect((await call(shop.origin, 'GET', path, again)).status).toBe(304)
})

test('its page shows every call and object, needs no script, and no link in it leads nowhere', async () => {
  const { body, headers } = await call(shop.origin, 'GET', '/api/docs')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
  expect(body).not.toMatch(/<script|<style|style=|undefined|\[object/)
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...body.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter((id) => !ids.has(id))).toEqual([])
  const calls = describedCalls(document).map(({ operationId }) => operationId)
  expect(calls.filter((id) => !ids.has(id))).toEqual([])
  expect((await call(shop.origin, 'GET', '/api/docs.css')).status).toBe(200)
})

/** `admin-actions.test.ts` sends the examples of admins. */
test('the examples of customers’ requests work', async () => {
  const calls = describedCalls(document)
  const sentKeys = new Set<string>()
  const [ada, eve] = [await register(shop.origin), await register(shop.origin)]
  const part = await stockPart(shop.pool, { onHand: 9, price: 50 })
  async function send(key: string, real: object = {}, id = part._id, by = ada) {
    const [method = '', path = ''] = key.split(' ')
    const address = path
      .replace(/\{(id|part|page|address)\}/, id)
      .replace('{email}', by.email)
      .replace('{country}', 'AT')
    const described = calls.find((one) => one.key === key)
    const isOfEmail = described?.parameters.some(
      ({ in: place, name }) => place === 'query' && name === 'email',
    )
    const needed = isOfEmail ? `?email=${by.email}` : ''
    const isOfParts = key === 'GET /api/compare' || key === 'GET /api/basket'
    const query = isOfParts ? '?parts=1' : needed
    const body = described?.requestBody && exampleBody(calls, key, real)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answer = await by.call(method, address + query, body, headers)
    expect(answer.status, `${key}: ${JSON.stringify(answer.body)}`).toBe(200)
    sentKeys.add(key)
    return answer.body
  }
  const read = [
    'GET /api/part',
    'GET /api/parts',
    'GET /api/search',
    'GET /api/home-parts',
    'GET /api/bestSeller',
    'GET /api/review',
    'GET /api/review/stars',
    'GET /api/sitemap',
    'GET /api/parts/{part}',
    'GET /api/compare',
    'GET /api/basket',
    'GET /api/parts/{part}/reviews',
  ]
  for (const key of read) await send(key)
  await send('GET /api/part/{id}')
  await send('GET /api/part/{id}/limit')
  await send('GET /api/text/{page}', {}, 'about')
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const own = exampleBody(calls, 'PUT /api/pages/{address}', {})
  expect((await owner.call('PUT', '/api/pages/warranty', own)).status).toBe(200)
  await send('GET /api/page/{address}', {}, 'warranty')
  const { insertedId: unwanted } = await send('POST /api/order', { partId: part._id })
  await send('DELETE /api/userProduct/{id}', {}, unwanted)
  const { insertedId: orderId } = await send('POST /api/order', { partId: part._id })
  await send('GET /api/order/{id}', {}, orderId)
  await send('GET /api/orders')
  await send('GET /api/orders/count')
  const cheap = await stockPart(shop.pool, { onHand: 9, price: 5 })
  const lines = [{ partId: cheap._id, quantity: 1 }]
  const { insertedId: checkout } = await send('POST /api/orders', { lines })
  const { orders } = await send('GET /api/checkout/{id}', {}, checkout)
  const { insertedId: single } = await send('POST /api/order', { partId: cheap._id })
  const orderIds = [orders[0]._id, single]
  const { insertedId: joint } = await send('POST /api/checkouts/join', { orderIds })
  const method = exampleBody(calls, 'POST /api/shipping-methods', { freeFrom: null })
  const { body: added } = await owner.call('POST', '/api/shipping-methods', method)
  await send('GET /api/shipping-methods')
  await send('GET /api/regions/{country}')
  await send('PUT /api/checkout/{id}/shipping', { methodId: added.insertedId }, joint)
  await send('GET /api/addresses')
  const { insertedId: address } = await send('POST /api/addresses')
  await send('PUT /api/addresses/{id}', {}, address)
  await send('DELETE /api/addresses/{id}', {}, address)
  await send('DELETE /api/checkout/{id}', {}, joint)
  const { checkoutId } = await send('GET /api/order/{id}', {}, orderId)
  await send('PUT /api/checkout/{id}/shipping', { methodId: added.insertedId }, checkoutId)
  const { due } = await send('GET /api/checkout/{id}', {}, checkoutId)
  const { clientSecret } = await send('POST /api/create-payment-intent', { orderId, due })
  const soldOutPart = await stockPart(shop.pool, { onHand: 0 })
  await send('GET /api/part/{id}/queue', {}, soldOutPart._id)
  await send('POST /api/queue', { partId: soldOutPart._id })
  await shop.pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 2)`,
    [soldOutPart._id],
  )
  const [place]: QueuePlace[] = await send('GET /api/queue')
  await send('POST /api/queue/{id}/order', {}, place?._id)
  await send('DELETE /api/queue/{id}', {}, place?._id)
  const intentId: string = clientSecret.split('_secret_')[0]
  await confirmCard(cardsOf(shop), { intentId, clientSecret })
  await send('PATCH /api/order/{id}', { transactionId: intentId }, orderId)
  await send('PUT /api/checkout/{id}/address', {}, checkoutId)
  const { invoices } = await send('GET /api/checkout/{id}', {}, checkoutId)
  await send('GET /api/invoice/{id}', {}, invoices[0]._id)
  await send('GET /api/invoice/{id}/pdf', {}, invoices[0]._id)
  const all = [{ orderId, quantity: 1 }]
  const { insertedId: ticket } = await send(
    'POST /api/checkout/{id}/tickets',
    { lines: all },
    checkoutId,
  )
  await send('GET /api/tickets')
  await send('GET /api/ticket/{id}', {}, ticket)
  await send('POST /api/ticket/{id}/messages', {}, ticket)
  await send('POST /api/questions')
  const { number } = await send('GET /api/order/{id}', {}, orderId)
  await send('POST /api/withdrawals', { number, email: ada.email })
  const key = shop.deps.ticketKeys.ofWithdrawal(checkoutId)
  await send('POST /api/withdrawals/read', { key })
  await send('POST /api/withdrawals/confirm', { key, lines: all })
  await send('POST /api/checkout/{id}/cancel', { orderIds: [orderId] }, checkoutId)
  const { insertedId: review } = await send('POST /api/review')
  await send('GET /api/review/after/{id}', {}, review)
  await send('PUT /api/review/{id}', {}, review)
  await send('GET /api/me/reviews')
  await send('DELETE /api/review/{id}', {}, review)
  await send('GET /api/admin/{email}')
  await send('PUT /api/profile/{email}')
  await send('GET /api/profile/{email}')
  await send('GET /api/me')
  await send('PUT /api/me/basket')
  await send('GET /api/me/basket')
  await send('GET /api/builds')
  const { insertedId: build } = await send('POST /api/me/builds')
  await send('GET /api/me/builds')
  await send('DELETE /api/me/builds/{id}', {}, build)
  const { number: ofBuyer } = (await shop.pool.query('select number from parts limit 1')).rows[0]
  const { insertedId: owned } = await send('POST /api/me/machine', { number: ofBuyer })
  await send('GET /api/me/machine')
  await send('GET /api/me/machine/fields')
  await send('PUT /api/me/machine/{id}', {}, owned)
  await send('DELETE /api/me/machine/{id}', {}, owned)
  await send('GET /api/me/data')
  await send('PUT /api/user/{email}', {
    email: ada.email,
    idToken: await idToken(shop.origin, ada.cookie),
  })
  await login(shop.origin, ada.email, 'correct horse')
  const sessions: SessionInfo[] = await send('GET /api/sessions')
  await send('DELETE /api/sessions/{id}', {}, sessions.find(({ current }) => !current)?._id)
  await send('DELETE /api/sessions')
  await send('DELETE /api/me', {}, '', eve)
  const notSent = calls.filter(({ key, isForAdmins }) => !isForAdmins && !sentKeys.has(key))
  // without an example: the provider's, and what `tickets.test.ts` and `shipping.test.ts` send
  expect(notSent.map(({ key }) => key).toSorted()).toEqual([
    'GET /api/ticket/{id}/pictures/{picture}',
    'POST /api/checkout/{id}/address',
    'POST /api/stripe/webhook',
    'POST /api/ticket/{id}/pictures',
    'PUT /api/checkout/{id}/delivered',
  ])
})
