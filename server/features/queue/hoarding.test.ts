/**
 * Accounts are free. These tests check how much customers who never pay can take by holds, offers
 * and places, and how much stays for others.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import type { QueuePlace } from '#contracts/queue.ts'
import { checkStock } from '#server/features/health/shop-checks.ts'
import { atLength } from '#tests/support/length.ts'
import {
  type Answer,
  bookingOf,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', TRUST_PROXY: 'on' })
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

const phone = '+1 555 0100'
type Headers = Record<string, string>
const book = (person: Person, { _id: partId }: Part, quantity = 1, headers: Headers = {}) =>
  person.call('POST', '/api/order', { partId, quantity, phone }, headers)
const join = (person: Person, { _id: partId }: Part, quantity = 1, headers: Headers = {}) =>
  person.call('POST', '/api/queue', { partId, quantity }, headers)
const placesOf = async (person: Person): Promise<QueuePlace[]> =>
  (await person.call('GET', '/api/queue')).body
const placeOf = async (person: Person, part: Part) =>
  (await placesOf(person)).find(({ partId }) => partId === part._id)
const remove = (person: Person, order: string) => person.call('DELETE', `/api/userProduct/${order}`)
const leave = (person: Person, place: QueuePlace | undefined) =>
  person.call('DELETE', `/api/queue/${place?._id}`)
const receive = ({ _id }: Part, units: number) =>
  shop.pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', $2)`,
    [_id, units],
  )
const statusAndCode = ({ status, body }: Answer) => [status, body.error?.code]
const from = (address: string): Headers => ({ 'x-forwarded-for': address })

/** Creates customers, each with their own mailbox. */
const some = async (count: number, { paid = false } = {}) => {
  const all = (await createUsers(shop, count)) as [Person, Person, Person, Person]
  if (paid)
    await havePaid(
      shop.pool,
      all.map(({ email }) => email),
    )
  return all
}
/** Creates several accounts of one mailbox. */
async function accountsOfOne(
  count: number,
  name = `mallory.${crypto.randomUUID()}`,
): Promise<[Person, Person, Person]> {
  const all = await createUsers(shop, count, { verified: false })
  const named = all.map(async (person) => {
    const email = `${name}+${crypto.randomUUID()}@example.com`
    const verify = 'update users set email = $2, email_verified = true where email = $1'
    await shop.pool.query(verify, [person.email, email])
    return { ...person, email }
  })
  return (await Promise.all(named)) as [Person, Person, Person]
}

/**
 * Moves holds, offers and abandoned holds hours into the past, and waits for the jobs to end the
 * expired ones.
 */
async function passHours(hours: number): Promise<void> {
  const past = (...columns: string[]) =>
    columns.map((column) => `${column} = ${column} - interval '${hours} hours'`).join(', ')
  await shop.pool.query(
    `update abandoned_holds set ${past('created_at', 'pause_until')};
     update orders set ${past('hold_expires_at', 'hold_limit_at')} where hold_limit_at is not null;
     update queue_places set ${past('offer_ends_at')} where offer_ends_at is not null`,
  )
  const over = `select from orders where hold_expires_at < now()
    union all select from queue_places where offer_ends_at < now()
    union all select from queue_places where offered_at is not null and offer_ends_at is null`
  await expect.poll(async () => (await shop.pool.query(over)).rowCount).toBe(0)
}

test('two accounts of one mailbox are one customer: while others wait, one cannot get what the other released', async () => {
  const [a, b] = await accountsOfOne(2)
  const [ada] = await some(1)
  const scarce = await stockPart(shop.pool, { onHand: 1 })
  const last = await bookingOf(a, scarce)
  for (const person of [b, a, ada]) await join(person, scarce)
  await remove(a, last)
  // b waited longer, but ranks behind ada
  expect(await placeOf(ada, scarce)).toMatchObject({ isOffered: true, position: 1 })
  expect(await placeOf(b, scarce)).toMatchObject({ isOffered: false, position: 2 })

  const part = await stockPart(shop.pool, { onHand: 9 })
  const order = await bookingOf(a, part, { quantity: 4 })
  const [zoe] = await some(1, { paid: true })
  await bookingOf(zoe, part, { quantity: 5 })
  for (const person of [b, a, ada]) expect((await join(person, part, 5)).status).toBe(200)
  await remove(a, order)
  // nobody else waits, but their pause applies all the same: three units stay on sale
  expect(await placeOf(ada, part)).toMatchObject({ isOffered: true, offerQuantity: 1 })
  for (const person of [a, b]) expect((await placeOf(person, part))?.isOffered).toBe(false)
  expect((await stockOf(shop.pool, part._id)).reserved).toBe(6)
  await passHours(2)
  const isOffered = async () =>
    (await Promise.all([a, b].map((person) => placeOf(person, part)))).map((at) => at?.isOffered)
  await expect.poll(async () => (await isOffered()).toSorted()).toEqual([false, true])
})

test('accounts of one mailbox hold ten orders together, in parallel too, and wait for twenty parts', async () => {
  const accounts = await accountsOfOne(3)
  const part = await stockPart(shop.pool, { onHand: 200 })
  const all = await Promise.all(
    Array.from({ length: 15 }, (_, i) => book(accounts[i % 3] as Person, part)),
  )
  expect(all.filter(({ status }) => status === 200)).toHaveLength(10)
  const parts = await Promise.all(
    Array.from({ length: 21 }, () => stockPart(shop.pool, { onHand: 0 })),
  )
  const joined = await Promise.all(parts.map((one, i) => join(accounts[i % 3] as Person, one)))
  expect(joined.filter(({ status }) => status === 200)).toHaveLength(20)
  // the mailbox gets three offers at a time
  await Promise.all(parts.map((one) => receive(one, 1)))
  const offers = async () =>
    (await Promise.all(accounts.map(placesOf))).flat().filter(({ isOffered }) => isOffered)
  expect((await offers()).length).toBeLessThanOrEqual(3)
  await expect.poll(async () => (await offers()).length).toBe(3)
})

test('a customer who never paid is offered one minimum order, one who paid all that they wait for', async () => {
  const [ada] = await some(1)
  const [bob] = await some(1, { paid: true })
  const part = await stockPart(shop.pool, { onHand: 0, minimum: 2 })
  expect((await join(ada, part, 5)).body).toMatchObject({ quantity: 5, offerQuantity: 2 })
  expect((await join(bob, part, 5)).body).toMatchObject({ quantity: 5, offerQuantity: 5 })
  await receive(part, 7)
  const place = await placeOf(ada, part)
  expect(place).toMatchObject({ isOffered: true, quantity: 5, offerQuantity: 2 })
  expect(await placeOf(bob, part)).toMatchObject({ isOffered: true, offerQuantity: 5 })
  const mail = async () =>
    (
      await shop.pool.query(
        `select text from mail_queue where recipient = $1 and template = 'queue-offer'`,
        [ada.email],
      )
    ).rows[0]?.text
  await expect.poll(mail).toContain('You asked for 5. For now, you can get 2 at a time')
  const { body } = await ada.call('POST', `/api/queue/${place?._id}/order`, { phone })
  expect((await ada.call('GET', `/api/order/${body.insertedId}`)).body.quantity).toBe(2)
  expect(await placeOf(ada, part)).toBeUndefined()
  // nobody can join while a minimum order is available
  await receive(part, 2)
  const refused = await join((await some(1))[0], part, 5)
  expect(statusAndCode(refused)).toEqual([409, 'IN_STOCK'])
  expect((await join((await some(1, { paid: true }))[0], part, 5)).status).toBe(200)
})

test('an offer that ends unused, or is left, puts its customer behind everybody and is followed by a pause', async () => {
  const [late, gone, ada] = await some(3)
  const part = await stockPart(shop.pool, { onHand: 0 })
  for (const person of [late, gone, ada]) await join(person, part)
  await receive(part, 2)
  await leave(gone, await placeOf(gone, part))
  expect((await placeOf(ada, part))?.isOffered).toBe(true)
  await expect.poll(async () => (await placeOf(late, part))?.offerEndsAt).toBeTruthy()
  await shop.pool.query(
    `update queue_places set offer_ends_at = now() - interval '1 second'
     where _id = $1`,
    [(await placeOf(late, part))?._id],
  )
  await expect.poll(() => placeOf(late, part)).toBeUndefined()
  // one unit is free, but they may not book it: other customers have priority
  for (const person of [late, gone]) {
    const refused = await book(person, part)
    expect(statusAndCode(refused)).toEqual([409, 'HOLD_REFUSED'])
    expect(refused.body.error.message).toMatch(
      /others go first for (59 minutes|an hour|60 minutes)/,
    )
  }
  const [bob, cyd] = await some(2)
  await bookingOf(bob, part)
  await join(late, part)
  await join(cyd, part, 1, from('203.0.113.10'))
  expect(await placeOf(cyd, part)).toMatchObject({ position: 2 })
  await receive(part, 1)
  expect((await placeOf(cyd, part))?.isOffered).toBe(true)
  expect((await placeOf(late, part))?.isOffered).toBe(false)
})

test('while a customer who paid waits, one who never paid holds one minimum order, and is told why', async () => {
  const [bob, zoe] = await some(2, { paid: true })
  const [ada] = await some(1)
  const part = await stockPart(shop.pool, { onHand: 10 })
  await bookingOf(zoe, part, { quantity: 2 })
  await join(bob, part, 10)
  const refused = await book(ada, part, 2)
  expect(statusAndCode(refused)).toEqual([409, 'HOLD_REFUSED'])
  expect(refused.body.error.message).toBe(
    'Others wait for this part, so for now you can book at most one unit of it. Pay for it, and you can have as many again.',
  )
  await bookingOf(ada, part)
  const more = await book(ada, part)
  expect(more.body.error.message).toBe(
    'Others wait for this part, and we keep one unit of it for you already. Pay for that first, and you can have more.',
  )
  await leave(bob, await placeOf(bob, part))
  await bookingOf(ada, part)
})

test('a first order may be half of a small stock, and leaves some of a larger one', async () => {
  const [ada, bob] = await some(2)
  const [cyd] = await some(1, { paid: true })
  const few = await stockPart(shop.pool, { onHand: 5 })
  const most = async (person: Person, { _id }: Part) =>
    (await person.call('GET', `/api/part/${_id}/limit`)).body.most
  expect([await most(ada, few), await most(cyd, few)]).toEqual([2, 5])
  expect(statusAndCode(await book(ada, few, 3))).toEqual([409, 'HOLD_REFUSED'])
  await bookingOf(ada, few, { quantity: 2 })
  await bookingOf(bob, few)
  const many = await stockPart(shop.pool, { onHand: 50 })
  const refused = await book(ada, many, 21)
  expect(refused.body.error).toMatchObject({
    code: 'HOLD_REFUSED',
    message:
      'Some of this part stays free for others, so for now you can book at most 20 units of it. Pay for these, and you can have as many again.',
  })
  expect(refused.body.error.fields).toHaveProperty('quantity')
  expect(await most(ada, many)).toBe(20)
  await bookingOf(ada, many, { quantity: 20 })
  expect([await most(ada, many), await most(bob, many), await most(cyd, many)]).toEqual([0, 1, 30])
  expect(statusAndCode(await book(bob, many, 2))).toEqual([409, 'HOLD_REFUSED'])
  await bookingOf(bob, many)
  await bookingOf(cyd, many, { quantity: 29 })
})

test('one cheap paid order lifts no limit: it covers as much as it cost, for bookings and in the queue', async () => {
  const [mallory, stranger] = await some(2)
  await havePaid(shop.pool, [mallory.email], 300)
  const parts = await Promise.all(
    Array.from({ length: 6 }, () => stockPart(shop.pool, { onHand: 0, price: 100 })),
  )
  for (const part of parts) await join(mallory, part, 6)
  for (const part of parts) await receive(part, 6)
  const offers = async () => (await placesOf(mallory)).filter(({ isOffered }) => isOffered)
  const units = async () => (await offers()).map(({ offerQuantity }) => offerQuantity).toSorted()
  // her trust covers three units; beyond that she gets one unit at a time, of three parts
  expect((await units()).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(5)
  await bookingOf(stranger, parts[5] as Part)

  // she cannot get a part back within the pause, even if nobody else waits for it
  for (let round = 0; round < 3; round += 1) {
    const given = await offers()
    for (const place of given) await leave(mallory, place)
    for (const { partId } of given) {
      const part = parts.find(({ _id }) => _id === partId) as Part
      const again = await join(mallory, part, 6)
      expect([200, 409]).toContain(again.status)
      expect((await placeOf(mallory, part))?.isOffered ?? false).toBe(false)
    }
  }
  // after three abandoned offers she gets one offer at a time
  expect((await offers()).length).toBeLessThanOrEqual(1)

  const many = await stockPart(shop.pool, { onHand: 41, price: 100 })
  expect(statusAndCode(await book(mallory, many, 41))).toEqual([409, 'HOLD_REFUSED'])
})

test('what a customer has paid covers more of it, and what is unpaid or refunded does not', async () => {
  const [ada] = await some(1)
  await havePaid(shop.pool, [ada.email], 1000)
  const part = await stockPart(shop.pool, { onHand: 6, price: 200 })
  const order = await bookingOf(ada, part, { quantity: 5 })
  const other = await stockPart(shop.pool, { onHand: 6, price: 200 })
  expect(statusAndCode(await book(ada, other, 5))).toEqual([409, 'HOLD_REFUSED'])
  await remove(ada, order)
  await bookingOf(ada, other, { quantity: 5 })
})

test('of a restock, one network of customers who never paid is offered half', async () => {
  const crowd = await some(12)
  const part = await stockPart(shop.pool, { onHand: 0 })
  for (const person of crowd)
    expect((await join(person, part, 1, from('198.51.100.77'))).status).toBe(200)
  await receive(part, 10)
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 5 })
  // customers with an offer count as neighbours, both in the queue and for bookings
  const waiting: Person[] = []
  for (const person of crowd) if (!(await placeOf(person, part))?.isOffered) waiting.push(person)
  for (const person of waiting.slice(0, 4)) await leave(person, await placeOf(person, part))
  await expect.poll(async () => (await placeOf(waiting[4] as Person, part))?.position).toBe(6)
  for (const person of await some(2))
    expect(statusAndCode(await book(person, part, 1, from('198.51.100.77')))).toEqual([
      ...[409, 'HOLD_REFUSED'],
    ])
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 5 })
  await bookingOf((await some(1))[0], part)
})

test('units that come one by one go to a network three at a time', async () => {
  const part = await stockPart(shop.pool, { onHand: 1 })
  const crowd = await some(6)
  await bookingOf((await some(1))[0], part)
  const waits = (person: Person) => join(person, part, 1, from('198.51.100.78'))
  for (const person of crowd.slice(0, 3)) expect((await waits(person)).status).toBe(200)
  await receive(part, 3)
  for (const person of crowd.slice(3)) expect((await waits(person)).status).toBe(200)
  await receive(part, 1)
  const offered = await Promise.all(crowd.map((person) => placeOf(person, part)))
  expect(offered.filter((place) => place?.isOffered)).toHaveLength(3)
  await bookingOf((await some(1))[0], part)
})

test('an account counts for the mailbox that it verified first, whatever address it moves to', async () => {
  const name = `mallory.${crypto.randomUUID()}`
  const [payer, second] = await accountsOfOne(2, name)
  await havePaid(shop.pool, [payer.email], 500)
  const move = async (person: Person, email: string): Promise<Person> => {
    await shop.pool.query('update users set email = $2 where email = $1', [person.email, email])
    return { ...person, email }
  }
  const covered = await stockPart(shop.pool, { onHand: 20, price: 100 })
  await bookingOf(payer, covered, { quantity: 5 })
  const moved = await move(payer, `elsewhere.${crypto.randomUUID()}@example.com`)
  // its payments cover no second hoard, neither in the remaining account nor in a new one of the
  // mailbox
  const [third] = await accountsOfOne(1, name)
  const wanted = await stockPart(shop.pool, { onHand: 20, price: 100 })
  for (const person of [second, third])
    expect(statusAndCode(await book(person, wanted, 15))).toEqual([409, 'HOLD_REFUSED'])
  // without payments a mailbox gets one minimum order of a scarce part, and no second one by
  // changing its address
  const scarce = await stockPart(shop.pool, { onHand: 4 })
  const poor = `eve.${crypto.randomUUID()}`
  const [eve] = await accountsOfOne(1, poor)
  await bookingOf(eve, scarce, { quantity: 2 })
  await move(eve, `other.${crypto.randomUUID()}@example.com`)
  const [again] = await accountsOfOne(1, poor)
  expect((await book(again, scarce)).status).toBe(409)
  // the account keeps its trust after the move, once its hold has ended
  await passHours(2)
  expect((await moved.call('GET', `/api/part/${covered._id}/limit`)).body.most).toBeGreaterThan(5)
})

test('what an account paid before its address was verified covers once, for the mailbox it verified first', async () => {
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const part = await stockPart(shop.pool, { onHand: 20, price: 100 })
  const [payer] = (await createUsers(shop, 1, { verified: false })) as [Person]
  await havePaid(shop.pool, [payer.email], 1500)
  const limit = async () => (await payer.call('GET', `/api/part/${part._id}/limit`)).body.most
  const verify = (email: string, before: string) =>
    shop.pool.query('update users set email_verified = true, email = $1 where email = $2', [
      email,
      before,
    ])
  await verify(payer.email, payer.email)
  expect(await limit()).toBe(15)
  await bookingOf(payer, part)
  const [holder] = (await owner.call('GET', `/api/product/${part._id}/holders`)).body
  expect(holder).toMatchObject({ email: payer.email, hasPaid: true })
  await verify(`elsewhere.${payer.email}`, payer.email)
  expect(await limit()).toBe(14)
})

test('a customer without trust who let an offer expire is not offered the part again for three days', async () => {
  const [ada, bob] = await some(2)
  const part = await stockPart(shop.pool, { onHand: 0 })
  await join(ada, part)
  await receive(part, 1)
  await leave(ada, await placeOf(ada, part))
  await bookingOf(bob, part)
  await join(ada, part)
  await passHours(60)
  await receive(part, 1)
  expect((await placeOf(ada, part))?.isOffered).toBe(false)
  await passHours(13)
  await expect.poll(async () => (await placeOf(ada, part))?.isOffered).toBe(true)
})

test('the expired offers of a deleted account still count', async () => {
  const name = `gone.${crypto.randomUUID()}`
  const [ada] = await accountsOfOne(1, name)
  const part = await stockPart(shop.pool, { onHand: 0 })
  await join(ada, part)
  await receive(part, 1)
  expect((await ada.call('DELETE', '/api/me', { email: ada.email })).status).toBe(200)
  const [again] = await accountsOfOne(1, name)
  expect(statusAndCode(await book(again, part))).toEqual([409, 'HOLD_REFUSED'])
})

test('a payment that was disputed gives no trust', async () => {
  const [ada] = await some(1, { paid: true })
  const trust = async () =>
    (
      await shop.pool.query(
        `select trust::float8 as trust, has_paid(of_mailbox) as "hasPaid"
         from trust_of(array[(select mailbox from users where email = $1)])`,
        [ada.email],
      )
    ).rows[0]
  expect(await trust()).toEqual({ trust: 90_000_000, hasPaid: true })
  await shop.pool.query(
    `insert into audit_log (action, order_id) select 'payment disputed', _id from orders where email = $1`,
    [ada.email],
  )
  expect(await trust()).toEqual({ trust: 0, hasPaid: false })
})

test('bookings and offers at once use a customer’s trust once', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [ada, bob] = await some(2)
    await havePaid(shop.pool, [ada.email], 1000)
    await havePaid(shop.pool, [bob.email])
    const parts = await Promise.all(
      Array.from({ length: 6 }, () => stockPart(shop.pool, { onHand: 10, price: 100 })),
    )
    const [bought, ...waited] = parts as [Part, ...Part[]]
    const held = await Promise.all(waited.map((part) => bookingOf(bob, part, { quantity: 10 })))
    for (const part of waited) await join(ada, part, 10)
    await Promise.all([book(ada, bought, 10), ...held.map((order) => remove(bob, order))])
    const { rows } = await shop.pool.query(
      `select trust::float8 as trust from trust_of(array[(select mailbox from users where email = $1)])`,
      [ada.email],
    )
    // beyond its trust a mailbox gets one minimum order of three parts, like every customer
    expect(rows[0].trust).toBeGreaterThanOrEqual(-30_000)
  }
})

test('two thousand places of a queue are ranked fast', async () => {
  const part = await stockPart(shop.pool, { onHand: 0 })
  const client = await shop.pool.connect()
  await client.query(
    `with crowd as (
       insert into users (issuer, subject, email, name, email_verified)
       select 'crowd', 'c' || i, 'crowd' || i || '@example.org', 'Crowd', true from generate_series(1, 2000) i returning _id)
     insert into queue_places (user_id, part_id, quantity, networks) select _id, $1, 1, array['/64 ' || _id, '/48'] from crowd`,
    [part._id],
  )
  await client.query(
    `insert into abandoned_holds (mailbox, part_id, cause, pause_until)
     select mailbox_key('crowd' || i || '@example.org'), $1, 'offer left', now() + interval '1 hour' from generate_series(1, 2000) i`,
    [part._id],
  )
  // comparing each pair took twenty seconds
  await client.query('begin; set local statement_timeout = 5000')
  const { rowCount } = await client.query('select * from queue_of($1)', [part._id])
  await client.query('rollback')
  client.release()
  expect(rowCount).toBe(2000)
})

test('from the fourth customer of a network on who never paid, half of a scarce part stays free', async () => {
  const crowd = await some(6)
  const [ada] = await some(1)
  const [bob] = await some(1, { paid: true })
  const part = await stockPart(shop.pool, { onHand: 10 })
  // a /64 each, of one /48
  const all = await Promise.all(
    crowd.map((person, i) => book(person, part, 1, from(`2001:db8:7:${i}00::1`))),
  )
  expect(all.filter(({ status }) => status === 200)).toHaveLength(5)
  const refused = all.find(({ status }) => status !== 200) as Answer
  expect(statusAndCode(refused)).toEqual([409, 'HOLD_REFUSED'])
  expect(refused.body.error.message).toMatch(/^Several customers of your network/)
  // the limit does not apply to other networks or to customers who have paid
  expect((await book(ada, part, 1, from('2001:db8:8::1'))).status).toBe(200)
  expect((await book(bob, part, 1, from('2001:db8:7::9'))).status).toBe(200)
  const { rows } = await shop.pool.query(
    `select networks from orders where part_id = $1 and hold_expires_at is null`,
    [part._id],
  )
  expect(rows.flatMap(({ networks }) => networks)).toEqual([])
})

test('an abandoned hold follows its account to another address, and still counts for the first', async () => {
  const name = `carl.${crypto.randomUUID()}`
  const [a, b] = await accountsOfOne(2, name)
  const part = await stockPart(shop.pool, { onHand: 200 })
  for (let i = 0; i < 10; i += 1) await remove(a, await bookingOf(a, part))
  const rename = 'update users set email = $2 where email = $1'
  await shop.pool.query(rename, [a.email, `${name}-elsewhere@example.com`])
  for (const person of [a, b])
    expect(statusAndCode(await book(person, part))).toEqual([429, 'TOO_MANY'])
})

test('what a stranger with the address left unpaid does not count against its owner', async () => {
  const [squatter] = (await createUsers(shop, 1, { verified: false })) as [Person]
  const part = await stockPart(shop.pool, { onHand: 200 })
  for (let i = 0; i < 10; i += 1) await remove(squatter, await bookingOf(squatter, part))
  expect(statusAndCode(await book(squatter, part))).toEqual([429, 'TOO_MANY'])
  // the owner of the address takes over the account
  await shop.pool.query('update users set email_verified = true where email = $1', [squatter.email])
  await bookingOf(squatter, part)
})

test('an order made from an offer, and left unpaid, counts as the offer', async () => {
  const [ada, bob] = await some(2)
  const part = await stockPart(shop.pool, { onHand: 0 })
  await join(ada, part)
  await receive(part, 1)
  const place = await placeOf(ada, part)
  const { body } = await ada.call('POST', `/api/queue/${place?._id}/order`, { phone })
  await remove(ada, body.insertedId)
  await bookingOf(bob, part)
  await join(ada, part)
  await passHours(60)
  await receive(part, 1)
  expect((await placeOf(ada, part))?.isOffered).toBe(false)
})

test('a mailbox deletes ten unpaid orders within an hour, whatever its accounts', async () => {
  const name = `eve.${crypto.randomUUID()}`
  const [a, b] = await accountsOfOne(2, name)
  const part = await stockPart(shop.pool, { onHand: 200 })
  for (let i = 0; i < 10; i += 1) await remove(i % 2 ? a : b, await bookingOf(i % 2 ? a : b, part))
  const refused = await book(a, part)
  expect(statusAndCode(refused)).toEqual([429, 'TOO_MANY'])
  expect(refused.body.error.message).toMatch(
    /^You booked and deleted many orders, so you can book again in (an hour|59 minutes|60 minutes)/,
  )
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  // after the deletion of the account, the history of its mailbox still counts
  expect((await b.call('DELETE', '/api/me', { email: b.email })).status).toBe(200)
  const [c] = await accountsOfOne(1, name)
  expect(statusAndCode(await book(c, part))).toEqual([429, 'TOO_MANY'])
  await passHours(2)
  await bookingOf(a, part)
})

test('a network with more than three customers who never paid goes behind others, and is not refused', async () => {
  const crowd = await some(4)
  const home = await some(3)
  const [ada] = await some(1)
  const part = await stockPart(shop.pool, { onHand: 0 })
  // a /64 each, of one /56
  for (const [i, person] of crowd.entries())
    expect((await join(person, part, 1, from(`2001:db8:0:1${i}::1`))).status).toBe(200)
  // three customers on one home network
  for (const person of home)
    expect((await join(person, part, 1, from('198.51.100.7'))).status).toBe(200)
  expect((await join(ada, part, 1, from('203.0.113.9'))).body.position).toBe(4)
  expect((await placeOf(crowd[0], part))?.position).toBe(5)
  await receive(part, 16)
  const offered = await Promise.all(crowd.map((person) => placeOf(person, part)))
  expect(offered.every((place) => place?.isOffered)).toBe(true)
})

/** In the gate one round, after as long as two would take. */
const [rounds, hoursBetween] = atLength ? [6, 20 / 6] : [1, 10]

test('thirty accounts of ten networks leave a stranger one unit of each part that had more than forty', async () => {
  const crowd = await some(30)
  const address = (i: number) => from(`192.0.2.${i % 10}`)
  const parts = await Promise.all(
    [{ onHand: 41 }, { onHand: 64 }, { onHand: 140, minimum: 3 }].map((part) =>
      stockPart(shop.pool, part),
    ),
  )
  const soldOut = await stockPart(shop.pool, { onHand: 0 })
  /**
   * Each customer takes as much as possible of each part, starting at different parts, and joins
   * the queues of the others.
   */
  const hoard = (round: number) =>
    Promise.all(
      crowd.map(async (person, i) => {
        for (let n = 0; n < parts.length; n += 1) {
          const part = parts[(i + n) % parts.length] as Part
          const smallest = part.minimumOrderQuantity
          const { onHand, reserved } = await stockOf(shop.pool, part._id)
          for (const quantity of [onHand - reserved, 11 * smallest, smallest]) {
            const { status, body } = await book(person, part, quantity, address(i))
            if (status === 200 && (i + round) % 3 === 0) await remove(person, body.insertedId)
            if (status === 200) break
          }
          await join(person, part, 1000, address(i))
        }
        await join(person, soldOut, 1000, address(i))
        // some customers give their offers back
        for (const place of await placesOf(person))
          if (place.isOffered && i % 3 === 1) await leave(person, place)
      }),
    )
  const takenBy = async () => {
    const { rows } = await shop.pool.query(
      `select (select count(*)::int from orders where part_id = any ($1) and hold_expires_at is not null) as holds,
         (select coalesce(sum(quantity), 0)::int from orders where part_id = any ($1) and hold_expires_at is not null) as units`,
      [parts.map(({ _id }) => _id)],
    )
    return rows[0] as { holds: number; units: number }
  }
  const strangerBooks = async () => {
    const [stranger] = await some(1)
    for (const part of [...parts, soldOut]) {
      const order = await bookingOf(stranger, part)
      expect((await remove(stranger, order)).status).toBe(200)
    }
  }
  await hoard(0)
  const first = await takenBy()
  expect(first.units).toBeGreaterThan(150)
  await receive(soldOut, 41)
  await strangerBooks()
  for (let round = 1; round <= rounds; round += 1) {
    await passHours(hoursBetween)
    await hoard(round)
    const again = await takenBy()
    // one minimum order each, because they abandoned three holds
    expect(again.units).toBeLessThan(first.units / 2)
    await strangerBooks()
  }
  // several thousand requests, on a machine that may be busy
}, 600_000)

test('accounts by the dozen hold a whole part for ten minutes, and then it is others’ turn', async () => {
  const crowd = await some(33)
  const [stranger, buyer] = await some(2)
  const address = (i: number) => from(`192.0.2.${i % 11}`)
  const [part, small] = (await Promise.all([
    stockPart(shop.pool, { onHand: 140 }),
    stockPart(shop.pool, { onHand: 8 }),
  ])) as [Part, Part]
  for (const [i, person] of crowd.entries()) {
    for (const each of [part, small]) {
      const { most } = (
        await person.call('GET', `/api/part/${each._id}/limit`, undefined, address(i))
      ).body
      if (most > 0) expect((await book(person, each, most, address(i))).status).toBe(200)
    }
  }
  for (const each of [part, small]) {
    const { onHand, reserved } = await stockOf(shop.pool, each._id)
    expect(reserved).toBe(onHand)
    expect((await join(stranger, each)).status).toBe(200)
  }
  expect(await checkStock(shop.deps.db)).toEqual({
    name: 'stock',
    event: 'stock_hoarded',
    sentence: `31 customers who never paid as much hold 140 of 140 units of ${part.name}. 5 customers who never paid as much hold 8 of 8 units of ${small.name}.`,
  })
  await passHours(0.2)
  // offered first to the customer who waited
  for (const each of [part, small]) {
    await expect.poll(async () => (await placeOf(stranger, each))?.isOffered).toBe(true)
    expect((await book(buyer, each)).status).toBe(200)
  }
  // a customer who has paid is kept the part as long as ever
  const [known] = await some(1, { paid: true })
  const order = await orderOf(known, await bookingOf(known, part))
  expect(Date.parse(order.holdExpiresAt ?? '') - Date.now()).toBeGreaterThan(20 * 60_000)
})

test('a cheap paid order lifts no limit of the many, at once or one by one', async () => {
  const cheap = async (count: number) => {
    const all = await some(count)
    const emails = all.map(({ email }) => email)
    await havePaid(shop.pool, emails, 1)
    return all
  }
  // one network, at once: half of the part stays free
  const neighbours = await cheap(24)
  const [bob] = await some(1, { paid: true })
  const part = await stockPart(shop.pool, { onHand: 10 })
  const all = await Promise.all(
    neighbours.map((person, i) => book(person, part, 1, from(`2001:db8:17:${i}00::1`))),
  )
  expect(all.filter(({ status }) => status === 200)).toHaveLength(5)
  expect((await book(bob, part, 1, from('2001:db8:17::9'))).status).toBe(200)

  // many networks: the last units for ten minutes
  const strangers = await cheap(8)
  const small = await stockPart(shop.pool, { onHand: 8 })
  const minutes: number[] = []
  for (const [i, person] of strangers.entries()) {
    const answer = await book(person, small, 1, from(`192.0.4.${i}`))
    const { holdLimitAt } = await orderOf(person, answer.body.insertedId)
    minutes.push(Math.round((Date.parse(holdLimitAt ?? '') - Date.now()) / 60_000))
  }
  expect(minutes.slice(-4)).toEqual([10, 10, 10, 10])
  expect((await checkStock(shop.deps.db)).sentence).toContain(`8 of 8 units of ${small.name}`)

  // while others wait, an offer lasts an hour; their network goes behind others in the queue
  const waiting = await cheap(5)
  const [ada] = await some(1)
  const gone = await stockPart(shop.pool, { onHand: 0 })
  for (const [i, person] of waiting.entries()) await join(person, gone, 1, from(`192.0.5.${i}`))
  await receive(gone, 4)
  const offerOf = async (person: Person) => (await placeOf(person, gone))?.offerEndsAt
  await expect.poll(async () => offerOf(waiting[0])).toBeTruthy()
  const until = Date.parse((await offerOf(waiting[0])) ?? '')
  expect(Math.round((until - Date.now()) / 3_600_000)).toBe(1)
  const scarce = await stockPart(shop.pool, { onHand: 4 })
  const home = await cheap(3)
  const [last] = await cheap(1)
  for (const person of home) await book(person, scarce, 1, from('192.0.6.1'))
  await bookingOf(bob, scarce)
  await join(last, scarce, 1, from('192.0.6.1'))
  await join(ada, scarce, 1, from('192.0.7.1'))
  expect((await placeOf(ada, scarce))?.position).toBe(1)
})

test('a few accounts that hold all of many small parts are reported', async () => {
  // what other tests have taken is free again
  await passHours(20)
  const trio = (await some(3)).slice(0, 3)
  const parts = await Promise.all(
    Array.from({ length: 6 }, (_, i) => stockPart(shop.pool, { onHand: 1 + (i % 3) })),
  )
  const bookAll = (person: Person, units: number) => {
    const lines = parts
      .filter((_, i) => 1 + (i % 3) >= units)
      .map(({ _id: partId }) => ({ partId, quantity: 1 }))
    return person.call('POST', '/api/orders', { lines, phone })
  }
  const reported = async () => (await checkStock(shop.deps.db)).sentence
  for (const [i, person] of trio.entries()) {
    expect((await bookAll(person, i + 1)).status).toBe(200)
    if (i === 0) expect(await reported()).not.toMatch(/hold all units of/)
  }
  expect(await reported()).toMatch(
    /\d+ customers who never paid as much hold all units of \d+ parts/,
  )
  await passHours(2)
})

test('a basket that a paying customer deletes does not limit the offers to that customer', async () => {
  const [ada, bob] = await some(2, { paid: true })
  const parts = await Promise.all(
    Array.from({ length: 5 }, () => stockPart(shop.pool, { onHand: 1 })),
  )
  const lines = parts.slice(2).map(({ _id: partId }) => ({ partId, quantity: 1 }))
  const { body } = await ada.call('POST', '/api/orders', { lines, phone })
  expect((await ada.call('DELETE', `/api/checkout/${body.insertedId}`)).status).toBe(200)
  const waited = parts.slice(0, 2)
  const held = await Promise.all(waited.map((part) => bookingOf(bob, part)))
  for (const part of waited) await join(ada, part)
  await Promise.all(held.map((order) => remove(bob, order)))
  for (const part of waited)
    await expect.poll(async () => (await placeOf(ada, part))?.isOffered).toBe(true)
})

test('while others wait, an offer to one of many who never paid lasts an hour', async () => {
  const [ada, ...crowd] = await some(7)
  const [known] = await some(1, { paid: true })
  const part = await stockPart(shop.pool, { onHand: 0 })
  const alone = await stockPart(shop.pool, { onHand: 0 })
  await join(ada, alone)
  for (const [i, person] of [known, ...crowd].entries())
    await join(person, part, 1, from(`192.0.2.${i}`))
  await receive(alone, 1)
  await receive(part, 5)
  const hoursOf = async (person: Person, of: Part) => {
    const until = async () => (await placeOf(person, of))?.offerEndsAt
    await expect.poll(until).toBeTruthy()
    return Math.round((Date.parse((await until()) ?? '') - Date.now()) / 3_600_000)
  }
  expect(await hoursOf(ada, alone)).toBe(12)
  expect(await hoursOf(known, part)).toBe(12)
  for (const person of crowd.slice(0, 4)) expect(await hoursOf(person, part)).toBe(1)

  // of a single unit, one expired offer is enough
  const few = await stockPart(shop.pool, { onHand: 0 })
  for (const [i, person] of crowd.entries()) await join(person, few, 1, from(`192.0.3.${i}`))
  await receive(few, 1)
  for (const [i, person] of crowd.slice(0, 4).entries()) {
    expect(await hoursOf(person, few)).toBe(i < 1 ? 12 : 1)
    await passHours(13)
  }
})

/** The longest that an order is held, in minutes. */
async function limitOf(order: string): Promise<number> {
  const minutes = 'round(extract(epoch from hold_limit_at - now()) / 60)::int as minutes'
  const { rows } = await shop.pool.query(`select ${minutes} from orders where _id = $1`, [order])
  return rows[0].minutes
}

test('fresh mailboxes hold the last of a few units for ten minutes after the first ones let them go', async () => {
  const one = await stockPart(shop.pool, { onHand: 1 })
  const three = await stockPart(shop.pool, { onHand: 3 })
  const limits = async (part: Part, people: Person[]) => {
    const minutes: number[] = []
    for (const person of people) minutes.push(await limitOf(await bookingOf(person, part)))
    return minutes
  }
  expect(await limits(one, await some(1))).toEqual([60])
  expect(await limits(three, await some(3))).toEqual([60, 60, 60])
  await passHours(2)
  expect(await limits(one, await some(1))).toEqual([10])
  // the first of three leaves half of them free
  expect(await limits(three, await some(3))).toEqual([60, 10, 10])
  await passHours(2)
  expect(await limits(one, await some(1, { paid: true }))).toEqual([60])
  // after a day they are forgotten
  await passHours(2)
  await passHours(25)
  expect(await limits(one, await some(1))).toEqual([60])
})

test('an order from an offer to one of many is held for the rest of the offer, ten minutes at least', async () => {
  const crowd = await some(4)
  const part = await stockPart(shop.pool, { onHand: 0 })
  for (const [i, person] of crowd.entries()) await join(person, part, 1, from(`192.0.2.${i}`))
  await receive(part, 1)
  const accepted = async (person: Person, minutesLater: number) => {
    await expect.poll(async () => (await placeOf(person, part))?.offerEndsAt).toBeTruthy()
    const place = await placeOf(person, part)
    await shop.pool.query(
      'update queue_places set offer_ends_at = offer_ends_at - make_interval(mins => $2) where _id = $1',
      [place?._id, minutesLater],
    )
    const { body } = await person.call('POST', `/api/queue/${place?._id}/order`, { phone })
    return limitOf(body.insertedId)
  }
  const [first, second, third, fourth] = crowd
  // nobody has let it go yet
  expect(await accepted(first, 0)).toBe(60)
  await passHours(2)
  expect(await accepted(second, 30)).toBe(30)
  await passHours(2)
  expect(await accepted(third, 55)).toBe(10)
  await passHours(2)
  expect(await accepted(fourth, 0)).toBe(60)
})

test('the owner sees who holds what of a part and of an account, and releases all of it', async () => {
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const [eve, ada] = await some(2)
  const [held, offered, waited] = (await Promise.all(
    [2, 0, 0].map((onHand) => stockPart(shop.pool, { onHand })),
  )) as [Part, Part, Part]
  const order = await bookingOf(eve, held)
  for (const person of [eve, ada]) await join(person, offered)
  await receive(offered, 1)
  await join(eve, waited, 3)
  const { rows } = await shop.pool.query('select _id from users where email = $1', [eve.email])
  const account = `/api/user/${rows[0]._id}`

  const holdings = (await owner.call('GET', `${account}/holdings`)).body
  expect(holdings).toMatchObject([
    { type: 'order', _id: order, product: held.name, quantity: 1, hasPaid: false, position: null },
    { type: 'offer', product: offered.name, quantity: 1, position: 1 },
    { type: 'place', product: waited.name, quantity: 3, until: null },
  ])
  const holders = (await owner.call('GET', `/api/product/${offered._id}/holders`)).body
  expect(holders).toMatchObject([
    { type: 'offer', email: eve.email, userId: rows[0]._id },
    { type: 'place', email: ada.email, position: 2 },
  ])

  const released = await owner.call('POST', `${account}/release`)
  expect(released.body).toMatchObject({ holds: 1, offers: 1, places: 1, paying: 0 })
  expect((await owner.call('GET', `${account}/holdings`)).body).toEqual([])
  expect((await placeOf(ada, offered))?.isOffered).toBe(true)
  expect(await stockOf(shop.pool, held._id)).toEqual({ onHand: 2, reserved: 0 })
  const about = encodeURIComponent(`user:${eve.email}`)
  const { body } = await owner.call('GET', `/api/audit?about=${about}`)
  expect(body[0]).toMatchObject({ action: 'account released', note: '1 hold, 1 offer, 1 place' })
  // a second release finds nothing and adds no line to the audit log
  expect((await owner.call('POST', `${account}/release`)).body).toMatchObject({ holds: 0 })
  expect((await owner.call('GET', `/api/audit?about=${about}`)).body).toHaveLength(1)

  // the mails say that the shop released each of them
  const mails = async (template: string): Promise<string[]> =>
    (
      await shop.pool.query(
        'select text from mail_queue where recipient = $1 and template = $2 order by _id',
        [eve.email, template],
      )
    ).rows.map(({ text }) => text)
  expect(await mails('hold-ended')).toEqual([
    expect.stringMatching(/We ended the hold on your unpaid order(?!.*because)/),
  ])
  const ended = await mails('queue-ended')
  expect(ended.toSorted()).toEqual([
    expect.stringMatching(/We ended your place in the queue for this part/),
    expect.stringMatching(/We withdrew our offer, and you lost your place in the queue/),
  ])
  expect(await orderOf(eve, order)).toMatchObject({ status: 'unpaid', holdReleased: true })
  // enough units are free, so paying takes the hold again
  await intentFor(eve, order)
  expect(await orderOf(eve, order)).toMatchObject({ holdReleased: false })
})
