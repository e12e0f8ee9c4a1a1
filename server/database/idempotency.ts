/** Makes repeated requests with the same Idempotency-Key run once. */
import { createHash } from 'node:crypto'
import { AppError } from '#server/errors.ts'

/** What the client should do after its key was refused. */
const advice = {
  booking: 'Send a new key.',
  review: 'Send a new key.',
  refund: 'Close this one and begin again.',
  ticket: 'Send a new key.',
  cancellation: 'Send a new key.',
}
type Work = keyof typeof advice

/** SHA-256 of a request's content: equal for equal requests, and it reveals nothing about them. */
export const requestHash = (...fields: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('hex')

export const keyReused = (work: Work): AppError =>
  new AppError('KEY_REUSED', `This Idempotency-Key was used for another ${work}. ${advice[work]}`)

/**
 * Does the work of a request once for each key. The caller holds a lock that a repeated request
 * waits for, and stores the hash beside the key.
 * @param before the result of an earlier request with this key
 * @returns the earlier result, else that of the work
 * @throws AppError KEY_REUSED when another request used the key
 */
export async function idempotent<Before extends { requestHash: string | null }, Made>(
  work: Work,
  { before, hash }: { before: Before | null | undefined; hash: string },
  make: () => Promise<Made>,
): Promise<Before | Made> {
  if (!before) return make()
  if (before.requestHash !== hash) throw keyReused(work)
  return before
}
