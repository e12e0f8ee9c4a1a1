import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browsing } from '#tests/support/browsing.ts'
import { chooseTyped, messageOf, signInWithGoogle, toChooser } from '#tests/support/google.ts'
import {
  bookingOf,
  call,
  cardsOf,
  confirmCard,
  cookiesOf,
  createUsers,
  enter,
  intentFor,
  login,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import {
  codeOf,
  type Factor,
  identityCall,
  nextCode,
  passwordOnly,
  setUpFactor,
  tenMinutesLater,
} from '#tests/support/second-factor.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

const password = 'correct horse'
const required = 'auth/multi-factor-auth-required'

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

/** A second admin, with a second factor and the session that set it up. */
async function admin(name: string): Promise<Factor & { person: Person }> {
  const person = await register(shop.origin, name)
  await owner.call('PUT', `/api/user/admin/${person.email}`)
  return setUpFactor(shop, person, password)
}
const enterCode = (who: { cookie: string }, code: string) =>
  identityCall(shop.origin, who, '/two-factor/verify-totp', { code })
type Half = Awaited<ReturnType<typeof passwordOnly>>
const codesOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
]

async function paidOrder(): Promise<string> {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const id = await bookingOf(ada, await stockPart(shop.pool, { onHand: 5, price: 100 }))
  const payment = await intentFor(ada, id)
  await confirmCard(cardsOf(shop), payment)
  await ada.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
  return id
}
const refund = (by: Person, id: string, key: string = crypto.randomUUID()) =>
  by.call(
    'POST',
    `/api/order/${id}/refund`,
    { amount: 10, reason: 'scratched', restock: 0 },
    { 'idempotency-key': key },
  )

describe('logging in', () => {
  test('asks for the code after the password, and gives nothing before', async () => {
    const { person, secret } = await admin('Ada Codes')
    const half = await passwordOnly(shop.origin, person.email, password)
    expect(half.body).toMatchObject({ twoFactorRedirect: true })
    const headers = { cookie: half.cookie }
    expect((await call(shop.origin, 'GET', '/identity/token', { headers })).status).toBe(401)
    expect(codesOf(await enterCode(half, '000000'))).toEqual([401, 'INVALID_CODE'])
    const whole = await enterCode(half, codeOf(secret))
    expect(whole.status).toBe(200)
    const again = await enter(shop.origin, person.name, person.email, cookiesOf(whole.headers))
    expect((await again.call('GET', '/api/user/count')).status).toBe(200)
    expect((await again.call('GET', '/api/me')).body.secondFactor).toBe(true)
  })

  test('takes no code twice, nor an older one after it', async () => {
    const { person, secret } = await admin('Bea Replays')
    const tries = ['a', 'b', 'c'].map(() => passwordOnly(shop.origin, person.email, password))
    const [one, two, three] = (await Promise.all(tries)) as [Half, Half, Half]
    // the app's clock is a step ahead, so that no end of a step comes between
    const [older, code] = [codeOf(secret), codeOf(secret, 1)]
    const answers = await Promise.all([enterCode(one, code), enterCode(two, code)])
    expect(answers.map(codesOf).sort()).toEqual([
      [200, undefined],
      [401, 'CODE_USED'],
    ])
    expect(codesOf(await enterCode(three, older))).toEqual([401, 'CODE_USED'])
    await nextCode(shop.pool)
    expect((await enterCode(three, codeOf(secret))).status).toBe(200)
  })

  test('takes a recovery code once, and new ones replace the old', async () => {
    const { person, recoveryCodes } = await admin('Cy Recovers')
    const [first, second] = recoveryCodes as [string, string]
    const recover = async (code: string) => {
      const half = await passwordOnly(shop.origin, person.email, password)
      return identityCall(shop.origin, half, '/two-factor/verify-backup-code', { code })
    }
    expect((await recover(first)).status).toBe(200)
    expect(codesOf(await recover(first))).toEqual([401, 'INVALID_BACKUP_CODE'])
    const renewed = await identityCall(shop.origin, person, '/two-factor/generate-backup-codes', {
      password,
    })
    expect(renewed.body.backupCodes).toHaveLength(10)
    expect((await recover(second)).status).toBe(401)
    expect((await recover(renewed.body.backupCodes[0])).status).toBe(200)
  })

  test('never trusts a device, whatever a client asks for', async () => {
    const { person, secret } = await admin('Di Trusts')
    const half = await passwordOnly(shop.origin, person.email, password)
    const body = { code: codeOf(secret), trustDevice: true }
    const whole = await identityCall(shop.origin, half, '/two-factor/verify-totp', body)
    expect(cookiesOf(whole.headers)).not.toContain('trust_device')
    const again = await call(shop.origin, 'POST', '/identity/sign-in/email', {
      body: { email: person.email, password },
      headers: { origin: shop.origin, cookie: cookiesOf(whole.headers) },
    })
    expect(again.body).toMatchObject({ twoFactorRedirect: true })
  })

  test('asks after Google as well, in a popup and in the same tab', async () => {
    const google = { name: 'Eve Google', email: 'eve.google@example.com' }
    const { cookie } = await signInWithGoogle(shop.origin, google)
    const eve = await enter(shop.origin, google.name, google.email, cookie)
    await shop.pool.query(
      `insert into identity.account (id, account_id, provider_id, user_id, password)
       select 'pw-' || u.id, u.id, 'credential', u.id, a.password from identity."user" u, identity.account a
       join identity."user" o on o.id = a.user_id
       where u.email = $1 and o.email = $2 and a.provider_id = 'credential'`,
      [google.email, owner.email],
    )
    const { secret } = await setUpFactor(shop, eve, 'owner-password')
    const popup = await signInWithGoogle(shop.origin, google)
    expect(popup.error).toBe(required)
    const headers = { cookie: popup.cookie }
    expect((await call(shop.origin, 'GET', '/identity/token', { headers })).status).toBe(401)
    const whole = await enterCode(popup, codeOf(secret))
    expect(whole.status).toBe(200)
    await enter(shop.origin, google.name, google.email, cookiesOf(whole.headers))
    const browser = browsing()
    const chooser = await toChooser(
      browser,
      `${shop.origin}/identity/redirect/google?from=%2Fparts`,
    )
    const { url } = await chooseTyped(browser, chooser, google)
    expect(Object.fromEntries(url.searchParams)).toEqual({ google: required, from: '/parts' })
    expect(messageOf((await signInWithGoogle(shop.origin, google)).lastPage).error).toBe(required)
  })

  test('is as before without a second factor', async () => {
    const fay = await register(shop.origin, 'Fay Plain')
    const plain = await passwordOnly(shop.origin, fay.email, password)
    expect(plain.body.user.email).toBe(fay.email)
    expect((await fay.call('GET', '/api/me')).body.secondFactor).toBe(false)
  })
})

describe('setting up', () => {
  test('needs the password and a first code, and ends every other session', async () => {
    const gil = await register(shop.origin, 'Gil Begins')
    const other = await login(shop.origin, gil.email, password)
    const enable = (typed: object) => identityCall(shop.origin, gil, '/two-factor/enable', typed)
    expect((await enable({})).status).toBe(400)
    expect(codesOf(await enable({ password: 'wrong horse' }))).toEqual([400, 'INVALID_PASSWORD'])
    const { body } = await enable({ password })
    expect(new URL(body.totpURI).protocol).toBe('otpauth:')
    // nothing is asked for until the app has proved that it works
    expect((await passwordOnly(shop.origin, gil.email, password)).body.user.email).toBe(gil.email)
    await setUpFactor(shop, gil, password)
    expect((await other.call('GET', '/api/me')).status).toBe(401)
    const headers = { cookie: other.cookie }
    expect((await call(shop.origin, 'GET', '/identity/token', { headers })).status).toBe(401)
    const { rows } = await shop.pool.query(
      `select action from audit_log l join users u on u._id = l.user_id where u.email = $1`,
      [gil.email],
    )
    expect(rows).toEqual([{ action: 'second factor on' }])
  })
})

describe('before money goes out', () => {
  test('a code of the last ten minutes is asked for; the same key then refunds once', async () => {
    const { person, secret } = await admin('Hal Refunds')
    const id = await paidOrder()
    await tenMinutesLater(shop.pool)
    const key = crypto.randomUUID()
    const refused = await refund(person, id, key)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFIRM_FIRST'])
    const { checkoutId } = await orderOf(owner, id)
    const whole = await person.call(
      'POST',
      `/api/checkout/${checkoutId}/refund`,
      { lines: [{ orderId: id, amount: 10, restock: 0 }], reason: 'scratched' },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(whole.body.error.code).toBe('CONFIRM_FIRST')
    expect((await enterCode(person, codeOf(secret))).status).toBe(200)
    expect((await refund(person, id, key)).status).toBe(200)
    expect((await refund(person, id, key)).status).toBe(200)
    expect((await orderOf(owner, id)).refunded).toBe(10)
  })

  test('another session’s code does not count', async () => {
    const { person, secret } = await admin('Ida Sessions')
    const id = await paidOrder()
    const half = await passwordOnly(shop.origin, person.email, password)
    const whole = await enterCode(half, codeOf(secret))
    const there = await enter(shop.origin, person.name, person.email, cookiesOf(whole.headers))
    await tenMinutesLater(shop.pool)
    await nextCode(shop.pool)
    await enterCode(there, codeOf(secret))
    expect((await refund(person, id)).body.error.code).toBe('CONFIRM_FIRST')
    expect((await refund(there, id)).status).toBe(200)
  })

  test('an admin without a second factor refunds as before', async () => {
    expect((await refund(owner, await paidOrder())).status).toBe(200)
  })

  test('a stolen session gives and takes no rights, and outlives itself in no key', async () => {
    const { person, secret } = await admin('Jo Stolen')
    await tenMinutesLater(shop.pool)
    const [helper] = (await createUsers(shop, 1)) as [Person]
    const calls: [string, string, object?][] = [
      ...(['PUT', 'DELETE'] as const).flatMap((method) =>
        ['admin', 'packer'].map((role): [string, string] => [
          method,
          `/api/user/${role}/${helper.email}`,
        ]),
      ),
      ['POST', '/api/key', { name: 'Backdoor', scopes: ['orders:read'] }],
      ['DELETE', '/api/me', { password }],
    ]
    for (const [method, path, body] of calls) {
      const answer = await person.call(method, path, body)
      expect([path, answer.body.error?.code]).toEqual([path, 'CONFIRM_FIRST'])
    }
    expect((await enterCode(person, codeOf(secret))).status).toBe(200)
    expect((await person.call('DELETE', '/api/me', { password })).status).toBe(200)
  })
})

test('a stolen session locks no other admin out, and sends nothing to a new address', async () => {
  const { person, secret } = await admin('Lou Stolen')
  const [packer, customer] = (await createUsers(shop, 2)) as [Person, Person]
  await owner.call('PUT', `/api/user/packer/${packer.email}`)
  const idOf = async ({ email }: { email: string }) =>
    (await shop.pool.query('select _id from users where email = $1', [email])).rows[0]._id
  const { body: sessions } = await owner.call('GET', '/api/staff-sessions')
  const session = sessions.find(({ email }: { email: string }) => email === owner.email)
  const hook = { url: 'https://thief.example/hooks', events: ['order.paid'] }
  const { body: made } = await owner.call('POST', '/api/webhook', {
    ...hook,
    url: 'https://warehouse.example/hooks',
  })
  await tenMinutesLater(shop.pool)
  const reason = { reason: 'A thief.' }
  const calls: [string, string, object?][] = [
    ['POST', `/api/user/${await idOf(owner)}/block`, reason],
    ['POST', `/api/user/${await idOf(packer)}/block`, reason],
    ['POST', `/api/user/${await idOf(packer)}/unblock`, reason],
    ['DELETE', `/api/staff-sessions/${session._id}`],
    ['POST', '/api/webhook', hook],
    ['PUT', `/api/webhook/${made.insertedId}`, { ...hook, isOn: true }],
    ['POST', `/api/webhook/${made.insertedId}/secret`],
  ]
  for (const [method, path, body] of calls) {
    const answer = await person.call(method, path, body)
    expect([path, answer.body.error?.code]).toEqual([path, 'CONFIRM_FIRST'])
  }
  expect((await owner.call('GET', '/api/me')).status).toBe(200)
  // whoever helps customers types no code for them
  const ofCustomer = `/api/user/${await idOf(customer)}`
  expect((await person.call('POST', `${ofCustomer}/block`, reason)).status).toBe(200)
  expect((await person.call('POST', `${ofCustomer}/unblock`, reason)).status).toBe(200)
  expect((await enterCode(person, codeOf(secret))).status).toBe(200)
  expect((await person.call('POST', `/api/user/${await idOf(packer)}/block`, reason)).status).toBe(
    200,
  )
})

test('a stolen session neither switches it off nor changes the account', async () => {
  const { person, secret } = await admin('Kim Stolen')
  await tenMinutesLater(shop.pool)
  const changes: [string, object][] = [
    ['/two-factor/disable', { password }],
    ['/two-factor/generate-backup-codes', { password }],
    ['/change-password', { currentPassword: password, newPassword: 'battery staple' }],
    ['/change-email', { newEmail: 'mallory@example.com', password }],
  ]
  for (const [path, body] of changes) {
    const answer = await identityCall(shop.origin, person, path, body)
    expect(codesOf(answer), path).toEqual([403, 'CONFIRM_FIRST'])
  }
  for (const field of [{ twoFactorEnabled: false }, { confirmedAt: new Date() }]) {
    const update = { name: 'Kim', ...field }
    await identityCall(shop.origin, person, '/update-user', update)
    expect((await person.call('GET', '/api/me')).body.secondFactor).toBe(true)
  }
  // the secret is never shown again, and no new one replaces it
  const closed = [
    '/two-factor/get-totp-uri',
    '/two-factor/send-otp',
    '/two-factor/view-backup-codes',
  ]
  for (const path of closed) {
    expect((await identityCall(shop.origin, person, path, { password })).status, path).toBe(404)
  }
  const anew = await identityCall(shop.origin, person, '/two-factor/enable', { password })
  expect(codesOf(anew)).toEqual([400, 'TOTP_ALREADY_ENABLED'])
  expect((await enterCode(person, codeOf(secret))).status).toBe(200)
  const wrong = await identityCall(shop.origin, person, '/two-factor/disable', {
    password: 'wrong',
  })
  expect(codesOf(wrong)).toEqual([400, 'INVALID_PASSWORD'])
  const off = await identityCall(shop.origin, person, '/two-factor/disable', { password })
  expect(off.status).toBe(200)
  const plain = await passwordOnly(shop.origin, person.email, password)
  expect(plain.body.user.email).toBe(person.email)
  const { rows } = await shop.pool.query(
    `select subject from mail_queue where template = 'second-factor' and recipient = $1 order by created_at`,
    [person.email],
  )
  expect(rows.map(({ subject }) => subject)).toEqual([
    'Your second factor is on',
    'Your second factor is off',
  ])
})

test('codes are guessed ten times in a quarter of an hour, by any number of networks', async () => {
  const strict = await openTestShop({ DEMO: 'off', RATE_LIMIT: 'on', TRUST_PROXY: 'on' })
  try {
    const lee = await register(strict.origin, 'Lee Guessed', { verified: false })
    const { secret, person } = await setUpFactor(strict, lee, password)
    let network = 0
    const from = (path: string, body: object, cookie: string) => {
      network += 1
      const headers = { origin: strict.origin, cookie, 'x-forwarded-for': `203.0.113.${network}` }
      return call(strict.origin, 'POST', `/identity${path}`, { body, headers })
    }
    const guess = async () => {
      const half = await from('/sign-in/email', { email: lee.email, password }, '')
      const code = { code: '000000' }
      return (await from('/two-factor/verify-totp', code, cookiesOf(half.headers))).status
    }
    const statuses: number[] = []
    for (let i = 0; i < 12; i += 1) statuses.push(await guess())
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    // who is in a session already is not locked out
    const own = await from('/two-factor/verify-totp', { code: codeOf(secret) }, person.cookie)
    expect(own.status).toBe(200)
  } finally {
    await strict.close()
  }
})
