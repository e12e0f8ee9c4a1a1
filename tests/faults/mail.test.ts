/** The mail server is down for an hour and comes back. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailReceiver, receiveMail } from '#tests/support/mails.ts'
import { bookingOf, call, createUsers, register } from '#tests/support/people.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let port: number
let receiver: MailReceiver | undefined

/** A port without a listener. */
beforeAll(async () => {
  port = await freePort()
  shop = await openTestShop({
    DEMO: 'off',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'shop@example.com',
  })
})
afterAll(async () => {
  await shop.close()
  await receiver?.close()
})

test('away for an hour: orders are booked meanwhile, every mail is tried in growing steps, then sent once', async () => {
  const part = await stockPart(shop.pool, { onHand: 50 })
  for (const person of await createUsers(shop, 6)) await bookingOf(person, part)
  const mails = async () =>
    (
      await shop.pool.query<{ attempts: number; wait: number; failed: boolean }>(
        `select attempts, extract(epoch from next_attempt_at - now())::float8 as wait,
           last_error like '%ECONNREFUSED%' as failed from mail_queue where sent_at is null`,
      )
    ).rows
  // 1 minute, 5 minutes and 30 minutes pass: the clock is moved, so that the test does not wait
  for (const [attempts, seconds] of [
    [1, 60],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
  ] as const) {
    const state = async () =>
      (await mails()).filter((mail) => mail.attempts === attempts && mail.failed).length
    await expect.poll(state).toBe(6)
    for (const { wait } of await mails()) {
      expect(wait).toBeGreaterThan(seconds - 60)
      expect(wait).toBeLessThanOrEqual(seconds)
    }
    if (attempts === 4) receiver = await receiveMail(port)
    await shop.pool.query('update mail_queue set next_attempt_at = now() where sent_at is null')
  }
  await expect.poll(async () => (await mails()).length).toBe(0)
  const { rows } = await shop.pool.query<{ _id: string; lastError: string | null }>(
    'select _id, last_error as "lastError" from mail_queue',
  )
  expect(rows.map(({ lastError }) => lastError)).toEqual(Array(6).fill(null))
  expect([...(receiver?.arrived ?? [])].toSorted()).toEqual(
    rows.map(({ _id }) => [_id, 1]).toSorted(),
  )
})

test('slow for each mail, while thirty mailboxes book and delete: a reset passes all of theirs', async () => {
  // the crowd has booked before the server takes a mail
  const { promise: hasBooked, resolve: takeMails } = Promise.withResolvers<void>()
  const slow = await receiveMail(0, () => hasBooked.then(() => setTimeout(300)))
  const busy = await openTestShop({
    DEMO: 'off',
    RATE_LIMIT: 'off',
    SMTP_URL: slow.url,
    MAIL_FROM: 'shop@example.com',
  })
  try {
    const part = await stockPart(busy.pool, { onHand: 500 })
    const crowd = await createUsers(busy, 30)
    const grace = await register(busy.origin, 'Grace Customer', { verified: false })
    await Promise.all(
      crowd.map(async (person) => {
        for (let times = 0; times < 5; times += 1) {
          const order = await bookingOf(person, part)
          await person.call('DELETE', `/api/userProduct/${order}`)
        }
      }),
    )
    const waiting = async (template: string) =>
      (
        await busy.pool.query<{ _id: string }>(
          'select _id from mail_queue where template = $1 and sent_at is null',
          [template],
        )
      ).rows
    expect((await waiting('order-booked')).length).toBeGreaterThan(50)
    takeMails()
    const before = slow.arrived.size
    await call(busy.origin, 'POST', '/identity/request-password-reset', {
      body: { email: grace.email, redirectTo: '/reset-password' },
    })
    const [reset] = await waiting('reset-password')
    await expect.poll(() => [...slow.arrived.keys()].indexOf(reset?._id ?? '')).toBeGreaterThan(0)
    // five at a time, at most two rounds were ahead: three seconds, where a mail takes one
    expect([...slow.arrived.keys()].indexOf(reset?._id ?? '') - before).toBeLessThan(15)
  } finally {
    takeMails()
    await busy.close()
    await slow.close()
  }
})
