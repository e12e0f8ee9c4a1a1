// Written without `Intl`, whose first use delays a phone's page by a tenth of a second.
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const twoDigits = (part: number) => String(part).padStart(2, '0')

/** The UTC date of a timestamp, the same on the server and in every browser: "Nov 21, 2026". */
export function utcDay(at: string): string {
  const date = new Date(at)
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

/** The UTC time of day: "12:05". */
export const utcTime = (at: string): string => new Date(at).toISOString().slice(11, 16)

/** Month and day in the reader's time zone: "Nov 21". */
export function dayOfMonth(at: string | number): string {
  const date = new Date(at)
  return `${months[date.getMonth()]} ${date.getDate()}`
}

/** The date for lists, in the reader's time zone: "Nov 21, 2026". */
export const shortDay = (at: string): string => `${dayOfMonth(at)}, ${new Date(at).getFullYear()}`

/** The time of day in the reader's time zone: "12:05". */
export function timeOfDay(at: string): string {
  const date = new Date(at)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** Date and time for lists, in the reader's time zone: "Nov 21, 2026, 12:05". */
export const shortMoment = (at: string): string => `${shortDay(at)}, ${timeOfDay(at)}`

/** Whole seconds until a timestamp; 0 once it has passed. */
export const secondsUntil = (at: string, now: number): number =>
  Math.max(0, Math.floor((Date.parse(at) - now) / 1000))

/** The remaining time of a countdown: "29:41" for 1781 seconds, "11 h 59 min" for 43199. */
export function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes}:${twoDigits(seconds % 60)}`
}
