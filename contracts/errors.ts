import { z } from 'zod'

/** Every error code with its HTTP status. The server can throw no other. */
export const errorStatus = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  NOT_PAID: 402,
  FORBIDDEN: 403,
  BLOCKED: 403,
  NOT_FOUND: 404,
  STOCK_GONE: 409,
  PRICE_CHANGED: 409,
  TERMS_CHANGED: 409,
  HOLD_REFUSED: 409,
  ALREADY_PAID: 409,
  PAYMENT_IN_PROGRESS: 409,
  PAYMENT_REFUNDED: 409,
  ORDER_GONE: 409,
  ORDER_REFUNDED: 409,
  ORDER_UNPAID: 409,
  AMBIGUOUS: 409,
  REFUND_REFUSED: 409,
  NOT_VERIFIED: 409,
  NETWORK_LIMIT: 409,
  LAST_ADMIN: 409,
  ACCOUNT_IN_USE: 409,
  NAME_TAKEN: 409,
  OUTDATED: 409,
  TOO_LARGE: 413,
  UNSUPPORTED: 415,
  KEY_REUSED: 422,
  TOO_MANY: 429,
  INTERNAL: 500,
  PROVIDER_DOWN: 503,
  UNAVAILABLE: 503,
  STORAGE_LOW: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** The body of every error response. `fields` maps a field's name to what is wrong with it. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    requestId: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    /** With PRICE_CHANGED: the current total in whole dollars. */
    totalPrice: z.int().optional(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
