import { expect, test } from 'vitest'
import {
  dayOfMonth,
  duration,
  secondsUntil,
  shortDay,
  shortMoment,
  timeOfDay,
  utcDay,
  utcTime,
} from './moments.ts'

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

test.each([
  '2026-01-01T00:00:00.000Z',
  '2026-02-28T23:59:59.999Z',
  '2024-02-29T12:05:00.000Z',
  '2026-03-29T01:30:00.000Z',
  '2026-10-25T00:59:00.000Z',
  '2026-12-31T23:30:00.000Z',
])('%s is written as in English, by the reader’s clock or by UTC', (at) => {
  const date = new Date(at)
  expect(utcDay(at)).toBe(date.toLocaleString('en', { ...day, timeZone: 'UTC' }))
  expect(utcTime(at)).toBe(date.toLocaleString('en', { ...time, timeZone: 'UTC' }))
  expect(shortDay(at)).toBe(date.toLocaleString('en', day))
  expect(timeOfDay(at)).toBe(date.toLocaleString('en', time))
  expect(shortMoment(at)).toBe(date.toLocaleString('en', { ...day, ...time }))
  expect(dayOfMonth(at)).toBe(date.toLocaleString('en', { month: 'short', day: 'numeric' }))
})

test.each([
  [0, '0:00'],
  [61, '1:01'],
  [1781, '29:41'],
  [3599, '59:59'],
  [7200, '2 h 0 min'],
  [43_199, '11 h 59 min'],
])('%d seconds are written as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})

test('what is past has no seconds left, what is to come whole ones', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z')
  expect(secondsUntil('2026-11-21T12:01:00.900Z', now)).toBe(60)
  expect(secondsUntil('2026-11-21T11:59:59.000Z', now)).toBe(0)
})
