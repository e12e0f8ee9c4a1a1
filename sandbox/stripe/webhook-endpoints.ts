import type Stripe from 'stripe'
import { type Call, ok, type Reply } from './call.ts'
import { invalid, missing } from './faults.ts'
import { allow, list, metadata, requiredText, text } from './form.ts'
import { find, insert, newId, nowSeconds } from './store.ts'

/** POST /v1/webhook_endpoints; the answer alone shows the signing secret. */
export async function createEndpoint(call: Call): Promise<Reply> {
  const { params } = call
  allow(params, ['url', 'enabled_events', 'description', 'metadata', 'api_version'])
  const url = requiredText(params, 'url')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', {
      code: 'url_invalid',
      param: 'url',
    })
  }
  const events = list(params, 'enabled_events')
  if (events.length === 0) throw missing('enabled_events')
  const secret = `whsec_${newId('x', 32).slice(2)}`
  const endpoint: Stripe.WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: text(params, 'api_version') ?? null,
    application: null,
    created: nowSeconds(),
    description: text(params, 'description') ?? null,
    enabled_events: events,
    livemode: false,
    metadata: metadata(params),
    status: 'enabled',
    url,
  }
  await insert(call.db, endpoint, { secret })
  return ok({ ...endpoint, secret })
}

/** DELETE /v1/webhook_endpoints/:id */
export async function deleteEndpoint(call: Call, id: string): Promise<Reply> {
  await find(call.db, 'webhook_endpoint', id, { lock: true })
  await call.db.query('delete from sandbox_stripe.objects where id = $1', [id])
  return ok({ id, object: 'webhook_endpoint', deleted: true })
}
