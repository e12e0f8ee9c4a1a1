/** Causes each issue; the doctor finds and repairs it. No jobs run and no webhook arrives. */
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { CheckReport, type Issue, Repaired } from '#contracts/reconciliation.ts'
import { atLength } from '#tests/support/length.ts'
import { refundByHand, unmatch } from '#tests/support/money.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  controlSandbox,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let bob: Person
let image: string
let mailServer: SMTPServer
let isMailRefused = false

const control = (path: string, body: object) => controlSandbox(shop.origin, path, body)
const provider = () => cardsOf(shop)

beforeAll(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_, __, done) => done(isMailRefused ? new Error('the mail server is full') : null),
    onData(stream, _, done) {
      stream.resume().on('end', done)
    },
  })
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
  const { port } = mailServer.server.address() as AddressInfo
  shop = await openTestShop({
    JOB_SECONDS: '3600',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'shop@example.com',
  })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada, bob] = (await createUsers(shop, 2)) as [Person, Person]
  image = (await upload(shop, owner, await photo())).body.data.url
})
beforeEach(() => control('webhooks', { mode: 'drop' }))
afterAll(async () => {
  await shop.close()
  await new Promise<void>((resolve) => mailServer.close(resolve))
})

async function newPart(onHand = 10): Promise<Part> {
  const part = await stockPart(shop.pool, { onHand, price: 100 })
  await shop.pool.query('update parts set image = $2 where _id = $1', [part._id, image])
  return part
}
async function charged(part?: Part) {
  const id = await bookingOf(ada, part ?? (await newPart()), { quantity: 2 })
  const payment = await intentFor(ada, id)
  expect((await confirmCard(provider(), payment)).status).toBe(200)
  return { id, ...payment }
}
async function paid() {
  const order = await charged()
  const paymentReport = { transactionId: order.intentId }
  expect((await ada.call('PATCH', `/api/order/${order.id}`, paymentReport)).status).toBe(200)
  return order
}
const report = async () => CheckReport.parse((await owner.call('GET', '/api/money')).body)
const issues = async () => (await report()).issues
const repair = async (about: string, repair: Issue['repair']) => {
  const { status, body } = await owner.call('POST', '/api/money/repair', { about, repair })
  expect(status).toBe(200)
  return Repaired.parse(body)
}

describe('a sound shop', () => {
  test('says what was compared, and that everything agrees', async () => {
    await paid()
    const { at, since, ...rest } = await report()
    expect(Date.parse(at) - Date.parse(since)).toBe(30 * 86_400_000)
    expect(rest).toMatchObject({ provider: 'answered', issues: [] })
    expect(rest.compared.payments).toBeGreaterThan(0)
    expect(rest.compared.pictures).toBe(1)
  })

  test('has no issue after anything that customers and the owner do', async () => {
    await control('webhooks', { mode: 'normal' })
    const step = fc.record({
      what: fc.constantFrom('book', 'pay', 'pay', 'decline', 'delete', 'refund', 'ship', 'open'),
      which: fc.nat(30),
    })
    const part = await newPart(60)
    const orders = [await bookingOf(bob, part)]
    const act = async ({ what, which }: { what: string; which: number }) => {
      const id = orders[which % orders.length] as string
      if (what === 'book') orders.push(await bookingOf(which % 2 ? ada : bob, part))
      else if (what === 'delete') await owner.call('DELETE', `/api/userProduct/${id}`)
      else if (what === 'ship') await owner.call('PUT', `/api/order/${id}/shipped`, {})
      else if (what === 'refund') {
        const input = { amount: 1 + (which % 100), reason: 'wanted', restock: which % 2 }
        const headers = { 'idempotency-key': crypto.randomUUID() }
        await owner.call('POST', `/api/order/${id}/refund`, input, headers)
      } else {
        for (const person of [ada, bob]) {
          const payment = await intentFor(person, id).catch(() => null)
          if (!payment || what === 'open') continue
          const card = what === 'pay' ? 'pm_card_visa' : 'pm_card_chargeDeclined'
          await confirmCard(provider(), payment, card)
          await person.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
        }
      }
    }
    const size = atLength ? 60 : 28
    const [steps = []] = fc.sample(fc.array(step, { minLength: size, maxLength: size }), 1)
    for (let i = 0; i < steps.length; i += 4) await Promise.all(steps.slice(i, i + 4).map(act))
    await expect.poll(issues).toEqual([])
  })
})

describe('money', () => {
  test('charged with every webhook lost: settled with one click, the order is paid', async () => {
    const { id, intentId } = await charged()
    const about = `intent:${intentId}`
    expect(await issues()).toEqual([
      {
        type: 'payment',
        about,
        name: expect.stringContaining('Test part'),
        orderId: id,
        words: 'Paid at the card provider, and not here yet.',
        ours: 'payment open, $200; order unpaid',
        provider: 'paid, $200',
        ledger: '2 held',
        repair: 'settle',
        advice: null,
      },
    ])
    expect(await repair(about, 'settle')).toMatchObject({ done: true })
    expect((await orderOf(ada, id)).status).toBe('paid')
    expect(await issues()).toEqual([])
    const [action] = (await owner.call('GET', `/api/audit?about=order:${id}`)).body
    expect(action).toMatchObject({
      by: owner.email,
      action: 'repair made',
      note: 'The order is paid now.',
    })
    // a second request has the same result, but repairs nothing
    expect(await repair(about, 'settle')).toMatchObject({
      done: true,
      outcome: 'The order is paid.',
    })
    expect((await owner.call('GET', `/api/audit?about=order:${id}`)).body).toHaveLength(1)
  })

  test('refunded by hand at the provider: imported with one click, the order shows it', async () => {
    const { id, intentId } = await paid()
    await refundByHand(shop, intentId, 7_500)
    const [found, ...more] = await issues()
    expect(more).toEqual([])
    expect(found).toMatchObject({
      type: 'refund',
      about: `intent:${intentId}`,
      ours: 'payment paid, $200; order paid',
      provider: 'paid, $200, $75 back',
      ledger: '2 sold',
      repair: 'syncRefunds',
    })
    expect(await repair(`intent:${intentId}`, 'syncRefunds')).toMatchObject({ done: true })
    expect((await orderOf(ada, id)).refunded).toBe(75)
    expect(await issues()).toEqual([])
  })

  test('two admins who press at once repair it once, and the audit log names one of them', async () => {
    const { id, intentId } = await charged()
    const about = `intent:${intentId}`
    const both = await Promise.all([repair(about, 'settle'), repair(about, 'settle')])
    expect(both.map(({ done }) => done)).toEqual([true, true])
    expect((await owner.call('GET', `/api/audit?about=order:${id}`)).body).toHaveLength(1)
    expect(await issues()).toEqual([])
  })

  test('a refund that was asked for while the provider was silent is made with one click', async () => {
    const { id, intentId } = await paid()
    await control('fail-next', { status: 500, count: 100, path: '/refunds' })
    const answer = await owner.call(
      'POST',
      `/api/order/${id}/refund`,
      { amount: 50, reason: 'scratched', restock: 0 },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(answer.status).toBe(200)
    expect(await issues()).toEqual([])
    const { rows } = await shop.pool.query(
      `update refunds set created_at = now() - interval '20 minutes' where intent_id = $1 returning _id`,
      [intentId],
    )
    const about = `refund:${rows[0]._id}`
    expect(await issues()).toEqual([
      expect.objectContaining({ about, orderId: id, ours: '$50 asked for 20 min ago' }),
    ])
    const silent = await owner.call('POST', '/api/money/repair', { about, repair: 'makeRefund' })
    expect([silent.status, silent.body.error.code]).toEqual([503, 'PROVIDER_DOWN'])
    await control('fail-next', { status: 500, count: 0 })
    expect(await repair(about, 'makeRefund')).toMatchObject({ outcome: 'The refund is made.' })
    expect((await orderOf(ada, id)).refunded).toBe(50)
    expect(await issues()).toEqual([])
    expect((await repair(about, 'makeRefund')).done).toBe(false)
  })

  test('money that no order could take, and that could not be refunded at once, is refunded with one click', async () => {
    const { id, intentId } = await charged()
    await shop.pool.query(unmatch, [intentId])
    expect(await issues()).toEqual([
      expect.objectContaining({ about: `intent:${intentId}`, orderId: id, repair: 'settle' }),
    ])
    expect(await repair(`intent:${intentId}`, 'settle')).toMatchObject({ done: true })
    expect(await issues()).toEqual([])
    expect((await shop.deps.payments.retrieveIntent(intentId))?.amountRefunded).toBe(20_000)
  })

  test('paid here and not there has no repair: nothing is changed automatically', async () => {
    const { id, intentId } = await paid()
    const at = (status: string) =>
      shop.pool.query(
        `update sandbox_stripe.objects set body = jsonb_set(body::jsonb, '{status}', to_jsonb($2::text))::json where id = $1`,
        [intentId, status],
      )
    await at('requires_payment_method')
    expect(await issues()).toEqual([
      expect.objectContaining({
        about: `intent:${intentId}`,
        orderId: id,
        repair: null,
        advice: expect.stringContaining('do not ship the order'),
      }),
    ])
    expect((await repair(`intent:${intentId}`, 'settle')).done).toBe(false)
    expect((await orderOf(ada, id)).status).toBe('paid')
    await at('succeeded')
    expect(await issues()).toEqual([])
  })

  test('money of others in the same account is ignored; that of an order we lost is reported', async () => {
    const open = (orderId: string) =>
      shop.deps.payments.createIntent({
        amount: 4_200,
        orderId,
        userId: 'x',
        description: 'x',
        receiptEmail: ada.email,
        idempotencyKey: crypto.randomUUID(),
      })
    const others = await open('SALE-1')
    const lost = await open(crypto.randomUUID())
    for (const { id, clientSecret } of [others, lost])
      await confirmCard(provider(), { intentId: id, clientSecret })
    const [found, ...more] = await issues()
    expect(more).toEqual([])
    expect(found).toMatchObject({
      about: `intent:${lost.id}`,
      orderId: null,
      ours: null,
      repair: null,
    })
    await refundByHand(shop, lost.id, 4_200)
    await shop.pool.query('delete from sandbox_stripe.objects where id = $1', [lost.id])
  })

  test('while the provider does not respond it says so, and reports the rest', async () => {
    const { about, undo } = await wrongCounter()
    await control('fail-next', { status: 500, count: 100, path: '/payment_intents' })
    const { provider: answer, issues: rest } = await report()
    expect([answer, rest.map((found) => found.about)]).toEqual(['silent', [about]])
    await control('fail-next', { status: 500, count: 0 })
    await undo()
    expect(await report()).toMatchObject({ provider: 'answered', issues: [] })
  })
})

/** Changes a counter while the triggers are disabled. */
async function wrongCounter() {
  const part = await newPart(5)
  const add = async (more: number) => {
    await shop.pool.query('alter table parts disable trigger user')
    await shop.pool.query('update parts set on_hand = on_hand + $2 where _id = $1', [
      part._id,
      more,
    ])
    await shop.pool.query('alter table parts enable trigger user')
  }
  await add(3)
  return { about: `part:${part._id}`, undo: () => add(-3) }
}

test('a counter that is not the sum of its ledger is reported with both, and never changed', async () => {
  const { about } = await wrongCounter()
  expect(await issues()).toEqual([
    expect.objectContaining({
      type: 'stock',
      about,
      ours: '8 on hand, 0 reserved',
      ledger: '5 on hand, 0 reserved',
      repair: null,
    }),
  ])
  await shop.pool.query(
    `alter table parts disable trigger user;
     update parts set reserved = 2, to_ship = 2 where 'part:' || _id = '${about}';
     alter table parts enable trigger user`,
  )
  // the statements in docs/troubleshooting.md repair all counters
  const manual = await readFile(
    join(import.meta.dirname, '../../../docs/troubleshooting.md'),
    'utf8',
  )
  const [, statements = ''] = /```sql\n(.*?)```/s.exec(manual) ?? []
  await shop.pool.query(statements.replace('the id after part:', about.replace('part:', '')))
  expect(await issues()).toEqual([])
})

test('an expired hold that keeps its units, because its payment could not be canceled, is released', async () => {
  const part = await newPart(4)
  const id = await bookingOf(ada, part, { quantity: 3 })
  await intentFor(ada, id)
  await control('fail-next', { status: 500, count: 1000, path: '/cancel' })
  await shop.pool.query(
    `update orders set hold_expires_at = now() - interval '5 minutes' where _id = $1`,
    [id],
  )
  expect(await issues()).toEqual([
    expect.objectContaining({
      type: 'hold',
      about: `order:${id}`,
      ledger: '3 held',
      repair: 'expireHold',
    }),
  ])
  await control('fail-next', { status: 500, count: 0 })
  await repair(`order:${id}`, 'expireHold')
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 4, reserved: 0 })
  expect(await issues()).toEqual([])
})

test('mail that the server refuses is reported with its reason, and sent with one click once it accepts', async () => {
  isMailRefused = true
  const id = await bookingOf(ada, await newPart())
  const row = async () => {
    const { rows } = await shop.pool.query(
      'select _id, attempts, last_error, sent_at from mail_queue where dedupe like $1',
      [`%${id}%`],
    )
    return rows[0]
  }
  await expect.poll(async () => (await row())?.last_error).toContain('full')
  expect(await issues()).toEqual([])
  await shop.pool.query('update mail_queue set next_attempt_at = now() where _id = $1', [
    (await row())._id,
  ])
  await expect
    .poll(async () => (await row()).attempts === 2 && (await row()).last_error)
    .toContain('full')
  const about = `mail:${(await row())._id}`
  const [found, ...more] = await issues()
  expect(more).toEqual([])
  expect(found).toMatchObject({ type: 'mail', about, repair: 'sendMail' })
  expect(found?.words).toContain('the mail server is full')
  const refused = await repair(about, 'sendMail')
  expect(refused.done).toBe(false)
  expect(refused.outcome).toContain('the mail server is full')
  isMailRefused = false
  expect(await repair(about, 'sendMail')).toMatchObject({ done: true })
  expect((await row()).sent_at).not.toBe(null)
  expect(await issues()).toEqual([])
  expect((await repair(about, 'sendMail')).done).toBe(false)
})

describe('pictures', () => {
  const folder = () => join(shop.dataDir, 'images')

  test('one whose file is gone is reported with the part that shows it', async () => {
    const lost = (await upload(shop, owner, await photo(500, 500))).body.data.url as string
    const part = await newPart()
    await shop.pool.query('update parts set image = $2 where _id = $1', [part._id, lost])
    expect(await issues()).toEqual([])
    await rm(join(folder(), lost.replace('/images/', '').replace('-960.webp', '-480.avif')))
    expect(await issues()).toEqual([
      expect.objectContaining({
        type: 'picture',
        about: `part:${part._id}`,
        name: part.name,
        repair: null,
      }),
    ])
    await shop.pool.query('update parts set image = $2 where _id = $1', [part._id, image])
    await shop.pool.query('delete from pictures where url = $1', [lost])
    await shop.deps.images.remove(lost)
    expect(await issues()).toEqual([])
  })

  test('files that nothing names are removed when they are a day old, and not before', async () => {
    const name = `${'ab'.repeat(12)}-960.webp`
    const about = `picture:/images/${name}`
    await writeFile(join(folder(), name), 'x')
    expect(await issues()).toEqual([])
    expect((await repair(about, 'removeFile')).done).toBe(false)
    const aDayAgo = Date.now() / 1000 - 90_000
    await utimes(join(folder(), name), aDayAgo, aDayAgo)
    expect(await issues()).toEqual([
      expect.objectContaining({ type: 'picture', about, repair: 'removeFile' }),
    ])
    expect((await repair(`picture:${image}`, 'removeFile')).done).toBe(false)
    expect((await repair(about, 'removeFile')).done).toBe(true)
    expect((await readdir(folder())).includes(name)).toBe(false)
    expect(await issues()).toEqual([])
  })
})

test('a repair for another type of thing is refused', async () => {
  const { status, body } = await owner.call('POST', '/api/money/repair', {
    repair: 'sendMail',
    about: 'intent:pi_1',
  })
  expect([status, body.error.code]).toEqual([400, 'INVALID'])
  for (const about of ['mail:x', 'mail:%00'])
    expect((await repair(about, 'sendMail')).done).toBe(false)
  expect((await repair('order:x', 'expireHold')).done).toBe(false)
  expect((await repair('refund:x', 'makeRefund')).done).toBe(false)
  expect((await repair('picture:../../secrets', 'removeFile')).done).toBe(false)
})
