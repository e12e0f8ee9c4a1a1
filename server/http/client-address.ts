import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Logger } from 'pino'

/** Addresses that the shop's own proxies can have: this machine and private networks. */
const nearby = /^(::1$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/i

/**
 * Reads the client's address from the socket or, with TRUST_PROXY, from the last entry of
 * `X-Forwarded-For`. Behind an untrusted proxy, all clients count as one; logs this once.
 */
export function clientAddress({ trustProxy, log }: { trustProxy: boolean; log: Logger }) {
  let warned = false
  const warn = () => {
    if (warned) return
    warned = true
    log.warn(
      { reason: 'Set TRUST_PROXY=on: rate limits count all clients behind a proxy as one.' },
      'proxy_not_trusted',
    )
  }
  return (forwarded: string | null | undefined, peer: string | undefined): string => {
    if (trustProxy) return forwarded?.split(',').at(-1)?.trim() || peer || 'unknown'
    if (forwarded && nearby.test(peer?.replace(/^::ffff:/i, '') ?? '')) warn()
    return peer || 'unknown'
  }
}

export type ClientAddress = ReturnType<typeof clientAddress>

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const groups = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...after]
  return all.map((group) => Number.parseInt(group, 16))
}

/**
 * The networks of an address, narrowest first. For IPv4, the address alone. For IPv6, the /64 of a
 * device or a home, the /56 that most homes get, and the /48 that any operator gets on request.
 * @param address IPv4 or IPv6
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  if (!isIPv6(address)) return [address]
  if (address.startsWith('::ffff:') && address.includes('.')) return [address.slice(7)]
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(address)
  const named = (groups: number[], bits: number) =>
    `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`
  return [named([a, b, c, d], 64), named([a, b, c, d & 0xff00], 56), named([a, b, c], 48)]
}

/**
 * The network to which limits apply first: an IPv4 address, or the /64 of an IPv6 address. @param
 * address IPv4 or IPv6
 */
export const networkOf = (address: string): string => networksOf(address)[0]

/**
 * A hash of a user, network or account, so that tables contain no address or e-mail only for
 * counting.
 */
export const hashedKey = (who: string) => createHash('sha256').update(who).digest('base64url')
