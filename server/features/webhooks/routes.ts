import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Modified, modified, Outcome } from '#contracts/api.ts'
import {
  Endpoint,
  EndpointChange,
  MadeEndpoint,
  Message,
  NewEndpoint,
  NewSecret,
} from '#contracts/webhooks.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import {
  addEndpoint,
  changeEndpoint,
  changeSecret,
  deleteEndpoint,
  resendMessage,
  testEndpoint,
} from './endpoints.ts'
import type { WebhookDeps } from './send-messages.ts'
import { listEndpoints, listMessages } from './store.ts'

/**
 * The admin routes of webhooks: list, add, change, delete and test them, and resend their messages.
 */
export function webhookRoutes(deps: WebhookDeps) {
  return new Hono<Env>()
    .get(
      '/webhooks',
      requireAdmin({ summary: 'Lists the webhooks.', answer: z.array(Endpoint) }),
      async (c) => c.json((await listEndpoints(deps.db)) satisfies Endpoint[]),
    )
    .post(
      '/webhook',
      requireAdmin({
        summary: 'Adds a webhook, and shows its secret.',
        asksCode: true,
        answer: MadeEndpoint,
        description:
          'The address begins with https:// and is on the open internet, except on a machine that only itself reaches.',
      }),
      valid('json', NewEndpoint),
      async (c) => {
        const endpoint = await addEndpoint(deps, c.var.caller, c.req.valid('json'))
        return c.json(endpoint satisfies MadeEndpoint)
      },
    )
    .put(
      '/webhook/:id',
      requireAdmin({
        summary: 'Changes a webhook, or switches it off or on.',
        asksCode: true,
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      valid('json', EndpointChange),
      async (c) => {
        await changeEndpoint(deps, c.var.caller, c.req.valid('param').id, c.req.valid('json'))
        return c.json(modified(1))
      },
    )
    .delete(
      '/webhook/:id',
      requireAdmin({
        summary: 'Deletes a webhook with its messages.',
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        await deleteEndpoint(deps, c.var.caller, c.req.valid('param').id)
        return c.json(deleted(1))
      },
    )
    .post(
      '/webhook/:id/secret',
      requireAdmin({
        summary: 'Gives a webhook a new secret; the previous one also signs for a day.',
        asksCode: true,
        answer: NewSecret,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const secret = await changeSecret(deps, c.var.caller, c.req.valid('param').id)
        return c.json(secret satisfies NewSecret)
      },
    )
    .post(
      '/webhook/:id/test',
      requireAdmin({
        summary: 'Sends a webhook a message of the type `test`.',
        // each request waits for a third-party server
        limit: perMinute(10),
        answer: Outcome,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const outcome = await testEndpoint(deps, c.var.caller, c.req.valid('param').id)
        return c.json(outcome satisfies Outcome)
      },
    )
    .get(
      '/webhook/:id/messages',
      requireAdmin({
        summary: 'Lists the newest messages of a webhook.',
        answer: z.array(Message),
      }),
      valid('param', ById),
      async (c) =>
        c.json((await listMessages(deps.db, c.req.valid('param').id)) satisfies Message[]),
    )
    .post(
      '/webhook/message/:id/resend',
      requireAdmin({
        summary: 'Sends a message again.',
        limit: perMinute(30),
        answer: Outcome,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const outcome = await resendMessage(deps, c.var.caller, c.req.valid('param').id)
        return c.json(outcome satisfies Outcome)
      },
    )
}
