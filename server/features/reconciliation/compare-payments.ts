import { setTimeout as pause } from 'node:timers/promises'
import { Id } from '#contracts/api.ts'
import { type Currency, fromCents, money } from '#contracts/money.ts'
import type { Issue } from '#contracts/reconciliation.ts'
import type { Intent, Payments } from '#server/adapters/payments/port.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { findOrderNames, readStoredPayments, type StoredPayment } from './store.ts'

type Difference = Pick<Issue, 'type' | 'words' | 'repair' | 'advice'>

/** An issue that `settle` repairs, by asking the provider again. */
const unsettled = (words: string): Difference => ({
  type: 'payment',
  words,
  repair: 'settle',
  advice: null,
})
/** An issue without a safe repair, because the shop cannot tell which side is right. */
const contradicted = (words: string, advice: string): Difference => ({
  type: 'payment',
  words,
  repair: null,
  advice,
})

const isPaidThere = (intent: Intent) => intent.status === 'succeeded'

/** The provider must have refunded the amount that we have recorded. */
function diffRefunds(intent: Intent, stored: StoredPayment): Difference | null {
  if (intent.amountRefunded === stored.refunded) return null
  const words = 'The refunded amounts differ here and at the card provider.'
  return { type: 'refund', words, repair: 'syncRefunds', advice: null }
}

/** Compares a payment that paid its order: the provider must have received the full amount. */
function diffKept(intent: Intent, stored: StoredPayment): Difference | null {
  if (!isPaidThere(intent)) {
    return contradicted(
      'Paid here, but not at the card provider.',
      'Look the payment up at the card provider, and do not ship the order before its money is there.',
    )
  }
  if (intent.amountReceived !== stored.amount) {
    return contradicted(
      'The card provider received another amount than the order’s.',
      'Refund at the card provider what is too much, or ask the customer for the rest.',
    )
  }
  return diffRefunds(intent, stored)
}

/** Compares a payment that no order could take: it must be refunded. */
function diffUnmatched(intent: Intent, stored: StoredPayment): Difference | null {
  if (!isPaidThere(intent)) {
    return contradicted(
      'A refund is due here, but the provider never received the payment.',
      'Look the payment up at the card provider: nothing came, so nothing can go back.',
    )
  }
  const difference = diffRefunds(intent, stored)
  if (difference || stored.refunded >= intent.amountReceived) return difference
  if (stored.requested > 0) {
    return unsettled('Its order could not take this money, and it is not back at the customer yet.')
  }
  return contradicted(
    'Its order could not take this money, and a bank sent it back to the shop.',
    'Refund it at the card provider once more, or in another way.',
  )
}

/** Compares a payment that is open here, or that ended without money. */
function diffUnpaid(intent: Intent, stored: StoredPayment): Difference | null {
  if (isPaidThere(intent)) return unsettled('Paid at the card provider, and not here yet.')
  const over = stored.status === 'open' && intent.status === 'canceled'
  return over ? unsettled('Ended at the card provider, still open here.') : null
}

/**
 * Compares the provider's state of a payment with ours. Returns null when they agree.
 * @param intent null when the provider does not have it
 */
function diffPayment(intent: Intent | null, stored: StoredPayment | undefined): Difference | null {
  if (!intent) {
    if (!stored || stored.status === 'canceled') return null
    const words = 'The card provider does not know this payment.'
    if (stored.status === 'open') return unsettled(words)
    return contradicted(
      words,
      'It was made in another account of the provider, or with the sandbox: only there can it be looked up.',
    )
  }
  if (!stored)
    return isPaidThere(intent) ? unsettled('Paid at the card provider, unknown here.') : null
  if (stored.status === 'succeeded') return diffKept(intent, stored)
  return stored.status === 'unmatched' ? diffUnmatched(intent, stored) : diffUnpaid(intent, stored)
}

const returned = (cents: number, currency: Currency) =>
  cents > 0 ? `, ${money(fromCents(cents), currency)} back` : ''

const statusNames = {
  open: 'open',
  succeeded: 'paid',
  canceled: 'ended',
  unmatched: 'taken by no order',
  processing: 'in progress',
}

const storedText = (
  { status, amount, refunded, orderStatus }: StoredPayment,
  currency: Currency,
): string =>
  `payment ${statusNames[status]}, ${money(fromCents(amount), currency)}${returned(refunded, currency)}; order ${orderStatus}`

function providerText(
  { status, amount, amountReceived, amountRefunded }: Intent,
  currency: Currency,
): string {
  const cents = status === 'succeeded' ? amountReceived : amount
  return `${statusNames[status]}, ${money(fromCents(cents), currency)}${returned(amountRefunded, currency)}`
}

function ledgerText({ sold, restocked, held }: StoredPayment): string {
  const parts = [
    ...(sold > 0 ? [`${sold} sold`] : []),
    ...(restocked > 0 ? [`${restocked} restocked`] : []),
    ...(held > 0 && sold === 0 ? [`${held} held`] : []),
  ]
  return parts.join(', ') || 'nothing taken'
}

type Deps = { db: Database; payments: Payments; currency: Currency }

/**
 * Reads this much further back at the provider: a payment exists there a moment before we store it.
 */
const marginMs = 3_600_000
/**
 * The wait before a second comparison, because a change may still be on its way to the other side.
 */
const recheckMs = 1_000
/** The most payments to re-check; more than that is an outage, not an issue. */
const maxIssues = 100

const orphan = contradicted(
  'Money came for an order that is not here.',
  'Look the payment up at the card provider, and refund it there.',
)

function toIssue(
  intentId: string,
  intent: Intent | null,
  stored: StoredPayment | undefined,
  { name, currency }: { name: string | undefined; currency: Currency },
): Issue | null {
  const difference = diffPayment(intent, stored)
  if (!difference) return null
  const isOrphan = !stored && name === undefined
  return {
    ...(isOrphan ? orphan : difference),
    about: `intent:${intentId}`,
    name: stored?.name ?? name ?? intentId,
    orderId: stored?.orderId ?? (name === undefined ? null : (intent?.orderId ?? null)),
    ours: stored ? storedText(stored, currency) : null,
    provider: intent ? providerText(intent, currency) : null,
    ledger: stored ? ledgerText(stored) : null,
  }
}

/** Compares one payment with the current state of both sides. */
async function compareAgain(
  { db, payments, currency }: Deps,
  intentId: string,
): Promise<Issue | null> {
  const intent = await payments.retrieveIntent(intentId)
  const stored = await readStoredPayments(db.$client, { intentIds: [intentId], since: null })
  const orderIds = intent?.orderId ? [intent.orderId] : []
  const names = await findOrderNames(db.$client, orderIds)
  const name = names.get(intent?.orderId ?? '')
  return toIssue(intentId, intent, stored.get(intentId), { name, currency })
}

/** Reads the provider's payments with an order id. Other shops may share the account. */
async function readProviderPayments({ payments }: Deps, since: Date): Promise<Map<string, Intent>> {
  const all = await payments.intentsSince(since)
  const ofOrders = all.filter(({ orderId }) => Id.safeParse(orderId).success)
  return new Map(ofOrders.map((intent) => [intent.id, intent]))
}

/**
 * Compares the payments of the last days with the provider's, in both directions.
 * @returns null while the provider does not respond
 */
export async function comparePayments(
  deps: Deps,
  days: number,
): Promise<{ compared: number; issues: Issue[] } | null> {
  const since = new Date(Date.now() - days * 86_400_000)
  try {
    const intents = await readProviderPayments(deps, since)
    const stored = await readStoredPayments(deps.db.$client, {
      intentIds: [...intents.keys()],
      since: new Date(since.getTime() + marginMs),
    })
    const all = [...new Set([...intents.keys(), ...stored.keys()])]
    const different = all.filter((id) => diffPayment(intents.get(id) ?? null, stored.get(id)))
    if (different.length > 0) await pause(recheckMs)
    const issues: Issue[] = []
    for (const id of different.slice(0, maxIssues)) {
      const issue = await compareAgain(deps, id)
      if (issue) issues.push(issue)
    }
    return { compared: all.length, issues }
  } catch (error) {
    if (error instanceof AppError && error.code === 'PROVIDER_DOWN') return null
    throw error
  }
}
