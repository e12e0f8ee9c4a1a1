import { pino } from 'pino'
import { expect, test } from 'vitest'
import { clientAddress, networksOf } from './client-address.ts'

function addresses(trustProxy: boolean) {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  const addressOf = clientAddress({ trustProxy, log })
  const ask = (peer: string | undefined, forwarded?: string) => addressOf(forwarded, peer)
  return { lines, ask }
}

test('an untrusted proxy is logged once, without its headers', () => {
  for (const peer of ['127.0.0.1', '::1', '::ffff:172.17.0.1', '10.0.0.2', 'fd00::2']) {
    const { lines, ask } = addresses(false)
    expect(ask(peer, '203.0.113.7')).toBe(peer)
    expect(ask(peer, '203.0.113.8')).toBe(peer)
    expect(lines, peer).toHaveLength(1)
    expect(lines[0]).toContain('proxy_not_trusted')
    expect(lines[0]).not.toContain('203.0.113')
  }
})

test('a forged X-Forwarded-For is ignored, a trusted proxy’s is used', () => {
  const direct = addresses(false)
  expect(direct.ask('198.51.100.4', '127.0.0.1')).toBe('198.51.100.4')
  expect(direct.ask('127.0.0.1')).toBe('127.0.0.1')
  expect(direct.ask('172.32.0.1', '127.0.0.1')).toBe('172.32.0.1')
  expect(direct.lines).toEqual([])
  const behind = addresses(true)
  expect(behind.ask('127.0.0.1', '1.2.3.4, 203.0.113.7')).toBe('203.0.113.7')
  expect(behind.ask('127.0.0.1')).toBe('127.0.0.1')
  expect(behind.lines).toEqual([])
})

test('an IPv6 address is in three networks, an IPv4 address in its own alone, in either spelling', () => {
  expect(networksOf('2001:db8:1:2f03:4:5:6:7')).toEqual([
    '2001:db8:1:2f03::/64',
    '2001:db8:1:2f00::/56',
    '2001:db8:1::/48',
  ])
  expect(networksOf('2001:0db8::1')).toEqual([
    '2001:db8:0:0::/64',
    '2001:db8:0:0::/56',
    '2001:db8:0::/48',
  ])
  expect(networksOf('::ffff:10.1.2.3')).toEqual(['10.1.2.3'])
  expect(networksOf('10.1.2.3')).toEqual(['10.1.2.3'])
  expect(networksOf('unknown')).toEqual(['unknown'])
})
