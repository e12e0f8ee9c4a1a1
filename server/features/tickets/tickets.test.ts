import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { sampleFacts } from '#contracts/settings.ts'
import type { Ticket } from '#contracts/tickets.ts'
import { applyRetention } from '#server/database/retention.ts'
import { atLength } from '#tests/support/length.ts'
import { payingShop, refundByHand, refundsOf } from '#tests/support/money.ts'
import { call, createUsers, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { stockOf } from '#tests/support/stock.ts'

const paying = payingShop({ webhooks: 'normal' })
const { shop, owner, ada, bookedCheckout, checkoutOf, payCheckout } = paying

const newKey = () => crypto.randomUUID()
let eve: Person
beforeEach(async () => {
  ;[eve] = (await createUsers(shop, 1)) as [Person]
})

/** A paid checkout of parts at these prices; with `isShipped`, all of it is on its way. */
async function paid(prices: number[], isShipped = true, quantity = 1) {
  const checkout = await bookedCheckout(prices, quantity)
  const intentId = await payCheckout(checkout.id)
  if (isShipped) await owner.call('PUT', `/api/checkout/${checkout.id}/shipped`, {})
  return { ...checkout, intentId }
}
const open = (id: string, ticket: object, by: Person = ada, key = newKey()) =>
  by.call('POST', `/api/checkout/${id}/tickets`, ticket, { 'idempotency-key': key })
const unitsOf = (orderIds: string[]) => orderIds.map((orderId) => ({ orderId, quantity: 1 }))
/** A ticket that was opened. */
async function opened(id: string, ticket: object, by: Person = ada): Promise<Ticket> {
  const { status, body } = await open(id, ticket, by)
  expect([status, body.error]).toEqual([200, undefined])
  return read(body.insertedId)
}
const read = async (id: string, by: Person = owner): Promise<Ticket> =>
  (await by.call('GET', `/api/ticket/${id}`)).body
const edit = (id: string, change: object, version = 1) =>
  owner.call('PUT', `/api/ticket/${id}`, { version, ...change })
const write = (id: string, text: string, by: Person = ada) =>
  by.call('POST', `/api/ticket/${id}/messages`, { text })
const mailsOf = async (recipient: string, template: string) => {
  const { rows } = await shop.pool.query(
    'select subject, text from mail_queue where recipient = $1 and template = $2 order by created_at desc',
    [recipient, template],
  )
  return rows as { subject: string; text: string }[]
}
/** Moves the shipping of a checkout this many days into the past. */
const age = (id: string, days: number) =>
  shop.pool.query(
    `update orders set shipped_at = shipped_at - $2 * interval '1 day' where checkout_id = $1`,
    [id, days],
  )

describe('a ticket', () => {
  test('is a thread of its customer and the shop, each of whom a mail leads there', async () => {
    const { id, orderIds } = await paid([100, 200])
    const [first = ''] = orderIds
    const ticket = await opened(id, {
      type: 'warranty',
      lines: unitsOf([first]),
      text: 'One fan stopped.',
    })
    expect(ticket).toMatchObject({ state: 'asked', type: 'warranty', email: ada.email })
    expect(ticket.number).toMatch(/^T-\d+$/)
    expect(ticket.lines).toMatchObject([{ orderId: first, quantity: 1, received: 0 }])
    const [received] = await mailsOf(ada.email, 'ticket-opened')
    expect(received?.text).toContain(`/dashboard/ticket/${ticket._id}`)
    const [told] = await mailsOf(owner.email, 'owner-ticket')
    expect(told?.subject).toBe(`Warranty ${ticket.number} is waiting for you`)

    expect((await edit(ticket._id, { state: 'accepted', text: 'Send it back.' })).status).toBe(200)
    const [answer] = await mailsOf(ada.email, 'ticket-answered')
    expect(answer?.text).toContain('Send it back.')
    expect(await read(ticket._id, ada)).toMatchObject({ state: 'accepted', waitingSince: null })
    expect((await write(ticket._id, 'I did.')).status).toBe(200)
    const whole = await read(ticket._id, ada)
    expect(whole.messages.map(({ author, text, state }) => [author, text, state])).toEqual([
      ['customer', 'One fan stopped.', 'asked'],
      ['shop', 'Send it back.', 'accepted'],
      ['customer', 'I did.', null],
    ])
    expect(whole.waitingSince).not.toBeNull()
    const { attention } = (await owner.call('GET', '/api/overview')).body
    expect(attention.tickets).toBeGreaterThan(0)
    expect(Date.parse(attention.ticketsSince)).not.toBeNaN()
    // the owner had a mail of this ticket within the hour
    expect(await mailsOf(owner.email, 'owner-ticket')).toHaveLength(1)
    expect((await ada.call('GET', '/api/tickets')).body).toMatchObject([{ _id: ticket._id }])
    expect((await checkoutOf(id)).tickets).toMatchObject([{ number: ticket.number }])
    const { body: log } = await owner.call('GET', `/api/audit?about=user:${ada.email}`)
    expect(log[0]).toMatchObject({
      action: 'ticket answered',
      note: `${ticket.number}, warranty, accepted`,
    })
  })

  test('is nobody else’s, and needs a paid order', async () => {
    const { id, orderIds } = await paid([100])
    const asked = { type: 'question', text: 'When does it come?' }
    expect((await open(id, asked, eve)).status).toBe(404)
    const ticket = await opened(id, asked)
    for (const by of [eve, null]) {
      const person = by ?? {
        call: (...args: [string, string, object?]) =>
          call(shop.origin, args[0], args[1], { body: args[2] }),
      }
      expect((await person.call('GET', `/api/ticket/${ticket._id}`)).status).toBe(404)
      const messages = `/api/ticket/${ticket._id}/messages`
      expect((await person.call('POST', messages, { text: 'x' })).status).toBe(404)
    }
    expect((await eve.call('PUT', `/api/ticket/${ticket._id}`, {})).status).toBe(403)
    const unpaid = await bookedCheckout([100])
    const early = await open(unpaid.id, asked)
    expect(early.body.error?.code).toBe('ORDER_UNPAID')
    const stray = await open(id, { type: 'return', lines: unitsOf(unpaid.orderIds), text: 'x' })
    expect(stray.status).toBe(404)
    const cameBack = { type: 'undelivered', lines: unitsOf(orderIds) }
    expect((await open(id, cameBack)).body.error?.code).toBe('FORBIDDEN')
    expect((await open(id, cameBack, owner)).status).toBe(200)
  })

  test('has no words of admins in the name of its customer', async () => {
    const { id } = await paid([100])
    const ticket = await opened(id, { type: 'question', text: 'When?' })
    const refused = await write(ticket._id, 'I withdraw all of it.', owner)
    expect([refused.status, refused.body.error?.message]).toEqual([
      403,
      'Only its customer writes here. Admins answer with PUT.',
    ])
    expect((await read(ticket._id)).messages).toHaveLength(1)
    // behind the link of a mail is its customer
    const path = `/api/ticket/${ticket._id}/messages`
    const headers = { 'ticket-key': shop.deps.ticketKeys.ofTicket(ticket._id) }
    expect((await owner.call('POST', path, { text: 'Hello?' }, headers)).status).toBe(200)
  })

  test('is opened once for a key, and names what is missing', async () => {
    const { id, orderIds } = await paid([100])
    const key = newKey()
    const asked = { type: 'question', text: 'When?' }
    const all = await Promise.all(Array.from({ length: 4 }, () => open(id, asked, ada, key)))
    expect(new Set(all.map(({ body }) => body.insertedId)).size).toBe(1)
    expect((await open(id, { ...asked, text: 'Why?' }, ada, key)).body.error?.code).toBe(
      'KEY_REUSED',
    )
    const without = await open(id, { type: 'return', text: 'x' })
    expect(without.body.error?.fields).toEqual({ lines: 'name at least one order' })
    const silent = await open(id, { type: 'return', lines: unitsOf(orderIds) })
    expect(silent.body.error?.fields).toEqual({ text: 'Message is required' })
    const long = await open(id, { type: 'question', text: 'x'.repeat(5001) })
    expect(long.body.error?.fields?.text).toBe('Message must be 5000 characters or shorter')
  })

  test('takes only its ways, and not over another admin’s change', async () => {
    const { id, orderIds } = await paid([100])
    const ticket = await opened(id, { type: 'withdrawal', lines: unitsOf(orderIds) })
    expect((await edit(ticket._id, { state: 'received' })).status).toBe(200)
    expect((await edit(ticket._id, { state: 'settled' })).body.error?.code).toBe('OUTDATED')
    const back = await edit(ticket._id, { state: 'accepted' }, 2)
    expect(back.body.error?.fields).toEqual({
      state: 'This ticket is received, and cannot become accepted',
    })
    const raw = `update tickets set state = 'asked' where _id = $1`
    await expect(shop.pool.query(raw, [ticket._id])).rejects.toMatchObject({
      constraint: 'tickets_ways',
    })
    expect((await edit(ticket._id, { state: 'settled' }, 2)).status).toBe(200)
    // its customer opens it again
    await write(ticket._id, 'Nothing came.')
    expect(await read(ticket._id)).toMatchObject({ state: 'asked', version: 4 })
    const lines = { orderId: orderIds[0], received: 2, restock: 0 }
    const tooMany = await edit(ticket._id, { state: 'asked', received: [lines] }, 4)
    expect(tooMany.body.error?.fields).toHaveProperty(['received.0'])
  })

  test('waits for its checkout before it is locked, as a refund does', async () => {
    const { id, orderIds } = await paid([100])
    const ticket = await opened(id, {
      type: 'warranty',
      lines: unitsOf(orderIds),
      text: 'It hums.',
    })
    const refunding = await shop.pool.connect()
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    for (const call of [
      () => write(ticket._id, 'Hello?'),
      () => edit(ticket._id, { state: 'accepted' }, 2),
    ]) {
      await refunding.query('begin')
      await refunding.query('select from checkouts where _id = $1 for update', [id])
      const answer = call()
      await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBe(1)
      await refunding.query('select from tickets where _id = $1 for update nowait', [ticket._id])
      await refunding.query('commit')
      expect((await answer).status).toBe(200)
    }
    refunding.release()
  })

  test('is opened once by an admin, too; units noted without an answer leave it waiting', async () => {
    const { id, orderIds } = await paid([100])
    const asked = { type: 'warranty', lines: unitsOf(orderIds), text: 'By phone: it hums.' }
    const key = newKey()
    const first = await open(id, asked, owner, key)
    expect((await open(id, asked, owner, key)).body.insertedId).toBe(first.body.insertedId)
    const ticket = await opened(id, asked)
    const [orderId] = orderIds
    const noted = { state: 'asked', received: [{ orderId, received: 1, restock: 0 }] }
    expect((await edit(ticket._id, noted)).status).toBe(200)
    expect((await read(ticket._id)).waitingSince).toBe(ticket.waitingSince)
    expect((await edit(ticket._id, { state: 'asked', text: 'We look.' }, 2)).status).toBe(200)
    expect((await read(ticket._id)).waitingSince).toBeNull()
  })

  test('customers write thirty times a day and open twenty tickets', async () => {
    const { id } = await paid([100])
    const ticket = await opened(id, { type: 'question', text: 'When?' })
    await shop.pool.query(
      `insert into ticket_messages (ticket_id, author, text) select $1, 'customer', 'x' from generate_series(1, 28)`,
      [ticket._id],
    )
    const other = await opened(id, { type: 'question', text: 'Who?' })
    const full = await write(other._id, 'And now?')
    expect([full.status, full.body.error.message]).toEqual([
      429,
      'You wrote 30 times within a day. Call us instead.',
    ])
    await shop.pool.query(
      `insert into tickets (type, user_id, name, email) select 'question', _id, name, email from users, generate_series(1, 18) where email = $1`,
      [ada.email],
    )
    const more = await open(id, { type: 'question', text: 'Why?' })
    expect([more.status, more.body.error.message]).toEqual([
      429,
      'You opened 20 tickets within a day. Write below one of them.',
    ])
  })
})

describe('sending back', () => {
  test('each unit once, in time, and only what is not refunded', async () => {
    const { id, orderIds } = await paid([100, 200])
    const [first = '', second = ''] = orderIds
    const ticket = await opened(id, { type: 'return', lines: unitsOf([first]), text: 'Too big.' })
    const again = await open(id, { type: 'withdrawal', lines: unitsOf(orderIds) })
    expect(again.body.error?.fields).toHaveProperty(['lines.0'])
    // what was refused can be asked for again; then the refused one stays refused
    await edit(ticket._id, { state: 'refused' })
    expect((await open(id, { type: 'withdrawal', lines: unitsOf(orderIds) })).status).toBe(200)
    const reopened = await write(ticket._id, 'Why?')
    expect(reopened.body.error?.code).toBe('IN_USE')
    const raw = `insert into tickets (type, checkout_id, name, email) values ('return', $1, 'Ada', 'a@b.c') returning _id`
    const { rows } = await shop.pool.query(raw, [id])
    await expect(
      shop.pool.query(
        'insert into ticket_lines (ticket_id, order_id, quantity) values ($1, $2, 1)',
        [rows[0]._id, second],
      ),
    ).rejects.toMatchObject({ constraint: 'ticket_lines_within_booked' })
  })

  test('what is withdrawn before it is shipped stays in the shop', async () => {
    const { id, orderIds } = await paid([100, 200], false)
    const [first = '', second = ''] = orderIds
    const ticket = await opened(id, { type: 'withdrawal', lines: unitsOf([first]) })
    const toShip = async () => {
      const { checkouts } = (await owner.call('GET', '/api/to-ship')).body
      const own = checkouts.find((each: { checkoutId: string }) => each.checkoutId === id)
      return own?.lines.map(({ orderId }: { orderId: string }) => orderId) ?? []
    }
    expect(await toShip()).toEqual([second])
    const { toShip: waiting } = (await owner.call('GET', '/api/overview')).body
    const ids = waiting.rows.map(({ _id }: { _id: string }) => _id)
    expect([ids.includes(first), ids.includes(second)]).toEqual([false, true])
    const refused = await owner.call('PUT', `/api/order/${first}/shipped`, {})
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'Its customer withdrew from this order, so it cannot be shipped',
    ])
    const named = await owner.call('PUT', `/api/checkout/${id}/shipped`, { orderIds: [first] })
    expect(named.body.error?.code).toBe('ORDER_REFUNDED')
    const rest = await owner.call('PUT', `/api/checkout/${id}/shipped`, {})
    expect(rest.body).toMatchObject({ modifiedCount: 1 })
    // a withdrawal that the shop refuses keeps nothing back
    expect((await edit(ticket._id, { state: 'refused' })).status).toBe(200)
    expect(await toShip()).toEqual([first])
  })

  test('a part of an order that is withdrawn keeps it in the shop until that is decided', async () => {
    const { id, orderIds } = await paid([100], false, 3)
    const [orderId = ''] = orderIds
    const ticket = await opened(id, { type: 'withdrawal', lines: unitsOf(orderIds) })
    const toShip = async () => {
      const { checkouts } = (await owner.call('GET', '/api/to-ship')).body
      return checkouts.find((each: { checkoutId: string }) => each.checkoutId === id)?.lines
    }
    expect(await toShip()).toMatchObject([{ orderId, quantity: 2, withdrawn: 1 }])
    const why =
      'Its customer withdrew from 1 of 3, which is to be refunded or refused first, so it cannot be shipped'
    for (const [path, parcel] of [
      [`/api/order/${orderId}/shipped`, {}],
      [`/api/checkout/${id}/shipped`, { orderIds }],
    ] as const) {
      const { status, body } = await owner.call('PUT', path, parcel)
      expect([status, body.error?.message]).toEqual([409, why])
    }
    const refund = {
      lines: [{ orderId, amount: 100, restock: 1 }],
      ...{ reason: 'withdrawn', ticketId: ticket._id },
    }
    const key = { 'idempotency-key': newKey() }
    expect((await owner.call('POST', `/api/checkout/${id}/refund`, refund, key)).status).toBe(200)
    await expect.poll(toShip).toMatchObject([{ quantity: 2, withdrawn: 0 }])
    const shipped = await owner.call('PUT', `/api/checkout/${id}/shipped`, { orderIds })
    expect(shipped.body).toMatchObject({ modifiedCount: 1 })
  })

  test('ten at once take a unit back once', async () => {
    const { id, orderIds } = await paid([100])
    const asked = { type: 'withdrawal', lines: unitsOf(orderIds) }
    const all = await Promise.all(Array.from({ length: 10 }, () => open(id, asked)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)])
  })

  test('until fourteen days after its arrival, or as many as the owner gives', async () => {
    const { id, orderIds } = await paid([100, 100])
    const [first = '', second = ''] = orderIds
    await age(id, 14)
    expect((await open(id, { type: 'withdrawal', lines: unitsOf([first]) })).status).toBe(200)
    await age(id, 1)
    const { returnUntil } = await checkoutOf(id)
    const late = await open(id, { type: 'withdrawal', lines: unitsOf([second]) })
    expect([late.status, late.body.error.message]).toEqual([
      409,
      `This could be sent back until ${returnUntil}. Ask us in a question.`,
    ])
    // the shop itself may be kinder
    const kind = { type: 'return', lines: unitsOf([second]), text: 'By phone.' }
    expect((await open(id, kind, owner)).status).toBe(200)
    const { version } = (await owner.call('GET', '/api/settings')).body
    const settings = { shop: { ...sampleFacts, returnDays: '30' } }
    expect((await owner.call('PUT', '/api/settings', { version, settings })).status).toBe(200)
    const other = await paid([100])
    await age(other.id, 29)
    const asked = { type: 'withdrawal', lines: unitsOf(other.orderIds) }
    expect((await open(other.id, asked)).status).toBe(200)
  })

  test('counts from the arrival that its customer or the shop notes', async () => {
    const { id, orderIds } = await paid([100])
    await age(id, 40)
    const note = (by: Person) => by.call('PUT', `/api/checkout/${id}/delivered`)
    expect((await note(eve)).status).toBe(404)
    // a customer could otherwise begin the days anew whenever it suits
    const { rows } = await shop.pool.query(
      `select ((now() - interval '40 days') at time zone shop_zone())::date::text as day`,
    )
    const late = await note(ada)
    expect([late.status, late.body.error?.message]).toEqual([
      409,
      `It should have arrived by ${rows[0].day}, so the days to send it back count from then. If it came later, ask us in a question.`,
    ])
    const asked = { type: 'withdrawal', lines: unitsOf(orderIds) }
    expect((await open(id, asked)).body.error?.code).toBe('TOO_LATE')
    expect((await note(owner)).body.modifiedCount).toBe(1)
    expect((await note(ada)).body.modifiedCount).toBe(0)
    expect((await open(id, asked)).status).toBe(200)
    const today = await paid([100])
    const noted = await ada.call('PUT', `/api/checkout/${today.id}/delivered`)
    expect([noted.status, noted.body.modifiedCount]).toEqual([200, 1])
    const here = await paid([100], false)
    const early = await ada.call('PUT', `/api/checkout/${here.id}/delivered`)
    expect(early.body.error?.code).toBe('ORDER_UNSHIPPED')
  })

  test('a refund that names the ticket settles it and restocks what can be sold again', async () => {
    const { id, orderIds, intentId, parts } = await paid([100, 200])
    const [first = ''] = orderIds
    const ticket = await opened(id, { type: 'return', lines: unitsOf([first]), text: 'Too big.' })
    const back = { state: 'received', received: [{ orderId: first, received: 1, restock: 1 }] }
    expect((await edit(ticket._id, back)).status).toBe(200)
    expect((await read(ticket._id)).lines).toMatchObject([{ received: 1, restock: 1 }])
    const refund = (ticketId: string) =>
      owner.call(
        'POST',
        `/api/checkout/${id}/refund`,
        { lines: [{ orderId: first, amount: 100, restock: 1 }], reason: 'sent back', ticketId },
        { 'idempotency-key': newKey() },
      )
    const other = await paid([100])
    const elsewhere = await opened(other.id, { type: 'question', text: 'When?' })
    await edit(ticket._id, { state: 'refused' }, 2)
    expect((await refund(ticket._id)).body.error.fields).toEqual({
      ticketId: 'This ticket is refused. Open it again, then refund it.',
    })
    await edit(ticket._id, { state: 'asked' }, 3)
    expect((await refund(elsewhere._id)).status).toBe(404)
    expect(await refundsOf(shop.pool, intentId)).toEqual([])
    expect((await refund(ticket._id)).status).toBe(200)
    expect(await read(ticket._id)).toMatchObject({ state: 'settled' })
    const [answer] = await mailsOf(ada.email, 'ticket-answered')
    expect(answer?.text).toContain('We refund $100 to your card.')
    expect(await stockOf(shop.pool, parts[0]?._id ?? '')).toEqual({ onHand: 10, reserved: 0 })
    const again = await open(id, { type: 'return', lines: unitsOf([first]), text: 'x' })
    expect(again.status).toBe(400)
  })

  test('a ticket is refunded once, even opened again, though more of its order is left', async () => {
    const { id, orderIds, intentId, parts } = await paid([100], true, 2)
    const [orderId = ''] = orderIds
    const one = [{ orderId, quantity: 1 }]
    const ticket = await opened(id, { type: 'return', lines: one, text: 'One is too many.' })
    const refund = () =>
      owner.call(
        'POST',
        `/api/checkout/${id}/refund`,
        {
          lines: [{ orderId, amount: 100, restock: 1 }],
          ...{ reason: 'sent back', ticketId: ticket._id },
        },
        { 'idempotency-key': newKey() },
      )
    const twice = await Promise.all([refund(), refund()])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const ended = await refund()
    expect(ended.body.error.fields).toEqual({
      ticketId: 'This ticket is refunded. Refund more on its order.',
    })
    await write(ticket._id, 'Thank you.')
    const { status, body } = await refund()
    const why = 'This ticket is refunded. Refund more on its order.'
    expect([status, body.error.fields]).toEqual([409, { ticketId: why }])
    expect(await refundsOf(shop.pool, intentId)).toHaveLength(1)
    expect(await stockOf(shop.pool, parts[0]?._id ?? '')).toEqual({ onHand: 9, reserved: 0 })
  })
})

test('a ticket’s refund and one at the provider at once give the money back once', async () => {
  for (let round = 0; round < (atLength ? 100 : 4); round += 1) {
    const { id, orderIds, intentId } = await paid([100])
    const [orderId = ''] = orderIds
    const asked = { type: 'return', lines: unitsOf(orderIds), text: 'Too big.' }
    const ticket = await opened(id, asked)
    const refund = {
      lines: [{ orderId, amount: 100, restock: 1 }],
      ...{ reason: 'sent back', ticketId: ticket._id },
    }
    const [ours, theirs] = await Promise.all([
      owner.call('POST', `/api/checkout/${id}/refund`, refund, { 'idempotency-key': newKey() }),
      refundByHand(shop, intentId, 10_000).then(
        () => true,
        () => false,
      ),
    ])
    expect([ours.status === 200, theirs].filter(Boolean)).toHaveLength(1)
    expect(await shop.deps.payments.listRefunds(intentId)).toHaveLength(1)
    const statusNow = async () => (await checkoutOf(id)).orders[0]
    await expect.poll(statusNow).toMatchObject({ status: 'refunded', refunded: 100 })
    // what failed waits for the shop again
    const state = ours.status === 200 ? 'settled' : 'asked'
    expect(await read(ticket._id)).toMatchObject({ state })
    await paying.renewAda()
  }
})

describe('without a login', () => {
  const ask = (path: string, body: object, key?: string) =>
    call(shop.origin, 'POST', `/api${path}`, {
      body,
      ...(key && { headers: { 'ticket-key': key } }),
    })
  const keyIn = (text = '') => /#(\S+)/.exec(text)?.[1] ?? ''

  test('order number and address bring a link, with which lines are withdrawn', async () => {
    const { id, orderIds } = await paid([100, 200])
    const { number } = (await ada.call('GET', `/api/order/${orderIds[0]}`)).body
    const right = await ask('/withdrawals', { number, email: ada.email.toUpperCase() })
    const wrong = await ask('/withdrawals', { number, email: eve.email })
    const unknown = await ask('/withdrawals', { number: 'F-999999', email: ada.email })
    for (const { status, body } of [right, wrong, unknown])
      expect([status, body]).toEqual([200, { acknowledged: true }])
    expect(await mailsOf(eve.email, 'withdrawal-link')).toEqual([])
    const [mail, ...more] = await mailsOf(ada.email, 'withdrawal-link')
    expect(more).toEqual([])
    const key = keyIn(mail?.text)
    const { body: offer } = await ask('/withdrawals/read', { key })
    expect(offer.lines).toMatchObject([{ quantity: 1 }, { quantity: 1 }])
    const [first = ''] = orderIds
    const { status, body } = await ask('/withdrawals/confirm', { key, lines: unitsOf([first]) })
    expect([status, body.number]).toEqual([200, expect.stringMatching(/^T-/)])
    const ticket = await read(body.insertedId)
    expect(ticket).toMatchObject({ type: 'withdrawal', checkoutId: id, email: ada.email })
    const [acknowledged] = await mailsOf(ada.email, 'ticket-opened')
    const at = body.at.slice(0, 16).replace('T', ' ')
    expect(acknowledged?.text).toContain(`We received your declaration on ${at} UTC.`)
    // a second click, or the same request after a lost answer, is the same withdrawal
    const again = await ask('/withdrawals/confirm', { key, lines: unitsOf([first]) })
    expect([again.status, again.body]).toEqual([200, body])
    expect(await mailsOf(ada.email, 'ticket-opened')).toHaveLength(1)
    expect((await ask('/withdrawals/read', { key })).body.lines).toMatchObject([
      { quantity: 0 },
      { quantity: 1 },
    ])
  })

  test('each key withdraws once, also one unit after another of the same', async () => {
    const { id, orderIds } = await paid([100], true, 3)
    const json = { key: shop.deps.ticketKeys.ofWithdrawal(id), lines: unitsOf(orderIds) }
    const confirm = (key: string) =>
      call(shop.origin, 'POST', '/api/withdrawals/confirm', {
        body: json,
        headers: { 'idempotency-key': key },
      })
    const [one, two] = [newKey(), newKey()]
    const clicks = await Promise.all([one, one, one, two].map(confirm))
    expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(clicks.map(({ body }) => body.number)).size).toBe(2)
    expect((await ask('/withdrawals/read', json)).body.lines).toMatchObject([{ quantity: 1 }])
  })

  test('questions in the name of an address leave room for its link', async () => {
    const { orderIds } = await paid([100])
    await shop.pool.query('update users set email_verified = false where email = $1', [ada.email])
    await shop.pool.query(
      `insert into mail_queue (template, dedupe, recipient, subject, text, html)
       select 'question-received', 'question ' || $1 || n, $1, 'x', 'x', 'x' from generate_series(1, 20) n`,
      [ada.email],
    )
    const { number } = (await ada.call('GET', `/api/order/${orderIds[0]}`)).body
    await ask('/withdrawals', { number, email: ada.email })
    expect(await mailsOf(ada.email, 'withdrawal-link')).toHaveLength(1)
  })

  test('a false, changed or old link opens nothing', async () => {
    const { id } = await paid([100])
    const key = shop.deps.ticketKeys.ofWithdrawal(id)
    const [checkout, until, mac] = key.split('.')
    const other = await paid([100])
    const forged = [
      '',
      'x',
      `${other.id}.${until}.${mac}`,
      `${checkout}.${(Date.now() + 1e12).toString(36)}.${mac}`,
      `${checkout}.1.${mac}`,
    ]
    for (const false_ of forged)
      expect((await ask('/withdrawals/read', { key: false_ })).status).toBe(403)
    expect((await ask('/withdrawals/read', { key })).status).toBe(200)
  })

  test('a question has a thread behind the link of its mail', async () => {
    const email = `stranger.${newKey()}@example.com`
    const question = { name: 'Buy at spam.example', email, text: 'Do you sell used parts?' }
    expect((await ask('/questions', question)).status).toBe(200)
    const [mail] = await mailsOf(email, 'question-received')
    // the address may be somebody else's: nothing that was typed reaches it
    expect(mail?.text).not.toContain('spam')
    const [, ticketId = '', key = ''] = /\/ticket\/([\w-]+)#(\S+)/.exec(mail?.text ?? '') ?? []
    const asOwner = await call(shop.origin, 'GET', `/api/ticket/${ticketId}`, {
      headers: { 'ticket-key': key },
    })
    expect(asOwner.body).toMatchObject({ type: 'question', checkoutId: null })
    expect((await ask(`/ticket/${ticketId}/messages`, { text: 'Hello?' }, key)).status).toBe(200)
    const otherKey = shop.deps.ticketKeys.ofTicket(newKey())
    expect((await ask(`/ticket/${ticketId}/messages`, { text: 'x' }, otherKey)).status).toBe(404)
    // whoever asks in the name of the address, with an account or not, causes one mail an hour
    await shop.pool.query('update users set email = $1 where email = $2', [email, eve.email])
    await ask('/questions', question)
    await eve.call('POST', '/api/questions', question)
    expect(await mailsOf(email, 'question-received')).toHaveLength(1)
    expect(await mailsOf(email, 'ticket-opened')).toEqual([])
    const { body: waiting } = await owner.call('GET', '/api/allTickets?view=waiting&sort=waiting')
    expect(waiting.map(({ _id }: Ticket) => _id)).toContain(ticketId)
    const found = await owner.call('GET', `/api/allTickets?q=${email}`)
    expect(found.body).toHaveLength(3)
    const csv = await owner.call('GET', `/api/allTickets.csv?q=${email}`)
    expect(csv.body).toContain(`question,asked,Buy at spam.example,${email}`)
    // what the shop answers does not greet by the typed name
    await edit(ticketId, { state: 'asked', text: 'We do not.' }, 2)
    const [answer] = await mailsOf(email, 'ticket-answered')
    expect(answer?.text).toContain('We do not.')
    expect(answer?.text).not.toContain('spam')
  })

  test('a crowd’s questions close the form to nobody, and cause no more mails', async () => {
    await shop.pool.query(
      `insert into tickets (type, name, email) select 'question', 'Mallory', n || '@crowd.example' from generate_series(1, 200) n`,
    )
    const stranger = `stranger.${newKey()}@example.com`
    const question = { name: 'Sam', email: stranger, text: 'Do you sell used parts?' }
    expect((await ask('/questions', question)).status).toBe(200)
    expect(await mailsOf(stranger, 'question-received')).toEqual([])
    const found = await owner.call('GET', `/api/allTickets?q=${stranger}`)
    expect(found.body).toHaveLength(1)
    // the answer leads to the thread
    expect((await edit(found.body[0]._id, { state: 'asked', text: 'We do.' })).status).toBe(200)
    const [answer] = await mailsOf(stranger, 'ticket-answered')
    expect(answer?.text).toMatch(/\/ticket\/[\w-]+#\S+/)
    // who confirmed an address is told as always
    await ask('/questions', { ...question, email: eve.email })
    expect(await mailsOf(eve.email, 'question-received')).toHaveLength(1)
  })
})

test('a thread outlives its customer’s account without a word of theirs', async () => {
  const { id, orderIds } = await paid([100])
  const text = 'My flat is at Stephansplatz.'
  const ticket = await opened(id, { type: 'warranty', lines: unitsOf(orderIds), text })
  await edit(ticket._id, { state: 'accepted', text: 'Send it.' })
  const mine = await ada.call('GET', '/api/me/data')
  expect(JSON.stringify(mine.body)).toContain(text)
  const left = await ada.call('DELETE', '/api/me', { email: ada.email })
  expect([left.status, left.body.error]).toEqual([200, undefined])
  const after = await read(ticket._id)
  expect(after).toMatchObject({ name: 'A former customer', state: 'accepted' })
  expect(after.messages.map((message) => message.text)).toEqual(['', 'Send it.'])
})

test('a copy of one’s data takes one connection at a time, however many tickets there are', async () => {
  const { id } = await paid([100])
  const first = await opened(id, { type: 'question', text: 'When?' })
  await shop.pool.query(
    `with asked as (
       insert into tickets (type, user_id, name, email, created_at)
       select 'question', _id, name, email, now() - n * interval '1 second'
       from users, generate_series(1, 600) n where email = $1 returning _id)
     insert into ticket_messages (ticket_id, author, text) select _id, 'customer', 'Ticket ' || _id from asked`,
    [ada.email],
  )
  const { $client: pool } = shop.deps.db
  let most = 0
  const count = () => {
    most = Math.max(most, pool.totalCount - pool.idleCount + pool.waitingCount)
  }
  pool.on('acquire', count)
  const { body } = await ada.call('GET', '/api/me/data')
  pool.off('acquire', count)
  // jobs may take some at the same time
  expect(most).toBeLessThan(30)
  expect(body.tickets).toHaveLength(601)
  expect(body.tickets.at(-1)).toMatchObject({ _id: first._id, messages: [{ text: 'When?' }] })
  for (const { _id, messages } of body.tickets.slice(0, -1))
    expect(messages).toMatchObject([{ text: `Ticket ${_id}` }])
})

test('three years after its end, a ticket forgets who asked, and the words', async () => {
  const { id, orderIds } = await paid([100])
  const ticket = await opened(id, { type: 'warranty', lines: unitsOf(orderIds), text: 'It hums.' })
  await edit(ticket._id, { state: 'settled', text: 'We sent another one.' })
  await applyRetention(shop.deps.db)
  expect(await read(ticket._id)).toMatchObject({ email: ada.email })
  await shop.pool.query(
    `update tickets set ended_at = now() - interval '3 years 1 day' where _id = $1`,
    [ticket._id],
  )
  await applyRetention(shop.deps.db)
  const after = await read(ticket._id)
  expect(after).toMatchObject({ name: 'A former customer', number: ticket.number })
  expect(after.messages.map((message) => message.text)).toEqual(['', ''])
})

describe('pictures of a ticket', () => {
  const send = (id: string, by: Person, bytes: Uint8Array) =>
    upload(shop, by, bytes, { path: `/api/ticket/${id}/pictures` })
  const see = (id: string, picture: string, by: Person) =>
    fetch(`${shop.origin}/api/ticket/${id}/pictures/${picture}`, {
      headers: { authorization: `Bearer ${by.token}` },
    })

  test('are seen by their customer and admins alone, and leave with the account', async () => {
    const { id } = await paid([100])
    const ticket = await opened(id, { type: 'question', text: 'Is this broken?' })
    const png = await photo(40, 30)
    const { status, body } = await send(ticket._id, ada, png)
    expect([status, body.error]).toEqual([200, undefined])
    const shown = await see(ticket._id, body.insertedId, ada)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await see(ticket._id, body.insertedId, owner)).status).toBe(200)
    expect((await see(ticket._id, body.insertedId, eve)).status).toBe(404)
    expect((await send(ticket._id, eve, png)).status).toBe(404)
    expect((await send(ticket._id, owner, png)).status).toBe(403)
    expect((await read(ticket._id)).pictures).toEqual([body.insertedId])
    const broken = await send(ticket._id, ada, new Uint8Array(100))
    expect(broken.body.error?.code).toBe('UNSUPPORTED')
    await shop.pool.query(
      `insert into ticket_pictures (ticket_id, bytes) select $1, '' from generate_series(1, 9)`,
      [ticket._id],
    )
    const full = await send(ticket._id, ada, png)
    expect([full.status, full.body.error.message]).toEqual([
      429,
      'A ticket has 10 pictures at the most',
    ])
    // refused unread: it would not be read as a picture
    expect((await send(ticket._id, ada, new Uint8Array(100))).status).toBe(429)
    const another = await opened(id, { type: 'question', text: 'And this?' })
    await shop.pool.query(
      `insert into ticket_pictures (ticket_id, bytes) select $1, '' from generate_series(1, 40)`,
      [ticket._id],
    )
    expect((await send(another._id, ada, png)).body.error.message).toBe(
      'An order has 50 pictures at the most',
    )
    expect((await ada.call('DELETE', '/api/me', { email: ada.email })).status).toBe(200)
    const { rows } = await shop.pool.query('select from ticket_pictures where ticket_id = $1', [
      ticket._id,
    ])
    expect(rows).toEqual([])
  })

  const asks = { type: 'question', text: 'Is this broken?' }

  test('are stored once, no larger than a screen', async () => {
    const { id } = await paid([100])
    const ticket = await opened(id, asks)
    const sizes = [
      [2000, 1600],
      [1000, 4000],
      [40, 30],
    ] as const
    for (const [width, height] of sizes) {
      const { body } = await send(ticket._id, ada, await photo(width, height))
      const stored = await (await see(ticket._id, body.insertedId, ada)).arrayBuffer()
      const { format, ...size } = await sharp(Buffer.from(stored)).metadata()
      const scale = Math.min(1, 1280 / Math.max(width, height))
      expect([format, size.width, size.height]).toEqual(['webp', width * scale, height * scale])
    }
  })

  test('of one customer let those of others and of the shop go first', async () => {
    const first = await opened((await paid([100])).id, asks)
    const crowd = { ...ada }
    await paying.renewAda()
    const second = await opened((await paid([100])).id, asks)
    const large = await photo(6000, 6000)
    const done: string[] = []
    const noted = async (who: string, sending: Promise<{ status: number }>) => {
      expect((await sending).status).toBe(200)
      done.push(who)
    }
    const sent = Array.from({ length: 6 }, () => noted('crowd', send(first._id, crowd, large)))
    await Promise.any(sent)
    sent.push(noted('customer', send(second._id, ada, await photo())))
    sent.push(noted('shop', upload(shop, owner, await photo())))
    await Promise.all(sent)
    expect(done.slice(-2)).toEqual(['crowd', 'crowd'])
  })

  test('are thirty a day for a mailbox, and none of what was canceled before it left', async () => {
    const { id, orderIds } = await paid([100], false)
    const ticket = await opened(id, asks)
    const png = await photo(40, 30)
    expect((await send(ticket._id, ada, png)).status).toBe(200)
    const canceled = await ada.call(
      'POST',
      `/api/checkout/${id}/cancel`,
      { orderIds },
      { 'idempotency-key': newKey() },
    )
    expect(canceled.status).toBe(200)
    await expect.poll(async () => (await checkoutOf(id)).orders[0]?.status).toBe('refunded')
    const unsent = await send(ticket._id, ada, png)
    expect([unsent.status, unsent.body.error?.message]).toEqual([
      409,
      'Nothing of this order was sent, so there is nothing to show',
    ])
    const other = await opened((await paid([100])).id, asks)
    await shop.pool.query(
      `insert into ticket_pictures (ticket_id, bytes) select $1, '' from generate_series(1, 29)`,
      [ticket._id],
    )
    const full = await send(other._id, ada, png)
    expect([full.status, full.body.error?.message]).toEqual([
      429,
      'You sent 30 pictures within a day. Send more tomorrow.',
    ])
  })
})
