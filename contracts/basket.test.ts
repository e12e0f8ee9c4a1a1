import { expect, test } from 'vitest'
import { basketIn, basketPath, basketText, maxLines, withLine, withLines } from './basket.ts'

test.each([
  ['12,15x2', '12,15x2'],
  ['12x1', '12'],
  ['12,12x3', '12'],
  ['12x0,13x999999', '12,13x100000'],
  ['', ''],
  ['x2,-1,1.5,1e3,abc, 4,7x', ''],
  ['9999999999,5', '5'],
])('%j is the basket %j', (typed, read) => {
  expect(basketText(basketIn(typed))).toBe(read)
})

test('a basket holds 20 parts, whatever its text says', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => i + 1).join(',')
  expect(basketIn(many)).toHaveLength(maxLines)
  const full = basketIn(many)
  expect(withLine(full, { number: 5000, quantity: 1 })).toBeNull()
  expect(withLine(full, { number: 1, quantity: 2 })?.[0]).toEqual({ number: 1, quantity: 1 })
  expect(withLines(full.slice(1), basketIn('5000,5001,2'))).toEqual([
    ...full.slice(1),
    { number: 5000, quantity: 1 },
  ])
})

test('its address holds all of its state', () => {
  expect(basketPath(basketIn('3x2,4'))).toBe('/basket?parts=3x2,4')
  expect(basketPath([])).toBe('/basket')
})
