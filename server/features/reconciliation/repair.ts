import { Id } from '#contracts/parts.ts'
import type { Finding, Repaired, RepairRequest } from '#contracts/reconciliation.ts'
import { logActions } from '#server/database/audit-log.ts'
import { AppError } from '#server/errors.ts'
import { findRefund } from '#server/features/payments/refund-store.ts'
import { type Made, type MendDeps, mends } from './repairs.ts'
import { findOrderNames, readOurPayments } from './store.ts'

/** Who repairs: an admin, or what somebody runs or the clockwork does, under its name. */
export type Repairer = { _id: string } | { name: string }

/** The order that a repair is about, if there is one. */
async function orderOf({ db }: MendDeps, type: string, key: string): Promise<string | null> {
  if (type === 'intent') {
    const ours = await readOurPayments(db.$client, { intentIds: [key], since: null })
    return ours.get(key)?.orderId ?? null
  }
  if (!Id.safeParse(key).success) return null
  if (type === 'refund') return (await findRefund(db, key))?.orderId ?? null
  const isOrder = type === 'order' && (await findOrderNames(db.$client, [key])).has(key)
  return isOrder ? key : null
}

/** The record keeps who repaired what: at the order, or where there is none at the admin who did it. */
async function writeDown(deps: MendDeps, by: Repairer, request: RepairRequest, made: Made) {
  const [type = '', ...rest] = request.about.split(':')
  const orderId = await orderOf(deps, type, rest.join(':'))
  const admin = '_id' in by ? by._id : null
  if (!orderId && !admin) return
  const subject = orderId ? { orderId } : { userId: admin ?? '' }
  const detail = { ...request, outcome: made.outcome, ...('name' in by && { by: by.name }) }
  await deps.db.transaction((tx) =>
    logActions(tx, [{ actorId: admin, action: 'repair made', ...subject, detail }]),
  )
}

/**
 * Mends one finding. Safe to ask for at any time, about anything and twice: what it does checks everything anew.
 * @throws AppError INVALID for a repair that is not for such a thing, PROVIDER_DOWN
 */
export async function repair(
  deps: MendDeps,
  by: Repairer,
  request: RepairRequest,
): Promise<Repaired> {
  const { of, mend } = mends[request.repair]
  const key = request.about.slice(of.length + 1)
  if (!key || request.about !== `${of}:${key}`) {
    const problem = `must be ${of}:… for this repair`
    throw new AppError('INVALID', `about: ${problem}`, { about: problem })
  }
  const made = await mend(deps, key)
  deps.log.warn({ ...request, ...made }, 'a repair')
  // whoever comes second repaired nothing
  if (made.changed) await writeDown(deps, by, request, made)
  return { acknowledged: true, done: made.done, outcome: made.outcome }
}

/** Mends what has a safe repair, one after the other; one that fails stops no other. */
export async function repairAll(
  deps: MendDeps,
  by: Repairer,
  findings: Finding[],
  told: (finding: Finding, made: Pick<Repaired, 'done' | 'outcome'>) => void,
): Promise<void> {
  for (const finding of findings) {
    if (!finding.repair) continue
    const asked = repair(deps, by, { repair: finding.repair, about: finding.about })
    told(finding, await asked.catch(({ message }) => ({ done: false, outcome: message })))
  }
}
