const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
const short = new Intl.DateTimeFormat('en', day)
const long = new Intl.DateTimeFormat('en', {
  ...day,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const utcDays = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** The day of a point in time, the same on the server and in every browser: "Nov 21, 2026". */
export const utcDay = (at: string): string => utcDays.format(new Date(at))

/** A point in time for lists, in the reader's own time zone: "Nov 21, 2026, 12:05". */
export const shortMoment = (at: string): string => long.format(new Date(at))

/** Its day alone: "Nov 21, 2026". */
export const shortDay = (at: string): string => short.format(new Date(at))
