import { check } from './card-rules.js'
import { reformat } from './formats.js'

const names = { number: 'cardnumber', expiry: 'exp-date', cvc: 'cvc', postal: 'postal' }

/** One input: its value, whether it was left incomplete, and what is wrong with it. */
class Field {
  left = false
  /** Whether sending the card failed at it: then it is wrong although somebody is typing there. */
  blamed = false
  hidden = false

  constructor(name, /** @type {HTMLInputElement} */ input, /** @type {() => string} */ number) {
    this.name = name
    this.input = input
    this.number = number
  }

  get value() {
    return this.input.value
  }

  get fault() {
    return check(this.name, this.value, this.number())
  }

  /** What to show as wrong: what can no longer become right, and what was left incomplete. */
  get visibleFault() {
    const { fault } = this
    if (this.blamed) return fault
    if (!fault || (this.value === '' && !this.left)) return undefined
    const typing = !this.left || document.activeElement === this.input
    return fault.startsWith('incomplete') && typing ? undefined : fault
  }
}

/** The four inputs of a card. Calls `changed` after each change of value or focus. */
export class CardFields {
  constructor(/** @type {HTMLFormElement} */ form, /** @type {() => void} */ changed) {
    this.changed = changed
    this.all = Object.entries(names).map(
      ([name, id]) => new Field(name, form.elements.namedItem(id), () => this.value('number')),
    )
    for (const field of this.all) this.listen(field)
    // typed before this script came
    for (const { input, name, value } of this.all) {
      if (value !== '') reformat(input, name, this.value('number'), false)
    }
  }

  get shown() {
    return this.all.filter(({ hidden }) => !hidden)
  }

  field(/** @type {keyof typeof names} */ name) {
    return this.all.find((field) => field.name === name)
  }

  value(/** @type {keyof typeof names} */ name) {
    return this.field(name)?.value ?? ''
  }

  listen(/** @type {Field} */ field) {
    const { input, name } = field
    input.addEventListener('input', (event) => {
      field.blamed = false
      const erasing = event instanceof InputEvent && (event.inputType ?? '').startsWith('delete')
      reformat(input, name, this.value('number'), erasing)
      this.changed()
      const atEnd = input.selectionEnd === input.value.length
      if (atEnd && !erasing && !field.fault) this.goOn(field)
    })
    input.addEventListener('keydown', (event) => {
      const before = this.shown[this.shown.indexOf(field) - 1]
      if (event.key !== 'Backspace' || input.value !== '' || !before) return
      event.preventDefault()
      before.input.focus()
    })
    input.addEventListener('focus', () => this.changed())
    input.addEventListener('blur', () => {
      field.left ||= input.value !== ''
      this.changed()
    })
  }

  /** Moves on to the next field that is not complete. */
  goOn(/** @type {Field} */ field) {
    if (document.activeElement !== field.input || field.name === 'postal') return
    const { shown } = this
    shown.find((other, at) => at > shown.indexOf(field) && other.fault)?.input.focus()
  }

  /** The first thing that keeps the card from being sent; shows it and goes there. */
  firstFault() {
    const field = this.shown.find(({ fault }) => fault)
    if (!field) return undefined
    const { fault } = field
    field.blamed = true
    field.input.focus()
    this.changed()
    return fault
  }

  clear() {
    for (const field of this.all) {
      field.input.value = ''
      field.left = false
      field.blamed = false
    }
    this.changed()
  }
}
