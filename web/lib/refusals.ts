import { ApiError } from './api-error.ts'

/** Whether the address names nothing, or something that this user may not see. */
export const isUnknown = (error: Error | null): boolean =>
  error instanceof ApiError && ['NOT_FOUND', 'INVALID'].includes(error.code)

/** Whether verifying the e-mail address resolves the error. */
export const isUnverified = (error: Error | null): boolean =>
  error instanceof ApiError && ['NOT_VERIFIED', 'NETWORK_LIMIT'].includes(error.code)
