import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cancelIntent, confirmIntent } from './confirming.ts'
import { ApiFault } from './faults.ts'
import { createIntent, retrieveIntent, updateIntent } from './intents.ts'
import { createPaymentMethod, retrievePaymentMethod } from './payment-methods.ts'
import { listEvents, listOf, retrieve, retrieveEvent } from './reads.ts'
import { createRefund } from './refunds.ts'
import { type Access, answerRequest, type Handler, type RequestOptions } from './requests.ts'
import { createEndpoint, deleteEndpoint } from './webhook-endpoints.ts'

type Route = [method: 'GET' | 'POST' | 'DELETE', path: string, handler: Handler, access?: Access]

const routes: Route[] = [
  ['POST', '/payment_intents', createIntent],
  ['GET', '/payment_intents', listOf('payment_intent', ['customer'])],
  ['GET', '/payment_intents/:id', retrieveIntent, 'browser'],
  ['POST', '/payment_intents/:id', updateIntent],
  ['POST', '/payment_intents/:id/confirm', confirmIntent, 'browser'],
  ['POST', '/payment_intents/:id/cancel', cancelIntent],
  ['POST', '/payment_methods', createPaymentMethod, 'frame'],
  ['GET', '/payment_methods/:id', retrievePaymentMethod],
  ['GET', '/charges', listOf('charge', ['payment_intent'])],
  ['GET', '/charges/:id', retrieve('charge')],
  ['POST', '/refunds', createRefund],
  ['GET', '/refunds', listOf('refund', ['payment_intent', 'charge'])],
  ['GET', '/refunds/:id', retrieve('refund')],
  ['GET', '/disputes', listOf('dispute', ['payment_intent', 'charge'])],
  ['GET', '/disputes/:id', retrieve('dispute')],
  ['GET', '/balance_transactions', listOf('balance_transaction', ['source', 'type'])],
  ['GET', '/balance_transactions/:id', retrieve('balance_transaction')],
  ['GET', '/events', listEvents],
  ['GET', '/events/:id', retrieveEvent],
  ['POST', '/webhook_endpoints', createEndpoint],
  ['GET', '/webhook_endpoints', listOf('webhook_endpoint')],
  ['GET', '/webhook_endpoints/:id', retrieve('webhook_endpoint')],
  ['DELETE', '/webhook_endpoints/:id', deleteEndpoint],
]

const largestBody = 64 * 1024

/** Stripe's REST calls, to be mounted at `/v1`. */
export function apiRoutes(options: RequestOptions): Hono {
  const app = new Hono()
  app.use(bodyLimit({ maxSize: largestBody }))
  for (const [method, path, handler, access = 'secret'] of routes) {
    app.on(method, path, (c) => answerRequest(c, options, handler, access))
  }
  app.all('*', (c) => answerRequest(c, options, unknownUrl(c.req.method), 'browser'))
  return app
}

const unknownUrl =
  (method: string): Handler =>
  async (_call, _id, path) => {
    const message = `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
    throw new ApiFault(404, { type: 'invalid_request_error', message }, false)
  }
