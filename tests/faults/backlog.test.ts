/**
 * Many connections while the process is stopped: the kernel queues all of them, and the shop
 * responds to each.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'

/**
 * Many more than a listening socket queues by default (511): beyond its queue, the kernel makes
 * clients retry for up to a minute.
 */
const clients = 1_500

let shop: ShopProcess
beforeAll(async () => {
  shop = await startShop({ DEMO: 'off' })
}, 60_000)
afterAll(() => shop.remove())

const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(shop.pid ?? 0, name)

async function readStatusLine(socket: Socket): Promise<string> {
  let receivedText = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    receivedText += chunk
  })
  await once(socket, 'close')
  return receivedText.split('\r\n')[0] ?? ''
}

test(`${clients} people come in while the process does nothing, and all are served`, async () => {
  const { hostname, port } = new URL(shop.origin)
  signal('SIGSTOP')
  // refused or interrupted connections are missing from the count below
  const come = () => connect(Number(port), hostname).on('error', () => {})
  const sockets = Array.from({ length: clients }, come)
  try {
    const timeouts = { signal: AbortSignal.timeout(15_000) }
    await Promise.all(sockets.map((socket) => once(socket, 'connect', timeouts)))
  } finally {
    signal('SIGCONT')
  }
  const answers = sockets.map(readStatusLine)
  for (const socket of sockets) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n')
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']))
}, 30_000)
