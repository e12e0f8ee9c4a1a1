import type { ProviderEvent } from '#server/adapters/payments/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { findOrderPaidBy } from '#server/features/orders/store.ts'
import { tellOfDispute, tellOfDisputeEnd } from '#server/mail/owner-mails.ts'
import { type SettleDeps, settle } from './settle.ts'
import { isEventKnown, rememberEvent } from './store.ts'
import { readRefunds } from './take-refunds.ts'

const disputing = new Set(['charge.dispute.created', 'charge.dispute.closed'])
// a dispute may be heard of before its payment
const settling = new Set(['payment_intent.succeeded', 'payment_intent.canceled', ...disputing])
const refunding = new Set([
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
])

/** The events that the shop acts on; the rest are none of its business. */
export const handled = [...settling, ...refunding]

/** A dispute, and how it ends, is written down at its order, where the owner looks, and the owner is mailed. */
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
 * Acts on an event, once per id. Of money its own content says nothing but which intent to ask about, so order and age of
 * events do not matter.
 */
export async function actOn(deps: SettleDeps, event: ProviderEvent): Promise<void> {
  if (await isEventKnown(deps.db, event.id)) return
  if (settling.has(event.type) && event.intentId) await settle(deps, event.intentId)
  if (refunding.has(event.type) && event.intentId) await readRefunds(deps, event.intentId)
  const { id: eventId, type, happenedAt } = event
  await deps.db.transaction(async (tx) => {
    // after the effect: settling twice is harmless, forgetting it is not
    const first = await rememberEvent(tx, { eventId, type, happenedAt })
    if (first && disputing.has(type)) await noteDispute(deps, tx, event)
  })
}

/**
 * Acts on one webhook delivery, after its signature.
 * @throws AppError INVALID for a bad signature; any failure makes the provider deliver again
 */
export async function receiveEvent(
  deps: SettleDeps,
  rawBody: string,
  signature: string | undefined,
): Promise<void> {
  await actOn(deps, await deps.payments.readEvent(rawBody, signature))
}
