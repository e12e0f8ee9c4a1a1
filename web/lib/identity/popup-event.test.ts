import { expect, test } from 'vitest'
import { errorMessage } from './messages.ts'
import { readPopupEvent } from './popup.ts'
import { IdentityError } from './port.ts'

const type = 'ferrite:identity'

test('a message without usable content is distinguished from one that is about something else', () => {
  for (const data of [null, undefined, 'ferrite:identity', 7, {}, { type: 'other', eventId: 'a' }])
    expect(readPopupEvent(data)).toBeNull()
  for (const data of [
    { type },
    { type, eventId: '', error: null },
    { type, eventId: 5, error: null },
    { type, eventId: 'a' },
    { type, eventId: 'a', error: { code: 'auth/internal-error' } },
  ])
    expect(readPopupEvent(data)).toBe('unusable')
})

test('an unknown error is an internal one', () => {
  const read = (error: unknown) => readPopupEvent({ type, eventId: 'a', error })
  expect(read(null)).toEqual({ eventId: 'a', error: null })
  expect(read('auth/user-disabled')).toEqual({ eventId: 'a', error: 'auth/user-disabled' })
  expect(read('auth/no-such-code')).toEqual({ eventId: 'a', error: 'auth/internal-error' })
  expect(read('toString')).toEqual({ eventId: 'a', error: 'auth/internal-error' })
})

test.each([
  ['auth/invalid-api-key', 'Your API key is invalid'],
  ['auth/auth-domain-config-required', 'Be sure to include authDomain'],
  ['auth/network-request-failed', 'A network AuthError'],
  ['auth/internal-error', 'An internal AuthError has occurred. Try again'],
  ['auth/nobody-knows-this', 'An internal AuthError has occurred. Try again'],
  ['auth/invalid-auth-event', 'The response didn’t belong to a login on this page'],
  ['auth/unauthorized-domain', 'This domain is not authorized'],
  ['auth/user-disabled', 'The user account has been disabled by an administrator.'],
  ['auth/account-exists-with-different-credential', 'Log in with your password, or use'],
])('%s is told in words', (code, words) => {
  const event = readPopupEvent({ type, eventId: 'a', error: code })
  if (!event || event === 'unusable' || !event.error) throw new Error('no refusal')
  expect(errorMessage(new IdentityError(event.error))).toContain(words)
})
