import { Hono } from 'hono'
import { ById, Deleted, deleted, Inserted, inserted, Modified, modified } from '#contracts/api.ts'
import { Checkout, CheckoutJoin, PackedParcel, Parcel } from '#contracts/checkouts.ts'
import { isInEu } from '#contracts/eu.ts'
import { fromCents, sumOfTotals } from '#contracts/money.ts'
import { isAdmin, ownsOrAdmin } from '#contracts/users.ts'
import { found } from '#server/errors.ts'
import { listNotes } from '#server/features/desk/notes.ts'
import { listInvoicesOf } from '#server/features/invoices/store.ts'
import { listCheckoutRefunds, shippingRefunded } from '#server/features/payments/refund-store.ts'
import { readSettings } from '#server/features/settings/store.ts'
import { readArrivals } from '#server/features/shipping/arrivals.ts'
import { listMethods, offersOf } from '#server/features/shipping/methods.ts'
import { weighParts } from '#server/features/shipping/weights.ts'
import { readReturns } from '#server/features/tickets/open-ticket.ts'
import { listTicketsOf } from '#server/features/tickets/store.ts'
import { type Env, perMinute, requirePacker, requireUser, valid } from '#server/http/guards.ts'
import type { DeletionTurns } from '#server/http/limits/load-shedding.ts'
import { deleteCheckout } from './delete-order.ts'
import type { EndDeps } from './end-holds.ts'
import { joinCheckouts } from './join-checkouts.ts'
import { correctParcel, noteArrival, shipCheckout } from './parcels.ts'
import {
  dueOf,
  isUnpaid,
  listOrdersIn,
  orNone,
  toOrder,
  toShipping,
  withoutDeleted,
} from './store.ts'

/** The routes for all orders of a checkout: read, join, delete, ship. */
export function checkoutRoutes(deps: EndDeps & { deletionTurns: DeletionTurns }) {
  return new Hono<Env>()
    .get(
      '/checkout/:id',
      requireUser({
        summary:
          'Reads a checkout of the caller, or any checkout for admins: its orders, how they are shipped, and what it costs.',
        scope: 'orders:read',
        answer: Checkout,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const { id: _id } = c.req.valid('param')
        const all = withoutDeleted(await listOrdersIn(deps.db, _id))
        const isOwn = all.every(({ userId }) => ownsOrAdmin(c.var.caller, userId))
        const lines = found(isOwn ? orNone(all) : null, 'checkout')
        const methods = lines.every(isUnpaid) ? await listMethods(deps.db) : []
        const by = await readArrivals(deps.db)
        const shipping = toShipping(lines)
        const { paidAt } = lines[0]
        const sentDays = shipping.type === 'ship' ? shipping.daysTo : null
        return c.json({
          _id,
          orders: lines.map(toOrder),
          due: dueOf(lines),
          shipping: {
            ...shipping,
            by: sentDays === null ? null : by(sentDays, paidAt),
            refunded: fromCents(await shippingRefunded(deps.db, _id)),
          },
          invoices: await listInvoicesOf(deps.db, _id),
          notes: await listNotes(
            deps.db,
            { checkoutId: _id },
            isAdmin(c.var.caller) ? 'admin' : 'customer',
          ),
          refunds: await listCheckoutRefunds(deps.db, _id),
          tickets: await listTicketsOf(deps.db, { checkoutId: _id }),
          ...(await readReturns(deps.db, lines)),
          methods: offersOf(methods, by, {
            goods: sumOfTotals(lines),
            weightG: await weighParts(deps.db, lines),
          }),
          saysObligation: isInEu((await readSettings(deps.db)).settings.shop.country),
        } satisfies Checkout)
      },
    )
    .post(
      '/checkouts/join',
      requireUser({
        summary: 'Joins unpaid orders of the caller into one checkout, to pay them together.',
        limit: perMinute(10),
        inTurns: 'payments',
        answer: Inserted,
        errors: ['NOT_FOUND', 'ALREADY_PAID', 'PAYMENT_IN_PROGRESS', 'PROVIDER_DOWN'],
        description: 'All orders of their checkouts are joined. Their open payments are canceled.',
      }),
      valid('json', CheckoutJoin),
      async (c) => {
        const { orderIds } = c.req.valid('json')
        return c.json(inserted(await joinCheckouts(deps, c.var.caller, orderIds)))
      },
    )
    .delete(
      '/checkout/:id',
      requireUser({
        summary: 'Deletes all orders of an unpaid checkout and releases their stock.',
        answer: Deleted,
        errors: ['NOT_FOUND', 'ALREADY_PAID', 'PAYMENT_IN_PROGRESS', 'PROVIDER_DOWN'],
      }),
      valid('param', ById),
      async (c) => {
        const inTurn = deps.deletionTurns(c)
        const { id } = c.req.valid('param')
        return c.json(deleted(await deleteCheckout({ ...deps, inTurn }, c.var.caller, id)))
      },
    )
    .put(
      '/checkout/:id/shipped',
      requirePacker({
        summary: 'Ships orders of a paid checkout as one parcel and mails its customer.',
        scope: 'orders:ship',
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'ORDER_REFUNDED', 'OUTDATED'],
        description:
          'Without `orderIds`, the parcel has every order that is paid and not shipped yet. With `shipTo`, it leaves only if that is still its address.',
      }),
      valid('param', ById),
      valid('json', PackedParcel),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await shipCheckout(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .put(
      '/checkout/:id/delivered',
      requireUser({
        summary: 'Says that what was shipped of a checkout has arrived.',
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNSHIPPED', 'TOO_LATE'],
        description:
          'The days of return count from then. What arrived before keeps its date. A customer says so by the day on which the delivery arrives at the latest; admins at any time.',
      }),
      valid('param', ById),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await noteArrival(deps.db, c.var.caller, id)))
      },
    )
    .put(
      '/checkout/:id/shipment',
      requirePacker({
        summary: 'Corrects carrier and number of a parcel and mails its customer.',
        scope: 'orders:ship',
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNSHIPPED'],
        description:
          'As for one order. Without `orderIds`, corrects every shipped order of the checkout.',
      }),
      valid('param', ById),
      valid('json', Parcel),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await correctParcel(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
}
