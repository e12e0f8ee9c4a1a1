import type { QueuePlace } from '#contracts/queue.ts'

const endings = ['th', 'st', 'nd', 'rd']

/** 4 → '4th', 12 → '12th', 22 → '22nd' */
export function ordinal(position: number): string {
  const isTeen = Math.floor(position / 10) % 10 === 1
  return `${position}${(!isTeen && endings[position % 10]) || 'th'}`
}

export const units = (quantity: number): string =>
  quantity === 1 ? 'one unit' : `${quantity} units`

/** Whole seconds until the offer ends; null while its time has not begun. */
export function secondsLeft({ offerEndsAt }: QueuePlace, now: number): number | null {
  if (!offerEndsAt) return null
  return Math.max(0, Math.floor((Date.parse(offerEndsAt) - now) / 1000))
}

/** 43199 → '11 h 59 min', 1781 → '29:41' */
export function clock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
}
