import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OrderList } from './lists.ts'
import { messages } from './messages.ts'
import { cents, fromCents, isAmount, maxAmount, money, readAmount, totalPriceOf } from './money.ts'
import { canBecome, checkoutNumber, Phone, quantityProblem } from './orders.ts'
import { partPath } from './part-address.ts'
import { holdText, renewalText } from './shop.ts'
import { Email, isAdmin, SignUp } from './users.ts'

describe('money', () => {
  const anyCents = fc.integer({ min: 0, max: maxAmount * 100 })
  test('cents become amounts and amounts the same cents; more than two decimals are refused', () => {
    fc.assert(fc.property(anyCents, (n) => cents(fromCents(n)) === n && isAmount(fromCents(n))))
    fc.assert(fc.property(anyCents, (n) => cents(Number((n / 100).toFixed(2))) === n))
    for (const amount of [0.001, 1.005, 19.999, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
      expect(() => cents(amount)).toThrow(RangeError)
    expect(() => fromCents(0.5)).toThrow(RangeError)
  })
  test('a total is exact to the cent, whatever price and quantity', () => {
    const quantity = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(
        anyCents,
        quantity,
        (n, units) => cents(totalPriceOf(units, n / 100)) === n * units,
      ),
    )
    // as floats: 29.849999999999998 and 0.30000000000000004
    expect([totalPriceOf(3, 9.95), totalPriceOf(3, 0.1)]).toEqual([29.85, 0.3])
  })
  test('is read as people type it', () => {
    expect(['49.90', '49,9', ' 7 ', '-3,5'].map(readAmount)).toEqual([49.9, 49.9, 7, -3.5])
    expect(['', 'abc', '1.2.3', '1 299', '1e3'].map(readAmount)).toEqual(Array(5).fill(Number.NaN))
  })
  test('reads as people write it', () => {
    expect([0, 459, 1299, 999_999, 4.99].map((amount) => money(amount, 'USD'))).toEqual([
      '$0',
      '$459',
      '$1,299',
      '$999,999',
      '$4.99',
    ])
  })
})

test('a hold’s duration is worded in whole minutes, at least one', () => {
  expect([0.5, 1, 30, 59.9].map(holdText)).toEqual([
    'a minute',
    'a minute',
    '30 minutes',
    '59 minutes',
  ])
})

test('a checkout is called by its lowest number, whatever the order of its orders', () => {
  const numbered = (...numbers: [string, ...string[]]) =>
    checkoutNumber(numbers.map((number) => ({ number })) as [{ number: string }])
  expect(numbered('F-999')).toBe('F-999')
  expect(numbered('F-1001', 'F-999')).toBe('F-999 and 1 more')
  expect(numbered('F-1000', 'F-999', 'F-1001')).toBe('F-999 and 2 more')
})

test('a hold that the payment starts anew says so, and how long it lasts in all', () => {
  expect(renewalText(30, 60)).toBe(
    'Each time you open the payment page, the clock starts again, up to 60 minutes in total.',
  )
  expect([renewalText(30, 30), renewalText(30, 30.5)]).toEqual(['', ''])
})

test('the address of a part is its number and its name in plain letters', () => {
  const pathOf = (name: string) => partPath({ number: 7, name })
  expect(pathOf('Cinder RX 7600')).toBe('/part/7-cinder-rx-7600')
  expect(pathOf(' Kühler “Zéphyr”, 140 mm/2 ')).toBe('/part/7-kuhler-zephyr-140-mm-2')
  expect(pathOf('Größe™ Ærø, Łódź')).toBe('/part/7-grosse-aero-lodz')
  expect(pathOf('風扇')).toBe('/part/7-part')
  expect(pathOf('x'.repeat(79) + ' y'.repeat(9))).toBe(`/part/7-${'x'.repeat(79)}`)
})

describe('an address', () => {
  test.each([
    'a@b.co',
    ' Ada.Lovelace+shop@Mail.Example.museum ',
    "o'neil@example.ie",
    'x_y-z@sub-domain.example.com',
  ])('is any practical one: %s', (address) =>
    expect(Email.parse(address)).toBe(address.trim().toLowerCase()),
  )
  test.each([
    '',
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a b@c.de',
    'a@b..co',
    `${'a'.repeat(250)}@b.co`,
    'a@b.co\r\nBcc: x@y.zz',
  ])('is not: %j', (address) => expect(Email.safeParse(address).success).toBe(false))
  test.each([
    ['+1 555 0100 ext 4', '+1 555 0100 ext 4'],
    ['(503) 555-0100 x17', '(503) 555-0100 x17'],
    ['０１２３４５', '012345'],
    ['0676/123 45 67', '0676/123 45 67'],
    ['+43 (0) 676 / 123-45-67', '+43 (0) 676 / 123-45-67'],
    ['+49\u00a030\u20131234\u2011567', '+49 30-1234-567'],
    ['tel:+1-503-555-0100', '+1-503-555-0100'],
    ['01 23 45 67 89 Ext. 12', '01 23 45 67 89 Ext. 12'],
    ['+49 30 1234567 DW 12', '+49 30 1234567 DW 12'],
  ])('a phone is kept as people write it: %s', (typed, phone) =>
    expect(Phone.parse(typed)).toBe(phone),
  )

  test.each(['1234', 'call me', '+1 555 ext', '12345 ext 1234567', '+(--)--', '/// 123'])(
    '%s is no phone',
    (typed) => expect(Phone.safeParse(typed).success).toBe(false),
  )

  test('and a phone are validated fast, however long', () => {
    for (const long of [
      'a'.repeat(100_000),
      '@'.repeat(100_000),
      `${'a.'.repeat(50_000)}@`,
      '1 '.repeat(50_000),
    ]) {
      expect(Email.safeParse(long).success).toBe(false)
      expect(Phone.safeParse(long).success).toBe(false)
    }
  })
})

describe('forms', () => {
  test('say what is missing in the shop’s words', () => {
    const { error } = SignUp.safeParse({ name: '', email: '', password: '' })
    expect(error?.issues.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        messages.nameRequired,
        messages.emailRequired,
        messages.passwordRequired,
      ]),
    )
  })
})

describe('the quantity rule', () => {
  const part = { minimumOrderQuantity: 2, availableQuantity: 5 }
  test('is minimum to available', () => {
    expect([1, 2, 5, 6].map((n) => quantityProblem(n, part))).toEqual([
      messages.quantityTooLow,
      undefined,
      undefined,
      messages.quantityTooHigh,
    ])
  })
})

test('an unpaid order alone becomes paid', () => {
  expect(canBecome('unpaid', 'paid')).toBe(true)
  expect(canBecome('paid', 'paid')).toBe(false)
  expect(canBecome('deleted', 'paid')).toBe(false)
  expect(canBecome('refunded', 'paid')).toBe(false)
})

test('an admin with an unverified address has no admin rights', () => {
  expect(isAdmin({ role: 'admin', emailVerified: false })).toBe(false)
  expect(isAdmin({ role: 'customer', emailVerified: true })).toBe(false)
  expect(isAdmin({ role: 'admin', emailVerified: true })).toBe(true)
})

test.each(['0000-02-29', '9999-12-31', '0001-01-01T00:00:00+14:00', 'x'])(
  'a list is asked for from no day that the database lacks: %s',
  (day) => {
    expect(OrderList.safeParse({ from: day }).success).toBe(false)
    expect(OrderList.safeParse({ to: day }).success).toBe(false)
  },
)
