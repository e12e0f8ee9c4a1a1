/** My machine: what was shipped, and what customers add to it. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MachinePart, maxMachineParts, ruleKinds } from '#contracts/machine.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
import {
  cardsOf,
  confirmCard,
  intentFor,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  await seedKinds(drizzle(shop.pool))
  await seedDemo(drizzle(shop.pool))
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

const named = async (name: string): Promise<{ _id: string; number: number }> =>
  (await shop.pool.query('select _id, number from parts where name = $1', [name])).rows[0]

async function paidOrder(person: Person, name: string, quantity = 1): Promise<string> {
  const booking = { partId: (await named(name))._id, quantity, phone: '+1 555 0100' }
  const id = (await person.call('POST', '/api/order', booking)).body.insertedId
  expect(id, name).toBeDefined()
  const payment = await intentFor(person, id)
  await confirmCard(cardsOf(shop), payment)
  const paid = await person.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
  expect(paid.status).toBe(200)
  return id
}
const ship = async (id: string) =>
  expect((await owner.call('PUT', `/api/order/${id}/shipped`, {})).status).toBe(200)
const refund = async (id: string) => {
  const { body } = await owner.call('GET', `/api/order/${id}`)
  const all = { amount: body.totalPrice, reason: 'Sent back.' }
  const key = { 'idempotency-key': crypto.randomUUID() }
  expect((await owner.call('POST', `/api/order/${id}/refund`, all, key)).status).toBe(200)
}
async function machineOf(person: Person): Promise<MachinePart[]> {
  const { status, body } = await person.call('GET', '/api/me/machine')
  expect(status).toBe(200)
  return body
}
const namesOf = async (person: Person) => (await machineOf(person)).map(({ name }) => name)
const add = (person: Person, part: object) => person.call('POST', '/api/me/machine', part)

test('what is shipped is in it once, until all of its money went back, and stays back', async () => {
  const ada = await register(shop.origin)
  const board = await paidOrder(ada, 'Basalt B650 ATX')
  const monitor = await paidOrder(ada, 'Paperwhite 27 QHD', 2)
  expect(await namesOf(ada)).toEqual([])
  for (const id of [board, monitor, board]) await ship(id)
  // rules know no monitors
  const [part, ...others] = await machineOf(ada)
  expect(others).toEqual([])
  expect(part).toMatchObject({
    name: 'Basalt B650 ATX',
    number: (await named('Basalt B650 ATX')).number,
    quantity: 1,
    isBought: true,
    fit: { kind: 'motherboard', specs: { socket: 'AM5' } },
  })
  expect((await ada.call('DELETE', `/api/me/machine/${part?._id}`)).status).toBe(200)
  await ship(board)
  expect(await namesOf(ada)).toEqual([])
  const card = await paidOrder(ada, 'Cinder RX 7600')
  await ship(card)
  expect(await namesOf(ada)).toEqual(['Cinder RX 7600'])
  await refund(card)
  await expect.poll(() => namesOf(ada)).toEqual([])
  // the bank returns the refund: the card stays with the customer
  await shop.pool.query(
    `update refunds set state = 'failed' where _id in (select refund_id from refund_lines where order_id = $1)`,
    [card],
  )
  expect(await namesOf(ada)).toEqual(['Cinder RX 7600'])
})

test('nothing that keeps a part out of it keeps it from being shipped', async () => {
  const ada = await register(shop.origin, 'Ada Shipped')
  const id = await paidOrder(ada, 'Chimney 120')
  await shop.pool.query(
    `alter table machine_parts add constraint refused check (name <> 'Chimney 120')`,
  )
  await ship(id)
  await shop.pool.query('alter table machine_parts drop constraint refused')
  expect((await ada.call('GET', `/api/order/${id}`)).body.status).toBe('shipped')
  expect(await namesOf(ada)).toEqual([])
})

test('shipping waits for what the customer does before it locks the checkout, as bookings do', async () => {
  const ada = await register(shop.origin, 'Ada Waiting')
  const id = await paidOrder(ada, 'Chimney 120')
  const client = await shop.pool.connect()
  await client.query('begin')
  await client.query('select from users where email = $1 for update', [ada.email])
  const shipped = ship(id)
  const waiting = `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())
    union all select from pg_locks where not granted and locktype = 'transactionid'`
  await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBeGreaterThan(0)
  await client.query(`set local lock_timeout = '5s'`)
  const { rowCount } = await client.query(
    'select from checkouts where _id = (select checkout_id from orders where _id = $1) for update',
    [id],
  )
  expect(rowCount).toBe(1)
  await client.query('commit')
  client.release()
  await shipped
  expect(await namesOf(ada)).toEqual(['Chimney 120'])
})

test('the database knows the kinds that rules know', async () => {
  const { rows } = await shop.pool.query(
    `select (regexp_match(prosrc, $$'\\{(.+?)\\}'$$))[1] as kinds from pg_proc where proname = 'add_to_machine'`,
  )
  expect(rows[0].kinds.split(',').toSorted()).toEqual(ruleKinds.toSorted())
})

test('parts of the catalogue are added by number, changed and removed by their customer alone', async () => {
  const ada = await register(shop.origin, 'Ada Adding')
  const eve = await register(shop.origin, 'Eve Curious')
  const { number, _id } = await named('Basalt B650M')
  const { body } = await add(ada, { number })
  // once more is the same part
  expect((await add(ada, { number, quantity: 3 })).body.insertedId).toBe(body.insertedId)
  expect(await machineOf(ada)).toMatchObject([{ number, quantity: 3, isBought: false }])
  expect(await machineOf(eve)).toEqual([])
  const path = `/api/me/machine/${body.insertedId}`
  for (const [method, sent] of [['PUT', { quantity: 1 }], ['DELETE']] as const)
    expect((await eve.call(method, path, sent)).status).toBe(404)
  expect((await ada.call('PUT', path, { quantity: 0 })).status).toBe(400)
  expect((await ada.call('PUT', path, { quantity: 2 })).body.modifiedCount).toBe(1)
  // the catalogue says what it is
  expect((await ada.call('PUT', path, { name: 'Mine' })).status).toBe(400)
  // what is no longer sold stays, and others add it, too; a draft is private
  await shop.pool.query('update parts set deleted_at = now() where _id = $1', [_id])
  expect(await machineOf(ada)).toMatchObject([
    { number, quantity: 2, fit: { kind: 'motherboard' } },
  ])
  expect((await add(eve, { number })).status).toBe(200)
  const draft = await stockPart(shop.pool, { onHand: 1, name: 'Not announced' })
  await shop.pool.query(`update parts set state = 'draft', kind = 'case' where _id = $1`, [
    draft._id,
  ])
  const unknown = (await named('Not announced')).number
  for (const each of [unknown, 999_999])
    expect((await add(ada, { number: each })).status, String(each)).toBe(404)
  // so is what it states once it is one again
  await shop.pool.query(`update parts set deleted_at = null, state = 'draft' where _id = $1`, [_id])
  expect(await machineOf(ada)).toMatchObject([{ name: 'Basalt B650M', number: null, fit: null }])
  expect((await ada.call('DELETE', path)).status).toBe(200)
  expect((await ada.call('DELETE', path)).status).toBe(404)
})

test('parts from elsewhere are added by what rules read, in the shop’s spelling', async () => {
  const max = await register(shop.origin, 'Max Elsewhere')
  const fields = (await max.call('GET', '/api/me/machine/fields')).body
  expect(fields.map(({ kind }: { kind: string }) => kind)).toEqual(ruleKinds)
  const card = { kind: 'graphics-card', name: 'Old card' }
  const wrong: [object, string, string][] = [
    [{ specs: { length_mm: 'long' } }, 'specs.length_mm', 'Length must be a number of mm'],
    [{ specs: { slots: -1 } }, 'specs.slots', 'Slots must be between 0 and'],
    [
      { specs: { socket: 'AM5' } },
      'specs.socket',
      'Rules read no field “socket” of a graphics card',
    ],
    [
      { kind: 'processor', specs: { cooler: 'maybe' } },
      'specs.cooler',
      'A cooler in the box must be yes or no',
    ],
    [
      { kind: 'processor', specs: { socket: 'Socket X' } },
      'specs.socket',
      'Socket cannot be “Socket X”',
    ],
    [{ kind: 'monitor' }, 'kind', 'Kind is one of: processor'],
    [{ name: '' }, 'name', 'Name'],
    [{ quantity: 1.5 }, 'quantity', 'must be a whole number'],
  ]
  for (const [change, field, says] of wrong) {
    const { status, body } = await add(max, { ...card, ...change })
    expect([status, body.error.fields?.[field]]).toEqual([400, expect.stringContaining(says)])
  }
  for (const neither of [{}, { kind: 'case' }, { number: 1, name: 'Both' }])
    expect((await add(max, neither)).status).toBe(400)
  expect(await machineOf(max)).toEqual([])
  const specs = { socket: 'am5', tdp_w: 105, cooler: false }
  expect((await add(max, { kind: 'processor', name: 'Old 7700X', specs })).status).toBe(200)
  expect(await machineOf(max)).toMatchObject([
    {
      ...{ name: 'Old 7700X', number: null, quantity: 1, isBought: false },
      fit: { kind: 'processor', specs: { socket: 'AM5', tdp_w: 105, cooler: false } },
    },
  ])
  const [old] = await machineOf(max)
  const path = `/api/me/machine/${old?._id}`
  const edited = { name: 'Old 7700', specs: { socket: 'am4', cooler: true } }
  expect((await max.call('PUT', path, edited)).status).toBe(200)
  expect(await machineOf(max)).toMatchObject([
    { name: 'Old 7700', quantity: 1, isByFields: true, fit: { specs: { socket: 'AM4' } } },
  ])
  const { status, body } = await max.call('PUT', path, { specs: { socket: 'Socket X' } })
  expect([status, body.error.fields]).toEqual([
    400,
    { 'specs.socket': expect.stringContaining('Socket cannot be “Socket X”') },
  ])
  expect((await max.call('PUT', path, {})).status).toBe(400)
  expect((await max.call('PUT', path, { name: 'Old 7700X', specs })).status).toBe(200)
  expect((await max.call('GET', '/api/me/data')).body.machine).toEqual([
    { name: 'Old 7700X', quantity: 1, kind: 'processor', specs: { ...specs, socket: 'AM5' } },
  ])
})

test('it has at most forty parts, however many come at once, and none after the account', async () => {
  const kim = await register(shop.origin, 'Kim Full')
  const { rows } = await shop.pool.query(`select _id from users where email = $1`, [kim.email])
  await shop.pool.query(
    `insert into machine_parts (user_id, kind, specs, name, quantity)
     select $1, 'fan', '{}', 'Fan ' || n, 1 from generate_series(1, $2) n`,
    [rows[0]._id, maxMachineParts - 2],
  )
  const asked = Array.from({ length: 5 }, (_, i) => add(kim, { kind: 'fan', name: `Late ${i}` }))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(await machineOf(kim)).toHaveLength(maxMachineParts)
  await ship(await paidOrder(kim, 'Chimney 120'))
  expect(await machineOf(kim)).toHaveLength(maxMachineParts)
  expect((await kim.call('DELETE', '/api/me', { password: 'correct horse' })).status).toBe(200)
  const left = await shop.pool.query('select from machine_parts where user_id = $1', [rows[0]._id])
  expect(left.rowCount).toBe(0)
})
