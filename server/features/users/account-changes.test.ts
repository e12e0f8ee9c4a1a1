/**
 * Users with the password can change the address, password and name of their account. Their data
 * stays with them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, idToken, login, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

const correctPassword = 'correct horse'
let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const post = ({ cookie }: Pick<Person, 'cookie'>, path: string, body: object) =>
  call(shop.origin, 'POST', `/identity${path}`, { body, headers: { origin: shop.origin, cookie } })

const mailsTo = async (recipient: string) =>
  (
    await shop.pool.query<{ template: string; text: string }>(
      'select template, text from mail_queue where recipient = $1 order by created_at',
      [recipient],
    )
  ).rows

/** Opens the link that was mailed to the new address. @returns the URL that it redirects to */
async function followLink(newEmail: string, cookie: string): Promise<URL> {
  const mail = (await mailsTo(newEmail)).find(({ template }) => template === 'change-email')
  const [link = ''] = /\/identity\/verify-email\S+/.exec(mail?.text ?? '') ?? []
  const { headers } = await call(shop.origin, 'GET', link, { headers: { cookie } })
  return new URL(headers.get('location') ?? '', shop.origin)
}

const rowOf = async (email: string) =>
  (
    await shop.pool.query(
      'select _id, role, email_verified as verified from users where email = $1',
      [email],
    )
  ).rows[0]

async function enterAs(email: string, cookie: string) {
  const proof = await idToken(shop.origin, cookie)
  return call(shop.origin, 'PUT', `/api/user/${email}`, { body: { email, idToken: proof } })
}

async function bookFor(person: Person): Promise<string> {
  const part = await stockPart(shop.pool, { onHand: 5 })
  const booking = { product: part.name, partId: part._id, quantity: 1, phone: '+1 555 0100' }
  const { body } = await person.call('POST', '/api/order', { ...booking, totalPrice: part.price })
  return body.insertedId
}

describe('the address', () => {
  test('changes when the new one is proved; orders, reviews, tickets and rights stay with the user, the old one is told', async () => {
    const ada = await register(shop.origin, 'Ada Moves')
    const { _id } = await rowOf(ada.email)
    await shop.pool.query(`update users set role = 'admin' where _id = $1`, [_id])
    const order = await bookFor(ada)
    const question = { name: ada.name, email: ada.email, text: 'When?' }
    await ada.call('POST', '/api/questions', question)
    await ada.call('POST', '/api/questions', question)
    // one of them has forgotten who asked
    await shop.pool.query(
      `update tickets set email = 'former.1@deleted.invalid' where _id = (select _id from tickets where user_id = $1 limit 1)`,
      [_id],
    )
    const newEmail = `new.${ada.email}`
    const answer = await post(ada, '/change-email', { newEmail, password: correctPassword })
    expect(answer.status).toBe(200)
    // nothing changes before the link is opened
    expect(await rowOf(ada.email)).toMatchObject({ _id })
    expect((await login(shop.origin, ada.email, correctPassword)).email).toBe(ada.email)

    expect((await followLink(newEmail, ada.cookie)).href).toBe(`${shop.origin}/verified`)
    expect(await rowOf(newEmail)).toEqual({ _id, role: 'admin', verified: true })
    expect(await rowOf(ada.email)).toBeUndefined()
    expect((await mailsTo(ada.email)).map(({ template }) => template)).toContain('address-changed')
    // a token with the old address is refused; the session continues with the new address
    expect((await ada.call('GET', `/api/order/${order}`)).status).toBe(401)
    const { body } = await enterAs(newEmail, ada.cookie)
    const found = await call(shop.origin, 'GET', `/api/order/${order}`, { token: body.token })
    expect([found.status, found.body.email]).toEqual([200, newEmail])
    const asked = await call(shop.origin, 'GET', '/api/tickets', { token: body.token })
    expect(asked.body.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      'former.1@deleted.invalid',
      newEmail,
    ])
    const list = await call(shop.origin, 'GET', `/api/orders?email=${newEmail}`, {
      token: body.token,
    })
    expect(list.body.map((row: { _id: string }) => row._id)).toEqual([order])
    expect((await login(shop.origin, newEmail, correctPassword)).email).toBe(newEmail)
    await expect(login(shop.origin, ada.email, correctPassword)).rejects.toThrow()
  })

  test('needs the password besides the session, and a valid address', async () => {
    const bob = await register(shop.origin, 'Bob Stays')
    const newEmail = `new.${bob.email}`
    for (const password of ['wrong horse', undefined, 7, { length: 1 }]) {
      const { status, body } = await post(bob, '/change-email', { newEmail, password })
      expect([status, body.code]).toEqual([400, 'INVALID_PASSWORD'])
    }
    for (const bad of ['nobody', 'a@b\r\nc.de', `${'x'.repeat(250)}@example.com`]) {
      const { status } = await post(bob, '/change-email', {
        newEmail: bad,
        password: correctPassword,
      })
      expect(status, bad).toBe(400)
    }
    expect((await post(bob, '/update-user', { email: newEmail })).status).toBe(400)
    expect(await mailsTo(newEmail)).toEqual([])
  })

  test('is not taken from another user: neither the request nor a late link reveals anything', async () => {
    const [carol, dan] = [
      await register(shop.origin, 'Carol Wants'),
      await register(shop.origin, 'Dan Has'),
    ]
    const input = { newEmail: dan.email, password: correctPassword }
    expect((await post(carol, '/change-email', input)).status).toBe(200)
    expect((await mailsTo(dan.email)).map(({ template }) => template)).toEqual(['verify-email'])
    const newEmail = `both.${carol.email}`
    await post(carol, '/change-email', { newEmail, password: correctPassword })
    await post(dan, '/change-email', { newEmail, password: correctPassword })
    expect((await followLink(newEmail, carol.cookie)).search).toBe('')
    const [, second] = (await mailsTo(newEmail)).filter(
      ({ template }) => template === 'change-email',
    )
    const [link = ''] = /\/identity\/verify-email\S+/.exec(second?.text ?? '') ?? []
    const late = await call(shop.origin, 'GET', link, { headers: { cookie: dan.cookie } })
    expect(late.headers.get('location')).toMatch(/\/verified\?error=ADDRESS_TAKEN$/)
    expect(await rowOf(dan.email)).toMatchObject({ verified: true })
  })

  test('does not change by a click in another browser: there the password is needed', async () => {
    const eve = await register(shop.origin, 'Eve Squats')
    const newEmail = `victim.${eve.email}`
    await post(eve, '/change-email', { newEmail, password: correctPassword })
    const end = await followLink(newEmail, '')
    expect([end.pathname, end.searchParams.get('email')]).toEqual(['/verified', eve.email])
    expect(await rowOf(newEmail)).toBeUndefined()
  })

  test('of an unverified account is verified by it', async () => {
    const fay = await register(shop.origin, 'Fay Typed', { verified: false })
    const newEmail = `right.${fay.email}`
    await post(fay, '/change-email', { newEmail, password: correctPassword })
    await followLink(newEmail, fay.cookie)
    expect(await rowOf(newEmail)).toMatchObject({ verified: true })
  })
})

describe('the password', () => {
  test('changes for a user who knows the old one; every other device is logged out, and the owner is told', async () => {
    const gil = await register(shop.origin, 'Gil Changes')
    const elsewhere = await login(shop.origin, gil.email, correctPassword)
    const change = (currentPassword: string) =>
      post(gil, '/change-password', {
        currentPassword,
        newPassword: 'a better horse',
        revokeOtherSessions: false,
      })
    const refusal = await change('wrong horse')
    expect([refusal.status, refusal.body.code]).toEqual([400, 'INVALID_PASSWORD'])
    const { status, headers } = await change(correctPassword)
    expect(status).toBe(200)
    for (const { cookie, token } of [gil, elsewhere]) {
      const { status } = await call(shop.origin, 'GET', '/identity/token', { headers: { cookie } })
      expect(status).toBe(401)
      expect((await call(shop.origin, 'GET', '/api/me', { token })).status).toBe(401)
    }
    const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';')[0])
    expect((await enterAs(gil.email, cookie)).status).toBe(200)
    await expect(login(shop.origin, gil.email, correctPassword)).rejects.toThrow()
    expect((await login(shop.origin, gil.email, 'a better horse')).email).toBe(gil.email)
    expect((await mailsTo(gil.email)).map(({ template }) => template)).toContain('password-changed')
  })

  test('is mailed about only where the address is verified: it may be another person’s', async () => {
    const squatter = await register(shop.origin, 'Squatter', { verified: false })
    const body = { currentPassword: correctPassword, newPassword: 'a better horse' }
    expect((await post(squatter, '/change-password', body)).status).toBe(200)
    const templates = (await mailsTo(squatter.email)).map(({ template }) => template)
    expect(templates).toEqual(['verify-email'])
  })

  test('is guessed ten times by a session and no more', async () => {
    const limited = await openTestShop({ RATE_LIMIT: 'on' })
    const hal = await register(limited.origin, 'Hal Guesses')
    const statuses: number[] = []
    for (let i = 0; i < 11; i += 1) {
      const { status } = await call(limited.origin, 'POST', '/identity/change-password', {
        body: { currentPassword: `wrong horse ${i}`, newPassword: 'a better horse' },
        headers: { origin: limited.origin, cookie: hal.cookie },
      })
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    await limited.close()
  })
})

test('the name changes at the provider, and the shop says it from the next exchange on', async () => {
  const ida = await register(shop.origin, 'Ida Weds')
  expect((await post(ida, '/update-user', { name: 'Ida Wed', image: 'http://x' })).status).toBe(200)
  const { body } = await enterAs(ida.email, ida.cookie)
  const profile = await call(shop.origin, 'GET', `/api/profile/${ida.email}`, { token: body.token })
  expect(profile.body.name).toBe('Ida Wed')
  const { rows } = await shop.pool.query('select image from identity."user" where email = $1', [
    ida.email,
  ])
  expect(rows[0].image).toBeNull()
})
