import type Stripe from 'stripe'
import { newId } from './store.ts'

/** How a charge used its card: what the bank was told and what it checked. */
export function cardDetails(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  paid: boolean,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  const card = method.card
  const brand = card?.brand ?? null
  const checked = (check: string | null | undefined) => (check ? 'pass' : null)
  return {
    amount_authorized: paid ? intent.amount : null,
    authorization_code: paid ? newId('a', 6).slice(2).toUpperCase() : null,
    brand,
    checks: {
      address_line1_check: checked(card?.checks?.address_line1_check),
      address_postal_code_check: checked(card?.checks?.address_postal_code_check),
      cvc_check: checked(card?.checks?.cvc_check),
    },
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 1,
    exp_year: card?.exp_year ?? 1970,
    extended_authorization: { status: 'disabled' },
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: brand,
    network_token: { used: false },
    network_transaction_id: newId('n', 15).slice(2).toUpperCase(),
    overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: authenticated ? authenticatedBy3ds : null,
    transaction_link_id: null,
    wallet: null,
  }
}

const authenticatedBy3ds: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: null,
  version: '2.2.0',
}
