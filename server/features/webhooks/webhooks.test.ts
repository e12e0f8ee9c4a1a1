/**
 * Webhooks from the receiver's side. These tests verify signatures with the example code of
 * docs/integrations.md.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventTypes, type Message, OrderEvent, TicketEvent } from '#contracts/webhooks.ts'
import { webhooksBy } from '#server/adapters/webhooks/post.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

type Verify = (headers: IncomingHttpHeaders, body: string, secret: string) => unknown
const guide = readFileSync('docs/integrations.md', 'utf8')
const [, example = ''] = /```js\n(.*?)```/s.exec(guide) ?? []
const { verify }: { verify: Verify } = await import(
  `data:text/javascript,${encodeURIComponent(example)}`
)

type Received = { path: string; headers: IncomingHttpHeaders; body: string }

let shop: TestShop
let owner: Person
let ada: Person
let received: Received[] = []
/** The receiver's response at each path; by default 200. */
const answers: Record<string, number | 'never' | string> = {}
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() })
    const answer = answers[path] ?? 200
    if (answer === 'never') return
    if (typeof answer === 'string') response.writeHead(302, { location: answer })
    else response.writeHead(answer)
    response.end()
  })
})
let home = ''

beforeAll(async () => {
  await new Promise<void>((listens) => receiver.listen(0, '127.0.0.1', listens))
  home = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
beforeEach(async () => {
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(async () => {
  await shop.close()
  receiver.closeAllConnections()
  receiver.close()
})

/** Replaces all webhooks with a new one, so that tests stay independent. */
async function webhook(path: string, events: readonly string[] = eventTypes) {
  await shop.pool.query('delete from webhook_endpoints')
  received = []
  const { body } = await owner.call('POST', '/api/webhook', { url: home + path, events })
  return { id: body.insertedId as string, secret: body.secret as string }
}
const log = async (id: string): Promise<Message[]> =>
  (await owner.call('GET', `/api/webhook/${id}/messages`)).body
const endpoint = async () => (await owner.call('GET', '/api/webhooks')).body[0]
const typesAt = (path: string) =>
  received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body).type)
/** Makes the next attempts due now. */
const tryAgain = () =>
  shop.pool.query(
    'update webhook_messages set next_attempt_at = now() where delivered_at is null and given_up_at is null',
  )
const triedOnce = (id: string) =>
  expect.poll(async () => (await log(id)).some(({ error }) => error !== null)).toBe(true)

async function paid(): Promise<string> {
  const order = await bookingOf(ada, await stockPart(shop.pool, { onHand: 5, price: 50 }))
  const payment = await intentFor(ada, order)
  await confirmCard(cardsOf(shop), payment)
  await ada.call('PATCH', `/api/order/${order}`, { transactionId: payment.intentId })
  return order
}

test('events of a ticket name neither its customer nor its words', async () => {
  const order = await paid()
  const { secret } = await webhook('/tickets', ['ticket.opened', 'ticket.changed'])
  const { checkoutId } = await orderOf(ada, order)
  const { body } = await ada.call(
    'POST',
    `/api/checkout/${checkoutId}/tickets`,
    { type: 'warranty', lines: [{ orderId: order, quantity: 1 }], text: 'It hums.' },
    { 'idempotency-key': crypto.randomUUID() },
  )
  await owner.call('PUT', `/api/ticket/${body.insertedId}`, { version: 1, state: 'accepted' })
  await expect.poll(() => received.length).toBe(2)
  const events = received.map(({ headers, body: text }) =>
    TicketEvent.parse(verify(headers, text, secret)),
  )
  expect(events.map(({ type, data }) => [type, data.state])).toEqual([
    ['ticket.opened', 'asked'],
    ['ticket.changed', 'accepted'],
  ])
  expect(received.map((one) => one.body).join()).not.toMatch(new RegExp(`${ada.email}|hums`))
  expect((await log((await endpoint())._id))[0]?.ticket?._id).toBe(body.insertedId)
})

test('events of an order arrive in sequence, signed, without the customer’s data', async () => {
  const { secret } = await webhook('/all')
  const order = await paid()
  await owner.call('PUT', `/api/order/${order}/shipped`, { carrier: 'DHL', trackingNumber: '42' })
  await owner.call(
    'POST',
    `/api/order/${order}/refund`,
    { amount: 12, reason: 'A scratch.' },
    { 'idempotency-key': crypto.randomUUID() },
  )
  const unpaid = await bookingOf(ada, await stockPart(shop.pool, { onHand: 5 }))
  await ada.call('DELETE', `/api/userProduct/${unpaid}`)
  await expect.poll(() => received.length).toBe(6)
  const events = received.map(({ headers, body }) =>
    OrderEvent.parse(verify(headers, body, secret)),
  )
  const eventsOf = (id: string) => events.filter(({ data }) => data._id === id)
  expect(eventsOf(order).map(({ type, data: { status } }) => [type, status])).toEqual([
    ['order.booked', 'unpaid'],
    ['order.paid', 'paid'],
    ['order.shipped', 'shipped'],
    ['order.refunded', 'shipped'],
  ])
  expect(eventsOf(order).at(-1)?.data).toMatchObject({
    refunded: 12,
    carrier: 'DHL',
    totalPrice: 50,
  })
  expect(eventsOf(unpaid).map(({ type }) => type)).toEqual(['order.booked', 'order.canceled'])
  const texts = received.map(({ body }) => body).join()
  const { phone } = await orderOf(ada, order)
  for (const personal of [ada.email, ada.name, phone]) expect(texts).not.toContain(personal)
  const [first] = received as [Received]
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(6)
  expect(verify(first.headers, `${first.body} `, secret)).toBe(null)
  expect(verify({ ...first.headers, 'webhook-timestamp': '1' }, first.body, secret)).toBe(null)
})

test('a rolled-back event and one without a subscriber send no message', async () => {
  const { id } = await webhook('/paid-alone', ['order.paid'])
  const part = await stockPart(shop.pool, { onHand: 5 })
  await bookingOf(ada, part)
  const client = await shop.pool.connect()
  await client.query('begin')
  await client.query(`update webhook_endpoints set events = '{order.booked}'`)
  await client.query(
    `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents)
     select user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents from orders limit 1`,
  )
  expect((await client.query('select from webhook_messages')).rowCount).toBe(1)
  await client.query('rollback')
  client.release()
  expect(await log(id)).toEqual([])
})

test('a failed message is retried under the same id, and blocks only its own order', async () => {
  const { id, secret } = await webhook('/failing', ['order.booked', 'order.canceled'])
  answers['/failing'] = 500
  const part = await stockPart(shop.pool, { onHand: 5 })
  const order = await bookingOf(ada, part)
  await triedOnce(id)
  answers['/failing'] = 200
  await shop.pool.query(`update webhook_messages set next_attempt_at = now() + interval '1 hour'`)
  await ada.call('DELETE', `/api/userProduct/${order}`)
  const other = await bookingOf(ada, part)
  await expect.poll(() => received.length).toBe(2)
  expect(JSON.parse(received[1]?.body ?? '').data._id).toBe(other)
  expect((await log(id)).at(-1)).toMatchObject({
    attempts: 1,
    status: 500,
    error: 'It answers 500.',
  })
  // the shop writes it after the response arrived
  await expect.poll(async () => (await endpoint()).failingSince).toBe(null)
  await tryAgain()
  await expect.poll(() => typesAt('/failing').slice(2)).toEqual(['order.booked', 'order.canceled'])
  expect(received[2]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
  expect(received.every(({ headers, body }) => verify(headers, body, secret))).toBe(true)
})

test('the new and the old secret both sign, until the old one expires', async () => {
  const { id, secret: first } = await webhook('/rotated')
  const send = async () => {
    await owner.call('POST', `/api/webhook/${id}/test`)
    return received.at(-1) as Received
  }
  const { secret: second } = (await owner.call('POST', `/api/webhook/${id}/secret`)).body
  const both = await send()
  expect([first, second].map((one) => verify(both.headers, both.body, one) !== null)).toEqual([
    true,
    true,
  ])
  await shop.pool.query('update webhook_endpoints set old_secret_until = now()')
  const alone = await send()
  expect([first, second].map((one) => verify(alone.headers, alone.body, one) !== null)).toEqual([
    false,
    true,
  ])
  // the secret cannot be derived from the database
  const { rows } = await shop.pool.query('select to_jsonb(e)::text as row from webhook_endpoints e')
  expect(rows[0].row).not.toContain(second.slice(6, 20))
})

test('a test message is tried once; any message can be resent by hand', async () => {
  const { id } = await webhook('/tried')
  answers['/tried'] = 404
  const failed = (await owner.call('POST', `/api/webhook/${id}/test`)).body
  expect(failed).toMatchObject({
    done: false,
    outcome: 'The message did not arrive. It answers 404.',
  })
  const [message] = await log(id)
  expect(message).toMatchObject({ type: 'test', order: null, attempts: 1, status: 404 })
  expect(message?.givenUpAt).not.toBe(null)
  answers['/tried'] = 200
  const again = await owner.call('POST', `/api/webhook/message/${message?._id}/resend`)
  expect(again.body).toMatchObject({ done: true })
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array(2).fill(`msg_${message?._id}`),
  )
})

test.each([
  ['that answers Gone', 410, async () => {}],
  [
    'that failed for five days',
    500,
    () =>
      shop.pool.query(
        `update webhook_endpoints set failing_since = now() - interval '5 days 1 second'`,
      ),
  ],
  [
    'whose queue is full',
    500,
    () =>
      shop.pool.query(
        `insert into webhook_messages (endpoint_id, type, payload, next_attempt_at)
         select _id, 'test', '{}', now() + interval '1 day' from webhook_endpoints, generate_series(1, 10001)`,
      ),
  ],
] as const)(
  'a webhook %s is switched off with a mail, and its messages are given up',
  async (_, status, prepare) => {
    const path = `/off-${crypto.randomUUID()}`
    answers[path] = status
    const { id } = await webhook(path, ['order.booked'])
    await prepare()
    const part = await stockPart(shop.pool, { onHand: 9 })
    await bookingOf(ada, part)
    await expect.poll(async () => (await endpoint()).disabledAt).not.toBe(null)
    expect(await endpoint()).toMatchObject({ waiting: 0, disabledWhy: expect.stringMatching(/./) })
    const mails = await shop.pool.query(
      `select from mail_queue where template = 'owner-webhook-off' and text like '%' || $1 || '%'`,
      [path],
    )
    expect(mails.rowCount).toBe(1)
    await bookingOf(ada, part)
    expect(typesAt(path)).toHaveLength(1)
    // once it is on again, it receives later events
    answers[path] = 200
    const on = { url: home + path, events: ['order.booked'], isOn: true }
    expect((await owner.call('PUT', `/api/webhook/${id}`, on)).status).toBe(200)
    await bookingOf(ada, part)
    await expect.poll(() => typesAt(path)).toHaveLength(2)
  },
)

test('there are at most five', async () => {
  await shop.pool.query('delete from webhook_endpoints')
  const input = { url: `${home}/many`, events: ['order.paid'] }
  const requests = Array.from({ length: 6 }, () => owner.call('POST', '/api/webhook', input))
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 400])
  await shop.pool.query('delete from webhook_endpoints')
})

test('a public shop sends only to public addresses, by https, and follows no redirect', async () => {
  const reached: string[] = []
  const names: Record<string, string[]> = {
    'hooks.example': ['93.184.216.34'],
    'inner.example': ['10.0.0.7'],
    'both.example': ['93.184.216.34', '169.254.169.254'],
  }
  const net = {
    resolve: async (name: string) => names[name] ?? [],
    place(address: string) {
      reached.push(address)
      // nothing listens on this port
      return { host: '127.0.0.1', port: 1 }
    },
  }
  const outside = webhooksBy({ isLocal: false }, net)
  const post = (url: string) => outside.post({ url, headers: {}, body: '{}' })
  const refused = (url: string) => post(url).catch(({ message }) => message)
  expect(await refused('http://hooks.example/')).toContain('must begin with https://')
  for (const url of [
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
  ])
    expect(() => outside.assertAllowed(url)).toThrow('is in a private network')
  for (const name of ['inner.example', 'both.example'])
    expect(await refused(`https://${name}/`)).toContain('is in a private network')
  expect(await refused('https://me:secret@hooks.example/')).toContain('password')
  expect(reached).toEqual([])
  expect(await refused('https://hooks.example/')).toBe('hooks.example cannot be reached.')
  expect(reached).toEqual(['93.184.216.34'])

  answers['/moved'] = `${home}/elsewhere`
  answers['/silent'] = 'never'
  received = []
  const inside = webhooksBy({ isLocal: true }, net, 0.2)
  const ask = (path: string) => inside.post({ url: home + path, headers: {}, body: '{}' })
  expect(await ask('/moved')).toBe(302)
  await expect(ask('/silent')).rejects.toThrow('did not answer within 0.2 seconds')
  expect(received.map(({ path }) => path)).toEqual(['/moved', '/silent'])
})

test('an address that may not be called is refused at once', async () => {
  const open = await openTestShop({ DEMO: 'off', PUBLIC_URL: 'https://shop.example' })
  const [by] = (await createUsers(open, 1)) as [Person]
  await open.pool.query(`update users set role = 'admin' where email = $1`, [by.email])
  for (const url of [`${home}/`, 'https://192.168.0.1/', 'ftp://a.example/', 'hooks']) {
    const { status, body } = await by.call('POST', '/api/webhook', { url, events: ['order.paid'] })
    expect({ status, fields: Object.keys(body.error.fields) }).toEqual({
      status: 400,
      fields: ['url'],
    })
  }
  await open.close()
})
