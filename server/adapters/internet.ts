/**
 * Requests to URLs that an admin entered. They must not reach what only this server can reach: its
 * own machine, its network, the metadata service of its host.
 */
import { Resolver } from 'node:dns/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { AppError } from '#server/errors.ts'

/**
 * IPv4 ranges outside the public internet, from RFC 6890 and its successors. A mapped address such
 * as ::ffff:10.0.0.1 counts as its IPv4 address.
 */
const closed4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Azure's metadata service
  '168.63.129.16/32',
]
/**
 * Only global unicast is allowed, which excludes NAT64 and mapped addresses; within it, Teredo,
 * 6to4 and documentation ranges are blocked.
 */
const open6 = ['2000::/3']
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

function listOf(networks: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = network.split('/')
    list.addSubnet(address, Number(length), family)
  }
  return list
}
const [isClosed4, isOpen6, isClosed6] = [
  listOf(closed4, 'ipv4'),
  listOf(open6, 'ipv6'),
  listOf(closed6, 'ipv6'),
]

/** Whether the address belongs to the public internet. @param address numeric */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !isClosed4.check(address, 'ipv4')
  return isOpen6.check(address, 'ipv6') && !isClosed6.check(address, 'ipv6')
}

/** Tests replace these functions. */
export type Internet = {
  /** All addresses of a name. @throws an error with a `code` of node:dns */
  resolve(name: string): Promise<string[]>
  /** Where to connect for a checked address. */
  place(address: string, port: number): { host: string; port: number }
}

/**
 * Queries the name servers directly, because `lookup` would block one of the few threads that also
 * read files.
 */
async function resolve(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [first] = answers
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason
  return addresses
}

export const openInternet: Internet = { resolve, place: (host, port) => ({ host, port }) }

/** A refusal that every further attempt would repeat. */
export const never = (sentence: string) => new AppError('INVALID', sentence)
export const notNow = (sentence: string) => new AppError('UNAVAILABLE', sentence)

/** The host of a URL. `URL` normalises numeric spellings: 0x7f.1 is 127.0.0.1. */
const literalOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** @throws AppError INVALID for a numeric address that is not public */
export function assertNotPrivate(url: URL): void {
  const literal = literalOf(url)
  if (isIP(literal) && !isPublic(literal)) throw never(`${literal} is in a private network.`)
}

/** The addresses of a host, all of them public. */
async function publicAddresses(url: URL, net: Internet): Promise<string[]> {
  const { hostname } = url
  const literal = literalOf(url)
  const addresses = isIP(literal)
    ? [literal]
    : await net.resolve(hostname).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
        throw notNow(`The name servers do not say where ${hostname} is.`)
      })
  if (addresses.length === 0) throw never(`There is no server of the name ${hostname}.`)
  if (!addresses.every(isPublic))
    throw never(`${hostname} is in a private network, which the shop does not ask.`)
  return addresses
}

type RequestOptions = {
  method?: string
  headers: Record<string, string>
  body?: string
  /** Aborts the request, even while the response is read. */
  signal: AbortSignal
}

/**
 * Sends a request to one address. The connection uses no name, which could resolve differently by
 * now.
 */
const ask = (
  url: URL,
  place: { host: string; port: number } | { host: string; port: string },
  { method, headers, body, signal }: RequestOptions,
) =>
  new Promise<IncomingMessage>((answer, fail) => {
    const { request } = url.protocol === 'https:' ? https : http
    request(
      {
        ...place,
        method,
        path: url.pathname + url.search,
        headers: { host: url.host, 'user-agent': 'Ferrite', ...headers },
        // the certificate is for the name; a numeric address has none
        servername: isIP(literalOf(url)) ? '' : url.hostname,
        // without an agent, no connection is reused and no proxy from the environment applies
        agent: false,
        signal,
      },
      answer,
    )
      .on('error', fail)
      .end(body)
  })

/**
 * Sends a request to the host of a URL without a check, for a shop that only this machine can
 * reach.
 */
export const askAnywhere = (url: URL, options: RequestOptions) =>
  ask(url, { host: literalOf(url), port: url.port }, options)

/**
 * Sends a request to one of a host's public addresses. Returns redirects like other responses.
 * @throws AppError INVALID without a public address, UNAVAILABLE without name servers; any
 * connection error
 */
export async function askPublic(
  url: URL,
  options: RequestOptions,
  net: Internet,
): Promise<IncomingMessage> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  let failure: unknown
  for (const address of await publicAddresses(url, net)) {
    try {
      return await ask(url, net.place(address, port), options)
    } catch (error) {
      failure = error
      if (options.signal.aborted) break
    }
  }
  throw failure
}

/**
 * Limits the time of `work`, even if it ignores the signal, as a DNS query does.
 * @throws AppError UNAVAILABLE with a sentence about the host, unless `work` throws an AppError
 */
export async function within<T>(
  { seconds, hostname, late }: { seconds: number; hostname: string; late: string },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(seconds * 1000)
  const ended = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason))
  })
  try {
    return await Promise.race([work(signal), ended])
  } catch (error) {
    if (error instanceof AppError) throw error
    throw notNow(
      signal.aborted
        ? `${hostname} did not ${late} within ${seconds} seconds.`
        : `${hostname} cannot be reached.`,
    )
  }
}
