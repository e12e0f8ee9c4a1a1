import { brandOf, digitsOf } from './card-rules.js'

/** `4242 4242 4242 4242`, grouped as on the card. */
export function formatNumber(/** @type {string} */ text) {
  const { groups, lengths } = brandOf(text)
  const digits = digitsOf(text).slice(0, Math.max(...lengths))
  const parts = []
  let at = 0
  for (const size of groups) {
    if (at < digits.length) parts.push(digits.slice(at, at + size))
    at += size
  }
  return parts.join(' ')
}

/** `MM / YY`; a month above 1 gets its zero, a year of four digits is shortened. */
export function formatExpiry(/** @type {string} */ text) {
  const slashed = /^\s*(\d{1,2})\s*\/\s*(\d*)/.exec(text)
  let digits = slashed ? (slashed[1] ?? '').padStart(2, '0') + (slashed[2] ?? '') : digitsOf(text)
  if (/^[2-9]/.test(digits) || /^1[3-9]/.test(digits)) digits = `0${digits}`
  if (digits.length < 2) return digits
  const year = digits.slice(2)
  return `${digits.slice(0, 2)} / ${year.length === 4 ? year.slice(2) : year.slice(0, 2)}`
}

/** @type {Record<string, (text: string, number: string) => string>} */
export const formats = {
  number: formatNumber,
  expiry: formatExpiry,
  cvc: (text, number) => digitsOf(text).slice(0, number ? brandOf(number).cvc : 4),
  postal: (text) => text.slice(0, 12),
}

/** Formats what was typed and keeps the caret behind the same digit. */
export function reformat(/** @type {HTMLInputElement} */ input, name, number, erasing) {
  const caret = input.selectionEnd ?? input.value.length
  const atEnd = caret === input.value.length
  const digitsBefore = digitsOf(input.value.slice(0, caret)).length
  // Erasing the slash of "12 / " takes the digit before it along.
  const bare = name === 'expiry' && erasing && /^\d\d ?\/?$/.test(input.value)
  const text = formats[name](bare ? input.value[0] : input.value, number)
  if (text === input.value) return
  input.value = text
  if (atEnd || name === 'postal') return
  let at = 0
  for (let seen = 0; at < text.length && seen < digitsBefore; at++) {
    if (/\d/.test(text[at] ?? '')) seen++
  }
  input.setSelectionRange(at, at)
}
