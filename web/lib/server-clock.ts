/**
 * Smaller differences come from the response's transfer time and from HTTP dates, which have whole
 * seconds; they do not mean a wrong clock.
 */
const tolerance = 2000

let ahead = 0

/** Reads the server's time from a response's Date, because the device's clock may be wrong. */
export function syncClock(answer: Response): void {
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  // on average the real time is in the middle of the given second
  const difference = date + 500 - Date.now()
  ahead = Math.abs(difference) > tolerance ? difference : 0
}

/** The server's time in ms since 1970, as far as it is known. */
export function serverTime(): number {
  return Date.now() + ahead
}
