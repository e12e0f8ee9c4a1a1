import { expect, test } from 'vitest'
import { emailSuggestion } from './email-suggestion.ts'

test.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  ['ada@gmai.com', 'ada@gmail.com'],
  ['ada@gmaill.com', 'ada@gmail.com'],
  ['ada@gnail.com', 'ada@gmail.com'],
  [' Ada.L+shop@Hotmial.com ', 'ada.l+shop@hotmail.com'],
  ['ada@gmail.con', 'ada@gmail.com'],
  ['ada@wb.de', 'ada@web.de'],
])('%s was probably meant to be %s', (typed, meant) => {
  expect(emailSuggestion(typed)).toBe(meant)
})

test.each([
  'ada@gmail.com',
  'ada@gmx.net',
  'ada@example.com',
  'ada@mail.com',
  'ada',
  '@gmial.com',
  '',
])('%s is left alone', (typed) => {
  expect(emailSuggestion(typed)).toBeNull()
})
