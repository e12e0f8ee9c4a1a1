/**
 * @typedef {{ type: string, code?: string, message: string, payment_intent?: Intent }} Failure
 * @typedef {{
 *   id: string
 *   status: string
 *   next_action: { use_stripe_sdk?: { source?: string } } | null
 *   last_payment_error: Failure | null
 * }} Intent
 */

const script = /** @type {HTMLScriptElement} */ (document.currentScript)

/** URL of the payment service: the folder of this script. */
export const base = new URL('.', script.src).href.replace(/\/$/, '')

/** @type {Failure} */
export const unreachable = {
  type: 'api_connection_error',
  message: 'We could not reach the payment service. Check your connection and try again.',
}

/**
 * Calls the service.
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {Record<string, string>} fields
 * @returns {Promise<Intent & { error?: undefined } | { error: Failure }>} an error, too, when it is
 * unreachable
 */
export async function call(method, path, fields) {
  const form = new URLSearchParams(fields)
  try {
    const answer = await (method === 'GET'
      ? fetch(`${base}${path}?${form}`)
      : fetch(`${base}${path}`, { method, body: form }))
    return await answer.json()
  } catch {
    return { error: unreachable }
  }
}
