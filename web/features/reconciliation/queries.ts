import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PaymentSpan } from '#contracts/lists.ts'
import type { RepairRequest } from '#contracts/reconciliation.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'
import { toast } from '#web/lib/toasts/toast.ts'

/**
 * The comparison with the card provider. It fetches a month of payments there, so it runs only on
 * an admin's request.
 */
export const reconciliationQuery = () =>
  queryOptions({
    queryKey: ['money'],
    queryFn: async ({ signal }) => (await api.money.$get({}, { init: { signal } })).json(),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** Payments and refunds on these days. */
export const paymentSumsQuery = (days: PaymentSpan) =>
  queryOptions({
    queryKey: ['money', 'sums', days],
    queryFn: async ({ signal }) =>
      (await api.payments.sums.$get({ query: days }, { init: { signal } })).json(),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

/** The oldest order, if there is one. */
export const oldestOrderQuery = () =>
  queryOptions({
    queryKey: ['all-orders', 'oldest'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'oldest', limit: 1 } as const
      return (await api.allOrders.$get({ query }, { init: { signal } })).json()
    },
  })

/** Repairs one issue, shows the result and compares again. */
export function useRepair(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (json: RepairRequest) => (await api.money.repair.$post({ json })).json(),
    onError: (error) => void toast('error', error.message),
    onSuccess: ({ done, outcome }) => void toast(done ? 'success' : 'warning', outcome),
    async onSettled(answer) {
      await outdate(client, 'repairIssue')
      if (answer?.done) onDone()
    },
  })
}
