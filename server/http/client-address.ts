import type { Logger } from 'pino'

/** Addresses of the shop's own proxies: the machine itself and private networks. */
const nearby = /^(::1$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/i

/**
 * Reads the client's address from the socket or, with TRUST_PROXY, from the last entry of `X-Forwarded-For`. Behind a
 * proxy that is not trusted all clients count as one; the log says so once.
 */
export function clientAddress({ trustProxy, log }: { trustProxy: boolean; log: Logger }) {
  let warned = false
  const warn = () => {
    if (warned) return
    warned = true
    log.warn(
      'X-Forwarded-For comes from a proxy, but TRUST_PROXY is off: rate limits count all clients behind it as one. Set TRUST_PROXY=on.',
    )
  }
  return (forwarded: string | null | undefined, peer: string | undefined): string => {
    if (trustProxy) return forwarded?.split(',').at(-1)?.trim() || peer || 'unknown'
    if (forwarded && nearby.test(peer?.replace(/^::ffff:/i, '') ?? '')) warn()
    return peer || 'unknown'
  }
}

export type ClientAddress = ReturnType<typeof clientAddress>
