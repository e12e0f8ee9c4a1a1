import type { Order } from '#contracts/orders.ts'

const minute = 60

type Held = Pick<Order, 'holdExpiresAt'>
type Hold = Pick<Order, 'holdExpiresAt' | 'holdEndedAt'>

/** Whole seconds that the order's stock is still held; 0 when it is not. */
export function secondsHeld({ holdExpiresAt }: Held, now: number): number {
  if (!holdExpiresAt) return 0
  return Math.max(0, Math.floor((Date.parse(holdExpiresAt) - now) / 1000))
}

/** 1781 → "29:41" */
export function clock(seconds: number): string {
  return `${Math.floor(seconds / minute)}:${String(seconds % minute).padStart(2, '0')}`
}

/** Is the hold about to end? */
export const isShort = (seconds: number) => seconds > 0 && seconds < 5 * minute

/** What a screen reader hears of a countdown: something at five minutes and at one, otherwise nothing. */
export function announcement(product: string, seconds: number): string {
  if (seconds <= 0 || seconds > 5 * minute) return ''
  return `${product} is held for ${seconds > minute ? '5 more minutes' : '1 more minute'}`
}

/** "14:32", in the reader's time zone. */
export function timeOfDay(iso: string): string {
  return new Date(iso).toLocaleTimeString('en', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}

/** " at 14:32", or " on Nov 20 at 14:32" when that was on another day than now. */
function whenOf(iso: string, now: number): string {
  const day = (at: number | string) =>
    new Date(at).toLocaleDateString('en', { month: 'short', day: 'numeric' })
  return `${day(iso) === day(now) ? '' : ` on ${day(iso)}`} at ${timeOfDay(iso)}`
}

/** The text of a hold that has ended, on an order that is still unpaid. */
export function holdEnded({ holdExpiresAt, holdEndedAt }: Hold, now: number): string {
  const at = holdExpiresAt ?? holdEndedAt
  return `Your hold ended${at ? whenOf(at, now) : ''}. Nothing was charged. If it is still there, Pay books it again.`
}
