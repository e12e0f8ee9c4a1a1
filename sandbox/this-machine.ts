import type { IncomingHttpHeaders } from 'node:http'

/** What proxies and tunnels add, each its own. */
const byProxies = /^(x-forwarded|forwarded$|x-real-ip$|x-client-ip$|true-client-ip$|via$|cf-)/i
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Did somebody on this machine type this machine's own name? A page of another site that had its name point here, or a
 * proxy that lets others in, did not.
 */
export function comesFromThisMachine(headers: IncomingHttpHeaders): boolean {
  return (
    !Object.keys(headers).some((name) => byProxies.test(name)) && loopback.test(headers.host ?? '')
  )
}

export const refusalText = 'This stand-in answers only to the machine that it runs on.'
