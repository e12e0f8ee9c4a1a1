import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawGet } from '#tests/support/path-variants.ts'
import { call, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const get = (path: string) => call(shop.origin, 'GET', path)
const subjects = async () =>
  [...(await get('/sandbox/mail')).body.matchAll(/class="subject">([^<]*)</g)].map(([, s]) => s)
const newest = async () =>
  /href="(\/sandbox\/mail\/[^"]+)"/.exec((await get('/sandbox/mail')).body.split('<main>')[1])?.[1]

const askReset = (email: string) =>
  call(shop.origin, 'POST', '/identity/request-password-reset', {
    body: { email, redirectTo: '/reset-password' },
    headers: { origin: shop.origin },
  })

describe('the mailbox', () => {
  test('is empty at first, and says so', async () => {
    expect(shop.deps.mailbox?.path).toBe('/sandbox/mail')
    const { status, body } = await get('/sandbox/mail')
    expect(status).toBe(200)
    expect(body).toContain('Nothing was mailed yet')
  })

  test('shows mails, newest first, with recipient, subject and time', async () => {
    const mia = await register(shop.origin, 'Mia Mailed')
    await askReset(mia.email)
    expect(await subjects()).toEqual(['Set a new password', 'Confirm your email address'])
    const { body } = await get('/sandbox/mail')
    expect(body).toContain(mia.email)
    expect(body).toMatch(/<time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z">/)
  })

  test('shows one mail as text with links, and as it looks in a frame that can do nothing', async () => {
    const path = await newest()
    const { body, headers } = await get(String(path))
    expect(body).toMatch(/<a href="http:\/\/127[^"]*\/identity\/reset-password\/[^"]+">/)
    expect(body).toContain(`<iframe src="${path}/message"`)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
    const message = await get(`${path}/message`)
    expect(message.headers.get('content-security-policy')).toMatch(
      /^sandbox allow-top-navigation-by-user-activation; default-src 'none'/,
    )
    expect(message.body).toContain('<base target="_top">')
    expect(message.headers.get('cache-control')).toBe('no-store')
  })

  test('shows the text of a mail as text', async () => {
    await shop.pool.query(
      `insert into mail_queue (template, recipient, subject, text, html)
       values ('a-test', 'eve@example.com', 'For <b>Eve</b>', 'Hello Eve <img src=x>', '<p>Hello</p>')`,
    )
    const { body } = await get(String(await newest()))
    expect(body).not.toContain('<img')
    expect(body).toContain('Hello Eve &lt;img src=x&gt;')
  })

  test('keeps back the mail that would make its reader an admin', async () => {
    const before = await subjects()
    await askReset('owner@ferrite.example')
    expect(await subjects()).toEqual(before)
    const { rows } = await shop.pool.query(
      `select _id from mail_queue where recipient = 'owner@ferrite.example'`,
    )
    expect(rows).toHaveLength(1)
    for (const path of ['', '/message']) {
      expect((await get(`/sandbox/mail/${rows[0]._id}${path}`)).status).toBe(404)
    }
  })

  test('knows no other mail', async () => {
    expect((await get('/sandbox/mail/1')).status).toBe(404)
    expect((await get(`/sandbox/mail/${crypto.randomUUID()}/message`)).status).toBe(404)
  })

  test('responds only to the machine that it runs on', async () => {
    const { host } = new URL(shop.origin)
    const foreign: Record<string, string>[] = [
      { host: 'shop.example' },
      { host, 'x-forwarded-for': '203.0.113.7' },
      { host, connection: 'close' },
    ]
    for (const path of ['/sandbox/mail', String(await newest())]) {
      for (const headers of foreign) {
        const { status, text } = await rawGet(shop.origin + path, headers)
        expect(status).toBe(403)
        expect(text).toBe('This sandbox answers only to the machine that it runs on.')
      }
    }
  })
})

test.each([
  [{ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'shop@example.com' }],
  [{ PUBLIC_URL: 'https://shop.example', ALLOW_SANDBOX: '1' }],
  [{ HOST: '0.0.0.0', ALLOW_SANDBOX: '1' }],
  [{ TRUST_PROXY: 'on', ALLOW_SANDBOX: '1' }],
])('there is none with %o', async (settings) => {
  const other = await openTestShop(settings)
  expect(other.deps.mailbox).toBeNull()
  const { body } = await call(other.origin, 'GET', '/sandbox/mail')
  expect(body).not.toContain('Mailbox')
  await other.close()
})
