/** The rules of tickets that screens and server share. Imports no schema library. */
import { arrivalDay, type DispatchRules, nextDay } from './dispatch.ts'

/** What customers ask for after paying, in the words of the screens. */
export const ticketTypes = {
  withdrawal: 'Withdrawal',
  return: 'Return',
  warranty: 'Warranty',
  question: 'Question',
  undelivered: 'Returned undelivered',
} as const
export type TicketType = keyof typeof ticketTypes

/** The types that take units of an order back, each unit once. */
export const takesBack = ['withdrawal', 'return', 'undelivered'] as const

export const ticketStates = [
  'asked',
  'accepted',
  'on its way',
  'received',
  'settled',
  'refused',
] as const
export type TicketState = (typeof ticketStates)[number]

/** What a ticket can become. A message of its customer opens an ended one again. */
const ticketTransitions: Record<TicketState, readonly TicketState[]> = {
  asked: ['accepted', 'on its way', 'received', 'settled', 'refused'],
  accepted: ['on its way', 'received', 'settled', 'refused'],
  'on its way': ['received', 'settled', 'refused'],
  received: ['settled', 'refused'],
  settled: ['asked'],
  refused: ['asked'],
}
/** The states that an admin can give a ticket; a question is only settled. */
export const nextStates = (type: TicketType, state: TicketState): readonly TicketState[] =>
  ticketTransitions[state].filter(
    (next) => type !== 'question' || next === 'settled' || next === 'asked',
  )

/** How someone without a login proves in a header that a ticket is theirs. */
export const ticketKeyHeader = 'ticket-key'

export const hasEnded = (state: TicketState): boolean => state === 'settled' || state === 'refused'

/** The law of the EU gives customers this many days, whatever the owner gives. */
export const withdrawalDays = 14

export type SentOrder = {
  /** The days of the shop on which it was shipped, and arrived as far as somebody said. */
  shipped: string | null
  delivered: string | null
}

const addDays = (day: string, days: number): string =>
  days > 0 ? addDays(nextDay(day), days - 1) : day

/**
 * The last day, YYYY-MM-DD, on which orders of one checkout can be withdrawn from or returned:
 * counted from the arrival of the last one, which is where nobody said so what the delivery takes at
 * the longest. Null while something is not shipped yet.
 * @param daysTo working days of the delivery; null without one
 * @param days those that the owner gives
 */
export function lastReturnDay(
  orders: readonly SentOrder[],
  {
    daysTo,
    days,
    rules,
  }: { daysTo: number | null; days: number; rules: Pick<DispatchRules, 'dispatchDays'> },
): string | null {
  const arrived = orders.map(({ shipped, delivered }) =>
    shipped === null ? null : (delivered ?? arrivalDay(shipped, daysTo ?? 0, rules)),
  )
  if (arrived.length === 0 || arrived.includes(null)) return null
  const last = arrived.reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b)) ?? ''
  return addDays(last, Math.max(withdrawalDays, days))
}
