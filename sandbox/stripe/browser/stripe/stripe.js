import { IntegrationError } from './api.js'
import { makeElements } from './elements.js'
import { Payments } from './payments.js'

/** Stands in for Stripe.js: `Stripe('pk_test_…')`, also with `new`. */
function Stripe(/** @type {string} */ publishableKey) {
  if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_test_')) {
    throw new IntegrationError('Please call Stripe() with your publishable test key.')
  }
  const payments = new Payments(publishableKey)
  return {
    elements: () => makeElements(),
    createPaymentMethod: (data) => payments.createPaymentMethod(data),
    confirmCardPayment: (secret, data, options) =>
      payments.confirmCardPayment(secret, data, options),
    retrievePaymentIntent: (secret) => payments.retrievePaymentIntent(secret),
    handleNextAction: (options) => payments.handleNextAction(options),
    createToken() {
      throw new IntegrationError('createToken is not supported here; use createPaymentMethod.')
    },
    registerAppInfo() {},
    _registerWrapper() {},
  }
}

Stripe.version = 'endive'
window.Stripe = Stripe
