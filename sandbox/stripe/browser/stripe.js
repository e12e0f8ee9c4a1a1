import { call, unreachable } from './calls.js'
import { CardElement } from './card-element.js'
import { authenticate } from './challenge-dialog.js'

/** @typedef {import('./calls.js').Failure} Failure */
/** @typedef {import('./calls.js').Intent} Intent */
/** @typedef {{ paymentIntent: Intent } | { error: Failure }} Confirmed */

/** Creates the single card element and finds it again. */
function makeElements() {
  /** @type {CardElement | null} */
  let card = null
  return {
    create(/** @type {string} */ type, /** @type {import('./card-element.js').Options} */ options) {
      if (type !== 'card' || card) throw new Error('There is one Element here, of type card.')
      card = new CardElement(options, () => {
        card = null
      })
      return card
    },
    getElement: () => card,
  }
}

/**
 * Returns the intent when the error means success: Stripe.js refuses to confirm a paid intent
 * again.
 */
function alreadyPaid(/** @type {Failure} */ { payment_intent: intent, code }) {
  return code === 'payment_intent_unexpected_state' && intent?.status === 'succeeded'
    ? intent
    : undefined
}

/**
 * Runs the 3-D Secure dialog when the intent requires it, then reads the result.
 * @param {Intent} intent
 * @param {{ key: string, client_secret: string }} proof
 * @returns {Promise<Confirmed>}
 */
async function authenticated(intent, proof) {
  const source = intent.next_action?.use_stripe_sdk?.source
  if (intent.status !== 'requires_action' || !source) return { paymentIntent: intent }
  await authenticate(source)
  const after = await call('GET', `/v1/payment_intents/${intent.id}`, proof)
  if (after.error) return { error: after.error }
  if (after.status === 'succeeded') return { paymentIntent: after }
  return { error: { ...(after.last_payment_error ?? unreachable), payment_intent: after } }
}

/**
 * Simulates the calls of Stripe.js that the shop makes: `Stripe('pk_test_…')`. Errors are results,
 * not exceptions.
 */
function Stripe(/** @type {string} */ key) {
  return {
    elements: makeElements,
    /** @param {{ card: CardElement, billing_details: Record<string, string> }} method */
    createPaymentMethod: ({ card, billing_details }) =>
      card.createPaymentMethod(key, billing_details),
    /**
     * @param {string} clientSecret
     * @param {{ payment_method: string }} method
     * @returns {Promise<Confirmed>}
     */
    async confirmCardPayment(clientSecret, { payment_method }) {
      const [id] = clientSecret.split('_secret_')
      const proof = { key, client_secret: clientSecret }
      const fields = { ...proof, payment_method, use_stripe_sdk: 'true' }
      const intent = await call('POST', `/v1/payment_intents/${id}/confirm`, fields)
      if (!intent.error) return authenticated(intent, proof)
      const paid = alreadyPaid(intent.error)
      return paid ? { paymentIntent: paid } : { error: intent.error }
    },
    // Stripe's loader and React components check for these before they accept this as Stripe.js.
    createToken() {},
    registerAppInfo() {},
    _registerWrapper() {},
  }
}

Object.assign(window, { Stripe: Object.assign(Stripe, { version: 'endive' }) })
