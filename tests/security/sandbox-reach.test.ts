/**
 * The sandboxes behind a proxy that does not identify itself: just `proxy_pass
 * http://127.0.0.1:3000;`.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { browsing } from '#tests/support/browsing.ts'
import { popupPath, toChooser } from '#tests/support/google.ts'
import { rawGet } from '#tests/support/path-variants.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({}, { web: await builtWeb() })
})
afterAll(() => shop.close())

/** The status for a request with the token and this literal head. */
async function statusFor(lines: string[]): Promise<number> {
  const { hostname, port } = new URL(shop.origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let receivedText = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    receivedText += chunk
    if (receivedText.includes('\r\n\r\n')) socket.destroy()
  })
  const cookie = `Cookie: ferrite.sandbox=${shop.deps.sandboxToken}`
  socket.write(`${[...lines, cookie].join('\r\n')}\r\n\r\n`)
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

describe('without the token that the start printed', () => {
  const withCookie = (path: string, cookie: string) =>
    rawGet(shop.origin + path, { host: new URL(shop.origin).host, cookie })

  test('the mailbox shows nothing, whatever else is right: a tunnel looks like a browser of this machine', async () => {
    const { rows } = await shop.pool.query(
      `insert into mail_queue (template, recipient, subject, text, html)
       values ('a-test', 'eve@example.com', 'A secret', 'A secret', '<p>A secret</p>') returning _id`,
    )
    for (const path of ['', '?x=1', `/${rows[0]._id}`, `/${rows[0]._id}/message`]) {
      for (const cookie of ['', 'ferrite.sandbox=guessed', 'ferrite.sandbox=']) {
        const { status, text } = await withCookie(`/sandbox/mail${path}`, cookie)
        expect([status, text.includes('A secret')], path).toEqual([403, false])
        expect(text).toContain('<label for="token">Token</label>')
      }
    }
  })

  test('it is asked for once: the right one becomes a cookie for all sandboxes, and the address is as it was', async () => {
    const { sandboxToken: token } = shop.deps
    const { status, text } = await withCookie('/sandbox/mail?token=guessed', '')
    expect([status, text.includes('This is not the token of this shop.')]).toEqual([403, true])
    const { headers } = await fetch(`${shop.origin}/sandbox/mail?a=b&token=${token}`, {
      redirect: 'manual',
    })
    expect(headers.get('location')).toBe('/sandbox/mail?a=b')
    expect(headers.get('set-cookie')).toBe(
      `ferrite.sandbox=${token}; Path=/sandbox; Max-Age=31536000; HttpOnly; SameSite=Lax`,
    )
    expect((await withCookie('/sandbox/mail', `a=b; ferrite.sandbox=${token}`)).status).toBe(200)
  })

  test('nobody chooses an account at the sandbox for Google, by its page or its form', async () => {
    const browser = browsing()
    const chooser = await toChooser(browser, `${shop.origin}${popupPath}`)
    expect(chooser.text).toContain('Choose an account')
    const cookie = browser.cookie(shop.origin)
    expect((await withCookie(chooser.url.pathname, cookie)).text).toContain('Sandbox token')
    const form = { name: 'Eve', email: 'owner@ferrite.example', verified: 'on' }
    const answer = await fetch(chooser.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams(form),
    })
    expect(answer.status).toBe(403)
  })

  test('no page of the shop has it', async () => {
    for (const path of ['/', '/login', '/sandbox/mail', '/sandbox/google']) {
      const { text } = await withCookie(path, '')
      expect(text, path).not.toContain(shop.deps.sandboxToken)
    }
  })
})

/** The usual user id of a web server. */
const service = 33

// only root may switch to another user
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
