/**
 * Requests to addresses that an admin typed. They must not reach what only this server reaches: its own machine, its network,
 * the metadata of its host.
 */
import { Resolver } from 'node:dns/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { AppError } from '#server/errors.ts'

/** IPv4 that is not the open internet, by RFC 6890 and its successors. A mapped address, ::ffff:10.0.0.1, counts as its IPv4. */
const closed4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Azure's metadata
  '168.63.129.16/32',
]
/** Only global unicast is open, which leaves out NAT64 and mapped addresses; within it Teredo, 6to4 and documentation are closed. */
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

/** Whether the open internet has this address. @param address as numbers */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !isClosed4.check(address, 'ipv4')
  return isOpen6.check(address, 'ipv6') && !isClosed6.check(address, 'ipv6')
}

/** What a test replaces the internet with. */
export type Internet = {
  /** All addresses of a name. @throws an error with a `code` of node:dns */
  resolve(name: string): Promise<string[]>
  /** Where a checked address is. */
  place(address: string, port: number): { host: string; port: number }
}

/** Asks the name servers directly: `lookup` would hold one of the few threads that also read files. */
async function resolve(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [first] = answers
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason
  return addresses
}

export const openInternet: Internet = { resolve, place: (host, port) => ({ host, port }) }

/** A refusal that every further attempt would meet too. */
export const never = (sentence: string) => new AppError('INVALID', sentence)
export const notNow = (sentence: string) => new AppError('UNAVAILABLE', sentence)

/** Of an address in numbers, which `URL` reads in any spelling: 0x7f.1 is 127.0.0.1. */
const literalOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** @throws AppError INVALID for an address in numbers that is not public */
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
  /** Ends it, also while the answer is read. */
  signal: AbortSignal
}

/** Asks one address: the connection is given no name that could mean another by now. */
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
        // the certificate is of the name; a number has none
        servername: isIP(literalOf(url)) ? '' : url.hostname,
        // of its own, so that no connection is used twice and no proxy of the environment is asked
        agent: false,
        signal,
      },
      answer,
    )
      .on('error', fail)
      .end(body)
  })

/** Asks the host of an address unchecked, where only this machine reaches the shop. */
export const askAnywhere = (url: URL, options: RequestOptions) =>
  ask(url, { host: literalOf(url), port: url.port }, options)

/**
 * Asks the host of an address by one of its public ones. Redirects are answers like others.
 * @throws AppError INVALID where there is none, UNAVAILABLE without name servers; any error of a connection
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
 * Does something within a time, whatever of it hangs: a name server does not hear the signal.
 * @throws AppError UNAVAILABLE with a sentence about the host, unless `work` has one
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
        : `${hostname} can not be reached.`,
    )
  }
}
