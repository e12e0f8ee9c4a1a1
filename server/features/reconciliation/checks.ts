/** The checks of `npm run doctor` and of the page Money. They only read. */

import { sql } from 'drizzle-orm'
import { counted } from '#contracts/counted.ts'
import { type Currency, fromCents, money } from '#contracts/money.ts'
import { type CheckReport, comparedDays, type Issue } from '#contracts/reconciliation.ts'
import type { Images } from '#server/adapters/images/port.ts'
import type { Payments } from '#server/adapters/payments/port.ts'
import type { Database } from '#server/database/client.ts'
import { findViolations, type Violation } from '#server/database/invariants.ts'
import { findStuckMail } from '#server/database/mail-queue.ts'
import { comparePictures } from './compare-images.ts'
import { comparePayments } from './compare-payments.ts'

export type CheckDeps = {
  db: Database
  payments: Payments
  images: Images
  currency: Currency
}

const toSetRight =
  'Rows were changed bypassing the shop. Compare them with the card provider, then correct them in the database.'
const toCount =
  'Set the counters to the ledger as docs/troubleshooting.md says, then count the units and correct the stock.'
const toIndex =
  'Have the database write the index anew, by psql: insert into parts_to_index select _id from parts. A running shop does it within seconds; no part changes by it.'

const advice: Partial<Record<Violation['type'], string>> = { stock: toCount, search: toIndex }

/**
 * Rows that contradict each other have no safe repair: somebody bypassed the triggers, and only
 * that person can tell which row is right.
 */
const toIssue = ({ invariant, ...violation }: Violation): Issue => ({
  ...violation,
  words: `Broken: ${invariant}.`,
  provider: null,
  repair: null,
  advice: advice[violation.type] ?? toSetRight,
})

const nothing = { provider: null, ledger: null, advice: null }

/**
 * Finds holds that expired two minutes ago and still reserve units. A job normally ends such holds
 * within seconds.
 */
async function findOverdueHolds(db: Database): Promise<Issue[]> {
  const { rows } = await db.execute<{
    _id: string
    name: string
    quantity: number
    minutes: number
  }>(sql`
    select _id, concat_ws(', ', product, number) as name, quantity, floor(extract(epoch from now() - hold_expires_at) / 60)::int as minutes
    from orders where hold_expires_at < now() - interval '2 minutes' order by hold_expires_at limit 100`)
  return rows.map(({ _id, name, quantity, minutes }) => ({
    ...nothing,
    type: 'hold',
    about: `order:${_id}`,
    name,
    orderId: _id,
    words: 'The hold is over and still binds its units.',
    ours: `over for ${minutes} min`,
    ledger: `${quantity} held`,
    repair: 'expireHold',
  }))
}

/**
 * Finds refunds that an admin requested ten minutes ago and that are not made yet.
 * `comparePayments` finds all others.
 */
async function findWaitingRefunds({ db, currency }: CheckDeps): Promise<Issue[]> {
  const { rows } = await db.execute<{
    _id: string
    orderId: string
    name: string
    amount: number
    minutes: number
  }>(sql`
    select r._id, o._id as "orderId", concat_ws(', ', o.product, o.number) as name, r.amount,
      floor(extract(epoch from now() - r.created_at) / 60)::int as minutes
    from refunds r join refund_lines l on l.refund_id = r._id join orders o on o._id = l.order_id
    where r.state = 'requested' and r.created_at < now() - interval '10 minutes' order by r.created_at limit 100`)
  return rows.map(({ _id, orderId, name, amount, minutes }) => ({
    ...nothing,
    type: 'refund',
    about: `refund:${_id}`,
    name,
    orderId,
    words: 'A refund was requested and not made.',
    ours: `${money(fromCents(amount), currency)} asked for ${minutes} min ago`,
    repair: 'makeRefund',
  }))
}

/** Finds overdue mails. */
async function findWaitingMail(db: Database): Promise<Issue[]> {
  return (await findStuckMail(db)).map(({ _id, template, attempts, lastError, createdAt }) => ({
    ...nothing,
    type: 'mail',
    about: `mail:${_id}`,
    name: template,
    orderId: null,
    words: lastError ? `A mail cannot be sent: ${lastError}` : 'A mail waits to be sent.',
    ours: `written ${createdAt} UTC, ${counted(attempts, 'try', 'tries')}`,
    repair: 'sendMail',
  }))
}

async function countRows(db: Database) {
  const { rows } = await db.execute<{ orders: number; parts: number; mails: number }>(sql`select
    (select count(*)::int from orders) as orders, (select count(*)::int from parts) as parts,
    (select count(*)::int from mail_queue) as mails`)
  const [counts] = rows
  if (!counts) throw new Error('a select without a source answered no row')
  return counts
}

/**
 * Runs all checks of money, stock, pictures and mail.
 * @param index whether to compare the search index of parts too. This takes too long for a page,
 *   and no money depends on it
 */
export async function runChecks(deps: CheckDeps, { index = false } = {}): Promise<CheckReport> {
  const { db } = deps
  const at = new Date()
  const [money, pictures, counts, ...rest] = await Promise.all([
    comparePayments(deps, comparedDays),
    comparePictures(deps),
    countRows(db),
    findViolations(db.$client, { index }).then((violations) => violations.map(toIssue)),
    findOverdueHolds(db),
    findWaitingRefunds(deps),
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
