import { CardFields } from './card-fields.js'
import { brandOf, digitsOf, expiryOf, problem } from './card-rules.js'
import { awaitParent } from './parent.js'

/**
 * What the surrounding page receives: states and outcomes, never digits.
 * @typedef {{ type: 'ready' | 'focus' | 'blur' | 'submit' }
 *   | { type: 'height', height: number }
 *   | { type: 'change', change: object }
 *   | { type: 'created', id: number, result: import('./card-element.js').Created }} FrameMessage
 */
/** @typedef {import('@stripe/stripe-js').StripeElementStyleVariant} Look */
/** @typedef {{ base?: Look, invalid?: Look }} Style */
/** @typedef {import('./card-element.js').Request} Request */
/** @typedef {{ type: 'options', options: { style?: Style } } | ({ type: 'create' } & Request)} PageMessage */

class CardForm {
  /** @type {Style} */
  style = {}
  sentChange = ''
  focused = false
  form = /** @type {HTMLFormElement} */ (document.querySelector('form'))
  icon = /** @type {HTMLElement} */ (document.querySelector('.brand'))
  spoken = /** @type {HTMLElement} */ (document.getElementById('problem'))

  constructor(/** @type {MessagePort} */ port) {
    this.port = port
    this.fields = new CardFields(this.form, () => this.refresh())
    port.onmessage = (/** @type {MessageEvent<PageMessage>} */ { data }) => {
      if (data.type === 'options') this.apply(data.options.style ?? {})
      else this.create(data)
    }
    this.listen()
    this.post({ type: 'ready' })
  }

  post(/** @type {FrameMessage} */ message) {
    this.port.postMessage(message)
  }

  listen() {
    const { form } = this
    const postFocus = () => {
      const now = document.hasFocus() && form.contains(document.activeElement)
      if (now !== this.focused) this.post({ type: now ? 'focus' : 'blur' })
      this.focused = now
    }
    form.addEventListener('submit', (event) => event.preventDefault())
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.post({ type: 'submit' })
    })
    form.addEventListener('focusin', postFocus)
    // While the focus moves from one field to another, no field has it for a moment.
    form.addEventListener('focusout', () => setTimeout(postFocus))
    window.addEventListener('blur', postFocus)
    new ResizeObserver(() => {
      this.post({ type: 'height', height: Math.ceil(form.getBoundingClientRect().height) })
    }).observe(form)
  }

  /** Sends a complete card to the payment service. */
  async create(/** @type {Request} */ { id, key, billing }) {
    const invalidField = this.fields.blameFirst()
    const result = invalidField ? { error: problem(invalidField) } : await this.send(key, billing)
    this.post({ type: 'created', id, result })
  }

  /**
   * @param {string} key
   * @param {Record<string, string>} billing
   * @returns {Promise<import('./card-element.js').Created>}
   */
  async send(key, billing) {
    const expiry = expiryOf(this.fields.value('expiry'))
    const body = new URLSearchParams({
      key,
      type: 'card',
      'card[number]': digitsOf(this.fields.value('number')),
      'card[exp_month]': String(expiry?.month),
      'card[exp_year]': String(expiry?.year),
      'card[cvc]': digitsOf(this.fields.value('cvc')),
      'billing_details[address][postal_code]': this.fields.value('postal').trim(),
    })
    for (const [name, value] of Object.entries(billing)) body.set(`billing_details[${name}]`, value)
    try {
      const answer = await fetch('v1/payment_methods', { method: 'POST', body })
      const result = await answer.json()
      return answer.ok ? { paymentMethod: result } : { error: result.error }
    } catch {
      return {
        error: {
          type: 'api_connection_error',
          message: 'We could not reach the payment service. Check your connection and try again.',
        },
      }
    }
  }

  apply(/** @type {Style} */ style) {
    this.style = style
    const { base = {} } = style
    this.form.style.fontFamily = base.fontFamily ?? ''
    this.form.style.fontSize = base.fontSize ?? ''
    this.form.style.color = base.color ?? ''
    this.form.style.setProperty('--icon', base.iconColor ?? 'currentColor')
    this.form.style.setProperty('--placeholder', base['::placeholder']?.color ?? 'currentColor')
    this.refresh()
  }

  /** Repaints, and notifies the page when its part of the state has changed. */
  refresh() {
    const { all } = this.fields
    const { brand } = brandOf(this.fields.value('number'))
    const [firstProblem] = all.flatMap(({ visibleProblem }) => visibleProblem ?? [])
    if (this.icon.dataset.brand !== brand) drawBrand(this.icon, brand)
    for (const { input, visibleProblem } of all) {
      const invalid = visibleProblem !== undefined
      input.style.color = (invalid && this.style.invalid?.color) || ''
      input.setAttribute('aria-invalid', String(invalid))
    }
    const error = firstProblem && problem(firstProblem)
    this.spoken.textContent = error?.message ?? ''
    const empty = all.every(({ value }) => value === '')
    const complete = all.every((field) => !field.problem)
    const change = { brand, complete, empty, error }
    const text = JSON.stringify(change)
    // the page assumes an empty card until a change arrives; one may have been typed before this
    // script had loaded
    const isChanged = this.sentChange === '' ? !empty : text !== this.sentChange
    if (isChanged) this.post({ type: 'change', change })
    this.sentChange = text
  }
}

/** @type {Record<string, { fill: string, word: string, size: number }>} */
const marks = {
  visa: { fill: '#1a1f71', word: 'VISA', size: 9.5 },
  mastercard: { fill: '#252525', word: 'MC', size: 10 },
  amex: { fill: '#006fcf', word: 'AMEX', size: 8 },
  discover: { fill: '#e55c20', word: 'DISC', size: 8 },
  jcb: { fill: '#0b7c3f', word: 'JCB', size: 9.5 },
  diners: { fill: '#0a5b99', word: 'DINERS', size: 6 },
  unionpay: { fill: '#0a6d6e', word: 'UPay', size: 8 },
}

/** Draws the brand's name on a coloured card, or an outlined card while the brand is unknown. */
function drawBrand(/** @type {HTMLElement} */ holder, /** @type {string} */ brand) {
  holder.dataset.brand = brand
  const mark = marks[brand]
  const picture = element('svg', { viewBox: '0 0 32 22', width: '32', height: '22' })
  const card = element('rect', { x: '1', y: '1', width: '30', height: '20', rx: '3.5' })
  card.style.fill = mark?.fill ?? 'none'
  picture.append(card)
  if (mark) {
    const word = element('text', {
      x: '16',
      y: String(11 + mark.size * 0.36),
      fill: '#fff',
      'text-anchor': 'middle',
      'font-family': 'Arial, sans-serif',
      'font-weight': '700',
      'font-size': String(mark.size),
    })
    word.textContent = mark.word
    picture.append(word)
  } else {
    card.style.stroke = 'currentColor'
    card.style.strokeWidth = '1.5'
    const stripe = { x: '1', y: '6', width: '30', height: '4', fill: 'currentColor' }
    const chip = { x: '5', y: '14', width: '8', height: '2', fill: 'currentColor' }
    picture.append(element('rect', stripe), element('rect', chip))
  }
  holder.replaceChildren(picture)
}

/**
 * @param {'svg' | 'rect' | 'text'} name
 * @param {Record<string, string>} attributes
 */
function element(name, attributes) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  return node
}

awaitParent((port) => new CardForm(port))
