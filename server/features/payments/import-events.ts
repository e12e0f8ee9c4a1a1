import { actOn, handled } from './receive-event.ts'
import type { SettleDeps } from './settle.ts'
import { findMissedEvents } from './store.ts'

/**
 * Acts on the events of our payments that no webhook brought: payments, refunds, and disputes, of which nothing else tells.
 * @throws AppError PROVIDER_DOWN
 */
export async function importEvents(deps: SettleDeps, since: Date): Promise<void> {
  const told = await deps.payments.eventsSince(since, handled)
  for (const event of await findMissedEvents(deps.db, told)) {
    deps.log.warn({ eventId: event.id, type: event.type }, 'an event that no webhook brought')
    await actOn(deps, event).catch((error) =>
      deps.log.error({ err: error, eventId: event.id }, 'an event could not be acted on'),
    )
  }
}
