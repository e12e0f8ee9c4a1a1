import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearDrafts, storedDraft } from './draft.ts'

/** A minimal browser storage: its own enumerable keys are the stored items. */
function storage(): Record<string, unknown> {
  const stored: Record<string, unknown> = {}
  const hidden = (value: unknown) => ({ value, enumerable: false })
  return Object.defineProperties(stored, {
    getItem: hidden((key: string) => stored[key] ?? null),
    setItem: hidden((key: string, value: string) => {
      stored[key] = value
    }),
    removeItem: hidden((key: string) => {
      delete stored[key]
    }),
  })
}

const ada = () => storedDraft('review', 'ada@example.com')

describe('a draft', () => {
  let stored: Record<string, unknown>
  beforeEach(() => {
    stored = storage()
    vi.stubGlobal('sessionStorage', stored)
  })
  afterEach(() => vi.unstubAllGlobals())

  test('is there again for the user who typed it, until it is cleared', () => {
    ada().keep({ review: 'Half a sen' })
    expect(ada().read()).toEqual({ review: 'Half a sen' })
    ada().clear()
    expect(ada().read()).toBeNull()
  })

  test('is not there for another user, nor in another form', () => {
    ada().keep({ review: 'Half a sen' })
    expect(storedDraft('review', 'bob@example.com').read()).toBeNull()
    expect(storedDraft('profile', 'ada@example.com').read()).toBeNull()
  })

  test('goes with all others, and with nothing else that is stored', () => {
    ada().keep({ review: 'Half a sen' })
    stored.other = 'stays'
    clearDrafts()
    expect(stored).toEqual({ other: 'stays' })
  })

  test.each([
    '{',
    '7',
    '{"owner":"ada@example.com"}',
    '{"owner":"ada@example.com","values":{"a":1}}',
  ])('that is none is ignored: %s', (text) => {
    stored['draft review'] = text
    expect(ada().read()).toBeNull()
  })
})

test('without storage there are no drafts, and no errors', () => {
  vi.stubGlobal('sessionStorage', undefined)
  ada().keep({ review: 'Half a sen' })
  expect(ada().read()).toBeNull()
  ada().clear()
  clearDrafts()
  vi.unstubAllGlobals()
})
