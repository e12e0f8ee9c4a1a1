import { dayText } from '#contracts/dispatch.ts'
import type { ExpectedGoods } from '#contracts/expected-goods.ts'
import type { QueuePlace } from '#contracts/queue.ts'
import { secondsUntil } from '#web/lib/moments.ts'

const endings = ['th', 'st', 'nd', 'rd']

/** Formats 4 as '4th', 12 as '12th', 22 as '22nd'. */
export function ordinal(position: number): string {
  const isTeen = Math.floor(position / 10) % 10 === 1
  return `${position}${(!isTeen && endings[position % 10]) || 'th'}`
}

/** A place in the queue: 'first in line', '3rd in line'. */
export const inLine = (position: number): string =>
  `${position === 1 ? 'first' : ordinal(position)} in line`

export const units = (quantity: number): string => (quantity === 1 ? '1 unit' : `${quantity} units`)

/** What is expected of a part and when: '12 expected on Thursday 3 December'. */
export const expectedText = (expected: ExpectedGoods): string =>
  expected ? `${expected.units} expected on ${dayText(expected.on)}` : ''

/** Why fewer units are offered than the customer waits for, and how to get more. */
export const fewerText = ({ quantity, offerQuantity }: QueuePlace): string | null =>
  offerQuantity < quantity
    ? `For now, you can get ${units(offerQuantity)} at a time, because you haven’t paid for more before. Book and pay for that, and you can get as many again.`
    : null

/** Whole seconds until the offer ends; null before its time starts. */
export function secondsLeft({ offerEndsAt }: QueuePlace, now: number): number | null {
  return offerEndsAt ? secondsUntil(offerEndsAt, now) : null
}
