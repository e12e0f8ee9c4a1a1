import { counted, whole } from '#contracts/counted.ts'
import { cents, fromCents } from '#contracts/money.ts'
import type { Period, Sums } from '#contracts/overview.ts'
import { utcDay } from '#web/lib/moments.ts'

/**
 * A figure and how it differs from the previous one, in words; `sign` shows the direction at a
 * glance.
 */
export type Figure = { value: string; sign?: '↑' | '↓' | '='; change: string }

const named: Record<number, string> = { 1: 'Today' }
const title = (days: number) => named[days] ?? `Last ${days} days`
const thanBefore = (days: number) =>
  days === 1 ? 'by this time yesterday' : `the ${days} days before`
const noneBefore = (days: number) =>
  days === 1 ? 'no orders by this time yesterday' : `no orders in the ${days} days before`

const signOf = (difference: number) => (difference > 0 ? '↑' : difference < 0 ? '↓' : '=')

function comparison(
  difference: number,
  than: string,
  words: { more: string; less: string; same: string; show: (amount: number) => string },
): Pick<Figure, 'sign' | 'change'> {
  const sign = signOf(difference)
  if (difference === 0) return { sign, change: `${words.same} ${than}` }
  const direction = difference > 0 ? words.more : words.less
  return { sign, change: `${words.show(Math.abs(difference))} ${direction} ${than}` }
}

const percent = ({ orders, paid }: Sums) =>
  orders === 0 ? null : Math.round((paid / orders) * 100)

function shareOf({ days, now, before }: Period): Figure {
  const [share, earlier] = [percent(now), percent(before)]
  if (share === null) return { value: '–', change: 'no orders yet' }
  if (earlier === null) return { value: `${share}%`, change: noneBefore(days) }
  const words = { more: 'more than', less: 'less than', same: 'the same as' }
  const show = (points: number) => counted(points, 'point')
  return {
    value: `${share}%`,
    ...comparison(share - earlier, thanBefore(days), { ...words, show }),
  }
}

/** Describes a period. */
export function describePeriod(period: Period, money: (amount: number) => string) {
  const { days, now, before } = period
  const than = thanBefore(days)
  return {
    title: title(days),
    revenue: {
      value: money(now.revenue),
      ...comparison(fromCents(cents(now.revenue) - cents(before.revenue)), than, {
        more: 'more than',
        less: 'less than',
        same: 'as much as',
        show: money,
      }),
    } satisfies Figure,
    orders: {
      value: whole(now.orders),
      ...comparison(now.orders - before.orders, than, {
        more: 'more than',
        less: 'fewer than',
        same: 'as many as',
        show: whole,
      }),
    } satisfies Figure,
    share: shareOf(period),
  }
}

/** `2026-11-21` → `Nov 21`. */
export const shortDate = (date: string) => utcDay(date).split(',')[0] ?? ''

const units: [number, string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

/**
 * How long ago something happened, in its largest unit.
 * @param now ms since 1970
 */
export function since(moment: string, now: number): string {
  const passed = now - Date.parse(moment)
  for (const [size, name] of units)
    if (passed >= size) return `${counted(Math.floor(passed / size), name)} ago`
  return 'just now'
}

/**
 * The remaining minutes, rounded up.
 * @param now ms since 1970
 */
export const minutesLeft = (moment: string, now: number) =>
  Math.max(0, Math.ceil((Date.parse(moment) - now) / 60_000))
