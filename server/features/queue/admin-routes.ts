import { Hono } from 'hono'
import { z } from 'zod'
import { ById } from '#contracts/api.ts'
import { Holding, holdingsLimit, Released } from '#contracts/queue.ts'
import type { EndDeps } from '#server/features/orders/end-holds.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { listHoldings, releaseAccount } from './holdings.ts'

const description = `At most ${holdingsLimit} rows: orders, then offers, then places in turn.`

/** The admin routes of the queue: list holds, offers and places, and release all of an account. */
export function adminQueueRoutes(deps: EndDeps) {
  return new Hono<Env>()
    .get(
      '/product/:id/holders',
      requireAdmin({
        summary: 'Lists who holds, is offered or waits for a part.',
        answer: z.array(Holding),
        description,
      }),
      valid('param', ById),
      async (c) => c.json(await listHoldings(deps.db, { partId: c.req.valid('param').id })),
    )
    .get(
      '/user/:id/holdings',
      requireAdmin({
        summary: 'Lists what an account holds, is offered or waits for.',
        answer: z.array(Holding),
        description,
      }),
      valid('param', ById),
      async (c) => c.json(await listHoldings(deps.db, { userId: c.req.valid('param').id })),
    )
    .post(
      '/user/:id/release',
      requireAdmin({
        summary: 'Ends all holds, offers and places of an account.',
        answer: Released,
        errors: ['NOT_FOUND'],
        description:
          'Its orders stay unpaid, and can be paid while enough units are free for others too. The customer is mailed.',
      }),
      valid('param', ById),
      async (c) => c.json(await releaseAccount(deps, c.var.caller, c.req.valid('param').id)),
    )
}
