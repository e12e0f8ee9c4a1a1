/** The sandboxes behind a proxy that tells nothing of itself: `proxy_pass http://127.0.0.1:3000;` and no more. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

/** What comes back for a request whose head is written down. */
async function statusFor(lines: string[]): Promise<number> {
  const { hostname, port } = new URL(shop.origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let receivedText = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    receivedText += chunk
    if (receivedText.includes('\r\n\r\n')) socket.destroy()
  })
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  return Number(receivedText.split(' ')[1])
}

const paths = [
  '/sandbox/mail',
  '/sandbox/google/.well-known/openid-configuration',
  '/sandbox/stripe/_sandbox/deliveries',
]

test.each(paths)(
  '%s answers browsers of this machine, and no client behind a proxy',
  async (path) => {
    const { host } = new URL(shop.origin)
    const ask = (version: string, ...headers: string[]) =>
      statusFor([`GET ${path} HTTP/${version}`, `Host: ${host}`, ...headers])
    expect(await ask('1.1', 'Connection: keep-alive')).toBe(200)
    const refused = [
      // nginx until 1.29.6, since 1.29.7, with keepalive set by hand
      await ask('1.0', 'Connection: close'),
      await ask('1.1'),
      await ask('1.1', 'Connection:'),
      await ask('1.0', 'Connection: keep-alive'),
      // Apache, Caddy, Traefik, HAProxy, tunnels
      await ask('1.1', 'Connection: keep-alive', 'X-Forwarded-For: 203.0.113.7'),
      await ask('1.1', 'Connection: keep-alive', 'Via: 1.1 proxy'),
      await ask('1.1', 'Connection: keep-alive', 'CF-Ray: 1'),
      await statusFor([`GET ${path} HTTP/1.1`, 'Host: shop.example', 'Connection: keep-alive']),
    ]
    expect(new Set(refused).has(200)).toBe(false)
    expect(refused.every((status) => status === 403 || status === 404)).toBe(true)
  },
)

/** The usual user of a web server. */
const service = 33

// only root may become another user
test.runIf(process.platform === 'linux' && process.getuid?.() === 0).each(paths)(
  '%s answers no proxy that copies the head of its client, since the proxy is a service',
  async (path) => {
    const { host } = new URL(shop.origin)
    const ask = () => statusFor([`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: keep-alive'])
    process.seteuid?.(service)
    const status = await ask().finally(() => process.seteuid?.(0))
    expect([403, 404]).toContain(status)
    expect(await ask()).toBe(200)
  },
)
