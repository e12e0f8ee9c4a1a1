import type { Finding } from '#contracts/findings.ts'
import { dollars } from '#contracts/money.ts'
import type { Intent } from '#server/ports/payments/port.ts'
import type { OurPayment } from './our-money.ts'

type Verdict = Pick<Finding, 'kind' | 'words' | 'repair'>

const payment = (words: string, repair: Finding['repair'] = null): Verdict => ({
  kind: 'payment',
  words,
  repair,
})

const came = (there: Intent) => there.status === 'succeeded'

/** Money that we count as taken must be there, all of it, and as much of it back as we say. */
function judgeKept(there: Intent, ours: OurPayment): Verdict | null {
  if (!came(there)) return payment('Paid here, but not at the card provider.')
  if (there.amountReceived !== ours.amount) {
    return payment('The card provider received another amount than the order’s.')
  }
  if (there.amountRefunded === ours.refunded) return null
  const words = 'What was given back is not the same here and at the card provider.'
  return { kind: 'refund', words, repair: 'readRefunds' }
}

/** Money that no order could take must be back. */
function judgeReturned(there: Intent): Verdict | null {
  if (came(there) && there.amountRefunded >= there.amountReceived) return null
  return payment('Given back here, but not all of it at the card provider.')
}

/** A payment that we think has not ended, or ended without money. */
function judgeUnpaid(there: Intent, ours: OurPayment): Verdict | null {
  if (came(there)) return payment('Paid at the card provider, and not here yet.', 'settle')
  if (ours.status === 'refund_due') return payment('Owed back here, but never paid there.')
  const over = ours.status === 'open' && there.status === 'canceled'
  return over ? payment('Ended at the card provider, still open here.', 'settle') : null
}

/**
 * Where the card provider and our record disagree about a payment; null where they agree.
 * @param there null when the provider does not know it
 */
export function judge(there: Intent | null, ours: OurPayment | undefined): Verdict | null {
  if (!there) {
    if (!ours || ours.status === 'canceled') return null
    const words = 'The card provider does not know this payment.'
    return payment(words, ours.status === 'open' ? 'settle' : null)
  }
  if (!ours)
    return came(there) ? payment('Paid at the card provider, unknown here.', 'settle') : null
  if (ours.status === 'succeeded') return judgeKept(there, ours)
  return ours.status === 'refunded' ? judgeReturned(there) : judgeUnpaid(there, ours)
}

const sum = (cents: number) => dollars(cents / 100)
const back = (cents: number) => (cents > 0 ? `, ${sum(cents)} back` : '')

const names = {
  open: 'open',
  succeeded: 'paid',
  canceled: 'ended',
  refund_due: 'owed back',
  refunded: 'given back',
  processing: 'in progress',
}

export const ourWords = ({ status, amount, refunded, orderStatus }: OurPayment): string =>
  `payment ${names[status]}, ${sum(amount)}${back(refunded)}; order ${orderStatus}`

export const providerWords = ({ status, amount, amountReceived, amountRefunded }: Intent): string =>
  `${names[status]}, ${sum(status === 'succeeded' ? amountReceived : amount)}${back(amountRefunded)}`

export function ledgerWords({ sold, putBack, held }: OurPayment): string {
  const parts = [
    ...(sold > 0 ? [`${sold} sold`] : []),
    ...(putBack > 0 ? [`${putBack} put back`] : []),
    ...(held > 0 && sold === 0 ? [`${held} held`] : []),
  ]
  return parts.join(', ') || 'nothing taken'
}
