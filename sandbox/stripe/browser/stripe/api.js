const script = /** @type {HTMLScriptElement} */ (document.currentScript)

/** Address of the payment service: the folder this script came from. */
export const base = new URL('.', script.src).href.replace(/\/$/, '')

/** A mistake of the page's author, never shown to customers. */
export class IntegrationError extends Error {
  constructor(/** @type {string} */ message) {
    super(message)
    this.name = 'IntegrationError'
  }
}

export const unreachable = {
  type: 'api_connection_error',
  message: 'We could not reach the payment service. Check your connection and try again.',
}

/** Name and value pairs in Stripe's bracket notation; what is null or undefined is left out. */
export function formPairs(value, /** @type {string} */ prefix) {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[prefix, String(value)]]
  return Object.entries(value).flatMap(([name, inner]) => formPairs(inner, `${prefix}[${name}]`))
}

/** Calls the service; gives the object, or `{ error }` also when it cannot be reached. */
export async function call(
  /** @type {'GET' | 'POST'} */ method,
  /** @type {string} */ path,
  pairs,
) {
  const form = new URLSearchParams(pairs)
  try {
    const answer = await (method === 'GET'
      ? fetch(`${base}${path}?${form}`)
      : fetch(`${base}${path}`, { method, body: form }))
    return await answer.json()
  } catch {
    return { error: unreachable }
  }
}
