import { digitsOf, expiryOf, problem } from './card-rules.js'

const unreachable = {
  type: 'api_connection_error',
  message: 'We could not reach the payment service. Check your connection and try again.',
}

/** Sends a complete card to the payment service; `{ paymentMethod }` or `{ error }`. */
export async function createPaymentMethod(
  /** @type {import('./fields.js').CardFields} */ fields,
  { key, billing },
) {
  const fault = fields.firstFault()
  if (fault) return { error: problem(fault) }
  const expiry = expiryOf(fields.value('expiry'))
  const body = new URLSearchParams({
    key,
    type: 'card',
    'card[number]': digitsOf(fields.value('number')),
    'card[exp_month]': String(expiry?.month),
    'card[exp_year]': String(expiry?.year),
    'card[cvc]': digitsOf(fields.value('cvc')),
  })
  const postal = fields.field('postal')
  if (postal && !postal.hidden && postal.value.trim()) {
    body.set('billing_details[address][postal_code]', postal.value.trim())
  }
  for (const [name, value] of billing) body.set(name, value)
  try {
    const answer = await fetch('v1/payment_methods', { method: 'POST', body })
    const result = await answer.json()
    return answer.ok ? { paymentMethod: result } : { error: result.error }
  } catch {
    return { error: unreachable }
  }
}
