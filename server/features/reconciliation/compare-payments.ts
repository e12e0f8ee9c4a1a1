import { setTimeout as pause } from 'node:timers/promises'
import { Id } from '#contracts/api.ts'
import type { Issue } from '#contracts/reconciliation.ts'
import type { Intent, Payments } from '#server/adapters/payments/port.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { contradicted, diffPayment, ledgerWords, ourWords, providerWords } from './diff-payment.ts'
import { findOrderNames, readStoredPayments, type StoredPayment } from './store.ts'

type Deps = { db: Database; payments: Payments }

/** The provider's days begin a little earlier: a payment exists there a moment before we store it. */
const marginMs = 3_600_000
/** Waits before a difference counts, because a change may be on its way from one side to the other. */
const secondLookMs = 1_000
/** Re-checks at most so many payments; more than that is an outage, not an issue. */
const maxIssues = 100

const stray = contradicted(
  'Money came for an order that is not here.',
  'Look the payment up at the card provider, and give it back there.',
)

function toIssue(
  intentId: string,
  there: Intent | null,
  ours: StoredPayment | undefined,
  name: string | undefined,
): Issue | null {
  const difference = diffPayment(there, ours)
  if (!difference) return null
  const isStray = !ours && name === undefined
  return {
    ...(isStray ? stray : difference),
    about: `intent:${intentId}`,
    name: ours?.name ?? name ?? intentId,
    orderId: ours?.orderId ?? (name === undefined ? null : (there?.orderId ?? null)),
    ours: ours ? ourWords(ours) : null,
    provider: there ? providerWords(there) : null,
    ledger: ours ? ledgerWords(ours) : null,
  }
}

/** One payment as both sides have it now. */
async function lookAgain({ db, payments }: Deps, intentId: string): Promise<Issue | null> {
  const there = await payments.retrieveIntent(intentId)
  const ours = await readStoredPayments(db.$client, { intentIds: [intentId], since: null })
  const orderIds = there?.orderId ? [there.orderId] : []
  const names = await findOrderNames(db.$client, orderIds)
  return toIssue(intentId, there, ours.get(intentId), names.get(there?.orderId ?? ''))
}

/** The provider's payments that name an order. Other shops may share the account. */
async function readProviderPayments({ payments }: Deps, since: Date): Promise<Map<string, Intent>> {
  const all = await payments.intentsSince(since)
  const ofOrders = all.filter(({ orderId }) => Id.safeParse(orderId).success)
  return new Map(ofOrders.map((intent) => [intent.id, intent]))
}

/**
 * Compares the payments of the last days with the provider's, both ways.
 * @returns null while the provider is silent
 */
export async function comparePayments(
  deps: Deps,
  days: number,
): Promise<{ compared: number; issues: Issue[] } | null> {
  const since = new Date(Date.now() - days * 86_400_000)
  try {
    const there = await readProviderPayments(deps, since)
    const ours = await readStoredPayments(deps.db.$client, {
      intentIds: [...there.keys()],
      since: new Date(since.getTime() + marginMs),
    })
    const all = [...new Set([...there.keys(), ...ours.keys()])]
    const doubtful = all.filter((id) => diffPayment(there.get(id) ?? null, ours.get(id)))
    if (doubtful.length > 0) await pause(secondLookMs)
    const issues: Issue[] = []
    for (const id of doubtful.slice(0, maxIssues)) {
      const issue = await lookAgain(deps, id)
      if (issue) issues.push(issue)
    }
    return { compared: all.length, issues }
  } catch (error) {
    if (error instanceof AppError && error.code === 'PROVIDER_DOWN') return null
    throw error
  }
}
