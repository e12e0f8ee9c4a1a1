import { expect, test } from 'vitest'
import { handledEvents } from './popup.ts'

test('an event counts once, until nothing was handled for 10 minutes', () => {
  let now = 0
  const isNew = handledEvents(() => now)
  expect(isNew('a')).toBe(true)
  now = 599_999
  expect(isNew('a')).toBe(false)
  now = 600_000
  expect(isNew('a')).toBe(true)
})

test('every handled event keeps the earlier ones remembered', () => {
  let now = 0
  const isNew = handledEvents(() => now)
  isNew('a')
  now = 500_000
  isNew('b')
  now = 1_099_999
  expect(isNew('a')).toBe(false)
  expect(isNew('b')).toBe(false)
  now = 1_100_000
  expect(isNew('a')).toBe(true)
  expect(isNew('b')).toBe(true)
})

test('the 10 minutes count from the start while nothing was handled yet', () => {
  let now = 0
  const isNew = handledEvents(() => now)
  now = 700_000
  expect(isNew('a')).toBe(true)
  now = 1_299_999
  expect(isNew('a')).toBe(false)
})
