import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CheckoutBooking } from '#contracts/checkouts.ts'
import type { OwnOrderFilter, OwnOrderList } from '#contracts/lists.ts'
import { messages } from '#contracts/messages.ts'
import type { Booking, Order } from '#contracts/orders.ts'
import { ApiError, api } from '#web/lib/api.ts'
import { countQuery, type ListPage, pageQuery, rowsAsked } from '#web/lib/lists/list-page.ts'
import { outdate } from '#web/lib/outdated.ts'

const confirmingKey = ({ checkoutId }: Pick<Order, 'checkoutId'>) =>
  ['confirming', checkoutId] as const
const pollMs = 3000

/** The part being booked. Stock changes all the time, so a cached part is always refetched. */
export const partQuery = (id: string) =>
  queryOptions({
    queryKey: ['part', id],
    queryFn: async () => (await api.part[':id'].$get({ param: { id } })).json(),
    staleTime: 0,
  })

/** The number of units that the customer can book now. */
export const limitQuery = (id: string) =>
  queryOptions({
    queryKey: ['part', id, 'limit'],
    queryFn: async () => (await api.part[':id'].limit.$get({ param: { id } })).json(),
    staleTime: 0,
  })

/** Whether other customers hold units of a part that cannot be booked. */
export const isHeldQuery = (_id: string) =>
  queryOptions({
    queryKey: ['part', _id, 'held'],
    queryFn: async () => {
      const page = await (await api.parts[':part'].$get({ param: { part: _id } })).json()
      return page.isOnSale && page.held > 0
    },
    staleTime: 0,
  })

/**
 * The transaction id of a payment that the card provider confirmed in this browser but the shop has
 * not recorded yet.
 */
export function confirmingTransaction(
  client: QueryClient,
  order: Pick<Order, 'checkoutId'>,
): string | undefined {
  return client.getQueryData<string>(confirmingKey(order))
}

const isConfirming = (client: QueryClient, order: Order | undefined) =>
  order !== undefined && !order.paid && confirmingTransaction(client, order) !== undefined

/**
 * One page of the user's orders, unpaid ones first. Refetched on focus, and every 3 s while a
 * payment is being confirmed.
 */
export const ordersQuery = (
  client: QueryClient,
  list: Pick<OwnOrderList, 'email' | 'q' | 'after'>,
) =>
  queryOptions({
    ...pageQuery('orders', list, (options) =>
      api.orders.$get({ query: { ...list, sort: 'unpaid-first', limit: rowsAsked } }, options),
    ),
    refetchInterval: ({ state }) =>
      state.data?.rows.some((order) => isConfirming(client, order)) ? pollMs : false,
  })

export const ordersCountQuery = (filter: OwnOrderFilter) =>
  countQuery('orders', filter, (options) => api.orders.count.$get({ query: filter }, options))

/** One order. Refetched on focus, and every 3 s while its payment is being confirmed. */
export const orderQuery = (client: QueryClient, id: string) =>
  queryOptions({
    queryKey: ['order', id],
    queryFn: async () => (await api.order[':id'].$get({ param: { id } })).json(),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (isConfirming(client, state.data) ? pollMs : false),
  })

/** Whether other orders are paid with it. */
export const isOfSeveral = ({ checkoutOrders }: Order): boolean => checkoutOrders > 1

/** An order's checkout: its lines, its delivery, and what it costs. */
export const checkoutQuery = (order: Pick<Order, 'checkoutId'> | undefined) =>
  queryOptions({
    queryKey: ['checkout', order?.checkoutId],
    queryFn: async () => {
      const param = { id: order?.checkoutId ?? '' }
      return (await api.checkout[':id'].$get({ param })).json()
    },
    enabled: order !== undefined,
    staleTime: 0,
  })

/** POST /checkouts/join → an order of the checkout that pays all of them. */
export function useJoinCheckouts() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (orderIds: string[]) => {
      await api.checkouts.join.$post({ json: { orderIds } })
    },
    onSettled: () => {
      void outdate(client, 'joinCheckouts')
    },
  })
}

/** DELETE /checkout/{id}: all of its unpaid orders. */
export function useDeleteCheckout() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ checkoutId: id }: Order) => {
      await api.checkout[':id'].$delete({ param: { id } })
    },
    onSettled: () => {
      void outdate(client, 'deleteOrder')
    },
  })
}

/** What the user agrees to pay: the total of the goods, and the same with shipping and tax. */
export type Agreed = { totalPrice: number; due: number }

/**
 * Opens the payment of an order, or returns the open one: its client secret. Each request renews
 * the hold, so it runs once per visit and after the secret became invalid, never in the background.
 */
export const clientSecretQuery = (orderId: string, { totalPrice, due }: Agreed) =>
  queryOptions({
    queryKey: ['client-secret', orderId, totalPrice, due],
    queryFn: async ({ client }) => {
      try {
        const json = { totalPrice, due, orderId }
        const answer = await api['create-payment-intent'].$post({ json })
        return (await answer.json()).clientSecret
      } finally {
        // the hold was renewed, or the order is already paid or gone
        void outdate(client, 'startPayment')
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

type BasketBooking = { booking: CheckoutBooking; idempotencyKey: string }

/** POST /orders → the new checkout and its orders. */
export function useBookParts() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ booking, idempotencyKey }: BasketBooking) => {
      const headers = { 'Idempotency-Key': idempotencyKey }
      return (await api.orders.$post({ json: booking }, { headers })).json()
    },
    onSuccess: () => outdate(client, 'bookPart'),
  })
}

type BookingRequest = { booking: Booking; idempotencyKey: string }

/** POST /order. Returns the new order's id. */
export function useBookPart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ booking, idempotencyKey }: BookingRequest) => {
      const headers = { 'Idempotency-Key': idempotencyKey }
      const answer = await (await api.order.$post({ json: booking }, { headers })).json()
      if (!answer.insertedId) throw new Error(messages.orderFailed)
      return answer.insertedId
    },
    onSuccess: () => outdate(client, 'bookPart'),
  })
}

/** DELETE /userProduct/{id}. Removes the order from the cached lists at once. */
export function useDeleteOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ _id: id }: Order) => {
      await api.userProduct[':id'].$delete({ param: { id } })
    },
    onSuccess: (_, { _id: id }) => {
      client.setQueriesData<ListPage<Order>>(
        { queryKey: ['orders'] },
        (page) => page && { ...page, rows: page.rows.filter((order) => order._id !== id) },
      )
    },
    // the cached lists are outdated either way; refetching the deleted order would only get a 404
    onSettled: (_, error, { _id: id }) => {
      void outdate(client, 'deleteOrder', error ? undefined : id)
    },
  })
}

/**
 * Whether the shop has refused this payment for good. The message explains what happens to the
 * money.
 */
export const isRefused = (error: Error | null): error is ApiError =>
  error instanceof ApiError && (error.code === 'ALREADY_PAID' || error.code === 'PAYMENT_REFUNDED')

/**
 * PATCH /order/{id}: reports the payment of an order. The order counts as confirming until the shop
 * accepts the payment; the webhook settles it even if this request never arrives.
 */
export function useReportPayment(order: Order) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (transactionId: string) => {
      const json = { order: order.product, transactionId }
      await (await api.order[':id'].$patch({ param: { id: order._id }, json })).json()
    },
    retry: (failures, error) => failures < 3 && !isRefused(error),
    retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
    onMutate: (transactionId) => {
      client.setQueryData(confirmingKey(order), transactionId)
    },
    onError: (error) => {
      if (isRefused(error)) client.removeQueries({ queryKey: confirmingKey(order) })
    },
    onSettled: () => {
      void outdate(client, 'reportPayment')
    },
  })
}
