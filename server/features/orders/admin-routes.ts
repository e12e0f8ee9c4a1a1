import { Hono } from 'hono'
import { z } from 'zod'
import { inOneLine } from '#contracts/address-lines.ts'
import { Acknowledged, acknowledged, ById, Modified, modified } from '#contracts/api.ts'
import { SerialNumbers } from '#contracts/desk.ts'
import { CsvFile, OrderCsv, OrderFilter, OrderList, RowCount } from '#contracts/lists.ts'
import { type Currency, cents } from '#contracts/money.ts'
import {
  AdminOrder,
  type OrderFieldName,
  orderFieldNames,
  orderFields,
  Shipment,
} from '#contracts/orders.ts'
import { clockTime } from '#contracts/shop-days.ts'
import { ShippedParcel, ToShip, ToShipFilter } from '#contracts/to-ship.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { phoneCell } from '#server/http/csv.ts'
import { type Env, perMinute, requireAdmin, requirePacker, valid } from '#server/http/guards.ts'
import { type Columns, streamCsv, streamList } from '#server/http/lists.ts'
import { countAllOrders, listAllOrders } from './admin-store.ts'
import { type EndDeps, releaseHold } from './end-holds.ts'
import { correctShipment, noteSerialNumbers, shipOrder } from './parcels.ts'
import { remindCustomer } from './remind-customer.ts'
import { listShipped, listToShip } from './to-ship.ts'

type Cells = Columns<AdminOrder>

/** The CSV columns of a field, by heading: one, or none for a field that is not exported. */
function column(name: OrderFieldName, timeZone: string): Cells {
  const { label, ...field }: { label: string; csv?: string } = orderFields[name]
  switch (field.csv) {
    case undefined:
      return {}
    case 'time':
      return {
        [`${label} (${timeZone})`]: (order) =>
          order[name] === null ? null : clockTime(timeZone, order[name] as string),
      }
    case 'amount':
      return { [label]: (order) => ({ cents: cents(order[name] as number) }) }
    case 'address':
      return { [label]: ({ shipTo }) => shipTo && inOneLine(shipTo) }
    case 'phone':
      return { [label]: (order) => phoneCell(order[name] as string) }
    default:
      return { [label]: (order) => order[name] as string }
  }
}

/** One line per order, with the part's data from the time of booking. */
const orderColumns =
  (currency: Currency) =>
  (timeZone: string): Cells => {
    const beside: Partial<Record<OrderFieldName, Cells>> = {
      quantity: { Currency: () => currency },
      refunded: { Dispute: ({ dispute }) => dispute },
    }
    const columns = orderFieldNames.map((name) => ({ ...column(name, timeZone), ...beside[name] }))
    return Object.assign({}, ...columns)
  }

/** The admin routes of orders: list, export, ship, release holds, send payment reminders. */
export function adminOrderRoutes(deps: EndDeps & { reading: ReadSource; currency: Currency }) {
  return new Hono<Env>()
    .get(
      '/allOrders',
      requireAdmin({
        summary: 'Lists the orders of all customers.',
        scope: 'orders:read',
        answer: z.array(AdminOrder),
      }),
      valid('query', OrderList),
      (c) => {
        const query = c.req.valid('query')
        return streamList(c, query, (page) => listAllOrders(deps.db, { ...query, ...page }))
      },
    )
    .get(
      '/allOrders/count',
      requireAdmin({
        summary: 'Counts the orders that match a filter.',
        scope: 'orders:read',
        answer: RowCount,
      }),
      valid('query', OrderFilter),
      async (c) => c.json((await countAllOrders(deps.db, c.req.valid('query'))) satisfies RowCount),
    )
    .get(
      '/allOrders.csv',
      requireAdmin({
        summary: 'Exports orders as CSV.',
        scope: 'orders:read',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', OrderCsv),
      (c) => {
        const { decimals, ...query } = c.req.valid('query')
        return streamCsv(
          c,
          {
            name: 'orders',
            columns: orderColumns(deps.currency),
            decimals,
            reading: deps.reading,
          },
          (db, page) => listAllOrders(db, { ...query, ...page }),
        )
      },
    )
    .put(
      '/order/:id/serials',
      requireAdmin({
        summary: 'Notes the serial numbers of a paid order’s units.',
        scope: 'orders:ship',
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNPAID'],
        description: 'The search of orders finds them.',
      }),
      valid('param', ById),
      valid('json', SerialNumbers),
      async (c) => {
        const { id } = c.req.valid('param')
        const { serialNumbers } = c.req.valid('json')
        return c.json(modified(await noteSerialNumbers(deps.db, c.var.caller, id, serialNumbers)))
      },
    )
    .get(
      '/to-ship',
      requirePacker({
        summary: 'Lists the paid checkouts that are to be packed, those that were paid first.',
        scope: 'orders:read',
        answer: ToShip,
      }),
      valid('query', ToShipFilter),
      async (c) => c.json((await listToShip(deps.db, c.req.valid('query'))) satisfies ToShip),
    )
    .get(
      '/shipped',
      requirePacker({
        summary: 'Lists the parcels that were shipped last, of a hundred orders at most.',
        scope: 'orders:read',
        answer: z.array(ShippedParcel),
      }),
      async (c) => c.json((await listShipped(deps.db)) satisfies ShippedParcel[]),
    )
    .put(
      '/order/:id/shipped',
      requirePacker({
        summary: 'Marks a paid order shipped and mails its customer.',
        scope: 'orders:ship',
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNPAID', 'ORDER_REFUNDED'],
      }),
      valid('param', ById),
      valid('json', Shipment),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await shipOrder(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .put(
      '/order/:id/shipment',
      requirePacker({
        summary: 'Corrects carrier and number of a shipped order and mails its customer.',
        scope: 'orders:ship',
        answer: Modified,
        errors: ['NOT_FOUND', 'ORDER_UNSHIPPED'],
        description:
          'Replaces both: omitted fields are cleared. If nothing changes, no mail is sent. Webhooks get no message.',
      }),
      valid('param', ById),
      valid('json', Shipment),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await correctShipment(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .delete(
      '/order/:id/hold',
      requireAdmin({
        summary: 'Releases the units that an unpaid order holds.',
        answer: Modified,
        errors: ['NOT_FOUND', 'PAYMENT_IN_PROGRESS', 'PROVIDER_DOWN'],
      }),
      valid('param', ById),
      async (c) => {
        return c.json(modified(await releaseHold(deps, c.var.caller, c.req.valid('param').id)))
      },
    )
    .post(
      '/order/:id/reminder',
      requireAdmin({
        summary: 'Mails the customer of an unpaid order a reminder, once in 24 hours.',
        answer: Acknowledged,
        errors: ['NOT_FOUND', 'ALREADY_PAID'],
      }),
      valid('param', ById),
      async (c) => {
        await remindCustomer(deps, c.var.caller, c.req.valid('param').id)
        return c.json(acknowledged)
      },
    )
}
