/**
 * When a parcel leaves and arrives, in days of the shop (YYYY-MM-DD). Imports no schema library, so
 * that visitors' pages stay small.
 */

/** What the owner says of it: working days (1 is Monday), the last hour of dispatch, a vacation. */
export type DispatchRules = {
  /** Such as '12345'. */
  dispatchDays: string
  /** Such as '15:00'; empty: what is paid on a day leaves that day. */
  dispatchUntil: string
  /** Working days until a parcel leaves, such as '2'. */
  shipsWithin: string
  vacationFrom: string
  vacationTo: string
}

/** The last day that a date of ten characters can name. */
const lastDay = '9999-12-31'

export const nextDay = (day: string): string => {
  if (day >= lastDay) return lastDay
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

/** 1 is Monday. */
const weekday = (day: string): number => ((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7) + 1

const isWorkingDay = (day: string, { dispatchDays }: Pick<DispatchRules, 'dispatchDays'>) =>
  dispatchDays.includes(String(weekday(day)))

/**
 * The day on which a parcel leaves at the latest that is paid at a moment: a working day, and none
 * of a vacation.
 * @param at the date and the time of day in the shop
 */
export function dispatchDay(at: { day: string; time: string }, rules: DispatchRules): string {
  const { vacationFrom, vacationTo, dispatchUntil, dispatchDays } = rules
  const isLate = dispatchUntil !== '' && at.time >= dispatchUntil
  const isAway = (day: string) => vacationFrom !== '' && day >= vacationFrom && day <= vacationTo
  // without working days no parcel would ever leave
  const isOpen = (day: string) => dispatchDays === '' || isWorkingDay(day, rules)
  let day = isLate && dispatchDays !== '' ? nextDay(at.day) : at.day
  for (let left = Number(rules.shipsWithin); day < lastDay; ) {
    if (isAway(day)) day = nextDay(vacationTo)
    else if (!isOpen(day)) day = nextDay(day)
    else if (left === 0) return day
    else {
      left -= 1
      day = nextDay(day)
    }
  }
  return day
}

/** The day that is this many working days after dispatch. */
export function arrivalDay(
  dispatched: string,
  days: number,
  rules: Pick<DispatchRules, 'dispatchDays'>,
): string {
  const { dispatchDays } = rules
  let day = dispatched
  for (let left = days; left > 0 && day < lastDay; ) {
    day = nextDay(day)
    if (dispatchDays === '' || isWorkingDay(day, rules)) left -= 1
  }
  return day
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

/** A day of the shop in words: 'Friday 27 November'. */
export const dayText = (day: string): string =>
  `${weekdays[weekday(day) - 1]} ${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1]}`

/** The names of the working days in which the owner chooses, by their digits. */
export const weekdayNames = Object.fromEntries(weekdays.map((name, i) => [String(i + 1), name]))
