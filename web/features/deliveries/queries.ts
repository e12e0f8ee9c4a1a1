import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewDelivery, Receipt } from '#contracts/deliveries.ts'
import type { DeliveryFilter, DeliveryList } from '#contracts/lists.ts'
import { api } from '#web/lib/api.ts'
import { countQuery, pageQuery, rowsAsked } from '#web/lib/lists/list-page.ts'
import { outdate } from '#web/lib/outdated.ts'

/** One page of the deliveries, refetched each time an admin opens it. */
export const deliveriesQuery = (filter: DeliveryList) =>
  pageQuery('deliveries', filter, (options) =>
    api.deliveries.$get({ query: { ...filter, limit: rowsAsked } }, options),
  )

export const deliveriesCountQuery = (filter: DeliveryFilter) =>
  countQuery('deliveries', filter, (options) =>
    api.deliveries.count.$get({ query: filter }, options),
  )

/** One delivery. Refetched on focus, because another admin may receive it. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: async () => (await api.delivery[':id'].$get({ param: { id } })).json(),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** Search results to choose a part from. */
export const partsToChooseQuery = (q: string) =>
  queryOptions({
    queryKey: ['products', 'to choose', q],
    queryFn: async ({ signal }) =>
      (
        await api.products.$get({ query: { q, limit: 8, sort: 'shop' } }, { init: { signal } })
      ).json(),
    enabled: q !== '',
  })

/** POST /delivery. Returns the new delivery's id. */
export function useAddDelivery() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (delivery: NewDelivery) =>
      (await (await api.delivery.$post({ json: delivery })).json()).insertedId,
    onSuccess: () => outdate(client, 'addDelivery'),
  })
}

/** POST /delivery/{id}/receive */
export function useReceive(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (receipt: Receipt) => {
      await api.delivery[':id'].receive.$post({ param: { id }, json: receipt })
    },
    onSettled: () => outdate(client, 'receiveDelivery'),
  })
}

/** POST /delivery/{id}/cancel */
export function useCancelRest(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await api.delivery[':id'].cancel.$post({ param: { id } })
    },
    onSettled: () => outdate(client, 'cancelDelivery'),
  })
}
