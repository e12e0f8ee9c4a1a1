/**
 * Every change by an admin writes a line in the audit log: who did what to which user, part or
 * order.
 */
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopeNames } from '#contracts/api-keys.ts'
import type { AuditEntry } from '#contracts/audit.ts'
import { createApp } from '#server/http/app.ts'
import { declaredRoutes } from '#server/http/guards.ts'
import {
  type DescribedCall,
  describedCalls,
  documentOf,
  exampleBody,
} from '#tests/support/api-document.ts'
import {
  bookingOf,
  call,
  confirmCard,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let calls: DescribedCall[]
let owner: Person
let ada: Person
let image: string

beforeAll(async () => {
  // no admin action is done by a job
  shop = await openTestShop({ JOB_SECONDS: '3600' })
  calls = describedCalls(documentOf(shop.deps))
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
  await shop.pool.query('update users set email_verified = true where email = $1', [ada.email])
  image = (await upload(shop, owner, await photo())).body.data.url
})
afterAll(() => shop.close())

const example = (key: string, real?: object) => exampleBody(calls, key, real)

const newPart = () => stockPart(shop.pool, { onHand: 9, price: 50 })

/** A name that no search for another finds. */
const newName = () => `Another ${crypto.randomUUID()}`

async function newMethod(): Promise<string> {
  const fields = example('POST /api/shipping-methods', { name: newName(), price: 0, steps: [] })
  return (await owner.call('POST', '/api/shipping-methods', fields)).body.insertedId
}
async function booked(): Promise<string> {
  return bookingOf(ada, await newPart())
}
const checkoutOf = async (id: string) => (await orderOf(ada, id)).checkoutId
/** A paid checkout with an address. */
async function delivered(): Promise<string> {
  const id = await booked()
  const checkoutId = await checkoutOf(id)
  const methodId = await newMethod()
  const choice = example('PUT /api/checkout/{id}/shipping', { methodId })
  await ada.call('PUT', `/api/checkout/${checkoutId}/shipping`, choice)
  await pay(id)
  return checkoutId
}
async function paid(): Promise<string> {
  const id = await booked()
  await pay(id)
  return id
}
async function pay(id: string): Promise<void> {
  const payment = await intentFor(ada, id)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  await ada.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
}
/**
 * A new part, taken off sale if `deleted`.
 * @returns its path under `root`
 */
async function part(root: string, deleted = false): Promise<string> {
  const { _id } = await newPart()
  if (deleted) await owner.call('DELETE', `/api/adminProduct/${_id}`)
  return `${root}/${_id}`
}

/** A ticket of Ada's. */
async function ticket(): Promise<string> {
  const orderId = await paid()
  const lines = [{ orderId, quantity: 1 }]
  const { body } = await ada.call(
    'POST',
    `/api/checkout/${await checkoutOf(orderId)}/tickets`,
    example('POST /api/checkout/{id}/tickets', { lines }),
    { 'idempotency-key': crypto.randomUUID() },
  )
  return body.insertedId
}

/** The id of Ada's account. */
async function customer(): Promise<string> {
  const { rows } = await shop.pool.query('select _id from users where email = $1', [ada.email])
  return rows[0]._id
}

async function newDelivery() {
  const lines = [{ partId: (await newPart())._id, quantity: 20, cost: 9 }]
  return example('POST /api/delivery', { lines })
}
async function delivery() {
  const { body } = await owner.call('POST', '/api/delivery', await newDelivery())
  const path = `/api/delivery/${body.insertedId}`
  return { path, lineId: (await owner.call('GET', path)).body.lines[0]._id }
}

/** The only webhook. */
async function webhook(): Promise<string> {
  await shop.pool.query('delete from webhook_endpoints')
  const input = example('POST /api/webhook', { url: shop.origin })
  return `/api/webhook/${(await owner.call('POST', '/api/webhook', input)).body.insertedId}`
}

/** A mail that the shop gave up sending. */
async function givenUpMail(): Promise<string> {
  const { rows } = await shop.pool.query(
    `insert into mail_queue (template, recipient, subject, text, html, last_error, given_up_at)
     values ('test', 'ada@example.com', 's', 't', 'h', 'refused', now()) returning _id`,
  )
  return rows[0]._id
}
async function newUser(): Promise<string> {
  const [{ email }] = (await createUsers(shop, 1)) as [Person]
  return (await shop.pool.query('select _id from users where email = $1', [email])).rows[0]._id
}
async function review(): Promise<string> {
  const [author] = (await createUsers(shop, 1)) as [Person]
  return (await author.call('POST', '/api/review', { review: 'Fine.', ratings: 4 })).body.insertedId
}

type Call = [path: string, body?: unknown, headers?: Record<string, string>]

/**
 * For each route, a call that changes something, and its audit action. The bodies are the examples
 * in the API document.
 */
const changes: Record<string, [action: string, call: () => Promise<Call>]> = {
  'PUT /api/user/admin/:email': ['admin made', async () => [`/api/user/admin/${ada.email}`]],
  'DELETE /api/user/admin/:email': [
    'admin rights removed',
    async () => [`/api/user/admin/${ada.email}`],
  ],
  'PUT /api/user/packer/:email': ['packer made', async () => [`/api/user/packer/${ada.email}`]],
  'DELETE /api/user/packer/:email': [
    'packer rights removed',
    async () => [`/api/user/packer/${ada.email}`],
  ],
  'DELETE /api/staff-sessions/:id': [
    'session ended',
    async () => {
      const there = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
      const { body } = await there.call('GET', '/api/sessions')
      return [`/api/staff-sessions/${body[0]._id}`]
    },
  ],
  'POST /api/user/:id/block': [
    'account blocked',
    async () => [`/api/user/${await newUser()}/block`, example('POST /api/user/{id}/block')],
  ],
  'POST /api/user/:id/unblock': [
    'account unblocked',
    async () => {
      const id = await newUser()
      await owner.call('POST', `/api/user/${id}/block`, { reason: 'Spam.' })
      return [`/api/user/${id}/unblock`, example('POST /api/user/{id}/unblock')]
    },
  ],
  'POST /api/user/:id/release': [
    'account released',
    async () => {
      const [customer] = (await createUsers(shop, 1)) as [Person]
      const { _id: partId } = await stockPart(shop.pool, { onHand: 0 })
      const { body } = await customer.call('POST', '/api/queue', { partId, quantity: 1 })
      const place = 'select user_id from queue_places where _id = $1'
      const { rows } = await shop.pool.query(place, [body._id])
      return [`/api/user/${rows[0].user_id}/release`]
    },
  ],
  'POST /api/review/:id/hide': [
    'review hidden',
    async () => [`/api/review/${await review()}/hide`, example('POST /api/review/{id}/hide')],
  ],
  'POST /api/review/:id/show': [
    'review shown',
    async () => {
      const id = await review()
      await owner.call('POST', `/api/review/${id}/hide`, { reason: 'Spam.' })
      return [`/api/review/${id}/show`, example('POST /api/review/{id}/show')]
    },
  ],
  'POST /api/product': [
    'part added',
    async () => ['/api/product', example('POST /api/product', { name: newName(), image })],
  ],
  'PUT /api/product/:id': [
    'part changed',
    async () => [
      await part('/api/product'),
      example('PUT /api/product/{id}', { name: newName(), image }),
    ],
  ],
  'POST /api/delivery': ['goods expected', async () => ['/api/delivery', await newDelivery()]],
  'POST /api/delivery/:id/receive': [
    'goods received',
    async () => {
      const { path, lineId } = await delivery()
      const real = { lines: [{ lineId, quantity: 12, received: 0 }] }
      return [`${path}/receive`, example('POST /api/delivery/{id}/receive', real)]
    },
  ],
  'POST /api/delivery/:id/cancel': [
    'goods canceled',
    async () => [`${(await delivery()).path}/cancel`],
  ],
  'POST /api/product/:id/pictures': [
    'part changed',
    async () => {
      const path = `${await part('/api/product')}/pictures`
      return [path, example('POST /api/product/{id}/pictures', { image })]
    },
  ],
  'PUT /api/product/:id/position': [
    'part moved',
    async () => [`${await part('/api/product')}/position`, { before: null }],
  ],
  'DELETE /api/adminProduct/:id': ['part deleted', async () => [await part('/api/adminProduct')]],
  'POST /api/product/:id/restore': [
    'part restored',
    async () => [`${await part('/api/product', true)}/restore`],
  ],
  'POST /api/products/import': [
    'part changed',
    async () => {
      const { _id } = await newPart()
      return ['/api/products/import', `_id,price\r\n${_id},75\r\n`, { 'content-type': 'text/csv' }]
    },
  ],
  'POST /api/products/bulk': [
    'part changed',
    async () => {
      const name = newName()
      await stockPart(shop.pool, { onHand: 9, name })
      const change = { what: 'price', percent: 50, round: 'nearest' }
      return ['/api/products/bulk', { filter: { q: name }, change, shown: 1 }]
    },
  ],
  'PUT /api/supplier': [
    'supplier saved',
    async () => ['/api/supplier', example('PUT /api/supplier')],
  ],
  'POST /api/batch/:id/undo': [
    'part changed',
    async () => {
      const { _id } = await newPart()
      const headers = { 'content-type': 'text/csv' }
      const sheet = `_id,price\r\n${_id},75\r\n`
      const { body } = await owner.call('POST', '/api/products/import', sheet, headers)
      return [`/api/batch/${body.batch}/undo`]
    },
  ],
  'PUT /api/order/:id/shipped': [
    'order shipped',
    async () => [`/api/order/${await paid()}/shipped`, example('PUT /api/order/{id}/shipped')],
  ],
  'PUT /api/order/:id/shipment': [
    'shipment corrected',
    async () => {
      const id = await paid()
      await owner.call('PUT', `/api/order/${id}/shipped`, {})
      return [`/api/order/${id}/shipment`, example('PUT /api/order/{id}/shipment')]
    },
  ],
  'PUT /api/checkout/:id/shipped': [
    'order shipped',
    async () => [
      `/api/checkout/${await checkoutOf(await paid())}/shipped`,
      { carrier: 'UPS', trackingNumber: '1Z' },
    ],
  ],
  'PUT /api/checkout/:id/shipment': [
    'shipment corrected',
    async () => {
      const id = await paid()
      await owner.call('PUT', `/api/order/${id}/shipped`, {})
      return [`/api/checkout/${await checkoutOf(id)}/shipment`, { carrier: 'UPS' }]
    },
  ],
  'POST /api/checkout/:id/refund': [
    'payment refunded',
    async () => {
      const orderId = await paid()
      const { lines, ...refund } = example('POST /api/checkout/{id}/refund') as {
        lines: object[]
      }
      return [
        `/api/checkout/${await checkoutOf(orderId)}/refund`,
        { ...refund, lines: [{ ...lines[0], orderId }] },
        { 'idempotency-key': crypto.randomUUID() },
      ]
    },
  ],
  'POST /api/order/:id/refund': [
    'payment refunded',
    async () => [
      `/api/order/${await paid()}/refund`,
      example('POST /api/order/{id}/refund'),
      { 'idempotency-key': crypto.randomUUID() },
    ],
  ],
  'POST /api/order/:id/reminder': [
    'payment reminder sent',
    async () => [`/api/order/${await booked()}/reminder`],
  ],
  'DELETE /api/order/:id/hold': [
    'hold released',
    async () => [`/api/order/${await booked()}/hold`],
  ],
  'POST /api/money/repair': [
    'repair made',
    async () => {
      const repair = example('POST /api/money/repair') as { about: string }
      const file = join(shop.dataDir, repair.about.replace('picture:/', ''))
      await writeFile(file, 'x')
      await utimes(file, 0, 0)
      return ['/api/money/repair', repair]
    },
  ],
  'POST /api/mail/test': ['test mail sent', async () => ['/api/mail/test']],
  'PUT /api/order/:id/serials': [
    'serial numbers noted',
    async () => [`/api/order/${await paid()}/serials`, example('PUT /api/order/{id}/serials')],
  ],
  'POST /api/checkout/:id/notes': [
    'note added',
    async () => [
      `/api/checkout/${await checkoutOf(await booked())}/notes`,
      example('POST /api/checkout/{id}/notes'),
    ],
  ],
  'DELETE /api/note/:id': [
    'note removed',
    async () => {
      const path = `/api/checkout/${await checkoutOf(await booked())}/notes`
      const { body } = await owner.call('POST', path, example('POST /api/checkout/{id}/notes'))
      return [`/api/note/${body.insertedId}`]
    },
  ],
  'POST /api/mail/:id/again': [
    'mail sent again',
    async () => {
      const orderId = await booked()
      const { rows } = await shop.pool.query(
        `update mail_queue set sent_at = now() where order_id = $1 returning _id`,
        [orderId],
      )
      return [`/api/mail/${rows[0]._id}/again`]
    },
  ],
  'PUT /api/ticket/:id': [
    'ticket answered',
    async () => [`/api/ticket/${await ticket()}`, example('PUT /api/ticket/{id}')],
  ],
  'POST /api/customer/:id/notes': [
    'note added',
    async () => [
      `/api/customer/${await customer()}/notes`,
      example('POST /api/customer/{id}/notes'),
    ],
  ],
  'POST /api/customer/:id/tickets': [
    'ticket opened',
    async () => [
      `/api/customer/${await customer()}/tickets`,
      example('POST /api/customer/{id}/tickets'),
    ],
  ],
  'POST /api/mail/:id/resend': [
    'mail sent again',
    async () => [
      `/api/mail/${await givenUpMail()}/resend`,
      example('POST /api/mail/{id}/resend', { recipient: 'ada@example.com' }),
    ],
  ],
  'PUT /api/words/:word': [
    'search word changed',
    async () => ['/api/words/sparkly', example('PUT /api/words/{word}')],
  ],
  'DELETE /api/words/:word': ['search word changed', async () => ['/api/words/quiet']],
  'POST /api/webhook': [
    'webhook added',
    async () => ['/api/webhook', example('POST /api/webhook', { url: shop.origin })],
  ],
  'PUT /api/webhook/:id': [
    'webhook changed',
    async () => [await webhook(), example('PUT /api/webhook/{id}', { url: shop.origin })],
  ],
  'DELETE /api/webhook/:id': ['webhook deleted', async () => [await webhook()]],
  'POST /api/webhook/:id/secret': [
    'webhook secret changed',
    async () => [`${await webhook()}/secret`],
  ],
  'POST /api/webhook/:id/test': ['webhook tested', async () => [`${await webhook()}/test`]],
  'POST /api/webhook/message/:id/resend': [
    'webhook message sent again',
    async () => {
      const path = await webhook()
      await owner.call('POST', `${path}/test`)
      const [message] = (await owner.call('GET', `${path}/messages`)).body
      return [`/api/webhook/message/${message._id}/resend`]
    },
  ],
  'POST /api/key': ['API key made', async () => ['/api/key', example('POST /api/key')]],
  'DELETE /api/key/:id': [
    'API key revoked',
    async () => {
      const { body } = await owner.call('POST', '/api/key', example('POST /api/key'))
      return [`/api/key/${body.insertedId}`]
    },
  ],
  'PUT /api/settings': [
    'settings changed',
    async () => {
      const { version, settings } = (await owner.call('GET', '/api/settings')).body
      const shop = { ...settings.shop, phone: `+1 555 ${version}` }
      return ['/api/settings', { version, settings: { shop } }]
    },
  ],
  'PUT /api/texts/:page': [
    'text changed',
    async () => ['/api/texts/about', example('PUT /api/texts/{page}')],
  ],
  'PUT /api/checkout/:id/address': [
    'address corrected',
    async () => [
      `/api/checkout/${await delivered()}/address`,
      example('PUT /api/checkout/{id}/address'),
    ],
  ],
  'POST /api/checkout/:id/address': [
    'address added',
    async () => {
      await newMethod()
      return [
        `/api/checkout/${await checkoutOf(await paid())}/address`,
        example('POST /api/checkout/{id}/address'),
      ]
    },
  ],
  'POST /api/shipping-methods': [
    'shipping method added',
    async () => [
      '/api/shipping-methods',
      example('POST /api/shipping-methods', { name: newName() }),
    ],
  ],
  'PUT /api/shipping-methods/:id': [
    'shipping method changed',
    async () => [
      `/api/shipping-methods/${await newMethod()}`,
      example('PUT /api/shipping-methods/{id}', { name: newName() }),
    ],
  ],
  'DELETE /api/shipping-methods/:id': [
    'shipping method deleted',
    async () => [`/api/shipping-methods/${await newMethod()}`],
  ],
  'POST /api/builds': [
    'build offered',
    async () => ['/api/builds', example('POST /api/builds', { name: newName() })],
  ],
  'DELETE /api/builds/:id': [
    'build withdrawn',
    async () => {
      const build = example('POST /api/builds', { name: newName() })
      return [`/api/builds/${(await owner.call('POST', '/api/builds', build)).body.insertedId}`]
    },
  ],
  'PUT /api/slides/:place': [
    'slide changed',
    async () => ['/api/slides/3', example('PUT /api/slides/{place}')],
  ],
  'PUT /api/pages/:address': [
    'text changed',
    async () => ['/api/pages/warranty', example('PUT /api/pages/{address}')],
  ],
  'DELETE /api/pages/:address': [
    'text changed',
    async () => {
      await owner.call('PUT', '/api/pages/returned', example('PUT /api/pages/{address}'))
      return ['/api/pages/returned?version=1']
    },
  ],
  'POST /api/kinds': ['kind added', async () => ['/api/kinds', example('POST /api/kinds')]],
  'PUT /api/kinds/:slug': [
    'kind changed',
    async () => {
      const name = crypto.randomUUID()
      const { body } = await owner.call('POST', '/api/kinds', { name })
      return [`/api/kinds/${body.slug}`, example('PUT /api/kinds/{slug}', { name, otherNames: [] })]
    },
  ],
  'PUT /api/kinds/:slug/position': [
    'kind changed',
    async () => {
      const { body } = await owner.call('POST', '/api/kinds', { name: crypto.randomUUID() })
      return [`/api/kinds/${body.slug}/position`, { before: null }]
    },
  ],
  'DELETE /api/kinds/:slug': [
    'kind removed',
    async () => {
      const { body } = await owner.call('POST', '/api/kinds', { name: crypto.randomUUID() })
      return [`/api/kinds/${body.slug}`]
    },
  ],
  'POST /api/mail/:id/dismiss': [
    'mail dismissed',
    async () => [`/api/mail/${await givenUpMail()}/dismiss`],
  ],
  'DELETE /api/userProduct/:id': [
    'order deleted',
    async () => [`/api/userProduct/${await booked()}`],
  ],
  'DELETE /api/checkout/:id': [
    'order deleted',
    async () => [`/api/checkout/${await checkoutOf(await booked())}`],
  ],
}
/** These change nothing visible: the part that shows the picture gets the line. */
const unseen = [
  'POST /api/image',
  'POST /api/logo',
  'POST /api/texts/preview',
  'POST /api/picture-queue/match',
  'POST /api/picture-queue',
  'POST /api/picture-queue/retry',
  'DELETE /api/picture-queue/failures',
]
/** Open to customers, so no guard says that admins change others' things by it. */
const shared = [
  'DELETE /api/userProduct/:id',
  'DELETE /api/checkout/:id',
  'POST /api/checkout/:id/address',
  'PUT /api/checkout/:id/address',
]

test('every route by which admins change something is here', () => {
  const routes = declaredRoutes(createApp(shop.deps)).flatMap(({ key, method, rule }) =>
    (rule === 'admin' || rule === 'packer') && method !== 'GET' ? [key] : [],
  )
  expect([...routes, ...shared].toSorted()).toEqual([...Object.keys(changes), ...unseen].toSorted())
})

/** Compares only this many of the newest lines: in the end there would be hundreds. */
const newest = 20
const lines = async () => {
  const { body } = await owner.call('GET', `/api/audit?limit=${newest}`)
  return body.map(({ by, key, action }: AuditEntry) => ({ by, key, action }))
}

test.each(Object.entries(changes))('%s', async (key, [action, prepare]) => {
  const [path, body, headers] = await prepare()
  const before = await lines()
  const answer = await owner.call(key.split(' ')[0] as string, path, body, headers)
  expect(answer.status).toBe(200)
  expect(await lines()).toEqual(
    [{ by: owner.email, key: null, action }, ...before].slice(0, newest),
  )
})

test('what a program does by an API key has a line that names the key', async () => {
  const input = example('POST /api/key', { name: 'Warehouse', scopes: scopeNames })
  const { key } = (await owner.call('POST', '/api/key', input)).body
  const open = declaredRoutes(createApp(shop.deps)).filter(({ operation }) => operation?.scope)
  for (const route of open) {
    const [action, prepare] = changes[route.key] ?? []
    if (!prepare) continue
    const [path, body, headers = {}] = await prepare()
    const before = await lines()
    const answer = await call(shop.origin, route.method, path, { token: key, body, headers })
    expect(answer.status, `${route.key}: ${JSON.stringify(answer.body)}`).toBe(200)
    expect(await lines()).toEqual(
      [{ by: owner.email, key: 'Warehouse', action }, ...before].slice(0, newest),
    )
  }
})
