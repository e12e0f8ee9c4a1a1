import { call, formPairs, IntegrationError, unreachable } from './api.js'
import { CardElement } from './card-element.js'
import { authenticate } from './challenge.js'

/** Splits a client secret; a value of another form is the page's mistake. */
function intentOf(/** @type {string} */ clientSecret, /** @type {string} */ name) {
  const id = /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret)?.[1]
  if (id) return id
  throw new IntegrationError(
    `Invalid value for ${name} intent secret: value should be a client secret of the form \${id}_secret_\${secret}. You specified: ${clientSecret}.`,
  )
}

/** Stripe.js refuses repeated confirmation of a paid intent with an error that means success. */
function alreadyPaid(error) {
  const { payment_intent: intent, code } = error
  const paid = code === 'payment_intent_unexpected_state' && intent?.status === 'succeeded'
  return paid ? intent : undefined
}

/** Payments by one publishable key, in the shapes of Stripe.js: errors are results, not exceptions. */
export class Payments {
  #key

  constructor(/** @type {string} */ key) {
    this.#key = key
  }

  async createPaymentMethod({ type = 'card', card, billing_details } = {}) {
    if (type !== 'card') throw new IntegrationError(`The type ${type} is not supported here.`)
    if (card instanceof CardElement) return card.createPaymentMethod(this.#key, billing_details)
    if (typeof card?.token !== 'string') {
      throw new IntegrationError('Missing card: pass the card Element or a token.')
    }
    const result = await this.#call('POST', '/v1/payment_methods', [
      ['type', 'card'],
      ['card[token]', card.token],
      ...formPairs(billing_details, 'billing_details'),
    ])
    return result.error ? { error: result.error } : { paymentMethod: result }
  }

  async confirmCardPayment(/** @type {string} */ clientSecret, data = {}, options = {}) {
    const id = intentOf(clientSecret, 'stripe.confirmCardPayment')
    const method = await this.#methodFor(data.payment_method)
    if (method.error) return { error: method.error }
    const pairs = [
      ['client_secret', clientSecret],
      ['use_stripe_sdk', 'true'],
      ...formPairs(method.id, 'payment_method'),
      ...formPairs(data.receipt_email, 'receipt_email'),
      ...formPairs(data.return_url, 'return_url'),
    ]
    const intent = await this.#call('POST', `/v1/payment_intents/${id}/confirm`, pairs)
    if (intent.error) {
      const paid = alreadyPaid(intent.error)
      return paid ? { paymentIntent: paid } : { error: intent.error }
    }
    return options.handleActions === false
      ? { paymentIntent: intent }
      : this.#act(clientSecret, intent)
  }

  async retrievePaymentIntent(/** @type {string} */ clientSecret) {
    return this.#retrieve(clientSecret, intentOf(clientSecret, 'stripe.retrievePaymentIntent'))
  }

  async handleNextAction({ clientSecret }) {
    const id = intentOf(clientSecret, 'stripe.handleNextAction')
    const result = await this.#retrieve(clientSecret, id)
    return result.error ? result : this.#act(clientSecret, result.paymentIntent)
  }

  #call(method, path, pairs) {
    return call(method, path, [['key', this.#key], ...pairs])
  }

  async #methodFor(given) {
    if (given === undefined || typeof given === 'string') return { id: given }
    const made = await this.createPaymentMethod({ type: 'card', ...given })
    return made.error ? made : { id: made.paymentMethod.id }
  }

  async #retrieve(clientSecret, id) {
    const pairs = [['client_secret', clientSecret]]
    const intent = await this.#call('GET', `/v1/payment_intents/${id}`, pairs)
    return intent.error ? { error: intent.error } : { paymentIntent: intent }
  }

  /** Runs the 3-D Secure dialog when the intent asks for it, then reads what came of it. */
  async #act(clientSecret, intent) {
    const source = intent.next_action?.use_stripe_sdk?.source
    if (intent.status !== 'requires_action' || !source) return { paymentIntent: intent }
    await authenticate(source)
    const result = await this.#retrieve(clientSecret, intent.id)
    if (result.error || result.paymentIntent.status === 'succeeded') return result
    const { paymentIntent } = result
    const reason = paymentIntent.last_payment_error ?? unreachable
    return { error: { ...reason, payment_intent: paymentIntent } }
  }
}
