import { isEventKnown, rememberEvent } from './payment-store.ts'
import { type SettleDeps, settle } from './settle.ts'
import { readRefunds } from './take-refunds.ts'

const settling = new Set(['payment_intent.succeeded', 'payment_intent.canceled'])
const refunding = new Set([
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
])

/**
 * Acts on one webhook delivery: signature first, then once per event id. The event's own content counts for nothing
 * but which intent to ask about, so order and age of deliveries do not matter.
 * @throws AppError INVALID for a bad signature; any failure makes the provider deliver again
 */
export async function receiveEvent(
  deps: SettleDeps,
  rawBody: string,
  signature: string | undefined,
): Promise<void> {
  const event = await deps.payments.readEvent(rawBody, signature)
  if (await isEventKnown(deps.db, event.id)) return
  if (settling.has(event.type) && event.intentId) await settle(deps, event.intentId)
  if (refunding.has(event.type) && event.intentId) await readRefunds(deps, event.intentId)
  if (event.type === 'charge.dispute.created') {
    deps.log.warn(
      { intentId: event.intentId },
      'a customer disputes a payment: answer at the card provider',
    )
  }
  // after the effect: settling twice is harmless, forgetting it is not
  const { id: eventId, type, happenedAt } = event
  await rememberEvent(deps.db, { eventId, type, happenedAt })
}
