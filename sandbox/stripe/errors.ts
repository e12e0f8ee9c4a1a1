/** The body of `{ error: … }` in Stripe's responses. */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  code?: string
  decline_code?: string
  message: string
  param?: string
  payment_intent?: unknown
  payment_method?: unknown
}

/** A refusal. `remembered`: whether the same idempotency key gets it again. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly remembered: boolean

  constructor(status: number, body: ErrorBody, remembered = false) {
    super(body.message)
    this.status = status
    this.body = body
    this.remembered = remembered
  }
}

type Details = Omit<ErrorBody, 'type' | 'message'>

/** The call has an unusable parameter. */
export const invalid = (message: string, details: Details = {}) =>
  new ApiError(400, { type: 'invalid_request_error', message, ...details })

/** The object is in a state that does not allow the call. */
export const unexpected = (message: string, details: Details = {}) =>
  new ApiError(400, { type: 'invalid_request_error', message, ...details }, true)

export const missing = (param: string) =>
  invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })

export function notFound(kind: string, id: string, param: string): ApiError {
  const message = `No such ${kind === 'payment_method' ? 'PaymentMethod' : kind}: '${id}'`
  const code = 'resource_missing'
  return new ApiError(404, { type: 'invalid_request_error', code, message, param }, true)
}

export const unauthorized = (message: string, code?: string) =>
  new ApiError(401, { type: 'invalid_request_error', message, code })

/** The card itself is rejected before a payment method exists. */
export const cardRefused = (code: string, message: string, decline_code?: string) =>
  new ApiError(402, { type: 'card_error', code, message, decline_code })
