/**
 * The safe repairs. Each repair checks again, then settles, sends, releases or removes; none makes
 * up data.
 */
import type { Logger } from 'pino'
import { Id } from '#contracts/api.ts'
import type { Issue, Repair, Repaired, RepairRequest } from '#contracts/reconciliation.ts'
import type { Images } from '#server/adapters/images/port.ts'
import type { Mailer } from '#server/adapters/mail/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import { AppError } from '#server/errors.ts'
import { type EndDeps, expireHold } from '#server/features/orders/end-holds.ts'
import { findOrder } from '#server/features/orders/store.ts'
import { findRefund, listRefundsOf } from '#server/features/payments/refund-store.ts'
import { finishRefund } from '#server/features/payments/refunds.ts'
import { type Settlement, settle, settleWithRefunds } from '#server/features/payments/settle.ts'
import { findOrderOfPayment } from '#server/features/payments/store.ts'
import { sendMailNow } from '#server/mail/send.ts'
import { removeOrphanFile } from './compare-images.ts'
import { findOrderNames, readStoredPayments } from './store.ts'

export type RepairDeps = EndDeps & { images: Images; mailer: Mailer; log: Logger }

/** `done`: the issue is gone now. `changed`: this repair made the change. */
type RepairResult = { done: boolean; changed: boolean; outcome: string }

const repaired = (outcome: string): RepairResult => ({ done: true, changed: true, outcome })
const notRepaired = (outcome: string): RepairResult => ({ done: false, changed: false, outcome })

/**
 * The result of a repair by settlement. When two requests settle a payment at once, only one has
 * changed it.
 */
const settled: Record<Settlement, Omit<RepairResult, 'changed'> & { changed?: boolean }> = {
  paid: { done: true, changed: true, outcome: 'The order is paid now.' },
  already: { done: true, changed: false, outcome: 'The order is paid.' },
  unmatched: { done: true, outcome: 'The order cannot take the money: it goes back to the card.' },
  canceled: { done: true, outcome: 'The payment is ended here too.' },
  open: { done: false, outcome: 'The card provider still waits for this payment.' },
  unknown: { done: true, outcome: 'The card provider knows no such payment: it is ended here.' },
}

/**
 * Repairs a payment. If the result does not include `changed`, compares our record before and
 * after.
 */
async function repairPayment(
  { db }: RepairDeps,
  intentId: string,
  work: () => Promise<Omit<RepairResult, 'changed'> & { changed?: boolean }>,
): Promise<RepairResult> {
  const storedPayment = async () => {
    const storedPayments = await readStoredPayments(db.$client, {
      intentIds: [intentId],
      since: null,
    })
    return JSON.stringify(storedPayments.get(intentId))
  }
  const before = await storedPayment()
  const result = await work()
  return { ...result, changed: result.changed ?? before !== (await storedPayment()) }
}

/**
 * Settles a payment. The outcome reports if the provider refuses the refund of money that no order
 * could take.
 */
async function settlePayment(deps: RepairDeps, intentId: string) {
  const settlement = await settle(deps, intentId)
  const refunds = settlement === 'unmatched' ? await listRefundsOf(deps.db, intentId) : []
  const refused = refunds.find(({ state }) => state === 'requested')
  if (!refused) return settled[settlement]
  return { done: false, outcome: `The card provider refuses the refund: ${refused.note}` }
}

async function finishRequested(deps: RepairDeps, id: string): Promise<RepairResult> {
  const refund = Id.safeParse(id).success ? await findRefund(deps.db, id) : undefined
  if (refund?.state !== 'requested') return notRepaired('No such refund waits to be made.')
  await finishRefund(deps, refund)
  const { state, note } = (await findRefund(deps.db, id)) ?? refund
  if (state === 'failed')
    return { ...repaired(`The card provider refuses the refund: ${note}`), done: false }
  return repaired('The refund is made.')
}

/**
 * Each repair, with the subject type that it repairs. `run` takes the key after that type in an
 * issue's `about`.
 */
const repairs: Record<
  Repair,
  { of: string; run: (deps: RepairDeps, key: string) => Promise<RepairResult> }
> = {
  settle: {
    of: 'intent',
    run: (deps, intentId) => repairPayment(deps, intentId, () => settlePayment(deps, intentId)),
  },
  syncRefunds: {
    of: 'intent',
    run: (deps, intentId) =>
      repairPayment(deps, intentId, async () => {
        await settleWithRefunds(deps, intentId)
        return { done: true, outcome: 'The refunds here are those of the card provider now.' }
      }),
  },
  makeRefund: { of: 'refund', run: finishRequested },
  sendMail: {
    of: 'mail',
    async run(deps, id) {
      const why = await sendMailNow(deps, id)
      return why === null
        ? repaired('The mail is sent.')
        : notRepaired(`The mail was not sent: ${why}`)
    },
  },
  expireHold: {
    of: 'order',
    async run(deps, id) {
      const order = Id.safeParse(id).success ? await findOrder(deps.db, id) : undefined
      const isOver = order && (await expireHold(deps, order.checkoutId))
      if (isOver) return repaired('The hold is ended: its units are on sale again.')
      return notRepaired('There was no hold to end, or its payment goes on.')
    },
  },
  removeFile: {
    of: 'picture',
    async run(deps, url) {
      if (await removeOrphanFile(deps, url)) return repaired('The files are removed.')
      return notRepaired('Nothing was removed: the picture is named or too young.')
    },
  },
}

/** An admin, or the name of a command or a job. */
export type Repairer = { _id: string } | { name: string }

/** Finds the order that a repair concerns, if there is one. */
async function orderOf(
  { db }: Pick<RepairDeps, 'db'>,
  type: string,
  key: string,
): Promise<string | null> {
  if (type === 'intent') return findOrderOfPayment(db, key)
  if (!Id.safeParse(key).success) return null
  if (type === 'refund') {
    const refund = await findRefund(db, key)
    return refund ? orderOf({ db }, 'intent', refund.intentId) : null
  }
  const isOrder = type === 'order' && (await findOrderNames(db.$client, [key])).has(key)
  return isOrder ? key : null
}

/** Adds a repair to the audit log of its order or, without an order, of the admin. */
async function logRepair(
  deps: RepairDeps,
  by: Repairer,
  request: RepairRequest,
  result: RepairResult,
): Promise<void> {
  const [type = '', ...rest] = request.about.split(':')
  const orderId = await orderOf(deps, type, rest.join(':'))
  const actor = '_id' in by ? by : null
  if (!orderId && !actor) return
  const subject = orderId ? { orderId } : { userId: actor?._id ?? '' }
  const detail = { ...request, outcome: result.outcome, ...('name' in by && { by: by.name }) }
  await deps.db.transaction((tx) =>
    logActions(tx, [{ actor, action: 'repair made', ...subject, detail }]),
  )
}

/**
 * Repairs one issue. Calls are safe at any time and can be repeated, because each repair checks
 * everything again.
 * @throws AppError INVALID when the repair does not fit the type of the subject, PROVIDER_DOWN
 */
export async function repair(
  deps: RepairDeps,
  by: Repairer,
  request: RepairRequest,
): Promise<Repaired> {
  const { of, run } = repairs[request.repair]
  const key = request.about.slice(of.length + 1)
  if (!key || request.about !== `${of}:${key}`) {
    const problem = `must be ${of}:… for this repair`
    throw new AppError('INVALID', `about: ${problem}`, { about: problem })
  }
  const result = await run(deps, key)
  deps.log.warn({ ...request, ...result }, 'repair_made')
  // of two concurrent repairs, only the first changed something
  if (result.changed) await logRepair(deps, by, request, result)
  return { acknowledged: true, done: result.done, outcome: result.outcome }
}

/**
 * Repairs every issue that has a safe repair, one after the other. One failure does not stop the
 * others.
 */
export async function repairAll(
  deps: RepairDeps,
  by: Repairer,
  issues: Issue[],
  report: (issue: Issue, result: Pick<Repaired, 'done' | 'outcome'>) => void,
): Promise<void> {
  for (const issue of issues) {
    if (!issue.repair) continue
    const repairing = repair(deps, by, { repair: issue.repair, about: issue.about })
    report(issue, await repairing.catch(({ message }) => ({ done: false, outcome: message })))
  }
}
