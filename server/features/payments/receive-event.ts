import type { ProviderEvent } from '#server/adapters/payments/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { findOrdersPaidBy, orNone } from '#server/features/orders/store.ts'
import { mailOwnerDispute, mailOwnerDisputeClosed } from '#server/mail/owner-mails.ts'
import { recordFees } from './fees.ts'
import { type SettleDeps, settle, settleWithRefunds } from './settle.ts'
import { findPayment, isEventKnown, rememberEvent } from './store.ts'

const disputing = new Set(['charge.dispute.created', 'charge.dispute.closed'])
// the event of a dispute may arrive before the event of its payment; that of a charge says that its
// fee is known
const settling = new Set([
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'charge.updated',
  ...disputing,
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
])
const refunding = new Set([
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
])

/** The events that the shop handles; it ignores all others. */
export const handled = [...settling, ...refunding]

/**
 * Adds the start or the result of a dispute to the audit log of its orders, and mails the owner.
 */
async function recordDispute(
  deps: SettleDeps,
  tx: Transaction,
  { id, intentId, dispute }: ProviderEvent,
): Promise<void> {
  if (!intentId || !dispute) return
  const { state, reason } = dispute
  const isOpen = state === 'open'
  const paidOrders = orNone(await findOrdersPaidBy(tx, intentId))
  deps.log.warn({ orderId: paidOrders?.[0]._id, intentId, state, reason }, 'payment_disputed')
  if (!paidOrders) return
  const dueBy = isOpen ? dispute.answerBy?.toISOString() : undefined
  const detail = { amount: dispute.amount / 100, reason, ...(dueBy && { dueBy }) }
  const action = isOpen ? 'payment disputed' : (`dispute ${state}` as const)
  await logActions(
    tx,
    paidOrders.map(({ _id: orderId }) => ({ actor: null, action, orderId, detail })),
  )
  const mailOwner = isOpen ? mailOwnerDispute : mailOwnerDisputeClosed
  await mailOwner(deps, tx, paidOrders, { ...dispute, eventId: id })
}

/** Records what the provider took for a dispute, or gave back. */
async function recordDisputeFees(tx: Transaction, { intentId, dispute }: ProviderEvent) {
  if (!intentId || !dispute || !(await findPayment(tx, intentId))) return
  const about = { intentId, type: 'dispute' as const, refundId: null }
  await recordFees(
    tx,
    dispute.fees.map((fee) => ({ ...about, fee })),
  )
}

/**
 * Handles an event, once per id. Reads amounts and states at the provider, not from the event, so
 * the order and age of events do not matter. Only a dispute is recorded as the event describes it.
 */
export async function handleEvent(deps: SettleDeps, event: ProviderEvent): Promise<void> {
  if (await isEventKnown(deps.db, event.id)) return
  if (settling.has(event.type) && event.intentId) await settle(deps, event.intentId)
  if (refunding.has(event.type) && event.intentId) await settleWithRefunds(deps, event.intentId)
  const { id: eventId, type, happenedAt } = event
  await deps.db.transaction(async (tx) => {
    // comes after the effect, because settling twice is harmless and skipping it is not
    const first = await rememberEvent(tx, { eventId, type, happenedAt })
    if (first && disputing.has(type)) await recordDispute(deps, tx, event)
    if (first) await recordDisputeFees(tx, event)
  })
}

/**
 * Checks the signature of a webhook delivery and handles its event.
 * @throws AppError INVALID for a bad signature; after any failure the provider delivers again
 */
export async function receiveEvent(
  deps: SettleDeps,
  rawBody: string,
  signature: string | undefined,
): Promise<void> {
  await handleEvent(deps, await deps.payments.readEvent(rawBody, signature))
}
