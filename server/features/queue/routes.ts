import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted } from '#contracts/api.ts'
import { OfferAcceptance, QueueJoin, QueueLength, QueuePlace } from '#contracts/queue.ts'
import type { BookingDeps } from '#server/features/orders/book-parts.ts'
import {
  anyone,
  type Env,
  hashedNetworks,
  perMinute,
  requireUser,
  valid,
} from '#server/http/guards.ts'
import { acceptOffer } from './accept-offer.ts'
import { joinQueue, leaveQueue } from './join-queue.ts'
import { listPlaces, readLength } from './store.ts'

/** The customer routes of the queue for sold-out parts: join, leave, and accept offers. */
export function queueRoutes(deps: BookingDeps) {
  return new Hono<Env>()
    .get(
      '/part/:id/queue',
      anyone({
        summary: 'Says how many customers wait for a part, and what is expected of it.',
        answer: QueueLength,
      }),
      valid('param', ById),
      async (c) => {
        c.header('cache-control', 'no-store')
        const length = await readLength(deps.db, c.req.valid('param').id)
        return c.json(length satisfies QueueLength)
      },
    )
    .get(
      '/queue',
      requireUser({
        summary: 'Lists the caller’s places in queues, offers first.',
        limit: perMinute(60),
        answer: z.array(QueuePlace),
      }),
      async (c) => c.json(await listPlaces(deps.db, c.var.caller._id)),
    )
    .post(
      '/queue',
      requireUser({
        summary: 'Joins the queue of a part with too few units available.',
        limit: perMinute(30),
        inTurns: 'queue',
        answer: QueuePlace,
        errors: ['NOT_FOUND', 'NOT_VERIFIED', 'IN_STOCK', 'TOO_MANY'],
        description:
          'A customer has one place for a part: again, it answers the same, with the new quantity while nothing is offered. An offer is as many units as the customer’s paid orders cover; beyond that it is one minimum order, of three parts at a time at most. There is nothing to wait for while so many are available. All accounts of a mailbox count as one customer.',
      }),
      valid('json', QueueJoin),
      async (c) =>
        c.json(await joinQueue(deps, c.var.caller, c.req.valid('json'), hashedNetworks(c))),
    )
    .delete(
      '/queue/:id',
      requireUser({
        summary: 'Leaves a queue; an offer goes to the next.',
        inTurns: 'queue',
        answer: Deleted,
        description:
          'A place that is left after an offer counts like a hold that expired: others go first at this part for a while.',
      }),
      valid('param', ById),
      async (c) => c.json(deleted(await leaveQueue(deps, c.var.caller, c.req.valid('param').id))),
    )
    .post(
      '/queue/:id/order',
      requireUser({
        summary: 'Accepts an offer: makes an unpaid order of it, and holds its units.',
        limit: perMinute(20),
        inTurns: 'queue',
        answer: Inserted,
        errors: ['NOT_FOUND', 'OFFER_GONE', 'PRICE_CHANGED', 'TOO_MANY'],
        description: 'Repeated, it answers the same order. A refused booking leaves the offer.',
      }),
      valid('param', ById),
      valid('json', OfferAcceptance),
      async (c) => {
        const acceptance = { ...c.req.valid('json'), networks: hashedNetworks(c) }
        const { id } = c.req.valid('param')
        return c.json(inserted(await acceptOffer(deps, c.var.caller, id, acceptance)))
      },
    )
}
