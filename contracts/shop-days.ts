/** Days of the shop begin at midnight in its time zone, wherever its readers are. */
import { z } from 'zod'

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const noTimeZone = 'must be an IANA time zone, like Europe/Vienna'
/**
 * An IANA name with its region. Offsets like +05:00 know no summer time; PostgreSQL reads names
 * like CET or BST as offsets, too.
 */
export const TimeZone = z
  .string(noTimeZone)
  .max(64, noTimeZone)
  .regex(/^(?:UTC|[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)+)$/, noTimeZone)
  .refine(isTimeZone, noTimeZone)

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The clock of a time zone; Swedes write dates as ISO 8601 does. */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  const made = clocks.get(timeZone)
  if (made) return made
  const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return clock
}

/** A moment by the clock of a time zone: "2026-11-21 12:05:09". @param at ISO 8601 */
export const clockTime = (timeZone: string, at: string): string =>
  clockIn(timeZone).format(new Date(at))

/** The date in a time zone: "2026-11-21". @param at ISO 8601, or milliseconds since 1970 */
export const dayIn = (timeZone: string, at: string | number): string =>
  clockIn(timeZone).format(new Date(at)).slice(0, 10)

/** Whether the beginning or end of a span is a day of the shop, and not a moment, in ISO 8601. */
export const isDay = (text: string): boolean => !text.includes('T')
