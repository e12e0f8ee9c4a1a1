import { findUnmailed } from './refund-store.ts'
import type { SettleDeps } from './settle.ts'
import { readRefunds } from './take-refunds.ts'

/** A bank may send a refund back that late. */
const days = 30

/** Takes in what was given back, or came back, at the provider and what no webhook told us of. */
export async function importRefunds(deps: SettleDeps): Promise<void> {
  const made = await deps.payments.refundsSince(new Date(Date.now() - days * 86_400_000))
  for (const intentId of await findUnmailed(deps.db, made)) {
    deps.log.warn({ intentId }, 'a refund that no webhook told of')
    await readRefunds(deps, intentId).catch((error) =>
      deps.log.error({ err: error, intentId }, 'a refund could not be read; tried again later'),
    )
  }
}
