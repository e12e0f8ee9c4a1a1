/** Abuse of the wire itself: too large, too deep, too slow, duplicated. The shop keeps serving. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createListening, type Limits, type Listening } from '#server/http/server.ts'
import { call, createUsers, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants } from '#tests/support/stock.ts'

let shop: TestShop
let ada: Person

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

/**
 * Sends raw bytes.
 * @returns everything received until the connection ends or `until` is in it
 */
async function spoken(
  text: string | Buffer | (string | Buffer)[],
  until = '\r\n\r\n',
): Promise<string> {
  const { hostname, port } = new URL(shop.origin)
  const socket: Socket = connect(Number(port), hostname)
  let receivedText = ''
  const over = new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (chunk) => {
      receivedText += chunk
      if (receivedText.includes(until)) resolve()
    })
    socket.on('close', () => resolve()).on('error', () => resolve())
  })
  await once(socket, 'connect')
  for (const piece of [text].flat()) if (!socket.destroyed) socket.write(piece)
  await over
  socket.destroy()
  return receivedText
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])
const head = (more: string, method = 'POST', path = '/api/order') =>
  `${method} ${path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\n${more}\r\n`

describe('bodies', () => {
  test('of 20 MB are refused, announced or in chunks, on every kind of route', async () => {
    const large = 20 * 1024 * 1024
    const piece = Buffer.alloc(64 * 1024, 'x')
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    const many = Array.from({ length: large / piece.length }, () => chunk)
    for (const path of ['/api/order', '/api/stripe/webhook', '/identity/sign-in/email']) {
      const announced = await spoken(head(`Content-Length: ${large}\r\n`, 'POST', path))
      expect(statusOf(announced), path).toBe(413)
      const chunked = await spoken([head('Transfer-Encoding: chunked\r\n', 'POST', path), ...many])
      // a client that keeps sending may be cut off before it reads the response
      if (chunked) expect(statusOf(chunked), path).toBe(413)
    }
  })

  test('are not waited for before it is known who sends them', async () => {
    for (const path of ['/api/image', '/api/products/import', '/api/order', '/api/me']) {
      const begun = 'Transfer-Encoding: chunked\r\n'
      const method = path === '/api/me' ? 'DELETE' : 'POST'
      const nobody = head(begun, method, path).replace(/Authorization.*\r\n/, '')
      expect(statusOf(await spoken([nobody, '5\r\nhello\r\n'])), path).toBe(401)
    }
    const customer = [
      head('Transfer-Encoding: chunked\r\n', 'POST', '/api/image'),
      '5\r\nhello\r\n',
    ]
    expect(statusOf(await spoken(customer))).toBe(403)
  })

  test('of JSON 10,000 levels deep are refused', async () => {
    const open = ['[', '{"a":'].map((sign) => sign.repeat(10_000))
    for (const deep of open) expect((await ada.call('POST', '/api/order', deep)).status).toBe(400)
    const closed = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    expect((await ada.call('POST', '/api/review', closed)).status).toBe(400)
  })

  test('that are compressed are never unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, '['))
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip']) {
      const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
      const { status } = await ada.call('POST', '/api/order', new Uint8Array(bomb), headers)
      expect(status, encoding).toBe(400)
    }
  })

  test('with two lengths, or a length and chunks, are no request: nothing is smuggled behind one', async () => {
    const smuggled = 'GET /api/user HTTP/1.1\r\nHost: shop\r\n\r\n'
    for (const lengths of [
      'Content-Length: 2\r\nContent-Length: 60\r\n',
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
      'Transfer-Encoding: xchunked\r\n',
      'Content-Length: +2\r\n',
      'Content-Length : 2\r\n',
    ]) {
      const answer = await spoken(`${head(lengths)}{}${smuggled}`)
      expect(statusOf(answer), lengths).toBe(400)
      expect(answer.match(/HTTP\/1\.1/g), lengths).toHaveLength(1)
    }
  })
})

describe('heads', () => {
  test('of 2000 lines or of one long line are refused', async () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `X-Line-${i}: 1234567890\r\n`).join('')
    expect(statusOf(await spoken(head(lines)))).toBe(431)
    expect(statusOf(await spoken(head(`X-Long: ${'x'.repeat(20_000)}\r\n`)))).toBe(431)
    const token = `Authorization: Bearer ${'A'.repeat(10_000_000)}\r\n`
    expect(statusOf(await spoken(`GET /api/order/x HTTP/1.1\r\nHost: shop\r\n${token}\r\n`))).toBe(
      431,
    )
  })

  test('that are not HTTP are refused', async () => {
    for (const odd of [
      'GET /api/part HTTP/1.1\r\n\r\n',
      'GET /api/part\r\n\r\n',
      'GET /api/part HTTP/9.9\r\nHost: shop\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
      'GET /api/part HTTP/1.1\r\nHost: shop\r\nX: a\x00b\r\n\r\n',
      'CONNECT shop:443 HTTP/1.1\r\nHost: shop\r\n\r\n',
    ]) {
      const answer = await spoken(odd)
      if (answer) expect(statusOf(answer), JSON.stringify(odd)).toBeGreaterThanOrEqual(400)
    }
  })
})

const sockets: Socket[] = []
async function listenOn(limits?: Limits): Promise<Listening> {
  const listening = createListening(limits)
  await listening.listen('127.0.0.1', 0)
  return listening
}
/** A client that sends this text. */
function saying(text: string, { port }: Listening): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  socket.write(text)
  return socket
}
/** Everything received until the connection is closed. */
function readUntilClosed(socket: Socket): Promise<string> {
  let receivedText = ''
  socket.on('data', (chunk) => {
    receivedText += chunk
  })
  return new Promise((resolve) => socket.on('close', () => resolve(receivedText)))
}
const short = {
  headersTimeout: 200,
  requestTimeout: 300,
  connectionsCheckingInterval: 50,
  keepAliveTimeout: 200,
  keepAliveTimeoutBuffer: 0,
  timeout: 600,
  maxHeaderSize: 16 * 1024,
  maxHeadersCount: 100,
  maxConnections: 6,
  stopMs: 8_000,
  maxConnectionsOfNetwork: 6,
}
/** Timeouts that cut off no slow client. */
const longTimeouts = { ...short, headersTimeout: 60_000, requestTimeout: 60_000, timeout: 60_000 }

describe('slowness', () => {
  let impatient: Listening
  beforeEach(async () => {
    impatient = await listenOn(short)
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await impatient.close()
  })
  const lines = 'Host: shop\r\nX-Slow: 1\r\n'

  test('has an end: in the head, in the body, between two requests', async () => {
    impatient.serve((request, response) => {
      request.resume().on('end', () => response.end('done'))
    })
    const slowly = [
      `GET / HTTP/1.1\r\n${lines}`,
      `POST / HTTP/1.1\r\n${lines}Content-Length: 9\r\n\r\nx`,
    ]
    for (const text of slowly) {
      expect(statusOf(await readUntilClosed(saying(text, impatient))), text).toBe(408)
    }
    expect(await readUntilClosed(saying(`GET / HTTP/1.1\r\n${lines}\r\n`, impatient))).toContain(
      'done',
    )
  })

  test('of a reader, too: a client that reads nothing of the response is cut off', async () => {
    const whole = new Promise((resolve) =>
      impatient.serve((_, response) => {
        response.on('close', () => resolve(response.writableFinished))
        response.end(Buffer.alloc(64 * 1024 * 1024))
      }),
    )
    saying(`GET / HTTP/1.1\r\n${lines}\r\n`, impatient)
    expect(await whole).toBe(false)
  })

  test('is bounded by how many may be connected', async () => {
    const patient = await listenOn(longTimeouts)
    patient.serve((_, response) => response.end('here'))
    const held = Array.from({ length: short.maxConnections }, () => saying('G', patient))
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    const ask = () =>
      readUntilClosed(saying(`GET / HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`, patient))
    expect(await ask()).toBe('')
    held[0]?.destroy()
    await expect.poll(ask).toContain('here')
    for (const socket of held) socket.destroy()
    await patient.close()
  })

  test('of one network leaves connections for all others', async () => {
    const patient = await listenOn({ ...longTimeouts, maxConnectionsOfNetwork: 4 })
    patient.serve((_, response) => response.end('here'))
    const { port } = patient
    const comeFrom = (localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
      sockets.push(socket)
      return socket
    }
    const held = Array.from({ length: 20 }, () => comeFrom('127.0.0.2'))
    const closed = held.map((socket) => readUntilClosed(socket))
    for (const socket of held) socket.write('G')
    // sixteen of them are closed, and four keep their connection
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    let gone = 0
    for (const one of closed) one.then(() => (gone += 1))
    await expect.poll(() => gone).toBe(16)
    const other = comeFrom('127.0.0.1')
    other.write(`GET / HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)
    expect(await readUntilClosed(other)).toContain('here')
    for (const socket of held) socket.destroy()
    await patient.close()
  })

  test('of many networks leaves connections for a newcomer: those with most give them up, the newest idle one first', async () => {
    const patient = await listenOn({
      ...longTimeouts,
      maxConnections: 40,
      maxConnectionsOfNetwork: 16,
    })
    const answers: ServerResponse[] = []
    patient.serve((request, response) => {
      if (request.url === '/later') answers.push(response)
      else response.end('here')
    })
    const { port } = patient
    const comeFrom = async (localAddress: string, path: string, rest = '') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write(`GET ${path} HTTP/1.1\r\n${lines}${rest}`)
      return socket
    }
    const waiting = readUntilClosed(
      await comeFrom('127.0.0.2', '/later', 'Connection: close\r\n\r\n'),
    )
    await expect.poll(() => answers.length).toBe(1)
    for (let network = 2; network < 7; network += 1)
      for (let i = 0; i < 16; i += 1) await comeFrom(`127.0.0.${network}`, '/half')
    for (let i = 0; i < 6; i += 1) {
      const visitor = await comeFrom('127.0.0.99', '/', 'Connection: close\r\n\r\n')
      expect(await readUntilClosed(visitor)).toContain('here')
    }
    answers[0]?.end('here')
    expect(await waiting).toContain('here')
    await patient.close()
  })

  test('with the real limits: heads within 15 s, requests within 30 s, two minutes of silence', async () => {
    const { server, close } = await listenOn()
    expect(server).toMatchObject({
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5000,
      keepAliveTimeoutBuffer: 5000,
      timeout: 120_000,
      maxHeadersCount: 100,
      maxConnections: 5000,
    })
    await close()
  })

  test('of two hundred clients that never finish their request delays no other client', async () => {
    const { hostname, port } = new URL(shop.origin)
    const slow = Array.from({ length: 200 }, () => connect(Number(port), hostname))
    await Promise.all(slow.map((socket) => once(socket, 'connect')))
    for (const socket of slow) socket.on('error', () => {}).write(head('Content-Length: 50\r\n'))
    const start = performance.now()
    expect((await call(shop.origin, 'GET', '/api/part')).status).toBe(200)
    expect((await ada.call('GET', `/api/orders?email=${ada.email}`)).status).toBe(200)
    // behind the slow clients it would take until the first are cut off
    expect(performance.now() - start).toBeLessThan(20_000)
    for (const socket of slow) socket.destroy()
  })
})
