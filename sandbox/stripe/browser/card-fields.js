import { check, digitsOf, formats } from './card-rules.js'

/** @typedef {import('./card-rules.js').FieldName} FieldName */

/** @type {[FieldName, string][]} */
const names = [
  ['number', 'cardnumber'],
  ['expiry', 'exp-date'],
  ['cvc', 'cvc'],
  ['postal', 'postal'],
]

/** One input: its value, whether it was left incomplete, and its problem. */
class Field {
  left = false
  /**
   * Whether sending the card failed because of it; then it is marked invalid even while the
   * customer types.
   */
  blamed = false

  /**
   * @param {FieldName} name
   * @param {HTMLInputElement} input
   * @param {() => string} number
   */
  constructor(name, input, number) {
    this.name = name
    this.input = input
    this.number = number
  }

  get value() {
    return this.input.value
  }

  get problem() {
    return check(this.name, this.value, this.number())
  }

  /** The problem to show: input that can no longer become valid, or that was left incomplete. */
  get visibleProblem() {
    const { problem } = this
    if (this.blamed) return problem
    if (!problem || (this.value === '' && !this.left)) return undefined
    const typing = !this.left || document.activeElement === this.input
    return problem.startsWith('incomplete') && typing ? undefined : problem
  }

  /** Formats the input and keeps the caret behind the same digit. */
  format(/** @type {boolean} */ erasing) {
    const { input, name } = this
    const caret = input.selectionEnd ?? input.value.length
    const atEnd = caret === input.value.length
    const digitsBefore = digitsOf(input.value.slice(0, caret)).length
    // Erasing the slash of "12 / " also erases the digit before it.
    const bare = name === 'expiry' && erasing && /^\d\d ?\/?$/.test(input.value)
    const text = formats[name](bare ? input.value.slice(0, 1) : input.value, this.number())
    if (text === input.value) return
    input.value = text
    if (atEnd || name === 'postal') return
    let at = 0
    for (let digitCount = 0; at < text.length && digitCount < digitsBefore; at++) {
      if (/\d/.test(text[at] ?? '')) digitCount++
    }
    input.setSelectionRange(at, at)
  }
}

/** The four inputs of a card. Calls `changed` after each change of value or focus. */
export class CardFields {
  constructor(/** @type {HTMLFormElement} */ form, /** @type {() => void} */ changed) {
    this.changed = changed
    /** @type {Field[]} */
    this.all = names.map(([name, id]) => {
      const input = /** @type {HTMLInputElement} */ (form.elements.namedItem(id))
      return new Field(name, input, () => this.value('number'))
    })
    for (const field of this.all) {
      this.listen(field)
      // typed before this script had loaded
      if (field.value !== '') field.format(false)
    }
  }

  value(/** @type {FieldName} */ name) {
    return this.all.find((field) => field.name === name)?.value ?? ''
  }

  listen(/** @type {Field} */ field) {
    const { input } = field
    input.addEventListener('input', (event) => {
      field.blamed = false
      const erasing = event instanceof InputEvent && event.inputType.startsWith('delete')
      field.format(erasing)
      this.changed()
      const atEnd = input.selectionEnd === input.value.length
      if (atEnd && !erasing && !field.problem) this.goOn(field)
    })
    input.addEventListener('keydown', (event) => {
      const before = this.all[this.all.indexOf(field) - 1]
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

  /** Moves to the next incomplete field. */
  goOn(/** @type {Field} */ field) {
    if (document.activeElement !== field.input || field.name === 'postal') return
    const later = this.all.slice(this.all.indexOf(field) + 1)
    later.find(({ problem }) => problem)?.input.focus()
  }

  /** Focuses the first invalid field and shows its problem. @returns the problem */
  blameFirst() {
    const field = this.all.find(({ problem }) => problem)
    if (!field) return undefined
    const { problem } = field
    field.blamed = true
    field.input.focus()
    this.changed()
    return problem
  }
}
