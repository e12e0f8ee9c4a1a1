import type { PaymentIntent, Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Checkout } from '#contracts/checkouts.ts'
import { sumOfTotals } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import {
  clientSecretQuery,
  confirmingTransaction,
  isRefused,
  useReportPayment,
} from '#web/features/orders/queries.ts'

/**
 * The payment of an order's checkout, from its client secret to the shop's confirmation that it is
 * paid. `stage`: `form` until the card is charged; `confirming` until the shop agrees; `refused`
 * when it never will and the money goes back; `paid`.
 */
export function usePayment(order: Order, checkout: Checkout) {
  const client = useQueryClient()
  const confirmingId = confirmingTransaction(client, order)
  // the order takes over the price that the user agreed to a moment later
  const [agreed, agreeTo] = useState({
    totalPrice: sumOfTotals(checkout.orders),
    due: checkout.due,
  })
  const secret = useQuery({
    ...clientSecretQuery(order._id, agreed),
    enabled: ({ state }) => !order.paid && !(confirmingId && state.data === undefined),
  })
  const reportPayment = useReportPayment(order)
  const charge = useMutation({
    mutationFn: chargeCard,
    onSuccess: ({ id }) => reportPayment.mutate(id),
    onError: (error) => {
      if (error instanceof CardError && error.isStale) void secret.refetch()
    },
  })
  const transactionId = order.transactionId ?? charge.data?.id ?? confirmingId
  const stage = () => {
    if (order.paid || reportPayment.isSuccess) return 'paid'
    if (isRefused(reportPayment.error)) return 'refused'
    return transactionId ? 'confirming' : 'form'
  }
  return { secret, charge, reportPayment, transactionId, agreed, agreeTo, stage: stage() } as const
}

export type Payment = ReturnType<typeof usePayment>

/** The card provider's own message about a failed payment. */
export class CardError extends Error {
  /** The payment was cancelled meanwhile and needs a new client secret. */
  readonly isStale: boolean

  constructor(error: StripeError) {
    super(error.message ?? 'The card could not be charged. Check it and try again.')
    this.isStale = error.payment_intent?.status === 'canceled'
  }
}

type Charge = {
  stripe: Stripe
  card: StripeCardElement
  clientSecret: string
  payer: Pick<Order, 'customer' | 'email'>
}

/**
 * Charges the card: creates a payment method and confirms the payment, including 3-D Secure.
 * @returns the payment, which has succeeded or is being processed
 * @throws CardError with the provider's message
 */
async function chargeCard({ stripe, card, clientSecret, payer }: Charge): Promise<PaymentIntent> {
  const method = await stripe.createPaymentMethod({
    type: 'card',
    card,
    billing_details: { name: payer.customer, email: payer.email },
  })
  if (method.error) throw new CardError(method.error)
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret, {
    payment_method: method.paymentMethod.id,
  })
  // an earlier attempt succeeded but its response was lost
  if (error?.payment_intent?.status === 'succeeded') return error.payment_intent
  if (error) throw new CardError(error)
  return paymentIntent
}
