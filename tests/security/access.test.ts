/**
 * Who may call what: every registered route against every type of caller. A route missing from the
 * table fails.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyScope, scopeNames } from '#contracts/api-keys.ts'
import { createApp } from '#server/http/app.ts'
import { declaredRoutes, type Rule } from '#server/http/guards.ts'
import { describedCalls, documentOf } from '#tests/support/api-document.ts'
import { atLength } from '#tests/support/length.ts'
import { askVariant, pathVariants } from '#tests/support/path-variants.ts'
import { bookingOf, call, createUsers, login, orderOf, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'
import { forgedTokens } from './forged-tokens.ts'

type Expected = {
  rule: Rule
  path: (ids: Ids) => string
  body?: object
  owner?: number
  other?: number
  visitor?: number
  /** The status for an admin with a verified e-mail; 200 by default. */
  admin?: number
}
type Eight = [Person, Person, Person, Person, Person, Person, Person, Person]
type Ids = {
  part: string
  order: string
  checkout: string
  email: string
  unverified: string
  review: string
}

/** The status for `owner`, `other` and `visitor`. */
const table: Record<string, Expected> = {
  'GET /api/part': {
    rule: 'anyone',
    path: () => '/api/part',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/parts': {
    rule: 'anyone',
    path: () => '/api/parts',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/page/:address': {
    rule: 'anyone',
    path: () => '/api/page/warranty',
    owner: 404,
    other: 404,
    visitor: 404,
  },
  'GET /api/text/:page': {
    rule: 'anyone',
    path: () => '/api/text/about',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/search': {
    rule: 'anyone',
    path: () => '/api/search?q=fan',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/sitemap': {
    rule: 'anyone',
    path: () => '/api/sitemap',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/parts/:part': {
    rule: 'anyone',
    path: ({ part }) => `/api/parts/${part}`,
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/parts/:part/reviews': {
    rule: 'anyone',
    path: ({ part }) => `/api/parts/${part}/reviews`,
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/home-parts': {
    rule: 'anyone',
    path: () => '/api/home-parts',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/compare': {
    rule: 'anyone',
    path: () => '/api/compare?parts=1',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/basket': {
    rule: 'anyone',
    path: () => '/api/basket?parts=1x2',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/bestSeller': {
    rule: 'anyone',
    path: () => '/api/bestSeller',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/review': {
    rule: 'anyone',
    path: () => '/api/review',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/review/stars': {
    rule: 'anyone',
    path: () => '/api/review/stars',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/review/after/:id': {
    rule: 'anyone',
    path: () => `/api/review/after/${crypto.randomUUID()}`,
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/part/:id': {
    rule: 'user',
    path: ({ part }) => `/api/part/${part}`,
    owner: 200,
    other: 200,
  },
  'POST /api/order': { rule: 'user', path: () => '/api/order', body: {}, owner: 400, other: 400 },
  'POST /api/orders': { rule: 'user', path: () => '/api/orders', body: {}, owner: 400, other: 400 },
  'GET /api/checkout/:id': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}`,
    owner: 200,
    other: 404,
  },
  'POST /api/checkouts/join': {
    rule: 'user',
    path: () => '/api/checkouts/join',
    body: {},
    owner: 400,
    other: 400,
  },
  'GET /api/part/:id/limit': {
    rule: 'user',
    path: ({ part }) => `/api/part/${part}/limit`,
    owner: 200,
    other: 200,
  },
  'GET /api/part/:id/queue': {
    rule: 'anyone',
    path: ({ part }) => `/api/part/${part}/queue`,
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/queue': { rule: 'user', path: () => '/api/queue', owner: 200, other: 200 },
  'POST /api/queue': { rule: 'user', path: () => '/api/queue', body: {}, owner: 400, other: 400 },
  // without a place there is nothing to leave
  'DELETE /api/queue/:id': {
    rule: 'user',
    path: ({ order }) => `/api/queue/${order}`,
    owner: 200,
    other: 200,
  },
  'POST /api/queue/:id/order': {
    rule: 'user',
    path: ({ order }) => `/api/queue/${order}/order`,
    body: { phone: '+1 555 0100' },
    owner: 404,
    other: 404,
  },
  'GET /api/orders': {
    rule: 'user',
    path: ({ email }) => `/api/orders?email=${email}`,
    owner: 200,
    other: 403,
  },
  'GET /api/orders/count': {
    rule: 'user',
    path: ({ email }) => `/api/orders/count?email=${email}`,
    owner: 200,
    other: 403,
  },
  'GET /api/order/:id': {
    rule: 'user',
    path: ({ order }) => `/api/order/${order}`,
    owner: 200,
    other: 404,
  },
  'PATCH /api/order/:id': {
    rule: 'user',
    path: ({ order }) => `/api/order/${order}`,
    body: { transactionId: 'pi_nothing' },
    owner: 402,
    other: 404,
  },
  'POST /api/create-payment-intent': {
    rule: 'user',
    path: () => '/api/create-payment-intent',
    body: { totalPrice: 31_337 },
    owner: 404,
    other: 404,
  },
  'GET /api/admin/:email': {
    rule: 'user',
    path: ({ email }) => `/api/admin/${email}`,
    owner: 200,
    other: 403,
  },
  'POST /api/review': { rule: 'user', path: () => '/api/review', body: {}, owner: 400, other: 400 },
  'GET /api/me/reviews': { rule: 'user', path: () => '/api/me/reviews', owner: 200, other: 200 },
  'PUT /api/review/:id': {
    rule: 'user',
    path: ({ review }) => `/api/review/${review}`,
    body: { review: 'Better.', ratings: 5 },
    owner: 200,
    other: 404,
    admin: 404,
  },
  'GET /api/reviews': { rule: 'admin', path: () => '/api/reviews' },
  'GET /api/reviews/count': { rule: 'admin', path: () => '/api/reviews/count' },
  'POST /api/review/:id/hide': {
    rule: 'admin',
    path: ({ review }) => `/api/review/${review}/hide`,
    body: { reason: 'An insult.' },
  },
  'POST /api/review/:id/show': {
    rule: 'admin',
    path: ({ review }) => `/api/review/${review}/show`,
    body: { reason: 'A mistake.' },
  },
  'DELETE /api/review/:id': {
    rule: 'user',
    path: ({ review }) => `/api/review/${review}`,
    owner: 200,
    other: 404,
  },
  'GET /api/profile/:email': {
    rule: 'user',
    path: ({ email }) => `/api/profile/${email}`,
    owner: 200,
    other: 403,
  },
  'PUT /api/profile/:email': {
    rule: 'user',
    path: ({ email }) => `/api/profile/${email}`,
    body: {
      education: 'Yale',
      location: 'New York',
      phone: '+1 555 0100',
      linkedIn: 'https://www.linkedin.com/in/grace',
    },
    owner: 200,
    other: 403,
  },
  'PUT /api/user/:email': {
    rule: 'proof',
    path: ({ email }) => `/api/user/${email}`,
    body: { idToken: 'no.proof.here' },
    owner: 400,
    other: 400,
    visitor: 400,
  },
  'POST /api/stripe/webhook': {
    rule: 'signature',
    path: () => '/api/stripe/webhook',
    body: {},
    owner: 400,
    other: 400,
    visitor: 400,
  },
  'GET /api/webhooks': { rule: 'admin', path: () => '/api/webhooks' },
  'POST /api/webhook': { rule: 'admin', path: () => '/api/webhook', body: {}, admin: 400 },
  // these ids belong to no webhook or message
  'PUT /api/webhook/:id': {
    rule: 'admin',
    path: ({ part }) => `/api/webhook/${part}`,
    body: { url: 'https://a.example', events: ['order.paid'], isOn: true },
    admin: 404,
  },
  'DELETE /api/webhook/:id': {
    rule: 'admin',
    path: ({ part }) => `/api/webhook/${part}`,
    admin: 404,
  },
  'POST /api/webhook/:id/secret': {
    rule: 'admin',
    path: ({ part }) => `/api/webhook/${part}/secret`,
    admin: 404,
  },
  'POST /api/webhook/:id/test': {
    rule: 'admin',
    path: ({ part }) => `/api/webhook/${part}/test`,
    admin: 404,
  },
  'GET /api/webhook/:id/messages': {
    rule: 'admin',
    path: ({ part }) => `/api/webhook/${part}/messages`,
  },
  'POST /api/webhook/message/:id/resend': {
    rule: 'admin',
    path: ({ part }) => `/api/webhook/message/${part}/resend`,
    admin: 404,
  },
  'GET /api/keys': { rule: 'admin', path: () => '/api/keys' },
  'POST /api/key': { rule: 'admin', path: () => '/api/key', body: {}, admin: 400 },
  // no such key
  'DELETE /api/key/:id': {
    rule: 'admin',
    path: () => `/api/key/${crypto.randomUUID()}`,
    admin: 404,
  },
  'GET /api/user': { rule: 'admin', path: () => '/api/user' },
  'GET /api/user/count': { rule: 'admin', path: () => '/api/user/count' },
  'PUT /api/user/admin/:email': {
    rule: 'admin',
    path: ({ unverified }) => `/api/user/admin/${unverified}`,
    admin: 409,
  },
  'DELETE /api/user/admin/:email': {
    rule: 'admin',
    path: ({ email }) => `/api/user/admin/${email}`,
  },
  'PUT /api/user/packer/:email': {
    rule: 'admin',
    path: ({ unverified }) => `/api/user/packer/${unverified}`,
    admin: 409,
  },
  'DELETE /api/user/packer/:email': {
    rule: 'admin',
    path: ({ email }) => `/api/user/packer/${email}`,
  },
  'GET /api/staff-sessions': { rule: 'admin', path: () => '/api/staff-sessions' },
  // no such session
  'DELETE /api/staff-sessions/:id': {
    rule: 'admin',
    path: () => '/api/staff-sessions/none',
    admin: 404,
  },
  'POST /api/user/:id/block': {
    rule: 'admin',
    path: () => `/api/user/${crypto.randomUUID()}/block`,
    body: { reason: 'Holds everything.' },
    admin: 404,
  },
  'POST /api/user/:id/unblock': {
    rule: 'admin',
    path: () => `/api/user/${crypto.randomUUID()}/unblock`,
    body: { reason: 'A mistake.' },
    admin: 404,
  },
  'GET /api/product/:id/holders': {
    rule: 'admin',
    path: ({ part }) => `/api/product/${part}/holders`,
  },
  'GET /api/user/:id/holdings': {
    rule: 'admin',
    path: () => `/api/user/${crypto.randomUUID()}/holdings`,
  },
  'POST /api/user/:id/release': {
    rule: 'admin',
    path: () => `/api/user/${crypto.randomUUID()}/release`,
    admin: 404,
  },
  'POST /api/image': { rule: 'admin', path: () => '/api/image', body: {}, admin: 415 },
  'POST /api/logo': { rule: 'admin', path: () => '/api/logo', body: {}, admin: 415 },
  'GET /api/settings': { rule: 'admin', path: () => '/api/settings' },
  'PUT /api/settings': { rule: 'admin', path: () => '/api/settings', body: {}, admin: 400 },
  'GET /api/shipping-methods': {
    rule: 'anyone',
    path: () => '/api/shipping-methods',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'POST /api/shipping-methods': {
    rule: 'admin',
    path: () => '/api/shipping-methods',
    body: {},
    admin: 400,
  },
  'PUT /api/shipping-methods/:id': {
    rule: 'admin',
    path: () => `/api/shipping-methods/${crypto.randomUUID()}`,
    body: {},
    admin: 400,
  },
  'DELETE /api/shipping-methods/:id': {
    rule: 'admin',
    path: () => `/api/shipping-methods/${crypto.randomUUID()}`,
  },
  'GET /api/invoice/:id': {
    rule: 'user',
    path: () => `/api/invoice/${crypto.randomUUID()}`,
    owner: 404,
    other: 404,
  },
  'GET /api/invoice/:id/pdf': {
    rule: 'user',
    path: () => `/api/invoice/${crypto.randomUUID()}/pdf`,
    owner: 404,
    other: 404,
  },
  'GET /api/invoices.csv': { rule: 'admin', path: () => '/api/invoices.csv' },
  'GET /api/regions/:country': {
    rule: 'anyone',
    path: () => '/api/regions/US',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'GET /api/addresses': { rule: 'user', path: () => '/api/addresses', owner: 200, other: 200 },
  'POST /api/addresses': {
    rule: 'user',
    path: () => '/api/addresses',
    body: {},
    owner: 400,
    other: 400,
  },
  'PUT /api/addresses/:id': {
    rule: 'user',
    path: () => `/api/addresses/${crypto.randomUUID()}`,
    body: {},
    owner: 400,
    other: 400,
  },
  'DELETE /api/addresses/:id': {
    rule: 'user',
    path: () => `/api/addresses/${crypto.randomUUID()}`,
    owner: 200,
    other: 200,
  },
  'PUT /api/checkout/:id/shipping': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}/shipping`,
    body: {},
    owner: 400,
    other: 400,
  },
  'PUT /api/checkout/:id/delivered': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}/delivered`,
    // not shipped
    owner: 409,
    other: 404,
    admin: 409,
  },
  'POST /api/checkout/:id/tickets': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}/tickets`,
    body: { type: 'question', text: 'When?' },
    // without a key
    owner: 400,
    other: 400,
    admin: 400,
  },
  'GET /api/tickets': { rule: 'user', path: () => '/api/tickets', owner: 200, other: 200 },
  'GET /api/ticket/:id': {
    rule: 'proof',
    path: ({ part }) => `/api/ticket/${part}`,
    // no such ticket
    owner: 404,
    other: 404,
    visitor: 404,
    admin: 404,
  },
  'POST /api/ticket/:id/messages': {
    rule: 'proof',
    path: ({ part }) => `/api/ticket/${part}/messages`,
    body: { text: 'Hello.' },
    owner: 404,
    other: 404,
    visitor: 404,
    admin: 404,
  },
  'POST /api/ticket/:id/pictures': {
    rule: 'user',
    path: ({ part }) => `/api/ticket/${part}/pictures`,
    owner: 404,
    other: 404,
    admin: 404,
  },
  'GET /api/ticket/:id/pictures/:picture': {
    rule: 'user',
    path: ({ part }) => `/api/ticket/${part}/pictures/${part}`,
    owner: 404,
    other: 404,
    admin: 404,
  },
  'POST /api/questions': {
    rule: 'anyone',
    path: () => '/api/questions',
    body: {},
    owner: 400,
    other: 400,
    visitor: 400,
    admin: 400,
  },
  'POST /api/withdrawals': {
    rule: 'anyone',
    path: () => '/api/withdrawals',
    body: {},
    owner: 400,
    other: 400,
    visitor: 400,
    admin: 400,
  },
  'POST /api/withdrawals/read': {
    rule: 'proof',
    path: () => '/api/withdrawals/read',
    body: { key: 'no.key.here' },
    owner: 403,
    other: 403,
    visitor: 403,
    admin: 403,
  },
  'POST /api/withdrawals/confirm': {
    rule: 'proof',
    path: () => '/api/withdrawals/confirm',
    body: { key: 'no.key.here', lines: [{ orderId: crypto.randomUUID(), quantity: 1 }] },
    owner: 403,
    other: 403,
    visitor: 403,
    admin: 403,
  },
  'GET /api/allTickets': { rule: 'admin', path: () => '/api/allTickets' },
  'GET /api/allTickets/count': { rule: 'admin', path: () => '/api/allTickets/count' },
  'GET /api/allTickets.csv': { rule: 'admin', path: () => '/api/allTickets.csv' },
  'PUT /api/ticket/:id': {
    rule: 'admin',
    path: ({ part }) => `/api/ticket/${part}`,
    body: { version: 1, state: 'accepted' },
    // no such ticket
    admin: 404,
  },
  'POST /api/checkout/:id/cancel': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}/cancel`,
    body: {},
    // without a key
    owner: 400,
    other: 400,
  },
  'POST /api/checkout/:id/address': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}/address`,
    body: {},
    owner: 400,
    other: 400,
  },
  'PUT /api/checkout/:id/address': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}/address`,
    body: {},
    owner: 400,
    other: 400,
  },
  'GET /api/to-ship': { rule: 'packer', path: () => '/api/to-ship' },
  'GET /api/shipped': { rule: 'packer', path: () => '/api/shipped' },
  'GET /api/slides': { rule: 'admin', path: () => '/api/slides' },
  'PUT /api/slides/:place': {
    rule: 'admin',
    path: () => '/api/slides/1',
    body: {},
    admin: 400,
  },
  'GET /api/pages': { rule: 'admin', path: () => '/api/pages' },
  'PUT /api/pages/:address': {
    rule: 'admin',
    path: () => '/api/pages/warranty',
    body: {},
    admin: 400,
  },
  'DELETE /api/pages/:address': {
    rule: 'admin',
    path: () => '/api/pages/warranty?version=1',
    admin: 409,
  },
  'GET /api/texts': { rule: 'admin', path: () => '/api/texts' },
  'POST /api/texts/preview': {
    rule: 'admin',
    path: () => '/api/texts/preview',
    body: {},
    admin: 400,
  },
  'PUT /api/texts/:page': {
    rule: 'admin',
    path: () => '/api/texts/about',
    body: {},
    admin: 400,
  },
  'GET /api/kinds': { rule: 'admin', path: () => '/api/kinds' },
  'POST /api/kinds': { rule: 'admin', path: () => '/api/kinds', body: {}, admin: 400 },
  'GET /api/kinds/:slug': { rule: 'admin', path: () => '/api/kinds/fan' },
  'PUT /api/kinds/:slug': { rule: 'admin', path: () => '/api/kinds/fan', body: {}, admin: 400 },
  'PUT /api/kinds/:slug/position': {
    rule: 'admin',
    path: () => '/api/kinds/fan/position',
    body: {},
    admin: 400,
  },
  'GET /api/fit': { rule: 'admin', path: () => '/api/fit' },
  'DELETE /api/kinds/:slug': { rule: 'admin', path: () => '/api/kinds/fan', admin: 400 },
  'GET /api/products': { rule: 'admin', path: () => '/api/products' },
  'GET /api/products/count': { rule: 'admin', path: () => '/api/products/count' },
  'GET /api/products.csv': { rule: 'admin', path: () => '/api/products.csv' },
  'POST /api/products/import': {
    rule: 'admin',
    path: () => '/api/products/import',
    body: {},
    // not a CSV
    admin: 415,
  },
  'GET /api/picture-queue': { rule: 'admin', path: () => '/api/picture-queue' },
  'POST /api/picture-queue/match': {
    rule: 'admin',
    path: () => '/api/picture-queue/match',
    body: {},
    admin: 400,
  },
  // not a picture
  'POST /api/picture-queue': {
    rule: 'admin',
    path: ({ part }) => `/api/picture-queue?partId=${part}&name=a.jpg`,
    body: {},
    admin: 415,
  },
  'POST /api/picture-queue/retry': { rule: 'admin', path: () => '/api/picture-queue/retry' },
  'DELETE /api/picture-queue/failures': {
    rule: 'admin',
    path: () => '/api/picture-queue/failures',
  },
  'POST /api/product': { rule: 'admin', path: () => '/api/product', body: {}, admin: 400 },
  'GET /api/product/:id': { rule: 'admin', path: ({ part }) => `/api/product/${part}` },
  'PUT /api/product/:id': {
    rule: 'admin',
    path: ({ part }) => `/api/product/${part}`,
    body: {},
    admin: 400,
  },
  'POST /api/products/bulk': {
    rule: 'admin',
    path: () => '/api/products/bulk',
    body: {},
    admin: 400,
  },
  'GET /api/suppliers': { rule: 'admin', path: () => '/api/suppliers', admin: 200 },
  'PUT /api/supplier': { rule: 'admin', path: () => '/api/supplier', body: {}, admin: 400 },
  'GET /api/batches': { rule: 'admin', path: () => '/api/batches', admin: 200 },
  'POST /api/batch/:id/undo': {
    rule: 'admin',
    path: () => `/api/batch/${crypto.randomUUID()}/undo`,
    admin: 404,
  },
  'POST /api/product/:id/pictures': {
    rule: 'admin',
    path: ({ part }) => `/api/product/${part}/pictures`,
    body: {},
    admin: 400,
  },
  'PUT /api/product/:id/position': {
    rule: 'admin',
    path: ({ part }) => `/api/product/${part}/position`,
    body: {},
    admin: 400,
  },
  'GET /api/product/:id/deliveries': {
    rule: 'admin',
    path: ({ part }) => `/api/product/${part}/deliveries`,
  },
  'GET /api/deliveries': { rule: 'admin', path: () => '/api/deliveries' },
  'GET /api/deliveries/count': { rule: 'admin', path: () => '/api/deliveries/count' },
  'POST /api/delivery': { rule: 'admin', path: () => '/api/delivery', body: {}, admin: 400 },
  // no such delivery
  'GET /api/delivery/:id': {
    rule: 'admin',
    path: ({ part }) => `/api/delivery/${part}`,
    admin: 404,
  },
  'POST /api/delivery/:id/receive': {
    rule: 'admin',
    path: ({ part }) => `/api/delivery/${part}/receive`,
    body: {},
    admin: 400,
  },
  'POST /api/delivery/:id/cancel': {
    rule: 'admin',
    path: ({ part }) => `/api/delivery/${part}/cancel`,
    admin: 404,
  },
  'GET /api/product/:id/stock': {
    rule: 'admin',
    path: ({ part }) => `/api/product/${part}/stock`,
  },
  'GET /api/allOrders': { rule: 'admin', path: () => '/api/allOrders' },
  'GET /api/allOrders/count': { rule: 'admin', path: () => '/api/allOrders/count' },
  'GET /api/allOrders.csv': { rule: 'admin', path: () => '/api/allOrders.csv' },
  'GET /api/months.csv': { rule: 'admin', path: () => '/api/months.csv' },
  'GET /api/payments.csv': { rule: 'admin', path: () => '/api/payments.csv' },
  'GET /api/payments/sums': { rule: 'admin', path: () => '/api/payments/sums' },
  'PUT /api/order/:id/shipped': {
    rule: 'packer',
    path: ({ order }) => `/api/order/${order}/shipped`,
    body: {},
    // not paid
    admin: 409,
  },
  'PUT /api/order/:id/shipment': {
    rule: 'packer',
    path: ({ order }) => `/api/order/${order}/shipment`,
    body: {},
    // not shipped
    admin: 409,
  },
  'PUT /api/checkout/:id/shipped': {
    rule: 'packer',
    path: ({ checkout }) => `/api/checkout/${checkout}/shipped`,
    body: {},
    // not paid
    admin: 409,
  },
  'PUT /api/checkout/:id/shipment': {
    rule: 'packer',
    path: ({ checkout }) => `/api/checkout/${checkout}/shipment`,
    body: {},
    // not shipped
    admin: 409,
  },
  'POST /api/checkout/:id/refund': {
    rule: 'admin',
    path: ({ checkout }) => `/api/checkout/${checkout}/refund`,
    body: { lines: [], reason: 'broken' },
    // without lines
    admin: 400,
  },
  'POST /api/order/:id/refund': {
    rule: 'admin',
    path: ({ order }) => `/api/order/${order}/refund`,
    body: { amount: 1, reason: 'broken' },
    // without a key
    admin: 400,
  },
  'POST /api/order/:id/reminder': {
    rule: 'admin',
    path: ({ order }) => `/api/order/${order}/reminder`,
  },
  'DELETE /api/order/:id/hold': {
    rule: 'admin',
    path: ({ order }) => `/api/order/${order}/hold`,
  },
  'GET /api/audit': { rule: 'admin', path: ({ order }) => `/api/audit?about=order:${order}` },
  'GET /api/audit/count': { rule: 'admin', path: () => '/api/audit/count' },
  'GET /api/audit.csv': { rule: 'admin', path: () => '/api/audit.csv' },
  'DELETE /api/adminProduct/:id': {
    rule: 'admin',
    path: ({ part }) => `/api/adminProduct/${part}`,
  },
  'GET /api/overview': { rule: 'admin', path: () => '/api/overview' },
  'GET /api/money': { rule: 'admin', path: () => '/api/money' },
  'POST /api/money/repair': {
    rule: 'admin',
    path: () => '/api/money/repair',
    body: {},
    admin: 400,
  },
  'GET /api/words': { rule: 'admin', path: () => '/api/words' },
  'PUT /api/words/:word': {
    rule: 'admin',
    path: () => '/api/words/sparkly',
    body: { means: ['lights'] },
  },
  'DELETE /api/words/:word': { rule: 'admin', path: () => '/api/words/quiet', admin: 200 },
  'GET /api/health': { rule: 'admin', path: () => '/api/health' },
  'GET /api/mail': { rule: 'admin', path: () => '/api/mail' },
  'POST /api/mail/test': { rule: 'admin', path: () => '/api/mail/test' },
  'PUT /api/order/:id/serials': {
    rule: 'admin',
    path: ({ order }) => `/api/order/${order}/serials`,
    body: { serialNumbers: [] },
    // not paid
    admin: 409,
  },
  'POST /api/checkout/:id/notes': {
    rule: 'admin',
    path: ({ checkout }) => `/api/checkout/${checkout}/notes`,
    body: { text: 'Calls back.', isForCustomer: false },
  },
  'DELETE /api/note/:id': { rule: 'admin', path: ({ part }) => `/api/note/${part}` },
  'GET /api/order/:id/mails': {
    rule: 'admin',
    path: ({ order }) => `/api/order/${order}/mails`,
  },
  'POST /api/mail/:id/again': {
    rule: 'admin',
    path: ({ part }) => `/api/mail/${part}/again`,
    // no such mail
    admin: 404,
  },
  'GET /api/customer/:id': {
    rule: 'admin',
    path: ({ part }) => `/api/customer/${part}`,
    // no such customer
    admin: 404,
  },
  'POST /api/customer/:id/notes': {
    rule: 'admin',
    path: ({ part }) => `/api/customer/${part}/notes`,
    body: { text: 'Likes blue.' },
    admin: 404,
  },
  'POST /api/customer/:id/tickets': {
    rule: 'admin',
    path: ({ part }) => `/api/customer/${part}/tickets`,
    body: { text: 'Hello.' },
    admin: 404,
  },
  'POST /api/mail/:id/resend': {
    rule: 'admin',
    path: ({ part }) => `/api/mail/${part}/resend`,
    body: {},
    // no such mail
    admin: 404,
  },
  'POST /api/mail/:id/dismiss': {
    rule: 'admin',
    path: ({ part }) => `/api/mail/${part}/dismiss`,
    admin: 404,
  },
  'POST /api/product/:id/restore': {
    rule: 'admin',
    path: ({ part }) => `/api/product/${part}/restore`,
  },
  'GET /api/sessions': { rule: 'user', path: () => '/api/sessions', owner: 200, other: 200 },
  'DELETE /api/sessions/:id': {
    rule: 'user',
    path: () => '/api/sessions/nobodys',
    owner: 404,
    other: 404,
  },
  'DELETE /api/sessions': { rule: 'user', path: () => '/api/sessions', owner: 200, other: 200 },
  'GET /api/me': { rule: 'user', path: () => '/api/me', owner: 200, other: 200 },
  'GET /api/builds': {
    rule: 'anyone',
    path: () => '/api/builds',
    owner: 200,
    other: 200,
    visitor: 200,
  },
  'POST /api/builds': { rule: 'admin', path: () => '/api/builds', body: {}, admin: 400 },
  'DELETE /api/builds/:id': {
    rule: 'admin',
    path: () => `/api/builds/${crypto.randomUUID()}`,
    admin: 404,
  },
  'GET /api/me/builds': { rule: 'user', path: () => '/api/me/builds', owner: 200, other: 200 },
  'POST /api/me/builds': {
    rule: 'user',
    path: () => '/api/me/builds',
    body: { name: 'A PC', parts: '1' },
    owner: 200,
    other: 200,
  },
  'DELETE /api/me/builds/:id': {
    rule: 'user',
    path: () => `/api/me/builds/${crypto.randomUUID()}`,
    owner: 404,
    other: 404,
  },
  'GET /api/me/basket': { rule: 'user', path: () => '/api/me/basket', owner: 200, other: 200 },
  'PUT /api/me/basket': {
    rule: 'user',
    path: () => '/api/me/basket',
    body: { parts: '1' },
    owner: 200,
    other: 200,
  },
  'GET /api/me/machine': { rule: 'user', path: () => '/api/me/machine', owner: 200, other: 200 },
  'GET /api/me/machine/fields': {
    rule: 'user',
    path: () => '/api/me/machine/fields',
    owner: 200,
    other: 200,
  },
  'POST /api/me/machine': {
    rule: 'user',
    path: () => '/api/me/machine',
    body: { kind: 'fan', name: 'Old fan' },
    owner: 200,
    other: 200,
  },
  'PUT /api/me/machine/:id': {
    rule: 'user',
    path: ({ part }) => `/api/me/machine/${part}`,
    body: { quantity: 2 },
    owner: 404,
    other: 404,
    admin: 404,
  },
  'DELETE /api/me/machine/:id': {
    rule: 'user',
    path: ({ part }) => `/api/me/machine/${part}`,
    owner: 404,
    other: 404,
    admin: 404,
  },
  'GET /api/me/data': { rule: 'user', path: () => '/api/me/data', owner: 200, other: 200 },
  'DELETE /api/me': { rule: 'user', path: () => '/api/me', body: {}, owner: 400, other: 400 },
  // last, because it succeeds
  'DELETE /api/userProduct/:id': {
    rule: 'user',
    path: ({ order }) => `/api/userProduct/${order}`,
    other: 404,
    owner: 200,
  },
  // its order is deleted: nothing is left to be
  'DELETE /api/checkout/:id': {
    rule: 'user',
    path: ({ checkout }) => `/api/checkout/${checkout}`,
    other: 404,
    owner: 200,
  },
}

/** The calls that an API key may make for its admin, each with its one scope. */
const scopes: Record<string, KeyScope> = {
  'GET /api/order/:id': 'orders:read',
  'GET /api/allOrders': 'orders:read',
  'GET /api/allOrders/count': 'orders:read',
  'GET /api/allOrders.csv': 'orders:read',
  'GET /api/checkout/:id': 'orders:read',
  'PUT /api/checkout/:id/shipped': 'orders:ship',
  'PUT /api/checkout/:id/shipment': 'orders:ship',
  'PUT /api/order/:id/serials': 'orders:ship',
  'PUT /api/order/:id/shipped': 'orders:ship',
  'PUT /api/order/:id/shipment': 'orders:ship',
  'GET /api/payments.csv': 'payments:read',
  'GET /api/invoices.csv': 'payments:read',
  'GET /api/months.csv': 'payments:read',
  'GET /api/to-ship': 'orders:read',
  'GET /api/shipped': 'orders:read',
  'GET /api/payments/sums': 'payments:read',
  'GET /api/fit': 'parts:read',
  'GET /api/kinds': 'parts:read',
  'GET /api/kinds/:slug': 'parts:read',
  'GET /api/products': 'parts:read',
  'GET /api/products/count': 'parts:read',
  'GET /api/products.csv': 'parts:read',
  'GET /api/product/:id': 'parts:read',
  'GET /api/product/:id/stock': 'parts:read',
  'GET /api/product/:id/deliveries': 'parts:read',
  'GET /api/deliveries': 'parts:read',
  'GET /api/deliveries/count': 'parts:read',
  'GET /api/delivery/:id': 'parts:read',
  'POST /api/image': 'parts:write',
  'GET /api/picture-queue': 'parts:read',
  'POST /api/picture-queue/match': 'parts:read',
  'POST /api/picture-queue': 'parts:write',
  'POST /api/picture-queue/retry': 'parts:write',
  'DELETE /api/picture-queue/failures': 'parts:write',
  'POST /api/product': 'parts:write',
  'PUT /api/product/:id': 'parts:write',
  'POST /api/product/:id/pictures': 'parts:write',
  'POST /api/products/import': 'parts:write',
  'POST /api/delivery': 'parts:write',
  'POST /api/delivery/:id/receive': 'parts:write',
  'POST /api/delivery/:id/cancel': 'parts:write',
}

/** A review of this customer. */
async function reviewOf({ email }: Person): Promise<string> {
  const { rows } = await shop.pool.query(
    `insert into reviews (name, email, review, ratings) values ('Owner', $1, 'Fine.', 4) returning _id`,
    [email],
  )
  await shop.pool.query(
    'update reviews set user_id = (select _id from users where email = $1) where _id = $2',
    [email, rows[0]._id],
  )
  return rows[0]._id
}

let shop: TestShop
let owner: Person
let other: Person
let admin: Person
let unverified: Person
let demoted: Person
let disabled: Person
let packer: Person
let loggedOut: Person
let ids: Ids
let forged: Record<string, string>
/** An API key of the admin with all scopes, and for each scope a key with all others. */
let key: string
let keysWithout: Record<string, string>

async function makeKey(scopes: string[]): Promise<string> {
  const endsOn = new Date().toISOString().slice(0, 10)
  const { body } = await admin.call('POST', '/api/key', { name: 'A program', scopes, endsOn })
  return body.key
}

beforeAll(async () => {
  // jobs do not matter for access
  shop = await openTestShop({ JOB_SECONDS: '3600' })
  ;[owner, other, admin, unverified, demoted, disabled, loggedOut, packer] = (await createUsers(
    shop,
    8,
  )) as Eight
  const make = `update users set role = 'admin', email_verified = $2 where email = $1`
  for (const person of [admin, demoted, disabled, loggedOut])
    await shop.pool.query(make, [person.email, true])
  await shop.pool.query(make, [unverified.email, false])
  await shop.pool.query(`update users set role = 'packer' where email = $1`, [packer.email])
  for (const person of [demoted, disabled, loggedOut])
    expect((await person.call('GET', '/api/user')).status).toBe(200)
  await shop.pool.query('update users set disabled_at = now() where email = $1', [disabled.email])
  await shop.pool.query(
    'insert into ended_sessions (session_id) select _id::text from users where email = $1',
    [loggedOut.email],
  )
  await shop.pool.query(`update users set role = 'customer' where email = $1`, [demoted.email])
  const part = await stockPart(shop.pool, { onHand: 5 })
  const review = await reviewOf(owner)
  const order = await bookingOf(owner, part)
  ids = {
    part: part._id,
    order,
    checkout: (await orderOf(owner, order)).checkoutId,
    email: owner.email,
    unverified: unverified.email,
    review,
  }
  const session = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  forged = await forgedTokens(shop, admin, session)
  key = await makeKey(scopeNames)
  const without = scopeNames.map(
    async (scope) => [scope, await makeKey(scopeNames.filter((one) => one !== scope))] as const,
  )
  keysWithout = Object.fromEntries(await Promise.all(without))
})
afterAll(() => shop.close())

const ask = (key: string, token?: string, path = table[key]?.path(ids) ?? '') =>
  call(shop.origin, key.split(' ')[0] as string, path, { token, body: table[key]?.body })

test('every registered route is in the table, with the rule it declares, and in the document', () => {
  const routes = declaredRoutes(createApp(shop.deps))
  const rules = routes.map(({ key, rule }) => [key, rule])
  const expected = Object.entries(table).map(([key, { rule }]) => [key, rule])
  expect(rules.toSorted()).toEqual(expected.toSorted())
  const scoped = routes.flatMap(({ key, operation }) =>
    operation?.scope ? [[key, operation.scope]] : [],
  )
  expect(Object.fromEntries(scoped)).toEqual(scopes)
  const documented = describedCalls(documentOf(shop.deps)).map(({ key }) => key)
  expect(documented.toSorted()).toEqual(
    Object.keys(table)
      .map((key) => key.replaceAll(/:(\w+)/g, '{$1}'))
      .toSorted(),
  )
})

/**
 * All routes share one mechanism for trying requests: the gate tries each request on many routes,
 * the full run all on all.
 */
const someFor = <T>(route: number, all: T[], of: number): T[] =>
  atLength ? all : all.filter((_, index) => index % of === route % of)

describe.each(Object.keys(table).map((route, index) => [route, index] as const))(
  '%s',
  (route, at) => {
    const {
      visitor = 401,
      owner: own = 403,
      other: foreign = 403,
      admin: allowed = 200,
      rule,
    } = table[route] as Expected

    test('visitors', async () => {
      expect((await ask(route)).status).toBe(visitor)
    })
    test('invalid tokens count as no token', async () => {
      const opened: string[] = []
      const tried = someFor(at, Object.entries(forged), 3).map(async ([flaw, token]) => {
        const { status } = await ask(route, token)
        if (status !== visitor) opened.push(`${flaw}: ${status}`)
      })
      await Promise.all(tried)
      expect(opened).toEqual([])
    })
    test('a former admin who is disabled or logged out counts as a visitor', async () => {
      for (const person of [disabled, loggedOut]) {
        expect((await ask(route, person.token)).status).toBe(visitor)
      }
    })
    test('API keys, by their scopes alone', async () => {
      const scope = scopes[route]
      const isOpen = rule !== 'user' && rule !== 'packer' && rule !== 'admin'
      const byScope = scope ? allowed : 403
      expect((await ask(route, key)).status).toBe(isOpen ? visitor : byScope)
      if (scope) expect((await ask(route, keysWithout[scope])).status).toBe(403)
    })
    test('another user', async () => {
      expect((await ask(route, other.token)).status).toBe(foreign)
    })
    test.runIf(rule === 'user' || rule === 'packer' || rule === 'admin')(
      'other ways to ask the same open nothing more',
      async () => {
        const { path, body } = table[route] as Expected
        // a caller whom the guard refuses; a visitor if every customer may call
        const shutOut = foreign >= 400 ? [undefined, other.token] : [undefined]
        const opened: string[] = []
        const ways = pathVariants(route.split(' ')[0] as string, path(ids), admin.token)
        const tried = someFor(at, ways, 4).flatMap((way) =>
          shutOut.map(async (token) => {
            const { status, allows } = await askVariant(shop.origin, way, { token, body })
            if (status < 400 || allows) opened.push(`${way.name}: ${status}`)
          }),
        )
        await Promise.all(tried)
        expect(opened).toEqual([])
      },
    )
    test('the owner', async () => {
      expect((await ask(route, owner.token)).status).toBe(own)
    })
    test('packers: as another customer, unless the route is theirs', async () => {
      const status = rule === 'packer' ? allowed : foreign
      expect((await ask(route, packer.token)).status).toBe(status)
    })
    test.runIf(rule === 'admin' || rule === 'packer')(
      'admins alone, or packers too: verified, and still in the role',
      async () => {
        for (const person of [demoted, unverified]) {
          expect((await ask(route, person.token)).status).toBe(403)
        }
        expect((await ask(route, admin.token)).status).toBe(allowed)
      },
    )
  },
)

describe('answers', () => {
  test('an admin sees a customer’s order, and the ownership of nothing else', async () => {
    const admin = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    const part = await stockPart(shop.pool, { onHand: 5 })
    const id = await bookingOf(owner, part)
    expect((await admin.call('GET', `/api/order/${id}`)).status).toBe(200)
    const { body } = await admin.call('GET', `/api/orders?email=${owner.email}`)
    expect(body.map(({ _id }: { _id: string }) => _id)).toContain(id)
    const pay = { totalPrice: part.price, orderId: id }
    expect((await admin.call('POST', '/api/create-payment-intent', pay)).status).toBe(404)
  })

  test('every class of answer carries the security headers', async () => {
    for (const path of [
      '/api/part',
      '/api/nothing',
      '/api/order/x',
      '/identity/jwks',
      '/images/nothing',
      '/healthz',
      '/readyz',
      '/metrics',
    ]) {
      const { headers } = await call(shop.origin, 'GET', path)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'")
      expect(headers.get('referrer-policy'), path).toBeTruthy()
      expect(headers.get('x-powered-by'), path).toBeNull()
    }
    const { headers } = await call(shop.origin, 'GET', '/api/review', {
      headers: { origin: 'https://evil.example' },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('what is not understood is refused with a code, never a fault', async () => {
    const post = (body: unknown, headers?: Record<string, string>) =>
      call(shop.origin, 'POST', '/api/order', {
        token: owner.token,
        body,
        ...(headers && { headers }),
      })
    const odd: [unknown, Record<string, string>?][] = [
      ['{"quantity":'],
      ['null'],
      ['[]'],
      ['"text"'],
      [`${'['.repeat(10_000)}${']'.repeat(10_000)}`],
      [{ quantity: 1 }, { 'content-type': 'text/plain' }],
      [{ product: 'a\u0000b', quantity: 1, phone: '+1 555 0100' }],
      ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ]
    for (const [body, headers] of odd) expect((await post(body, headers)).status).toBe(400)
    expect((await post({ phone: 'x'.repeat(70_000) })).status).toBe(413)
    const keeper = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    for (const about of ['intent:', 'intent', 'order:x', ':', 'intents:x']) {
      const repair = { repair: 'settle', about }
      expect((await keeper.call('POST', '/api/money/repair', repair)).status, about).toBe(400)
    }
    const { status, body } = await call(shop.origin, 'GET', '/api/nothing')
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ code: 'NOT_FOUND', requestId: expect.any(String) })
  })
})
