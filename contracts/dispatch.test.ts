import { expect, test } from 'vitest'
import { arrivalDay, dayText, dispatchDay } from './dispatch.ts'

const rules = {
  dispatchDays: '12345',
  dispatchUntil: '15:00',
  shipsWithin: '0',
  vacationFrom: '2026-12-24',
  vacationTo: '2027-01-03',
}

test.each([
  ['2026-11-27', '14:59', '2026-11-27'],
  // Friday after the last hour, Saturday, Sunday: Monday
  ['2026-11-27', '15:00', '2026-11-30'],
  ['2026-11-28', '08:00', '2026-11-30'],
  // away from tomorrow on
  ['2026-12-23', '14:00', '2026-12-23'],
  ['2026-12-23', '16:00', '2027-01-04'],
  ['2026-12-30', '10:00', '2027-01-04'],
])('what is paid on %s at %s leaves on %s', (day, time, dispatched) => {
  expect(dispatchDay({ day, time }, rules)).toBe(dispatched)
})

test.each([
  ['2026-11-26', '10:00', '1', '2026-11-27'],
  // after the last hour, it counts from the next working day
  ['2026-11-26', '16:00', '1', '2026-11-30'],
  ['2026-11-27', '10:00', '3', '2026-12-02'],
  // a day of the vacation is none of them
  ['2026-12-22', '10:00', '2', '2027-01-04'],
  ['2026-12-30', '10:00', '1', '2027-01-05'],
])(
  'what is paid on %s at %s and ships within %s days leaves on %s',
  (day, time, shipsWithin, dispatched) => {
    expect(dispatchDay({ day, time }, { ...rules, shipsWithin })).toBe(dispatched)
  },
)

test('a vacation that ends before a weekend is followed by Monday', () => {
  const away = { ...rules, vacationFrom: '2026-11-23', vacationTo: '2026-11-27' }
  expect(dispatchDay({ day: '2026-11-25', time: '10:00' }, away)).toBe('2026-11-30')
})

test('a vacation until the last day that there is ends the search for a day, not the shop', () => {
  const forever = { ...rules, vacationFrom: '2026-11-23', vacationTo: '9999-12-31' }
  const day = dispatchDay({ day: '2026-11-25', time: '10:00' }, forever)
  expect(day).toBe('9999-12-31')
  expect(arrivalDay(day, 3, rules)).toBe('9999-12-31')
})

test('without a last hour and working days, it leaves on the day of payment', () => {
  const always = { ...rules, dispatchDays: '', dispatchUntil: '', vacationFrom: '', vacationTo: '' }
  expect(dispatchDay({ day: '2026-11-28', time: '23:59' }, always)).toBe('2026-11-28')
  expect(arrivalDay('2026-11-28', 2, always)).toBe('2026-11-30')
})

test('it arrives working days later, across months and the change of the clock', () => {
  expect(arrivalDay('2026-11-27', 0, rules)).toBe('2026-11-27')
  expect(arrivalDay('2026-11-27', 1, rules)).toBe('2026-11-30')
  expect(arrivalDay('2026-11-27', 4, rules)).toBe('2026-12-03')
  expect(arrivalDay('2026-10-23', 2, rules)).toBe('2026-10-27')
  expect(dayText('2026-11-27')).toBe('Friday 27 November')
  expect(dayText('2027-03-01')).toBe('Monday 1 March')
})
