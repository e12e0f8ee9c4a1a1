import type { Logger } from 'pino'

/** Addresses that only a proxy of the shop's own comes from: the machine itself, and networks that are not routed. */
const nearby = /^(::1$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/i

/**
 * Tells the client's address as the server sees it, from `X-Forwarded-For` and the socket. The last proxy is believed
 * only when proxies are trusted; where one stands in front and is not, all clients count as one, which is logged once.
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
