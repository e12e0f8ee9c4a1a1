/** Reconciles with the card provider, because webhooks get lost and processes crash half-way. */
import { handled, handleEvent } from './receive-event.ts'
import { findChangedRefunds, findUnsettledRefunds } from './refund-store.ts'
import { finishRefund } from './refunds.ts'
import { closeIntent, type SettleDeps, settle, settleWithRefunds } from './settle.ts'
import { findMissedEvents, findUnsettled, touchPayment } from './store.ts'

const maxPerRun = 100
const dayMs = 86_400_000
/** The provider retries the delivery of an event for this long. */
export const eventDays = 3
/** A bank may send a refund back this late. */
const refundDays = 30

async function settlePayments(deps: SettleDeps, olderThanSeconds: number): Promise<void> {
  for (const { intentId, isUnpaid } of await findUnsettled(deps.db, olderThanSeconds, maxPerRun)) {
    // if another intent paid the checkout, this open one must be canceled
    await (isUnpaid ? settle : closeIntent)(deps, intentId).catch(async (error) => {
      deps.log.error({ err: error, intentId }, 'payment_not_settled')
      await touchPayment(deps.db, intentId)
    })
  }
}

async function finishRefunds(deps: SettleDeps, olderThanSeconds: number): Promise<void> {
  for (const refund of await findUnsettledRefunds(deps.db, olderThanSeconds, maxPerRun)) {
    await finishRefund(deps, refund).catch((error) =>
      deps.log.error({ err: error, refundId: refund._id }, 'refund_not_finished'),
    )
  }
}

/**
 * Asks the provider about every payment and refund that has not ended. So an order becomes paid
 * even if the webhook was lost, and a refund is made even if a crash or a timeout interrupted it.
 * One failure does not stop the others; the next run tries again.
 * @param olderThanSeconds skips payments and refunds that were checked more recently
 */
export async function settleUnsettled(deps: SettleDeps, olderThanSeconds: number): Promise<void> {
  await settlePayments(deps, olderThanSeconds)
  await finishRefunds(deps, olderThanSeconds)
}

/**
 * Handles events of our payments whose webhook was lost. For disputes, events are the only source.
 * @throws AppError PROVIDER_DOWN
 */
export async function importEvents(deps: SettleDeps): Promise<void> {
  const events = await deps.payments.eventsSince(new Date(Date.now() - eventDays * dayMs), handled)
  for (const event of await findMissedEvents(deps.db, events)) {
    const { id: eventId, type } = event
    deps.log.warn({ eventId, type }, 'missed_event_imported')
    await handleEvent(deps, event).catch((error) =>
      deps.log.error({ err: error, eventId, type }, 'missed_event_failed'),
    )
  }
}

/**
 * Records refunds whose webhook was lost: made by hand at the provider, or sent back by a bank.
 * @throws AppError PROVIDER_DOWN
 */
export async function importRefunds(deps: SettleDeps): Promise<void> {
  const refunds = await deps.payments.refundsSince(new Date(Date.now() - refundDays * dayMs))
  for (const intentId of await findChangedRefunds(deps.db, refunds)) {
    deps.log.warn({ intentId }, 'missed_refund_imported')
    await settleWithRefunds(deps, intentId).catch((error) =>
      deps.log.error({ err: error, intentId }, 'missed_refund_failed'),
    )
  }
}
