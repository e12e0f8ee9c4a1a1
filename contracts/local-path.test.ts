import { describe, expect, test } from 'vitest'
import { localPath } from './local-path.ts'

describe('the way back after login', () => {
  test.each(['/', '/home', '/purchase/x?a=b#c', '/dashboard/myOrders', '/%2F%2Fevil.example'])(
    'is %s, a path of this site',
    (from) => {
      expect(localPath(from)).toBe(from)
    },
  )

  test.each<unknown>([
    'https://evil.example',
    'http:evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '\t//evil.example',
    ' //evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'evil.example',
    '@evil.example',
    '',
    `/${'x'.repeat(3000)}`,
    null,
    undefined,
    7,
    ['/home'],
    { toString: () => '/home' },
  ])('is not %j', (from) => {
    expect(localPath(from)).toBeNull()
  })

  test('is read as the browser reads it', () => {
    expect(localPath('/../a')).toBe('/a')
  })
})
