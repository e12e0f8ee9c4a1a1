/** The body of `{ error: … }` in Stripe's answers. */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  code?: string
  decline_code?: string
  message: string
  param?: string
  charge?: string
  payment_intent?: unknown
  payment_method?: unknown
  doc_url?: string
  request_log_url?: string
}

/** A refusal that left no trace. `saved` says whether an idempotency key remembers it. */
export class ApiFault extends Error {
  readonly status: number
  readonly error: ErrorBody
  readonly saved: boolean

  constructor(status: number, error: ErrorBody, saved: boolean) {
    super(error.message)
    this.status = status
    this.error = error
    this.saved = saved
  }
}

type Details = { code?: string; param?: string; payment_intent?: unknown }

/** A parameter that cannot be used (400); validation failures are not remembered under a key. */
export function invalid(message: string, details: Details = {}): ApiFault {
  return new ApiFault(400, { type: 'invalid_request_error', message, ...details }, false)
}

/** A refusal because of the state the object is in (400). */
export function unexpected(message: string, details: Details = {}): ApiFault {
  return new ApiFault(400, { type: 'invalid_request_error', message, ...details }, true)
}

export function missing(name: string): ApiFault {
  return invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
}

export function notFound(kind: string, id: string, param: string): ApiFault {
  const message = `No such ${kind === 'payment_method' ? 'PaymentMethod' : kind}: '${id}'`
  const error: ErrorBody = {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message,
    param,
  }
  return new ApiFault(404, error, true)
}

export function unauthorized(message: string, code?: string): ApiFault {
  return new ApiFault(401, { type: 'invalid_request_error', message, code }, false)
}

/** Refused while reading the card itself: nothing about the number is kept anywhere. */
export function cardRefused(
  code: string | undefined,
  message: string,
  details: { param?: string; decline_code?: string } = {},
): ApiFault {
  return new ApiFault(402, { type: 'card_error', code, message, ...details }, false)
}

/** Adds the addresses that Stripe puts into every error. */
export function withAddresses(error: ErrorBody, requestId: string): ErrorBody {
  return {
    ...error,
    ...(error.code ? { doc_url: `https://docs.stripe.com/error-codes/${slug(error.code)}` } : {}),
    request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
  }
}

const slug = (code: string) => code.replaceAll('_', '-')
