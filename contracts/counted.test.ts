import { expect, test } from 'vitest'
import { counted, whole } from './counted.ts'
import { currencyCodes, money } from './money.ts'

test('numbers and prices are written as in American English', () => {
  const thousands = new Intl.NumberFormat('en-US')
  for (const count of [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 123_456_789])
    expect(whole(count)).toBe(thousands.format(count))
  for (const amount of [0, 1, 999, 1299, 999_999, 12.5, 0.05, 1234.56, 1_000_000.01, -40, -1299.5])
    for (const currency of currencyCodes) {
      const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
      expect(money(amount, currency)).toBe(format.format(amount).replace(/\.00$/, ''))
    }
  expect([counted(1, 'order'), counted(1250, 'order')]).toEqual(['1 order', '1,250 orders'])
})
