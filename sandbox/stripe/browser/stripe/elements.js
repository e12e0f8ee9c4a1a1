import { IntegrationError } from './api.js'
import { CardElement } from './card-element.js'

/** What `stripe.elements()` gives: makes the one card element and finds it again. */
export function makeElements() {
  /** @type {CardElement | null} */
  let card = null
  return {
    create(/** @type {string} */ type, options = {}) {
      if (type !== 'card') throw new IntegrationError(`The ${type} Element is not supported here.`)
      if (card) throw new IntegrationError('Can only create one Element of type card.')
      card = new CardElement(options, () => {
        card = null
      })
      return card
    },
    /** By type, or by the React component of that type. */
    getElement(wanted) {
      const type = typeof wanted === 'function' ? wanted.__elementType : wanted
      return type === 'card' ? card : null
    },
    update() {},
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  }
}
