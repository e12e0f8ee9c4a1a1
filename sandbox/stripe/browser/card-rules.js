/** @typedef {{ brand: string, prefix: RegExp, lengths: number[], groups: number[], cvc: number }} Brand */

/** @type {Brand[]} */
const brands = [
  { brand: 'visa', prefix: /^4/, lengths: [16], groups: [4, 4, 4, 4], cvc: 3 },
  {
    brand: 'mastercard',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: [4, 4, 4, 4],
    cvc: 3,
  },
  { brand: 'amex', prefix: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvc: 4 },
  { brand: 'discover', prefix: /^(6011|64[4-9]|65)/, lengths: [16], groups: [4, 4, 4, 4], cvc: 3 },
  { brand: 'jcb', prefix: /^35(2[89]|[3-8])/, lengths: [16], groups: [4, 4, 4, 4], cvc: 3 },
  { brand: 'diners', prefix: /^3(0[0-5]|[689])/, lengths: [14, 16], groups: [4, 6, 6], cvc: 3 },
  { brand: 'unionpay', prefix: /^62/, lengths: [16, 19], groups: [4, 4, 4, 4, 3], cvc: 3 },
]

/** @type {Brand} */
const unknownBrand = { brand: 'unknown', prefix: /^/, lengths: [16], groups: [4, 4, 4, 4], cvc: 3 }

export const digitsOf = (/** @type {string} */ text) => text.replace(/\D/g, '')

/** The brand by the first digits; `brand` is 'unknown' until they identify it. */
export function brandOf(/** @type {string} */ number) {
  const digits = digitsOf(number)
  return (digits && brands.find(({ prefix }) => prefix.test(digits))) || unknownBrand
}

/** The check digit rule. */
function luhn(/** @type {string} */ digits) {
  const sum = [...digits].reverse().reduce((total, char, at) => {
    const digit = at % 2 === 0 ? Number(char) : Number(char) * 2
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return sum % 10 === 0
}

/** @returns the month and the full year; undefined while incomplete */
export function expiryOf(/** @type {string} */ text) {
  const digits = digitsOf(text)
  if (digits.length !== 4) return undefined
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) }
}

const messages = {
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration month is invalid.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  incomplete_cvc: "Your card's security code is incomplete.",
  incomplete_zip: 'Your postal code is incomplete.',
}

/** @typedef {keyof typeof messages} Code */
/** @typedef {'number' | 'expiry' | 'cvc' | 'postal'} FieldName */

/** A validation error in Stripe's wording. */
export const problem = (/** @type {Code} */ code) => ({
  type: 'validation_error',
  code,
  message: messages[code],
})

/**
 * The problem of one field; undefined when it is complete and valid.
 * @param {FieldName} field
 * @param {string} value
 * @param {string} number the card number, which decides the length of the security code
 * @returns {Code | undefined}
 */
export function check(field, value, number) {
  if (field === 'number') return checkNumber(digitsOf(value))
  if (field === 'expiry') return checkExpiry(value, new Date())
  if (field === 'cvc') {
    return digitsOf(value).length < brandOf(number).cvc ? 'incomplete_cvc' : undefined
  }
  const code = value.replace(/[^a-z0-9]/gi, '')
  return code.length < (/^\d*$/.test(code) ? 5 : 3) ? 'incomplete_zip' : undefined
}

/** @returns {Code | undefined} */
function checkNumber(/** @type {string} */ digits) {
  const { lengths } = brandOf(digits)
  if (lengths.includes(digits.length) && luhn(digits)) return undefined
  return digits.length < Math.max(...lengths) ? 'incomplete_number' : 'invalid_number'
}

/** @returns {Code | undefined} */
function checkExpiry(/** @type {string} */ value, /** @type {Date} */ now) {
  const expiry = expiryOf(value)
  if (!expiry) return 'incomplete_expiry'
  if (expiry.month < 1 || expiry.month > 12) return 'invalid_expiry_month'
  const years = expiry.year - now.getFullYear()
  if (years < 0) return 'invalid_expiry_year_past'
  if (years > 50) return 'invalid_expiry_year'
  const past = years === 0 && expiry.month < now.getMonth() + 1
  return past ? 'invalid_expiry_month_past' : undefined
}

/** `4242 4242 4242 4242`, grouped as on the card. */
function formatNumber(/** @type {string} */ text) {
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
function formatExpiry(/** @type {string} */ text) {
  const slashed = /^\s*(\d{1,2})\s*\/\s*(\d*)/.exec(text)
  let digits = slashed ? (slashed[1] ?? '').padStart(2, '0') + (slashed[2] ?? '') : digitsOf(text)
  if (/^[2-9]/.test(digits) || /^1[3-9]/.test(digits)) digits = `0${digits}`
  if (digits.length < 2) return digits
  const year = digits.slice(2)
  return `${digits.slice(0, 2)} / ${year.length === 4 ? year.slice(2) : year.slice(0, 2)}`
}

/** @type {Record<FieldName, (text: string, number: string) => string>} */
export const formats = {
  number: formatNumber,
  expiry: formatExpiry,
  cvc: (text, number) => digitsOf(text).slice(0, number ? brandOf(number).cvc : 4),
  postal: (text) => text.slice(0, 12),
}
