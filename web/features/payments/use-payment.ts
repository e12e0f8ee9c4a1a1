import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order } from '#contracts/orders.ts'
import {
  clientSecretQuery,
  confirmingTransaction,
  isRefused,
  useClaimPayment,
} from '#web/features/orders/queries.ts'
import { CardError, chargeCard } from './charge-card.ts'

/**
 * The payment of one order, from its client secret to the shop's word that it is paid.
 * `stage`: `form` until the card is charged; `confirming` until the shop agrees; `refused` when it never will and the
 * money goes back; `paid`.
 */
export function usePayment(order: Order) {
  const client = useQueryClient()
  const known = confirmingTransaction(client, order._id)
  // a price that the user agreed to becomes the order's own in a moment
  const [agreed, agreeTo] = useState(order.totalPrice)
  const secret = useQuery({
    ...clientSecretQuery(order._id, agreed),
    enabled: ({ state }) => !order.paid && !(known && state.data === undefined),
  })
  const claim = useClaimPayment(order)
  const charge = useMutation({
    mutationFn: chargeCard,
    onSuccess: ({ id }) => claim.mutate(id),
    onError: (error) => {
      if (error instanceof CardError && error.isStale) void secret.refetch()
    },
  })
  const transactionId = order.transactionId ?? charge.data?.id ?? known
  const stage = () => {
    if (order.paid || claim.isSuccess) return 'paid'
    if (isRefused(claim.error)) return 'refused'
    return transactionId ? 'confirming' : 'form'
  }
  return { secret, charge, claim, transactionId, agreed, agreeTo, stage: stage() } as const
}

export type Payment = ReturnType<typeof usePayment>
