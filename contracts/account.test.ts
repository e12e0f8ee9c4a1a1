import { describe, expect, test } from 'vitest'
import { ProfileUpdate } from './account.ts'
import { messages } from './messages.ts'

const whole = {
  education: 'Yale',
  location: 'New York',
  phone: '+1 555 0100',
  linkedIn: 'https://www.linkedin.com/in/grace',
}
const linkedIn = ProfileUpdate.shape.linkedIn
const sayings = (profile: object) =>
  ProfileUpdate.safeParse(profile).error?.issues.map(({ message }) => message)

describe('a link to LinkedIn', () => {
  test.each([
    ['https://www.linkedin.com/in/grace', 'https://www.linkedin.com/in/grace'],
    ['http://linkedin.com/in/grace', 'https://linkedin.com/in/grace'],
    [' linkedin.com/in/grace ', 'https://linkedin.com/in/grace'],
    ['de.linkedin.com/in/grace', 'https://de.linkedin.com/in/grace'],
    ['in/grace', 'https://www.linkedin.com/in/grace'],
    ['/in/grace/', 'https://www.linkedin.com/in/grace/'],
    ['HTTPS://WWW.LINKEDIN.COM/in/grace', 'https://www.linkedin.com/in/grace'],
  ])('is kept as an https address: %s', (typed, address) =>
    expect(linkedIn.parse(typed)).toBe(address),
  )

  test.each([
    'grace',
    'https://example.com/in/grace',
    'https://linkedin.com.evil.example/in/grace',
    'https://evillinkedin.com/in/grace',
    'https://evil.example/linkedin.com',
    'https://linkedin.com@evil.example/',
    'https://evil@linkedin.com/in/grace',
    'https://linkedin.com:8443/in/grace',
    '//evil.example',
    '\\\\evil.example',
    'javascript:alert(1)//linkedin.com',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>//linkedin.com',
    'ftp://linkedin.com/in/grace',
  ])('is nothing else: %j', (typed) => {
    expect(sayings({ ...whole, linkedIn: typed })).toEqual([messages.linkedInInvalid])
  })

  test('is at most 300 characters, even when it is written as an address', () => {
    const tooLong = 'LinkedIn must be 300 characters or shorter'
    const start = 'https://linkedin.com/'
    expect(linkedIn.safeParse(start + 'a'.repeat(300 - start.length)).success).toBe(true)
    expect(sayings({ ...whole, linkedIn: start + 'a'.repeat(301 - start.length) })).toEqual([
      tooLong,
    ])
    expect(sayings({ ...whole, linkedIn: start + 'ä'.repeat(100) })).toEqual([tooLong])
  })
})

test('a profile says which field is missing or too long', () => {
  expect(sayings({ education: ' ', location: '', phone: '', linkedIn: '' })).toEqual([
    messages.educationRequired,
    messages.locationRequired,
    messages.phoneRequired,
    messages.linkedInRequired,
  ])
  expect(sayings({ ...whole, education: 'x'.repeat(201) })).toEqual([
    'Education must be 200 characters or shorter',
  ])
})
