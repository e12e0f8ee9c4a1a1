import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CheckoutRefund } from '#contracts/checkouts.ts'
import type { OrderFilter, OrderList } from '#contracts/lists.ts'
import type { Order, Shipment } from '#contracts/orders.ts'
import { ApiError, api } from '#web/lib/api.ts'
import { countQuery, csvDecimals, pageQuery, rowsAsked } from '#web/lib/lists/list-page.ts'
import { outdate } from '#web/lib/outdated.ts'

/** One page of all customers' orders; refetched each time an admin opens it. */
export const adminOrdersQuery = (filter: OrderList) =>
  pageQuery('all-orders', filter, (options) =>
    api.allOrders.$get({ query: { ...filter, limit: rowsAsked } }, options),
  )

export const adminOrdersCountQuery = (filter: OrderFilter) =>
  countQuery('all-orders', filter, (options) =>
    api.allOrders.count.$get({ query: filter }, options),
  )

/** Exports all orders that match the filter as CSV. */
export const ordersCsv = ({ limit: _, after: __, ...filter }: OrderList): Promise<Response> =>
  api['allOrders.csv'].$get({ query: { ...filter, decimals: csvDecimals() } })

/** An action on an order. Even a failed one marks the orders on screen as out of date. */
function useOrderAction<Variables, Answer>(action: (variables: Variables) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: action,
    onSettled: () => {
      void outdate(client, 'manageOrder')
    },
  })
}

/** DELETE /userProduct/{id} */
export const useDeleteAdminOrder = () =>
  useOrderAction(async ({ _id: id }: Order) => {
    await api.userProduct[':id'].$delete({ param: { id } })
  })

/** DELETE /order/{id}/hold: frees the order's units for other customers. */
export const useReleaseHold = () =>
  useOrderAction(async (id: string) => {
    await api.order[':id'].hold.$delete({ param: { id } })
  })

/**
 * PUT /checkout/{id}/shipped: orders of one checkout as one parcel.
 * @throws ApiError, and Error when another admin was faster: what was typed is lost
 */
export const shipParcel = async (parcel: Order[], shipment: Shipment): Promise<void> => {
  const orderIds = parcel.map(({ _id }) => _id)
  const param = { id: parcel[0]?.checkoutId ?? '' }
  const json = { orderIds, shipTo: parcel[0]?.shipTo, ...shipment }
  const answer = await api.checkout[':id'].shipped.$put({ param, json })
  if ((await answer.json()).modifiedCount === 0) throw new Error('It was shipped already.')
}

export const useShipParcel = () =>
  useOrderAction((ship: { parcel: Order[]; shipment: Shipment }) =>
    shipParcel(ship.parcel, ship.shipment),
  )

/** PUT /checkout/{id}/shipment */
export const useCorrectShipment = () =>
  useOrderAction(async (parcel: { checkoutId: string; orderIds: string[]; shipment: Shipment }) => {
    const { checkoutId: id, orderIds, shipment } = parcel
    await api.checkout[':id'].shipment.$put({ param: { id }, json: { orderIds, ...shipment } })
  })

/** POST /checkout/{id}/refund. Repeating a key does not refund twice. */
export const useRefundCheckout = () =>
  useOrderAction(async (refund: { id: string; request: CheckoutRefund; key: string }) => {
    const args = { param: { id: refund.id }, json: refund.request }
    const headers = { 'Idempotency-Key': refund.key }
    return (await api.checkout[':id'].refund.$post(args, { headers })).json()
  })

/**
 * POST /order/{id}/reminder.
 * @returns why no mail was sent, or null
 */
export const useRemind = () =>
  useOrderAction(async (id: string) => {
    try {
      await api.order[':id'].reminder.$post({ param: { id } })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'TOO_MANY')) throw error
      return error.message
    }
    return null
  })
