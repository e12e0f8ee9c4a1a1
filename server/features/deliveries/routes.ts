import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Inserted, inserted, Modified, modified } from '#contracts/api.ts'
import {
  Delivery,
  ExpectedUnits,
  NewDelivery,
  Receipt,
  WholeDelivery,
} from '#contracts/deliveries.ts'
import { DeliveryFilter, DeliveryList, RowCount } from '#contracts/lists.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { addDelivery, cancelDelivery, receiveDelivery } from './receive-delivery.ts'
import { countDeliveries, expectedOf, findDelivery, listDeliveries } from './store.ts'

/** The admin routes of deliveries: add, list, read, receive and cancel. */
export function deliveryRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/deliveries',
      requireAdmin({
        summary: 'Lists deliveries.',
        scope: 'parts:read',
        answer: z.array(Delivery),
      }),
      valid('query', DeliveryList),
      (c) => {
        const query = c.req.valid('query')
        return streamList(c, query, (page) => listDeliveries(db, { ...query, ...page }))
      },
    )
    .get(
      '/deliveries/count',
      requireAdmin({
        summary: 'Counts the deliveries that match a filter.',
        scope: 'parts:read',
        answer: RowCount,
      }),
      valid('query', DeliveryFilter),
      async (c) => c.json((await countDeliveries(db, c.req.valid('query'))) satisfies RowCount),
    )
    .post(
      '/delivery',
      requireAdmin({
        summary: 'Adds a delivery that is expected.',
        scope: 'parts:write',
        answer: Inserted,
      }),
      valid('json', NewDelivery),
      async (c) => c.json(inserted(await addDelivery(db, c.var.caller, c.req.valid('json')))),
    )
    .get(
      '/delivery/:id',
      requireAdmin({
        summary: 'Reads a delivery with its lines.',
        scope: 'parts:read',
        answer: WholeDelivery,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => c.json(found(await findDelivery(db, c.req.valid('param').id), 'delivery')),
    )
    .post(
      '/delivery/:id/receive',
      requireAdmin({
        summary: 'Books what has come of a delivery, all lines or none.',
        scope: 'parts:write',
        answer: Modified,
        errors: ['NOT_FOUND', 'OUTDATED'],
        description: 'The units are in stock at once, and the stock ledger names the delivery.',
      }),
      valid('param', ById),
      valid('json', Receipt),
      async (c) => {
        const receipt = c.req.valid('json')
        await receiveDelivery(db, c.var.caller, c.req.valid('param').id, receipt)
        return c.json(modified(receipt.lines.length))
      },
    )
    .post(
      '/delivery/:id/cancel',
      requireAdmin({
        summary: 'Cancels what has not come of a delivery.',
        scope: 'parts:write',
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) =>
        c.json(modified(await cancelDelivery(db, c.var.caller, c.req.valid('param').id))),
    )
    .get(
      '/product/:id/deliveries',
      requireAdmin({
        summary: 'Lists what is still to come of a part, the soonest first.',
        scope: 'parts:read',
        answer: z.array(ExpectedUnits),
      }),
      valid('param', ById),
      async (c) =>
        c.json((await expectedOf(db, c.req.valid('param').id)) satisfies ExpectedUnits[]),
    )
}
