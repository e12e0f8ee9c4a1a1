/** Tests invoices and credit notes in mails: off until the owner wants them, and never in the way. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extractText } from 'unpdf'
import { beforeEach, describe, expect, test } from 'vitest'
import { sampleFacts } from '#contracts/settings.ts'
import type { Mail } from '#server/adapters/mail/port.ts'
import { sendMailNow } from '#server/mail/send.ts'
import { mailerOf } from '#server/mail/shop-slots.ts'
import { payingShop } from '#tests/support/money.ts'
import { call, orderOf, register } from '#tests/support/people.ts'
import { sandboxCookie } from '#tests/support/sandbox-token.ts'
import { paperAttacher } from './attach.ts'

const { shop, owner, ada, paidOrder } = payingShop({ price: 100 })

/** Says whether mails carry papers. */
async function setMailPapers(mailPapers: 'on' | 'off') {
  const { version } = (await owner.call('GET', '/api/settings')).body
  const edit = { version, settings: { shop: { ...sampleFacts, mailPapers } } }
  expect((await owner.call('PUT', '/api/settings', edit)).status).toBe(200)
}
const refund = (id: string) =>
  owner.call(
    'POST',
    `/api/order/${id}/refund`,
    { amount: 40, reason: 'A scratch', restock: 0 },
    { 'idempotency-key': crypto.randomUUID() },
  )

type Queued = { _id: string; text: string; invoice_id: string | null; bytes: number }
async function mailOf(template: string): Promise<Queued> {
  const { rows } = await shop.pool.query(
    `select _id, text, invoice_id, pg_column_size(m.*) as bytes from mail_queue m
     where recipient = $1 and template = $2`,
    [ada.email, template],
  )
  expect(rows).toHaveLength(1)
  return rows[0]
}
const inMailbox = (path: string) => call(shop.origin, 'GET', `/sandbox/mail${path}`)
async function pdfIn(path: string): Promise<string> {
  const url = new URL(`${shop.origin}/sandbox/mail/${path}`)
  const response = await fetch(url, { headers: { cookie: sandboxCookie(url) ?? '' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return (await extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true }))
    .text
}
const papersOf = async (orderId: string) => {
  const { checkoutId } = await orderOf(ada, orderId)
  return (await ada.call('GET', `/api/checkout/${checkoutId}`)).body.invoices
}
/** The sent mail, as its file in the outbox. */
async function sent(id: string): Promise<string> {
  const file = join(shop.dataDir, 'outbox', `${id}.eml`)
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('')
  return readFile(file, 'utf8')
}

test('mails carry no paper until the owner wants it', async () => {
  const { id } = await paidOrder(1)
  await refund(id)
  for (const template of ['order-paid', 'order-refunded']) {
    const mail = await mailOf(template)
    expect(mail.invoice_id).toBeNull()
    expect(mail.text).not.toMatch(/^(Invoice|Credit note):/m)
    expect((await inMailbox(`/${mail._id}`)).body).not.toContain('.pdf')
    expect((await inMailbox(`/${mail._id}/paper.pdf`)).status).toBe(404)
    expect(await sent(mail._id)).not.toContain('application/pdf')
  }
})

describe('where the owner wants it', () => {
  beforeEach(() => setMailPapers('on'))

  test.each([
    ['the receipt', 'order-paid', 'Invoice', 0],
    ['the refund email', 'order-refunded', 'Credit note', 1],
  ])('%s carries the PDF, and the queue only names it', async (_, template, title, nth) => {
    const { id } = await paidOrder(1)
    expect((await refund(id)).body.state).toBe('succeeded')
    const paper = (await papersOf(id))[nth]
    const mail = await mailOf(template)
    expect(mail).toMatchObject({ invoice_id: paper._id })
    expect(mail.text).toContain(`${title}: ${paper.number}, on your order’s page\n`)
    expect(mail.bytes).toBeLessThan(8000)
    const raw = await sent(mail._id)
    expect(raw).toMatch(/^Content-Type: application\/pdf/m)
    expect(raw).toContain(`filename=${paper.number}.pdf`)
    const [, base64 = ''] =
      /Content-Type: application\/pdf[\s\S]*?\n\n([\s\S]*?)\n--/.exec(raw) ?? []
    const { text } = await extractText(new Uint8Array(Buffer.from(base64, 'base64')), {
      mergePages: true,
    })
    expect(text).toContain(`${title} ${paper.number}`)
    const page = (await inMailbox(`/${mail._id}`)).body
    expect(page).toContain(`href="/sandbox/mail/${mail._id}/paper.pdf">${paper.number}.pdf</a>`)
    expect(await pdfIn(`${mail._id}/paper.pdf`)).toContain(`${title} ${paper.number}`)
    expect((await inMailbox('')).body).toContain(`, with ${paper.number}.pdf`)
  })

  test('a mail to an address that nobody confirmed names the paper, and carries none', async () => {
    Object.assign(ada, await register(shop.origin, 'Una Known', { verified: false }))
    const { id } = await paidOrder(1)
    await refund(id)
    for (const [template, named] of [
      ['order-paid', 'Invoice'],
      ['order-refunded', 'Credit note'],
    ] as const) {
      const mail = await mailOf(template)
      expect([mail.invoice_id, mail.text]).toEqual([null, expect.stringContaining(`${named}: `)])
    }
  })

  test('a mail whose PDF cannot be made leaves without it, once', async () => {
    await paidOrder(1)
    const { _id, invoice_id } = await mailOf('order-paid')
    expect(invoice_id).not.toBeNull()
    await sent(_id)
    // as if it had failed before, and were sent by hand
    await shop.pool.query(
      `update mail_queue set sent_at = null, last_error = 'x', next_attempt_at = now() + interval '1 day' where _id = $1`,
      [_id],
    )
    const left: Mail[] = []
    const makePdf = () => Promise.reject(new Error('The process that makes PDFs ended: SIGKILL'))
    const mailer = mailerOf(
      { verify: async () => {}, send: async (mail) => void left.push(mail) },
      { facts: shop.deps.facts, attachPaper: paperAttacher({ ...shop.deps, makePdf }) },
    )
    expect(await sendMailNow({ ...shop.deps, mailer }, _id)).toBeNull()
    expect(left).toMatchObject([{ id: _id, attachment: null }])
    expect(left[0]?.text).toMatch(/^Invoice: .*, on your order’s page$/m)
    const { rows } = await shop.pool.query('select sent_at from mail_queue where _id = $1', [_id])
    expect(rows[0].sent_at).not.toBeNull()
  })

  test('nobody else sends a mail while its paper is made', async () => {
    await paidOrder(1)
    const { _id } = await mailOf('order-paid')
    await sent(_id)
    const { rows } = await shop.pool.query(
      `select extract(epoch from next_attempt_at - created_at)::float8 as seconds from mail_queue where _id = $1`,
      [_id],
    )
    // four papers of a minute each come first
    expect(rows[0].seconds).toBeGreaterThan(345)
  })

  test('a deleted account’s mail leads to no paper', async () => {
    Object.assign(ada, await register(shop.origin, 'Zed Leaving'))
    await shop.pool.query('update users set email_verified = true where email = $1', [ada.email])
    const { id } = await paidOrder(1)
    const { _id } = await mailOf('order-paid')
    await sent(_id)
    expect((await inMailbox(`/${_id}/paper.pdf`)).status).toBe(200)
    await owner.call('PUT', `/api/order/${id}/shipped`, {})
    const left = await ada.call('DELETE', '/api/me', { password: 'correct horse' })
    expect(left.status).toBe(200)
    expect((await inMailbox(`/${_id}/paper.pdf`)).status).toBe(404)
  })
})
