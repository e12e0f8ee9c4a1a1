import type { ProviderEvent } from '#server/adapters/payments/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { findOrderPaidBy } from '#server/features/orders/store.ts'
import { tellOfDispute, tellOfDisputeEnd } from '#server/mail/owner-mails.ts'
import { type SettleDeps, settle } from './settle.ts'
import { isEventKnown, rememberEvent } from './store.ts'
import { readRefunds } from './take-refunds.ts'

const disputing = new Set(['charge.dispute.created', 'charge.dispute.closed'])
// a dispute's event may arrive before its payment's
const settling = new Set(['payment_intent.succeeded', 'payment_intent.canceled', ...disputing])
const refunding = new Set([
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
])

/** The events that the shop acts on; it ignores all others. */
export const handled = [...settling, ...refunding]

/** Writes a dispute, or its end, into the order's history and mails the owner. */
async function noteDispute(
  deps: SettleDeps,
  tx: Transaction,
  { id, intentId, dispute }: ProviderEvent,
): Promise<void> {
  if (!intentId || !dispute) return
  const { state, reason } = dispute
  const isOpen = state === 'open'
  if (isOpen)
    deps.log.warn({ intentId }, 'a customer disputes a payment: answer at the card provider')
  const order = await findOrderPaidBy(tx, intentId)
  if (!order) return
  const dueBy = isOpen ? dispute.answerBy?.toISOString() : undefined
  const detail = { amount: dispute.amount / 100, reason, ...(dueBy && { dueBy }) }
  const action = isOpen ? 'payment disputed' : (`dispute ${state}` as const)
  await logActions(tx, [{ actorId: null, action, orderId: order._id, detail }])
  const tell = isOpen ? tellOfDispute : tellOfDisputeEnd
  await tell(deps, tx, order, { ...dispute, eventId: id })
}

/**
 * Acts on an event, once per id. It takes only the intent's id from the event and asks the provider about the rest, so the
 * order and age of events do not matter.
 */
export async function actOn(deps: SettleDeps, event: ProviderEvent): Promise<void> {
  if (await isEventKnown(deps.db, event.id)) return
  if (settling.has(event.type) && event.intentId) await settle(deps, event.intentId)
  if (refunding.has(event.type) && event.intentId) await readRefunds(deps, event.intentId)
  const { id: eventId, type, happenedAt } = event
  await deps.db.transaction(async (tx) => {
    // after the effect: settling twice is harmless, skipping it is not
    const first = await rememberEvent(tx, { eventId, type, happenedAt })
    if (first && disputing.has(type)) await noteDispute(deps, tx, event)
  })
}

/**
 * Verifies a webhook delivery and acts on it.
 * @throws AppError INVALID for a bad signature; after any failure the provider delivers again
 */
export async function receiveEvent(
  deps: SettleDeps,
  rawBody: string,
  signature: string | undefined,
): Promise<void> {
  await actOn(deps, await deps.payments.readEvent(rawBody, signature))
}
