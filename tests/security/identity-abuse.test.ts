/**
 * Attacks on an account from outside: guessing past the limit, flooding its mailbox, locking out
 * its owner.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askVariant } from '#tests/support/path-variants.ts'
import { bookingOf, call, login } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

const correctPassword = 'correct horse'
const signInPath = '/identity/sign-in/email'
let shop: TestShop
let address = 0

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', RATE_LIMIT: 'on', TRUST_PROXY: 'on' })
})
afterAll(() => shop.close())

/** From a new network address each time, as attackers do. */
const headersFrom = (more: Record<string, string> = {}) => {
  address += 1
  return {
    origin: shop.origin,
    'x-forwarded-for': `10.${Math.floor(address / 62_500) % 250}.${Math.floor(address / 250) % 250}.${address % 250}`,
    ...more,
  }
}
const post = (path: string, body: unknown, more?: Record<string, string>) => {
  return call(shop.origin, 'POST', `/identity${path}`, { body, headers: headersFrom(more) })
}
const signIn = (email: string, password: string, cookie = '') =>
  post('/sign-in/email', { email, password }, { cookie })
const signUp = (email: string, password = correctPassword) =>
  post('/sign-up/email', { name: 'Ada Victim', email, password })
/** Guesses up to the limit; each guess but the first is counted without its expensive hash. */
const guessAt = async (email: string) => {
  await signIn(email, 'a guess')
  await shop.pool.query(`update rate_limits set points = 10 where key like 'sign-in attempts:%'`)
}
const deviceIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith('ferrite.device='))
    ?.split(';')[0] ?? ''

/** All from one network address that was inactive for a while. */
async function enter(email: string) {
  await shop.pool.query(`delete from rate_limits where key like 'identity %'`)
  return login(shop.origin, email, correctPassword)
}

/** The reset token that the mailbox's owner gets. */
async function resetTokenOf(email: string) {
  await post('/request-password-reset', { email, redirectTo: '/reset-password' })
  const { rows } = await shop.pool.query(
    `select text from mail_queue where recipient = $1 and template = 'reset-password'`,
    [email],
  )
  return /reset-password\/([^?]+)/.exec(rows[0].text)?.[1]
}

describe('guessing', () => {
  test('is counted however the guess is written down and sent', async () => {
    const email = 'ada.forms@example.com'
    await signUp(email)
    await guessAt(email)
    const json = JSON.stringify({ email, password: correctPassword })
    const form = new URLSearchParams({ email, password: correctPassword }).toString()
    const boundary = `--b\r\ncontent-disposition: form-data; name="email"\r\n\r\n${email}\r\n--b\r\ncontent-disposition: form-data; name="password"\r\n\r\n${correctPassword}\r\n--b--\r\n`
    const bodies: [string, string][] = [
      ['application/json', json],
      ['application/json; charset=utf-8', `\uFEFF${json}`],
      ['application/json', `{"email":"nobody@example.com",${json.slice(1)}`],
      [
        'application/json',
        JSON.stringify({ email: email.toUpperCase(), password: correctPassword }),
      ],
      ['application/vnd.shop+json', json],
      ['text/json', json],
      ['text/plain', json],
      ['application/x-www-form-urlencoded', form],
      ['application/x-www-form-urlencoded', `email=nobody@example.com&${form}`],
      ['application/json, application/x-www-form-urlencoded', form],
      ['application/x-www-form-urlencoded; application/json', json],
      ['multipart/form-data; boundary=b', boundary],
      ['application/json; multipart/form-data; boundary=b', boundary],
    ]
    for (const [type, body] of bodies) {
      const { status } = await post('/sign-in/email', body, { 'content-type': type })
      expect([type, status >= 400 && status < 500]).toEqual([type, true])
    }
  })

  test('is counted however its path is spelled', async () => {
    const email = 'ada.paths@example.com'
    await signUp(email)
    await guessAt(email)
    const paths = [
      signInPath,
      `${signInPath}/`,
      `${signInPath}//`,
      `${signInPath}?x=1`,
      `${signInPath}#x`,
      '//identity/sign-in/email',
      '/identity//sign-in/email',
      '/identity/sign-in//email',
      '/identity/sign-in/%65mail',
      '/identity/sign%2Din/email',
      '/%69dentity/sign-in/email',
      '/identity/sign-in%2Femail',
      '/identity/./sign-in/email',
      '/identity/x/../sign-in/email',
      '/identity/x/%2e%2e/sign-in/email',
      '/identity\\sign-in\\email',
      '/identity/sign-in/EMAIL',
      `${signInPath};x`,
      `${signInPath}%00`,
      `${shop.origin}${signInPath}`,
    ]
    for (const path of paths) {
      const way = { name: path, method: 'POST', path, headers: headersFrom() }
      const { status } = await askVariant(shop.origin, way, {
        token: undefined,
        body: { email, password: correctPassword },
      })
      expect([path, status]).not.toEqual([path, 200])
    }
  })

  test('one address at many accounts gets three tries in ten seconds', async () => {
    const same = { 'x-forwarded-for': '192.0.2.7' }
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        post('/sign-in/email', { email: `victim${i}@example.com`, password: '123456' }, same),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(9)
  })
})

describe('an owner', () => {
  test('is known in the browser in which they signed up', async () => {
    const email = 'ada.new@example.com'
    const device = deviceIn((await signUp(email)).headers)
    await guessAt(email)
    expect((await signIn(email, correctPassword)).status).toBe(429)
    expect((await signIn(email, correctPassword, device)).status).toBe(200)
  })

  test('can log in where they set a new password, however fast others keep guessing', async () => {
    const email = 'ada.reset@example.com'
    await signUp(email)
    await guessAt(email)
    const token = await resetTokenOf(email)
    const reset = await post('/reset-password', { newPassword: 'better horse', token })
    expect(reset.status).toBe(200)
    await guessAt(email)
    expect((await signIn(email, 'better horse')).status).toBe(429)
    expect((await signIn(email, 'better horse', deviceIn(reset.headers))).status).toBe(200)
  })

  test('after a new password no browser is known but the one that set it', async () => {
    const email = 'ada.squatted@example.com'
    await signUp(email, 'of the squatter')
    const squatters = deviceIn((await signIn(email, 'of the squatter')).headers)
    const token = await resetTokenOf(email)
    expect((await post('/reset-password', { newPassword: correctPassword, token })).status).toBe(
      200,
    )
    await guessAt(email)
    expect((await signIn(email, correctPassword, squatters)).status).toBe(429)
  })
})

describe('a mailbox', () => {
  const mailsTo = async (email: string) => {
    const { rows } = await shop.pool.query(
      'select template, count(*)::int as n from mail_queue where recipient = $1 group by template',
      [email],
    )
    return Object.fromEntries(rows.map(({ template, n }) => [template, n]))
  }

  test('is not flooded with mails that any visitor can request', async () => {
    const email = 'ada.flooded@example.com'
    await signUp(email)
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => [
        post('/request-password-reset', { email, redirectTo: '/reset-password' }),
        post('/send-verification-email', { email, callbackURL: '/verified' }),
      ]).flat(),
    )
    // the client learns nothing from it
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await mailsTo(email)).toEqual({ 'verify-email': 5, 'reset-password': 5 })
  })

  test('nor by an account that comes and goes', async () => {
    const email = 'ada.again@example.com'
    let mails = 0
    for (let i = 0; i < 7; i += 1) {
      expect((await signUp(email)).status).toBe(i < 6 ? 200 : 422)
      mails += (await mailsTo(email))['verify-email'] ?? 0
      const person = await enter(email)
      const { status } = await person.call('DELETE', '/api/me', { password: correctPassword })
      expect(status).toBe(i < 5 ? 200 : 429)
    }
    expect(mails).toBe(5)
  })

  test('nor by other addresses of the same mailbox', async () => {
    for (let i = 0; i < 7; i += 1) await signUp(`ada.tagged+${i}@example.com`)
    const { rows } = await shop.pool.query(
      `select from mail_queue where recipient like 'ada.tagged%'`,
    )
    expect(rows).toHaveLength(4)
  })

  test('nor by bookings in the name of an unverified address', async () => {
    const part = await stockPart(shop.pool, { onHand: 100 })
    const email = 'ada.booked@example.com'
    await signUp(email)
    const person = await enter(email)
    const bookAndDelete = async () => {
      const id = await bookingOf(person, part)
      expect((await person.call('DELETE', `/api/userProduct/${id}`)).status).toBe(200)
    }
    for (let i = 0; i < 7; i += 1) await bookAndDelete()
    expect((await mailsTo(email))['order-booked']).toBe(1)
    // a verified customer gets a mail for each booking
    await shop.pool.query('update users set email_verified = true where email = $1', [email])
    await bookAndDelete()
    expect((await mailsTo(email))['order-booked']).toBe(2)
  })
})

describe('an address that another user signed up with', () => {
  const linkTo = async (email: string) => {
    const { rows } = await shop.pool.query(
      `select text from mail_queue where recipient = $1 and template = 'verify-email' order by created_at desc`,
      [email],
    )
    return /\/identity\/verify-email\S+/.exec(rows[0].text)?.[0] ?? ''
  }
  const follow = async (link: string, cookie = '') => {
    const { headers } = await call(shop.origin, 'GET', link, { headers: headersFrom({ cookie }) })
    return new URL(headers.get('location') ?? '', shop.origin)
  }
  const isVerified = async (email: string) =>
    (await shop.pool.query('select email_verified from identity."user" where email = $1', [email]))
      .rows[0].email_verified
  const sessionIn = (headers: Headers) =>
    headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')

  test('is not verified for the squatter by a click of its owner', async () => {
    const email = 'new.manager@example.com'
    const squatter = await signUp(email, 'of the squatter')
    const link = await linkTo(email)
    const bystander = await signUp('by.stander@example.com')
    for (const cookie of ['', sessionIn(bystander.headers), 'ferrite.session_token=forged.x']) {
      const { pathname, searchParams } = await follow(link, cookie)
      expect([pathname, searchParams.get('email')]).toEqual(['/verified', email])
      expect(await isVerified(email)).toBe(false)
    }
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    await login(shop.origin, email, 'of the squatter')
    expect((await owner.call('PUT', `/api/user/admin/${email}`)).status).toBe(409)
    // the address's owner sets a password, which locks the squatter out
    const token = await resetTokenOf(email)
    expect((await post('/reset-password', { newPassword: correctPassword, token })).status).toBe(
      200,
    )
    const foreignToken = await call(shop.origin, 'GET', '/identity/token', {
      headers: headersFrom({ cookie: sessionIn(squatter.headers) }),
    })
    expect(foreignToken.status).toBe(401)
    expect(await isVerified(email)).toBe(true)
    expect((await owner.call('PUT', `/api/user/admin/${email}`)).status).toBe(200)
  })

  test('is verified where the account is signed in: at once, or after the password', async () => {
    const here = 'ada.here@example.com'
    const { headers } = await signUp(here)
    expect((await follow(await linkTo(here), sessionIn(headers))).href).toBe(
      `${shop.origin}/verified`,
    )
    expect(await isVerified(here)).toBe(true)

    const elsewhere = 'ada.elsewhere@example.com'
    await signUp(elsewhere)
    const page = await follow(await linkTo(elsewhere))
    const entered = await signIn(elsewhere, correctPassword)
    const again = `/identity/verify-email?${new URLSearchParams({ token: page.searchParams.get('token') ?? '' })}`
    expect((await follow(again, sessionIn(entered.headers))).href).toBe(`${shop.origin}/verified`)
    expect(await isVerified(elsewhere)).toBe(true)
  })
})

describe('an owner who knows the password and reads the mailbox', () => {
  test('can log in while others guess passwords and use up the mails of the hour', async () => {
    const email = 'ada.besieged@example.com'
    await signUp(email)
    const besiege = async () => {
      const reset = { email, redirectTo: '/nowhere' }
      await Promise.all([
        ...Array.from({ length: 12 }, (_, i) => signIn(email, `guess ${i}`)),
        ...Array.from({ length: 8 }, () => post('/request-password-reset', reset)),
      ])
    }
    await besiege()
    expect((await signIn(email, correctPassword)).status).toBe(429)
    await post('/request-password-reset', { email, redirectTo: '/reset-password' })
    const { rows } = await shop.pool.query<{ text: string }>(
      `select text from mail_queue where recipient = $1 and template = 'reset-password'`,
      [email],
    )
    expect(rows).toHaveLength(5)
    let password = correctPassword
    // the first mail and the last, while the attack continues
    for (const [i, text] of [rows[0]?.text, rows[4]?.text].entries()) {
      const [, link = ''] = /(\/identity\/reset-password\/\S+)/.exec(text ?? '') ?? []
      const landing = await call(shop.origin, 'GET', link, { headers: headersFrom() })
      const { pathname, searchParams } = new URL(landing.headers.get('location') ?? '', shop.origin)
      expect(pathname).toBe('/reset-password')
      password = `better horse ${i}`
      const reset = await post('/reset-password', {
        newPassword: password,
        token: searchParams.get('token'),
      })
      expect(reset.status).toBe(200)
      await besiege()
      expect((await signIn(email, password, deviceIn(reset.headers))).status).toBe(200)
    }
  }, 120_000)
})
