import type { Logger } from 'pino'
import { Id } from '#contracts/api.ts'
import type { Repair } from '#contracts/reconciliation.ts'
import type { Images } from '#server/adapters/images/port.ts'
import type { Mailer } from '#server/adapters/mail/port.ts'
import { expireHold } from '#server/features/orders/expire-holds.ts'
import { finishRefund } from '#server/features/payments/make-refund.ts'
import { findRefund } from '#server/features/payments/refund-store.ts'
import type { SettleDeps, Settlement } from '#server/features/payments/settle.ts'
import { settle } from '#server/features/payments/settle.ts'
import { readRefunds } from '#server/features/payments/take-refunds.ts'
import { sendMailNow } from '#server/mail/send.ts'
import { removeOrphanFile } from './compare-images.ts'
import { readStoredPayments } from './store.ts'

export type RepairDeps = SettleDeps & { images: Images; mailer: Mailer; log: Logger }

/** The result of a repair. `changed`: this repair did it; `done`: all is in order now. */
export type RepairResult = { done: boolean; changed: boolean; outcome: string }

const repaired = (outcome: string): RepairResult => ({ done: true, changed: true, outcome })
const notRepaired = (outcome: string): RepairResult => ({ done: false, changed: false, outcome })

/** Of two repairs that settle an order at once, one reports the change. */
const settled: Record<Settlement, Omit<RepairResult, 'changed'> & { changed?: boolean }> = {
  paid: { done: true, changed: true, outcome: 'The order is paid now.' },
  already: { done: true, changed: false, outcome: 'The order is paid.' },
  refunded: { done: true, outcome: 'The order can not take the money: it goes back to the card.' },
  canceled: { done: true, outcome: 'The payment is ended here too.' },
  open: { done: false, outcome: 'The card provider still waits for this payment.' },
  unknown: { done: true, outcome: 'The card provider knows no such payment: it is ended here.' },
}

/** Repairs a payment. @returns the result, with `changed` from a comparison of our rows before and after */
async function watching(
  { db }: RepairDeps,
  intentId: string,
  work: () => Promise<Omit<RepairResult, 'changed'> & { changed?: boolean }>,
): Promise<RepairResult> {
  const known = async () => {
    const ours = await readStoredPayments(db.$client, { intentIds: [intentId], since: null })
    return JSON.stringify(ours.get(intentId))
  }
  const before = await known()
  const made = await work()
  return { ...made, changed: made.changed ?? before !== (await known()) }
}

async function giveBack(deps: RepairDeps, id: string): Promise<RepairResult> {
  const refund = Id.safeParse(id).success ? await findRefund(deps.db, id) : undefined
  if (refund?.state !== 'requested') return notRepaired('No such refund waits to be made.')
  await finishRefund(deps, refund)
  const { state, note } = (await findRefund(deps.db, id)) ?? refund
  if (state === 'failed')
    return { ...repaired(`The card provider refuses the refund: ${note}`), done: false }
  return repaired('The refund is made.')
}

/** How each repair is done, given what the finding is about without its kind. */
export const repairs: Record<
  Repair,
  { of: string; mend: (deps: RepairDeps, key: string) => Promise<RepairResult> }
> = {
  settle: {
    of: 'intent',
    mend: (deps, intentId) =>
      watching(deps, intentId, async () => settled[await settle(deps, intentId)]),
  },
  readRefunds: {
    of: 'intent',
    mend: (deps, intentId) =>
      watching(deps, intentId, async () => {
        await readRefunds(deps, intentId)
        return { done: true, outcome: 'The refunds here are those of the card provider now.' }
      }),
  },
  makeRefund: { of: 'refund', mend: giveBack },
  sendMail: {
    of: 'mail',
    async mend(deps, id) {
      const why = await sendMailNow(deps, id)
      return why === null
        ? repaired('The mail is sent.')
        : notRepaired(`The mail was not sent: ${why}`)
    },
  },
  expireHold: {
    of: 'order',
    async mend(deps, id) {
      const isOver = Id.safeParse(id).success && (await expireHold(deps, id))
      if (isOver) return repaired('The hold is ended: its units are on sale again.')
      return notRepaired('There was no hold to end, or its payment goes on.')
    },
  },
  removeFile: {
    of: 'picture',
    async mend(deps, url) {
      if (await removeOrphanFile(deps, url)) return repaired('The files are removed.')
      return notRepaired('Nothing was removed: the picture is named or too young.')
    },
  },
}
