/** Shares of one network: among others, with many networks of its own, and of cached responses. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fairShare } from './fair-share.ts'

type Held = { from: string; response: ServerResponse; end(): void }
let held: Held[]
let shedCount: number
let port: number
let close: () => Promise<void>
const sockets: Socket[] = []
const addressOf = ({ headers }: IncomingMessage) => String(headers['x-from'])

beforeEach(async () => {
  // the clock stops, so all requests of a test arrive at the same time
  vi.useFakeTimers({ toFake: ['performance'] })
  held = []
  shedCount = 0
  const options = {
    addressOf,
    metrics: {
      shed: () => {
        shedCount += 1
      },
    },
    connections: 20,
    cachedBytes: ({ url = '' }: IncomingMessage) => ({ '/cached': 100, '/large': 40_000 })[url],
  }
  const server = createServer(
    fairShare(options, (request, response) => {
      const { promise, resolve: end } = Promise.withResolvers<void>()
      held.push({ from: addressOf(request), response, end })
      return request.url === '/work' ? promise : undefined
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  close = async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(async () => {
  vi.useRealTimers()
  await close()
})

/** Sends this many requests at once, on one connection. */
async function send(count: number, from: string, path = '/page'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-From: ${from}\r\n\r\n`.repeat(count))
  return socket
}
const inProgress = (from: string) => held.filter((one) => one.from.startsWith(from)).length

test('of cached responses a network gets 200 at once, and further ones in turn', async () => {
  await send(300, '192.0.2.1', '/cached')
  await expect.poll(() => inProgress('192.0.2.1')).toBe(216)
  await send(1, '192.0.2.2', '/cached')
  await expect.poll(() => inProgress('192.0.2.2')).toBe(1)
  for (const { response } of held.splice(0)) response.end()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  expect(shedCount).toBe(0)
})

test('the work for clients that have hung up counts until it ends', async () => {
  const socket = await send(16, '192.0.2.1', '/work')
  await expect.poll(() => inProgress('192.0.2.1')).toBe(16)
  const closed = held.map(({ response }) => once(response, 'close'))
  socket.destroy()
  await Promise.all(closed)
  await send(1, '192.0.2.1')
  await send(1, '192.0.2.2')
  await expect.poll(() => inProgress('192.0.2.2')).toBe(1)
  expect(inProgress('192.0.2.1')).toBe(16)
  for (const { from, end } of held.slice(0, 14)) if (from === '192.0.2.1') end()
  await expect.poll(() => inProgress('192.0.2.1')).toBe(17)
})

test('of all networks 2,000 requests wait at most, and the one with the most makes room', async () => {
  const crowd = Array.from({ length: 6 }, (_, i) => `192.0.2.${i}`)
  for (const from of crowd) for (let n = 0; n < 4; n += 1) await send(100, from)
  await expect.poll(() => shedCount).toBeGreaterThan(300)
  const before = shedCount
  let received = ''
  const socket = await send(8, '198.51.100.1')
  socket.on('data', (text) => {
    received += text
  })
  await expect.poll(() => shedCount).toBe(before + 4)
  expect([inProgress('198.51.100.1'), received]).toEqual([4, ''])
})

test('of large ones it has fewer at once', async () => {
  await send(100, '192.0.2.1', '/large')
  // each counts as three
  await expect.poll(() => inProgress('192.0.2.1')).toBe(66 + 16)
})

test('among others the /64s of a home have twice the share of one, and of a /48 four times', async () => {
  await send(30, '192.0.2.1')
  await expect.poll(() => inProgress('192.0.2.1')).toBe(16)
  const homes = ['2001:db8:1:100', '2001:db8:1:200', '2001:db8:1:300']
  for (const home of homes)
    for (let i = 0; i < 5; i += 1) await send(5, `${home.slice(0, -1)}${i}::1`)
  await expect.poll(() => inProgress('2001:db8:1:')).toBe(16)
  expect(homes.map((home) => inProgress(home.slice(0, -2)))).toEqual([8, 8, 0])
  await send(1, '192.0.2.2')
  await expect.poll(() => inProgress('192.0.2.2')).toBe(1)
})

test('a client that keeps sending without reading a response loses the connection', async () => {
  const socket = await send(1_000, '192.0.2.1')
  await expect.poll(() => shedCount).toBeGreaterThan(400)
  socket.resume()
  await expect
    .poll(() => {
      for (const { response } of held.splice(0)) response.end()
      return socket.closed
    })
    .toBe(true)
})
