import { expect, test } from 'vitest'
import { phoneLink } from './shop.ts'

test.each([
  ['+1 503 555 0142', 'tel:+15035550142'],
  ['+43 (0) 1 234 56', 'tel:+43123456'],
  ['(01) 234-56', 'tel:0123456'],
  ['+1 503 555 0142 ext. 4', 'tel:+15035550142;ext=4'],
  ['+49 30 1234 DW 12', 'tel:+49301234;ext=12'],
])('%s is called as %s', (phone, link) => {
  expect(phoneLink(phone)).toBe(link)
})
