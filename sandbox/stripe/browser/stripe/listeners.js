/** @typedef {(event: object) => void} Listener */

/** Listeners by event name; calls chain as in Stripe.js. */
export class Listeners {
  /** @type {Map<string, Set<Listener>>} */
  #byName = new Map()

  on(/** @type {string} */ name, /** @type {Listener} */ listener) {
    const known = this.#byName.get(name) ?? new Set()
    this.#byName.set(name, known.add(listener))
    return this
  }

  once(/** @type {string} */ name, /** @type {Listener} */ listener) {
    const first = (/** @type {object} */ event) => {
      this.off(name, first)
      listener(event)
    }
    return this.on(name, first)
  }

  off(/** @type {string} */ name, /** @type {Listener | undefined} */ listener) {
    if (listener) this.#byName.get(name)?.delete(listener)
    else this.#byName.delete(name)
    return this
  }

  emit(/** @type {string} */ name, details = {}) {
    const event = { elementType: 'card', ...details }
    for (const listener of [...(this.#byName.get(name) ?? [])]) listener(event)
  }
}

const words = (/** @type {string} */ names) => names.split(/\s+/).filter(Boolean)

const classNames = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
}

/** Sets the classes of each state on the element's place, so that the page can draw its border. */
export function markStates(/** @type {HTMLElement | null} */ place, own, states) {
  for (const [state, names] of Object.entries({ ...classNames, ...own })) {
    for (const name of words(names)) place?.classList.toggle(name, Boolean(states[state]))
  }
}
