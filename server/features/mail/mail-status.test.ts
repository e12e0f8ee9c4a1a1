/**
 * What admins see and do about unsent mail. The mail server of these tests refuses some addresses.
 */
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Outcome } from '#contracts/api.ts'
import { MailStatus } from '#contracts/mail.ts'
import { reconcile } from '#server/features/reconciliation/reconcile.ts'
import { bookingOf, call, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let server: SMTPServer
const arrived: { to: string; raw: string }[] = []

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) =>
      done(
        /^(crowd|typo)/.test(address)
          ? Object.assign(new Error('5.1.1 No such user here'), { responseCode: 550 })
          : null,
      ),
    onData(stream, { envelope }, done) {
      text(stream).then((raw) => {
        arrived.push({ to: envelope.rcptTo[0]?.address ?? '', raw })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  shop = await openTestShop({
    DEMO: 'off',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Shop <shop@shop.example>',
    OWNER_MAIL: 'boss@shop.example',
  })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
beforeEach(() => arrived.splice(0))
afterAll(async () => {
  await shop.close()
  await new Promise<void>((resolve) => server.close(resolve))
})

const status = async () => MailStatus.parse((await owner.call('GET', '/api/mail')).body)
const resend = (id: string, body: object = {}) => owner.call('POST', `/api/mail/${id}/resend`, body)
const linesAbout = async (about: string) =>
  (await owner.call('GET', `/api/audit?about=${about}`)).body.map(
    ({ by, action, note }: Record<string, unknown>) => ({ by, action, note }),
  )

/** Books an order whose mail is given up, because the customer's address does not exist. */
async function unreachable() {
  const orderId = await bookingOf(ada, await stockPart(shop.pool, { onHand: 9 }))
  const mailOf = async () => (await status()).givenUp.rows.find((row) => row.orderId === orderId)
  await expect.poll(mailOf).toBeDefined()
  return { orderId, mail: (await mailOf()) as MailStatus['givenUp']['rows'][number] }
}

describe('a mail to an address that does not exist', () => {
  test('is given up and shown with its reason; nothing stays red', async () => {
    const { mail } = await unreachable()
    expect(mail).toMatchObject({
      recipient: ada.email,
      subject: 'Your order is processing',
      attempts: 1,
      error: 'The mail server refuses the address: 550 5.1.1 No such user here',
      nextAttemptAt: null,
    })
    const { issues } = (await owner.call('GET', '/api/money')).body
    expect(issues.filter(({ type }: { type: string }) => type === 'mail')).toEqual([])
    expect((await status()).waiting.total).toBe(0)
  })

  test('is corrected and sent again, once, on the audit log without the whole address', async () => {
    const { orderId, mail } = await unreachable()
    const still = Outcome.parse((await resend(mail._id, { recipient: 'typo@example.com' })).body)
    expect(still.done).toBe(false)
    expect(still.outcome).toContain('550 5.1.1 No such user here')
    const answers = await Promise.all(
      [1, 2].map(() => resend(mail._id, { recipient: ' Ada@Example.com ' })),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404])
    expect(answers.find((answer) => answer.status === 200)?.body).toEqual({
      acknowledged: true,
      done: true,
      outcome: 'The mail is sent to ada@example.com.',
    })
    expect(arrived.map(({ to }) => to)).toEqual(['ada@example.com'])
    expect((await status()).givenUp.rows.map(({ _id }) => _id)).not.toContain(mail._id)
    expect(await linesAbout(`order:${orderId}`)).toEqual([
      {
        by: owner.email,
        action: 'mail sent again',
        note: '“Your order is processing” to a…@example.com',
      },
      {
        by: owner.email,
        action: 'mail sent again',
        note: '“Your order is processing” to t…@example.com',
      },
    ])
  })

  test('is dismissed, once', async () => {
    const { orderId, mail } = await unreachable()
    const dismiss = () => owner.call('POST', `/api/mail/${mail._id}/dismiss`)
    expect((await dismiss()).status).toBe(200)
    expect((await status()).givenUp.rows.map(({ _id }) => _id)).not.toContain(mail._id)
    expect(await linesAbout(`order:${orderId}`)).toMatchObject([{ action: 'mail dismissed' }])
  })

  test('with a link to an account goes to no other address', async () => {
    const { rows } = await shop.pool.query(
      `insert into mail_queue (template, recipient, subject, text, html, last_error, given_up_at)
       values ('reset-password', 'typo@example.com', 'Set a new password', 'key', 'key', 'x', now()) returning _id`,
    )
    const { status: refused, body } = await resend(rows[0]._id, { recipient: 'eve@example.com' })
    expect([refused, Object.keys(body.error.fields)]).toEqual([400, ['recipient']])
    expect(arrived).toEqual([])
    expect(JSON.stringify(await status())).not.toContain('"key"')
  })
})

test('a mail that was sent, or does not exist, is not sent again', async () => {
  const { rows } = await shop.pool.query(
    `insert into mail_queue (template, recipient, subject, text, html, sent_at)
     values ('x', 'ok@example.com', 's', 't', 'h', now()) returning _id`,
  )
  for (const id of [rows[0]._id, crypto.randomUUID()]) {
    expect((await resend(id)).status).toBe(404)
    expect((await owner.call('POST', `/api/mail/${id}/dismiss`)).status).toBe(404)
  }
  expect(arrived).toEqual([])
})

describe('a test mail', () => {
  test('goes to the admin who asks for it, and reports the result', async () => {
    const { body } = await owner.call('POST', '/api/mail/test')
    expect(Outcome.parse(body)).toMatchObject({ done: true })
    expect(arrived.map(({ to }) => to)).toEqual([owner.email])
    expect(arrived[0]?.raw).toContain('From: Shop <shop@shop.example>')
    expect((await linesAbout(`user:${owner.email}`))[0]).toMatchObject({ action: 'test mail sent' })
  })

  test('tells why it could not be sent', async () => {
    const broken = await openTestShop({
      DEMO: 'off',
      JOB_SECONDS: '3600',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'shop@shop.example',
    })
    const boss = await login(broken.origin, 'owner@ferrite.example', 'owner-password')
    const { body } = await boss.call('POST', '/api/mail/test')
    expect(body.done).toBe(false)
    expect(body.outcome).toMatch(
      /^The mail was not sent\. The mail server 127\.0\.0\.1:9 cannot be reached: /,
    )
    const mailStatus = MailStatus.parse((await boss.call('GET', '/api/mail')).body)
    expect(mailStatus.waiting.rows).toMatchObject([{ attempts: 1, recipient: boss.email }])
    await broken.close()
  })
})

test('says how mail is sent, who gets it, and when the last reconciliation was', async () => {
  const before = Date.now()
  await reconcile(shop.deps)
  const { sender, ownerMail, lastReconciliation, lastBackup } = await status()
  expect(sender).toMatchObject({ type: 'smtp', from: 'Shop <shop@shop.example>' })
  expect(ownerMail).toBe('boss@shop.example')
  expect(lastReconciliation?.issues).toBe(0)
  expect(Date.parse(lastReconciliation?.at ?? '')).toBeGreaterThan(before - 1000)
  expect(lastBackup).toBeNull()
  // opening the page Money also counts as a reconciliation
  await shop.pool.query(
    `update last_runs set detail = '{"issues": 5}' where job = 'reconciliation'`,
  )
  expect((await status()).lastReconciliation?.issues).toBe(5)
  expect((await owner.call('GET', '/api/money')).status).toBe(200)
  expect((await status()).lastReconciliation?.issues).toBe(0)
  expect((await call(shop.origin, 'GET', '/api/mail')).status).toBe(401)
})
