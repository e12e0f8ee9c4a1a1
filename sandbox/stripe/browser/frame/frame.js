import { createPaymentMethod } from './card-request.js'
import { brandOf, problem } from './card-rules.js'
import { awaitParent } from './connect.js'
import { CardFields } from './fields.js'
import { drawBrand, paintField, paintRow } from './paint.js'

/** The card entry in its frame. The page around learns states and outcomes, never digits. */
class CardForm {
  options = { theme: 'light' }
  told = ''
  focused = false
  form = /** @type {HTMLFormElement} */ (document.querySelector('form'))
  icon = /** @type {HTMLElement} */ (document.querySelector('.brand'))
  spoken = /** @type {HTMLElement} */ (document.getElementById('problem'))

  constructor(/** @type {MessagePort} */ port) {
    this.port = port
    this.fields = new CardFields(this.form, () => this.refresh())
    port.onmessage = ({ data }) => this.obey(data)
    this.listen()
    port.postMessage({ type: 'ready' })
  }

  obey(data) {
    if (data.type === 'options') this.apply(data.options)
    if (data.type === 'focus') this.fields.all[0].input.focus()
    if (data.type === 'blur') document.activeElement?.blur()
    if (data.type === 'clear') this.fields.clear()
    if (data.type === 'create') {
      createPaymentMethod(this.fields, data).then((result) =>
        this.port.postMessage({ type: 'created', id: data.id, result }),
      )
    }
  }

  listen() {
    const { form, port } = this
    const tellFocus = () => {
      const now = document.hasFocus() && form.contains(document.activeElement)
      if (now !== this.focused) port.postMessage({ type: now ? 'focus' : 'blur' })
      this.focused = now
    }
    form.addEventListener('submit', (event) => event.preventDefault())
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') port.postMessage({ type: 'escape' })
      if (event.key === 'Enter') port.postMessage({ type: 'submit' })
    })
    form.addEventListener('focusin', tellFocus)
    // Between two fields nothing has the focus for a moment.
    form.addEventListener('focusout', () => setTimeout(tellFocus))
    window.addEventListener('blur', tellFocus)
    new ResizeObserver(() => {
      port.postMessage({ type: 'height', height: Math.ceil(form.getBoundingClientRect().height) })
    }).observe(form)
  }

  apply(options) {
    this.options = options
    paintRow(this.form, options)
    this.icon.hidden = options.hideIcon === true
    for (const field of this.fields.all) {
      field.hidden = field.name === 'postal' && options.hidePostalCode === true
      field.input.hidden = field.hidden
      field.input.disabled = options.disabled === true
    }
    const postal = this.fields.field('postal')
    const preset = options.value?.postalCode
    if (postal && typeof preset === 'string') postal.input.value = preset
    this.refresh()
  }

  /** Paints, and tells the page when something it may know has changed. */
  refresh() {
    const { shown } = this.fields
    const { brand } = brandOf(this.fields.value('number'))
    const fault = shown.map(({ visibleFault }) => visibleFault).find(Boolean)
    this.paint(brand)
    this.spoken.textContent = fault ? problem(fault).message : ''
    const change = {
      brand,
      complete: shown.every((field) => !field.fault),
      empty: shown.every(({ value }) => value === ''),
      error: fault ? problem(fault) : undefined,
      value: { postalCode: this.fields.value('postal') },
    }
    const text = JSON.stringify(change)
    // the page takes a card that it heard nothing of for empty; one may have been typed before this script came
    const isNews = this.told === '' ? !change.empty : text !== this.told
    if (isNews) this.port.postMessage({ type: 'change', change })
    this.told = text
  }

  paint(/** @type {string} */ brand) {
    if (this.icon.dataset.brand !== brand) drawBrand(this.icon, brand)
    this.icon.dataset.brand = brand
    for (const { input, value, fault, visibleFault } of this.fields.shown) {
      const focused = document.activeElement === input
      const invalid = visibleFault !== undefined
      paintField(input, this.options, { focused, empty: value === '', complete: !fault, invalid })
      input.setAttribute('aria-invalid', String(invalid))
    }
  }
}

awaitParent((port) => new CardForm(port))
