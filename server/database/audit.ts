import { auditLog } from './audit-schema.ts'
import type { Transaction } from './client.ts'

type Subject = { userId: string } | { partId: string } | { orderId: string }

type DeedName =
  | 'admin made'
  | 'admin rights removed'
  | 'part added'
  | 'part changed'
  | 'part deleted'
  | 'part restored'
  | 'order shipped'
  | 'order deleted'
  | 'payment reminder sent'

export type Deed = Subject & {
  /** Who did it. */
  actorId: string
  deed: DeedName
  detail?: Record<string, unknown>
}

/** Writes down who did what to which user, part or order, in the transaction of the deed itself. */
export async function recordDeeds(tx: Transaction, deeds: Deed[]): Promise<void> {
  if (deeds.length > 0) await tx.insert(auditLog).values(deeds)
}
