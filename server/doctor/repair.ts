import type { Logger } from 'pino'
import type { Repaired, RepairRequest } from '#contracts/findings.ts'
import { Id } from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { recordDeeds } from '#server/database/audit.ts'
import { AppError } from '#server/errors.ts'
import { lapseHold } from '#server/features/orders/lapse-holds.ts'
import type { SettleDeps, Settlement } from '#server/features/orders/settle.ts'
import { settle } from '#server/features/orders/settle.ts'
import { readRefunds } from '#server/features/orders/take-refunds.ts'
import type { Images } from '#server/ports/images/port.ts'
import type { Mailer } from '#server/ports/mail/port.ts'
import { sendMailNow } from '#server/send-mail.ts'
import { removeOrphanFile } from './compare-pictures.ts'
import { findProducts, readOurPayments } from './our-money.ts'

export type RepairDeps = SettleDeps & { images: Images; mailer: Mailer; log: Logger }

type Outcome = Omit<Repaired, 'acknowledged'>

const settled: Record<Settlement, Outcome> = {
  paid: { done: true, outcome: 'The order is paid now.' },
  already: { done: true, outcome: 'The order is paid.' },
  refunded: { done: true, outcome: 'The order can not take the money: it goes back to the card.' },
  canceled: { done: true, outcome: 'The payment is ended here too.' },
  open: { done: false, outcome: 'The card provider still waits for this payment.' },
  unknown: { done: true, outcome: 'The card provider knows no such payment: it is ended here.' },
}

/** How each repair is done, given what the finding is about without its kind. */
const deeds: Record<
  RepairRequest['repair'],
  { of: string; mend: (deps: RepairDeps, key: string) => Promise<Outcome> }
> = {
  settle: { of: 'intent', mend: async (deps, intentId) => settled[await settle(deps, intentId)] },
  readRefunds: {
    of: 'intent',
    async mend(deps, intentId) {
      await readRefunds(deps, intentId)
      return { done: true, outcome: 'The refunds here are those of the card provider now.' }
    },
  },
  sendMail: {
    of: 'mail',
    async mend(deps, id) {
      const why = await sendMailNow(deps, id)
      if (why === null) return { done: true, outcome: 'The mail is sent.' }
      return { done: false, outcome: `The mail was not sent: ${why}` }
    },
  },
  lapseHold: {
    of: 'order',
    async mend(deps, id) {
      if (Id.safeParse(id).success && (await lapseHold(deps, id))) {
        return { done: true, outcome: 'The hold is ended: its units are on sale again.' }
      }
      return { done: false, outcome: 'There was no hold to end, or its payment goes on.' }
    },
  },
  removeFile: {
    of: 'picture',
    async mend(deps, url) {
      if (await removeOrphanFile(deps, url))
        return { done: true, outcome: 'The files are removed.' }
      return { done: false, outcome: 'Nothing was removed: the picture is named or too young.' }
    },
  },
}

/** The order that a repair is about, if there is one. */
async function orderOf({ db }: RepairDeps, kind: string, key: string): Promise<string | null> {
  if (kind === 'intent') {
    const ours = await readOurPayments(db.$client, { intentIds: [key], since: null })
    return ours.get(key)?.orderId ?? null
  }
  const isOrder = kind === 'order' && (await findProducts(db.$client, [key])).has(key)
  return isOrder ? key : null
}

/** The record keeps who repaired what: at the order, or where there is none at whoever did it. */
async function writeDown(deps: RepairDeps, caller: Caller, request: RepairRequest, made: Outcome) {
  const [kind = '', ...rest] = request.about.split(':')
  const orderId = await orderOf(deps, kind, rest.join(':'))
  const subject = orderId ? { orderId } : { userId: caller._id }
  const detail = { ...request, outcome: made.outcome }
  await deps.db.transaction((tx) =>
    recordDeeds(tx, [{ actorId: caller._id, deed: 'repair made', ...subject, detail }]),
  )
}

/**
 * Mends one finding. Safe to ask for at any time, about anything and twice: what it does checks everything anew.
 * @param caller whoever asked; null at the terminal
 * @throws AppError INVALID for a repair that is not for such a thing, PROVIDER_DOWN
 */
export async function repair(
  deps: RepairDeps,
  caller: Caller | null,
  request: RepairRequest,
): Promise<Repaired> {
  const { of, mend } = deeds[request.repair]
  const key = request.about.slice(of.length + 1)
  if (!key || request.about !== `${of}:${key}`) {
    const problem = `must be ${of}:… for this repair`
    throw new AppError('INVALID', `about: ${problem}`, { about: problem })
  }
  const made = await mend(deps, key)
  deps.log.warn({ ...request, ...made }, 'a repair')
  if (caller && made.done) await writeDown(deps, caller, request, made)
  return { acknowledged: true, ...made }
}
