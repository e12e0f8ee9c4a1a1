import { base, formPairs, IntegrationError, unreachable } from './api.js'
import { connect, makeFrame } from './connect.js'
import { Listeners, markStates } from './listeners.js'
import { style, themeOf } from './theme.js'

const patience = 15000
/** Below this width, in pixels, the fields stand in two rows (as in frame.css). */
const narrow = 416
let frames = 0

/** The card entry: a row of fields in a frame of its own. Digits stay in there. */
export class CardElement extends Listeners {
  #options = {}
  #change = {
    empty: true,
    complete: false,
    error: undefined,
    brand: 'unknown',
    value: { postalCode: '' },
  }
  #focused = false
  #destroyed = false
  /** @type {HTMLElement | null} */
  #place = null
  /** @type {HTMLIFrameElement | null} */
  #frame = null
  /** @type {MessagePort | null} */
  #port = null
  /** @type {Map<number, (result: object) => void>} */
  #waiting = new Map()
  #calls = 0
  #onDestroy

  constructor(options, /** @type {() => void} */ onDestroy) {
    super()
    this.#options = { ...options }
    this.#onDestroy = onDestroy
  }

  mount(/** @type {string | HTMLElement} */ target) {
    if (this.#destroyed) throw new IntegrationError('This Element has already been destroyed.')
    const place = typeof target === 'string' ? document.querySelector(target) : target
    if (!(place instanceof HTMLElement)) {
      throw new IntegrationError(
        `The selector you specified (${target}) applies to no DOM elements that are currently on the page.`,
      )
    }
    if (this.#place === place) return
    this.unmount()
    const made = makeFrame(`${base}/frame`, 'Secure card payment input frame')
    made.frame.name = `__privateStripeFrame${++frames}`
    style(made.frame, {
      display: 'block',
      width: '100%',
      height: '28px',
      border: '0',
      background: 'transparent',
      'color-scheme': 'light only',
    })
    const loading = setTimeout(() => this.#failToLoad(), patience)
    connect(made, (data, port) => this.#hear(data, port, loading))
    this.#place = place
    this.#frame = made.frame
    place.replaceChildren(made.frame)
    // The height it will have, so that nothing moves when it has loaded.
    if (made.frame.offsetWidth <= narrow) made.frame.style.height = '62px'
    this.#markPlace()
    this.emit('loaderstart')
  }

  unmount() {
    this.#settleAll({ error: { type: 'validation_error', message: 'The card entry was removed.' } })
    this.#port?.close()
    this.#frame?.remove()
    markStates(this.#place, this.#options.classes, {})
    this.#port = null
    this.#frame = null
    this.#place = null
  }

  destroy() {
    if (this.#destroyed) throw new IntegrationError('This Element has already been destroyed.')
    this.unmount()
    this.#destroyed = true
    this.#onDestroy()
  }

  update(options = {}) {
    this.#options = { ...this.#options, ...options }
    if (options.value === undefined) delete this.#options.value
    this.#sendOptions()
    this.#markPlace()
  }

  focus() {
    this.#frame?.focus()
    this.#port?.postMessage({ type: 'focus' })
  }

  blur() {
    this.#port?.postMessage({ type: 'blur' })
    this.#frame?.blur()
  }

  clear() {
    this.#port?.postMessage({ type: 'clear' })
  }

  /** Lets the frame send the card: `{ paymentMethod }` or `{ error }`. */
  createPaymentMethod(/** @type {string} */ key, billingDetails) {
    if (!this.#place) {
      throw new IntegrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      )
    }
    const id = ++this.#calls
    const billing = formPairs(billingDetails, 'billing_details')
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const send = () => this.#port?.postMessage({ type: 'create', id, key, billing })
      if (this.#port) send()
      else this.once('ready', send)
    })
  }

  #hear(data, /** @type {MessagePort} */ port, loading) {
    if (data.type === 'ready') {
      clearTimeout(loading)
      this.#port = port
      this.#sendOptions()
      this.emit('ready')
    }
    if (data.type === 'height' && this.#frame && data.height > 0) {
      this.#frame.style.height = `${data.height}px`
    }
    if (data.type === 'change') {
      this.#change = data.change
      this.emit('change', data.change)
    }
    if (data.type === 'focus' || data.type === 'blur') {
      this.#focused = data.type === 'focus'
      this.emit(data.type)
    }
    if (data.type === 'escape') this.emit('escape')
    if (data.type === 'submit') this.#place?.closest('form')?.requestSubmit()
    if (data.type === 'created') this.#settle(data.id, data.result)
    this.#markPlace()
  }

  #sendOptions() {
    if (!this.#place) return
    const { classes: _classes, ...options } = this.#options
    this.#port?.postMessage({
      type: 'options',
      options: { ...options, theme: themeOf(this.#place) },
    })
  }

  #failToLoad() {
    if (this.#destroyed || !this.#place) return
    this.#settleAll({ error: unreachable })
    this.emit('loaderror', { error: unreachable })
  }

  #settle(/** @type {number} */ id, /** @type {object} */ result) {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }

  #settleAll(/** @type {object} */ result) {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, result)
  }

  /** Classes on the place it is mounted in. */
  #markPlace() {
    const { complete, empty, error } = this.#change
    const states = { base: true, complete, empty, focus: this.#focused, invalid: error }
    markStates(this.#place, this.#options.classes, states)
  }
}
