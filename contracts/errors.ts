import { z } from 'zod'
import { Amount } from './amount.ts'

/** Every error code with its HTTP status. `AppError` accepts no other code. */
export const errorStatus = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  NOT_PAID: 402,
  FORBIDDEN: 403,
  BLOCKED: 403,
  NOT_FOUND: 404,
  STOCK_GONE: 409,
  IN_STOCK: 409,
  PRICE_CHANGED: 409,
  DELIVERY_ENDED: 409,
  TERMS_CHANGED: 409,
  HOLD_REFUSED: 409,
  OFFER_GONE: 409,
  ALREADY_PAID: 409,
  PAYMENT_IN_PROGRESS: 409,
  PAYMENT_REFUNDED: 409,
  ORDER_GONE: 409,
  ORDER_REFUNDED: 409,
  ORDER_UNPAID: 409,
  ORDER_UNSHIPPED: 409,
  AMBIGUOUS: 409,
  REFUND_REFUSED: 409,
  NOT_VERIFIED: 409,
  CONFIRM_FIRST: 409,
  NETWORK_LIMIT: 409,
  LAST_ADMIN: 409,
  ACCOUNT_IN_USE: 409,
  NAME_TAKEN: 409,
  OUTDATED: 409,
  ALREADY_SHIPPED: 409,
  TOO_LATE: 409,
  IN_USE: 409,
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

/** When the server sends each code, for authors of clients. */
export const errorMeaning: Record<ErrorCode, string> = {
  INVALID: 'The request does not match its contract; `fields` tells what is wrong with each field.',
  UNAUTHENTICATED: 'The access token is missing, expired, revoked or invalid.',
  NOT_PAID: 'The card provider does not confirm this payment.',
  FORBIDDEN: 'The caller may not do this, or not with another’s data.',
  BLOCKED: 'The shop blocked the account.',
  NOT_FOUND: 'There is no such thing, or it is another customer’s.',
  STOCK_GONE: 'Not enough units are available.',
  IN_STOCK: 'Enough units are available: there is nothing to wait for.',
  PRICE_CHANGED:
    'The sum differs from the agreed one. `totalPrice` is that of the goods now, `due` has shipping and tax, too.',
  DELIVERY_ENDED:
    'The shop no longer delivers as the customer chose: choose again, or pay without a choice.',
  TERMS_CHANGED: 'The terms of the order have changed: delete it and book again.',
  HOLD_REFUSED:
    'Others go first: the part was kept for the customer for as long as it may be, or the customer wants more of it than their paid orders cover, while others wait or too little stays free.',
  OFFER_GONE: 'The offer has ended, or has not come yet.',
  ALREADY_PAID: 'The order is paid.',
  PAYMENT_IN_PROGRESS: 'The card provider is still processing a payment of the order.',
  PAYMENT_REFUNDED: 'The order could not take the payment: the money goes back to the card.',
  ORDER_GONE: 'The order was deleted.',
  ORDER_REFUNDED: 'The order was refunded in full.',
  ORDER_UNPAID: 'The order is not paid.',
  ORDER_UNSHIPPED: 'The order is not shipped.',
  AMBIGUOUS: 'Several orders have this total: send `orderId`.',
  REFUND_REFUSED: 'The refund is more than what is left, or the card provider refuses it.',
  NOT_VERIFIED: 'The e-mail address has to be confirmed first.',
  CONFIRM_FIRST:
    'The account has a second factor: enter one of its codes at `POST /identity/two-factor/verify-totp`, then repeat the call within ten minutes.',
  NETWORK_LIMIT: 'Too many unconfirmed customers of this network hold parts.',
  LAST_ADMIN: 'No admin would be left.',
  ACCOUNT_IN_USE: 'An order or a refund of the account has to end first.',
  NAME_TAKEN: 'Another part or kind has this name.',
  OUTDATED: 'It was changed since it was read.',
  ALREADY_SHIPPED: 'The order is on its way.',
  TOO_LATE: 'The time to send something back is over; the message says since when.',
  IN_USE: 'Something else still uses it, or has taken it meanwhile.',
  TOO_LARGE: 'The body is larger than this call takes.',
  UNSUPPORTED: 'The body is of another kind than this call takes.',
  KEY_REUSED: 'The Idempotency-Key was used for another request.',
  TOO_MANY:
    'The caller did this too often; the header `Retry-After` may tell for how many seconds.',
  INTERNAL: 'A fault of the shop, which its log explains under the request id.',
  PROVIDER_DOWN:
    'The card provider does not answer, or refuses the shop; a retry charges no card twice.',
  UNAVAILABLE: 'The shop is busy or starting; try again after `Retry-After` seconds.',
  STORAGE_LOW: 'The shop is out of disk space. Nothing was changed.',
}

/** The body of every error response. `fields` maps a field's name to what is wrong with it. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    requestId: z.string(),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe('What is wrong with each field, by its name.'),
    totalPrice: Amount.optional().describe('With PRICE_CHANGED: the current total of the goods.'),
    due: Amount.optional().describe('With PRICE_CHANGED: the same with shipping and tax.'),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
