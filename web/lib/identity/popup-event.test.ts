import { expect, test } from 'vitest'
import { readPopupEvent } from './popup-event.ts'

const type = 'ferrite:identity'

test('a message without usable content is told apart from one that is about something else', () => {
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

test('an error that nobody knows is an internal one', () => {
  const read = (error: unknown) => readPopupEvent({ type, eventId: 'a', error })
  expect(read(null)).toEqual({ eventId: 'a', error: null })
  expect(read('auth/user-disabled')).toEqual({ eventId: 'a', error: 'auth/user-disabled' })
  expect(read('auth/no-such-code')).toEqual({ eventId: 'a', error: 'auth/internal-error' })
  expect(read('toString')).toEqual({ eventId: 'a', error: 'auth/internal-error' })
})
