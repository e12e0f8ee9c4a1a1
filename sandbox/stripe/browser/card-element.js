import { base, unreachable } from './calls.js'
import { makeFrame, style } from './frames.js'

/**
 * @typedef {import('./calls.js').Failure} Failure
 * @typedef {{ paymentMethod: { id: string }, error?: undefined } | { error: Failure }} Created
 * @typedef {{ id: number, key: string, billing: Record<string, string> }} Request
 * @typedef {import('./card-frame.js').FrameMessage} FrameMessage
 * @typedef {import('@stripe/stripe-js').StripeCardElementOptions} Options
 * @typedef {(event: object) => void} Listener
 */

const timeoutMs = 15_000
/** The width in pixels below which the fields use two rows, as in card-frame.css. */
const narrow = 416

/** The card entry: a row of fields in its own frame. The digits never reach the page. */
export class CardElement {
  /** @type {Options} */
  #options
  /** @type {Map<string, Set<Listener>>} */
  #listeners = new Map()
  /** @type {HTMLIFrameElement | null} */
  #frame = null
  /** @type {MessagePort | null} */
  #port = null
  /** @type {Map<number, (result: Created) => void>} */
  #waiting = new Map()
  /** @type {Request[]} requests from before the frame was ready */
  #unsent = []
  #calls = 0
  #onDestroy

  constructor(/** @type {Options} */ options, /** @type {() => void} */ onDestroy) {
    this.#options = options
    this.#onDestroy = onDestroy
  }

  on(/** @type {string} */ name, /** @type {Listener} */ listener) {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return this
  }

  off(/** @type {string} */ name, /** @type {Listener} */ listener) {
    this.#listeners.get(name)?.delete(listener)
    return this
  }

  #emit(/** @type {string} */ name, details = {}) {
    const event = { elementType: 'card', ...details }
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event)
  }

  mount(/** @type {HTMLElement} */ place) {
    const title = 'Secure card payment input frame'
    const frame = makeFrame(`${base}/frame`, title, this.#receive.bind(this))
    frame.name = '__privateStripeFrame'
    style(frame, { height: '28px', background: 'transparent' })
    this.#frame = frame
    place.replaceChildren(frame)
    // The final height, so that nothing moves when the frame has loaded.
    if (frame.offsetWidth <= narrow) frame.style.height = '62px'
  }

  update(/** @type {Options} */ options) {
    this.#options = { ...this.#options, ...options }
    this.#port?.postMessage({ type: 'options', options: this.#options })
  }

  destroy() {
    const removed = { type: 'validation_error', message: 'The card entry was removed.' }
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { error: removed })
    this.#port?.close()
    this.#frame?.remove()
    this.#onDestroy()
  }

  /**
   * Lets the frame send the card.
   * @param {string} key
   * @param {Record<string, string>} billing
   * @returns {Promise<Created>}
   */
  createPaymentMethod(key, billing) {
    const request = { id: ++this.#calls, key, billing }
    return new Promise((resolve) => {
      this.#waiting.set(request.id, resolve)
      if (this.#port) return this.#send(request)
      this.#unsent.push(request)
      setTimeout(() => this.#port ?? this.#settle(request.id, { error: unreachable }), timeoutMs)
    })
  }

  #send(/** @type {Request} */ request) {
    this.#port?.postMessage({ type: 'create', ...request })
  }

  #settle(/** @type {number} */ id, /** @type {Created} */ result) {
    this.#waiting.get(id)?.(result)
    this.#waiting.delete(id)
  }

  #receive(/** @type {FrameMessage} */ message, /** @type {MessagePort} */ port) {
    if (message.type === 'ready') {
      this.#port = port
      this.update({})
      for (const request of this.#unsent.splice(0)) this.#send(request)
      this.#emit('ready')
    }
    if (message.type === 'height' && message.height > 0 && this.#frame) {
      this.#frame.style.height = `${message.height}px`
    }
    if (message.type === 'change') this.#emit('change', message.change)
    if (message.type === 'focus' || message.type === 'blur') this.#emit(message.type)
    if (message.type === 'submit') this.#frame?.closest('form')?.requestSubmit()
    if (message.type === 'created') this.#settle(message.id, message.result)
  }
}
