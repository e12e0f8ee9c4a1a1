import type { PaymentIntent, Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js'
import type { Order } from '#contracts/orders.ts'

/** What the card provider says about a payment that did not go through, in its words. */
export class CardError extends Error {
  /** The payment was cancelled meanwhile: it needs a new client secret. */
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
 * Charges the card: makes a payment method of it and confirms the payment, 3-D Secure included.
 * @returns the payment, which has succeeded or is being processed
 * @throws CardError with the provider's message
 */
export async function chargeCard({
  stripe,
  card,
  clientSecret,
  payer,
}: Charge): Promise<PaymentIntent> {
  const method = await stripe.createPaymentMethod({
    type: 'card',
    card,
    billing_details: { name: payer.customer, email: payer.email },
  })
  if (method.error) throw new CardError(method.error)
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret, {
    payment_method: method.paymentMethod.id,
  })
  // an earlier try got through although its answer did not
  if (error?.payment_intent?.status === 'succeeded') return error.payment_intent
  if (error) throw new CardError(error)
  return paymentIntent
}
