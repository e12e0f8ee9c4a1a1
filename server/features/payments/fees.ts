/** What the card provider takes for payments, refunds and disputes, as it reports them. */
import type { Fee } from '#server/adapters/payments/port.ts'
import type { Queryable } from '#server/database/client.ts'
import { providerFees } from '#server/database/schema/payments.ts'

type FeeType = typeof providerFees.$inferSelect.type

/** A fee of a payment that is recorded, and what it was taken for. */
export type ReportedFee = {
  intentId: string
  type: FeeType
  refundId: string | null
  fee: Fee | null
}

/** Records the fees that are known. One that was recorded before stays. */
export async function recordFees(db: Queryable, reported: ReportedFee[]): Promise<void> {
  const known = reported.flatMap(({ fee, ...about }) => (fee ? [{ ...about, ...fee }] : []))
  if (known.length > 0) await db.insert(providerFees).values(known).onConflictDoNothing()
}

/** How many decimals a currency has; a fee may be in any. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2
