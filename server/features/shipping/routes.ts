import { Hono } from 'hono'
import { z } from 'zod'
import {
  AddressCorrection,
  AddressEdit,
  KeptAddress,
  LateAddress,
  Region,
  RegionParams,
} from '#contracts/addresses.ts'
import { ById, Deleted, deleted, Inserted, inserted, Modified, modified } from '#contracts/api.ts'
import { basketIn } from '#contracts/basket.ts'
import { regionsOf } from '#contracts/regions.ts'
import {
  ListedMethod,
  MethodEdit,
  MethodFields,
  MethodsQuery,
  ShippingChoice,
} from '#contracts/shipping.ts'
import type { SettleDeps } from '#server/features/payments/settle.ts'
import {
  anyone,
  type Env,
  perHour,
  perMinute,
  requireAdmin,
  requireUser,
  valid,
} from '#server/http/guards.ts'
import { addAddress, changeAddress, deleteAddress, listAddresses } from './addresses.ts'
import { readArrivals } from './arrivals.ts'
import { addLateAddress, chooseShipping, correctAddress } from './choose-shipping.ts'
import { addMethod, deleteMethod, listMethods, offersOf, saveMethod } from './methods.ts'
import { weighBasket } from './weights.ts'

/** How orders reach their customers: methods, addresses, and what a checkout chooses. */
export function shippingRoutes(deps: SettleDeps) {
  const { db } = deps
  return new Hono<Env>()
    .get(
      '/shipping-methods',
      anyone({
        summary: 'Lists the ways in which the shop delivers, the cheapest first.',
        answer: z.array(ListedMethod),
        description:
          'With `parts`, what each costs for them. Where it delivers to is in `regions`.',
      }),
      valid('query', MethodsQuery),
      async (c) => {
        const { parts } = c.req.valid('query')
        const methods = await listMethods(db)
        if (parts === undefined) return c.json(methods satisfies ListedMethod[])
        const [by, basket] = await Promise.all([readArrivals(db), weighBasket(db, basketIn(parts))])
        return c.json(offersOf(methods, by, basket) satisfies ListedMethod[])
      },
    )
    .post(
      '/shipping-methods',
      requireAdmin({
        summary: 'Adds a way of delivery.',
        answer: Inserted,
        errors: ['NAME_TAKEN'],
        description: 'Regions can be given by their English names; they are stored as codes.',
      }),
      valid('json', MethodFields),
      async (c) => c.json(inserted(await addMethod(db, c.var.caller, c.req.valid('json')))),
    )
    .put(
      '/shipping-methods/:id',
      requireAdmin({
        summary: 'Saves a way of delivery.',
        answer: Modified,
        errors: ['NOT_FOUND', 'OUTDATED', 'NAME_TAKEN'],
        description: 'What checkouts chose before stays as it was, and costs what it did.',
      }),
      valid('param', ById),
      valid('json', MethodEdit),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await saveMethod(db, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .delete(
      '/shipping-methods/:id',
      requireAdmin({ summary: 'Deletes a way of delivery.', answer: Deleted }),
      valid('param', ById),
      async (c) => c.json(deleted(await deleteMethod(db, c.var.caller, c.req.valid('param').id))),
    )
    .get(
      '/regions/:country',
      anyone({
        summary: 'Lists the regions of a country by the names of ISO 3166-2.',
        answer: z.array(Region),
      }),
      valid('param', RegionParams),
      (c) => c.json(regionsOf(c.req.valid('param').country) satisfies Region[]),
    )
    .get(
      '/addresses',
      requireUser({
        summary: 'Lists the addresses that the caller keeps, the default first.',
        answer: z.array(KeptAddress),
      }),
      async (c) => c.json((await listAddresses(db, c.var.caller._id)) satisfies KeptAddress[]),
    )
    .post(
      '/addresses',
      requireUser({
        summary: 'Keeps an address for orders; the first is the default.',
        limit: perHour(60),
        answer: Inserted,
      }),
      valid('json', AddressEdit),
      async (c) => c.json(inserted(await addAddress(db, c.var.caller._id, c.req.valid('json')))),
    )
    .put(
      '/addresses/:id',
      requireUser({
        summary: 'Changes an address that the caller keeps.',
        limit: perHour(60),
        answer: Modified,
        errors: ['NOT_FOUND'],
        description: 'Orders keep the address that they were booked with.',
      }),
      valid('param', ById),
      valid('json', AddressEdit),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await changeAddress(db, c.var.caller._id, id, c.req.valid('json'))))
      },
    )
    .delete(
      '/addresses/:id',
      requireUser({ summary: 'Deletes an address that the caller keeps.', answer: Deleted }),
      valid('param', ById),
      async (c) => {
        return c.json(deleted(await deleteAddress(db, c.var.caller._id, c.req.valid('param').id)))
      },
    )
    .put(
      '/checkout/:id/shipping',
      requireUser({
        summary: 'Chooses how an unpaid checkout of the caller reaches them, and where.',
        limit: perMinute(20),
        inTurns: 'payments',
        answer: Modified,
        errors: ['NOT_FOUND', 'ALREADY_PAID', 'PAYMENT_IN_PROGRESS', 'PROVIDER_DOWN'],
        description:
          'Shipping and tax are computed now and stay: a method or a rate that changes later changes nothing for this checkout. An open payment is canceled first. `GET /checkout/{id}` has the sums.',
      }),
      valid('param', ById),
      valid('json', ShippingChoice),
      async (c) => {
        await chooseShipping(deps, c.var.caller, c.req.valid('param').id, c.req.valid('json'))
        return c.json(modified(1))
      },
    )
    .post(
      '/checkout/:id/address',
      requireUser({
        summary: 'Says where a checkout goes that was paid without a choice of delivery, once.',
        limit: perMinute(10),
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'ALREADY_SHIPPED'],
        description:
          'Only where the shop delivers, and at the tax that was paid. Nothing is charged: the shop decides about the price of the delivery.',
      }),
      valid('param', ById),
      valid('json', LateAddress),
      async (c) => {
        const { address } = c.req.valid('json')
        const { id } = c.req.valid('param')
        return c.json(modified(await addLateAddress(deps, c.var.caller, id, address)))
      },
    )
    .put(
      '/checkout/:id/address',
      requireUser({
        summary: 'Corrects name, company and street of a paid checkout until it is shipped.',
        limit: perMinute(10),
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'ALREADY_SHIPPED', 'TOO_MANY'],
        description: 'City, region, postcode and country stay: they made the price.',
      }),
      valid('param', ById),
      valid('json', AddressCorrection),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await correctAddress(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
}
