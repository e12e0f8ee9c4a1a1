import { Id } from '#contracts/api.ts'
import type { Issue, Repaired, RepairRequest } from '#contracts/reconciliation.ts'
import { logActions } from '#server/database/audit-log.ts'
import { AppError } from '#server/errors.ts'
import { findRefund } from '#server/features/payments/refund-store.ts'
import { type RepairDeps, type RepairResult, repairs } from './repairs.ts'
import { findOrderNames, readStoredPayments } from './store.ts'

/** Who repairs: an admin, or a command or job under its name. */
export type Repairer = { _id: string } | { name: string }

/** The order that a repair is about, if there is one. */
async function orderOf({ db }: RepairDeps, type: string, key: string): Promise<string | null> {
  if (type === 'intent') {
    const ours = await readStoredPayments(db.$client, { intentIds: [key], since: null })
    return ours.get(key)?.orderId ?? null
  }
  if (!Id.safeParse(key).success) return null
  if (type === 'refund') return (await findRefund(db, key))?.orderId ?? null
  const isOrder = type === 'order' && (await findOrderNames(db.$client, [key])).has(key)
  return isOrder ? key : null
}

/** Logs a repair at its order or, without one, at the admin. */
async function writeDown(
  deps: RepairDeps,
  by: Repairer,
  request: RepairRequest,
  made: RepairResult,
) {
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
  deps: RepairDeps,
  by: Repairer,
  request: RepairRequest,
): Promise<Repaired> {
  const { of, mend } = repairs[request.repair]
  const key = request.about.slice(of.length + 1)
  if (!key || request.about !== `${of}:${key}`) {
    const problem = `must be ${of}:… for this repair`
    throw new AppError('INVALID', `about: ${problem}`, { about: problem })
  }
  const made = await mend(deps, key)
  deps.log.warn({ ...request, ...made }, 'a repair')
  // a second repair changes nothing
  if (made.changed) await writeDown(deps, by, request, made)
  return { acknowledged: true, done: made.done, outcome: made.outcome }
}

/** Mends what has a safe repair, one after the other; one that fails stops no other. */
export async function repairAll(
  deps: RepairDeps,
  by: Repairer,
  issues: Issue[],
  told: (issue: Issue, made: Pick<Repaired, 'done' | 'outcome'>) => void,
): Promise<void> {
  for (const issue of issues) {
    if (!issue.repair) continue
    const asked = repair(deps, by, { repair: issue.repair, about: issue.about })
    told(issue, await asked.catch(({ message }) => ({ done: false, outcome: message })))
  }
}
