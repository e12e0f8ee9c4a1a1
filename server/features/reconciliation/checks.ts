import { sql } from 'drizzle-orm'
import { type CheckReport, comparedDays, type Issue } from '#contracts/reconciliation.ts'
import type { Images } from '#server/adapters/images/port.ts'
import type { Payments } from '#server/adapters/payments/port.ts'
import type { Database } from '#server/database/client.ts'
import { type Breach, findBreaches } from '#server/database/invariants.ts'
import { comparePictures } from './compare-images.ts'
import { comparePayments } from './compare-payments.ts'
import { findOverdueHolds, findWaitingMail, findWaitingRefunds } from './find-overdue.ts'

export type CheckDeps = { db: Database; payments: Payments; images: Images }

const toSetRight =
  'Rows were changed past the shop. Compare them with the card provider, then set right in the database what is wrong.'
const toCount =
  'Set the counters to the ledger as docs/operations.md says, then count the units and correct the stock.'

/** Contradictions among our own rows have no safe repair: only whoever bypassed the triggers knows what is true. */
const toIssue = ({ promise, ...breach }: Breach): Issue => ({
  ...breach,
  words: `Broken: ${promise}.`,
  provider: null,
  repair: null,
  advice: breach.type === 'stock' ? toCount : toSetRight,
})

async function countRows(db: Database) {
  const { rows } = await db.execute<{ orders: number; parts: number; mails: number }>(sql`select
    (select count(*)::int from orders) as orders, (select count(*)::int from parts) as parts,
    (select count(*)::int from mail_queue) as mails`)
  const [counts] = rows
  if (!counts) throw new Error('a select without a source answered no row')
  return counts
}

/** Compares money, stock, pictures and mail with everything that knows of them. Reads only. */
export async function runChecks(deps: CheckDeps): Promise<CheckReport> {
  const { db } = deps
  const at = new Date()
  const [money, pictures, counts, ...rest] = await Promise.all([
    comparePayments(deps, comparedDays),
    comparePictures(deps),
    countRows(db),
    findBreaches(db.$client).then((breaches) => breaches.map(toIssue)),
    findOverdueHolds(db),
    findWaitingRefunds(db),
    findWaitingMail(db),
  ])
  return {
    at: at.toISOString(),
    since: new Date(at.getTime() - comparedDays * 86_400_000).toISOString(),
    provider: money ? 'answered' : 'silent',
    compared: { payments: money?.compared ?? 0, pictures: pictures.compared, ...counts },
    issues: [...(money?.issues ?? []), ...rest.flat(), ...pictures.issues],
  }
}
