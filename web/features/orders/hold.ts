import type { Order } from '#contracts/orders.ts'

const minute = 60

/** Whole seconds that the order's stock is still held; 0 when it is not. */
export function secondsHeld({ holdExpiresAt }: Pick<Order, 'holdExpiresAt'>, now: number): number {
  if (!holdExpiresAt) return 0
  return Math.max(0, Math.floor((Date.parse(holdExpiresAt) - now) / 1000))
}

/** 1781 → "29:41" */
export function clock(seconds: number): string {
  return `${Math.floor(seconds / minute)}:${String(seconds % minute).padStart(2, '0')}`
}

/** Is the hold about to lapse? */
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
