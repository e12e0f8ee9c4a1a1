import type { ErrorBody, ErrorCode } from '#contracts/errors.ts'

/**
 * A refused or failed call. `status` is 0 and `code` OFFLINE if no response arrived; `fields` maps
 * field names to messages.
 */
export class ApiError extends Error {
  status: number
  code: ErrorCode | 'OFFLINE'
  fields?: Record<string, string>
  /** With PRICE_CHANGED: the current total of the goods, and the same with shipping and tax. */
  totalPrice?: number
  due?: number
  requestId?: string

  constructor(
    status: number,
    problem: Omit<ErrorBody['error'], 'code'> & { code: ApiError['code'] },
  ) {
    super(problem.message)
    this.name = 'ApiError'
    this.status = status
    this.code = problem.code
    this.fields = problem.fields
    this.totalPrice = problem.totalPrice
    this.due = problem.due
    this.requestId = problem.requestId || undefined
  }
}

/** Whether the shop refused the call, as opposed to an error or no connection. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

export function offline(): ApiError {
  return new ApiError(0, {
    code: 'OFFLINE',
    message: 'The shop cannot be reached. Check your connection and try again.',
    requestId: '',
  })
}

function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as ErrorBody | null)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string'
}

/** Converts an unsuccessful response to an error; a proxy's error page becomes UNAVAILABLE. */
export async function errorFrom(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  if (isErrorBody(body)) return new ApiError(response.status, body.error)
  return new ApiError(response.status, {
    code: 'UNAVAILABLE',
    message: 'The shop did not answer as expected. Try again in a moment.',
    requestId: response.headers.get('x-request-id') ?? '',
  })
}
