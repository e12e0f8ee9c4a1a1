/** Less than this is the second that an HTTP date is cut to, and the way of the answer: not a wrong clock. */
const tolerance = 2000

let ahead = 0

/** Learns the server's time from an answer's Date, because the device's own clock may be wrong. */
export function syncClock(answer: Response): void {
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  // on average the moment meant lies in the middle of the second that is written
  const difference = date + 500 - Date.now()
  ahead = Math.abs(difference) > tolerance ? difference : 0
}

/** The time at the server, in ms since 1970, as far as it is known. */
export function serverTime(): number {
  return Date.now() + ahead
}
