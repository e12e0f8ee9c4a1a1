import { type ErrorCode, errorStatus } from '#contracts/errors.ts'

/**
 * An expected refusal, whose message users may read. Every other thrown error is an internal error.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined

  /** @param fields what is wrong, by field name @param retryAfter seconds */
  constructor(
    code: ErrorCode,
    message: string,
    fields?: Record<string, string>,
    retryAfter?: number,
  ) {
    super(message)
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }

  get status() {
    return errorStatus[this.code]
  }
}

/** The log event when a provider refuses the shop's keys. */
export const keyRefusedEvents = {
  payments: 'payment_key_refused',
  pictures: 'picture_key_refused',
  mail: 'mail_key_refused',
  sign_in: 'sign_in_key_refused',
} as const

/** A provider for which the shop has keys. */
export type KeyedProvider = keyof typeof keyRefusedEvents

/**
 * A provider refuses the shop's keys. Only the owner can fix this, so it never counts as an outage
 * of the provider. Users read `message`; `reason` is for the owner and contains no key.
 */
export class KeyRefused extends AppError {
  readonly event: (typeof keyRefusedEvents)[KeyedProvider]
  readonly reason: string

  constructor(provider: KeyedProvider, message: string, reason: string) {
    super(provider === 'pictures' || provider === 'mail' ? 'UNAVAILABLE' : 'PROVIDER_DOWN', message)
    this.event = keyRefusedEvents[provider]
    this.reason = reason
    // whatever logs the error shows the cause, too
    this.cause = new Error(reason)
  }
}

/** The client agreed to another total. */
export class PriceChanged extends AppError {
  readonly totalPrice: number
  readonly due: number

  /**
   * @param totalPrice the current total of the goods
   * @param due the same with shipping and tax
   */
  constructor(message: string, totalPrice: number, due = totalPrice) {
    super('PRICE_CHANGED', message, { totalPrice: message })
    this.totalPrice = totalPrice
    this.due = due
  }
}

/** Returns the row or refuses with 404: `found(row, 'part')` → "There is no such part". */
export function found<T>(row: T | null | undefined, noun: string): T {
  if (row === null || row === undefined) throw new AppError('NOT_FOUND', `There is no such ${noun}`)
  return row
}

/** A waiting time in words: 'a second', '40 seconds', 'a minute', '5 minutes'. */
export function waitText(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [seconds / 60, 'minute']
  const whole = Math.max(1, Math.ceil(count))
  return whole === 1 ? `a ${unit}` : `${whole} ${unit}s`
}

/** Stops the start or a command; the terminal shows its message. */
export class StartError extends Error {
  override name = 'StartError'
}

/** The cause of a refusal, for the owner's terminal; users do not see it. */
export const reasonOf = ({ cause, message }: AppError): string =>
  cause instanceof Error ? cause.message : message

/**
 * Converts a refusal into an error of the start or a command; returns any other error unchanged.
 */
export const asStartError = (error: unknown): unknown =>
  error instanceof AppError ? new StartError(reasonOf(error)) : error
