import { afterAll, beforeAll, expect, test } from 'vitest'
import { Delivery, type WholeDelivery } from '#contracts/deliveries.ts'
import type { Part, StockLine } from '#contracts/parts.ts'
import { login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let fan: Part
let lamp: Part
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  fan = await stockPart(shop.pool, { onHand: 3, name: 'Fan' })
  lamp = await stockPart(shop.pool, { onHand: 0, name: 'Lamp' })
})
afterAll(() => shop.close())

async function expected(more: object = {}): Promise<WholeDelivery> {
  const { status, body } = await owner.call('POST', '/api/delivery', {
    supplier: 'Hollow Hill',
    reference: 'HH-1',
    expectedOn: '2026-12-04',
    lines: [
      { partId: fan._id, quantity: 20, cost: 9 },
      { partId: lamp._id, quantity: 5 },
    ],
    ...more,
  })
  expect([status, body]).toEqual([200, expect.anything()])
  return delivery(body.insertedId)
}
const delivery = async (id: string): Promise<WholeDelivery> =>
  (await owner.call('GET', `/api/delivery/${id}`)).body
const receive = ({ _id }: WholeDelivery, ...lines: object[]) =>
  owner.call('POST', `/api/delivery/${_id}/receive`, { lines })
const onHand = async ({ _id }: Part) => (await stockOf(shop.pool, _id)).onHand

test('is received in parts, each a ledger line that names it; the rest is canceled', async () => {
  const all = await expected()
  const [first, second] = all.lines as [WholeDelivery['lines'][0], WholeDelivery['lines'][0]]
  const { body: coming } = await owner.call('GET', `/api/product/${fan._id}/deliveries`)
  expect(coming).toEqual([
    {
      deliveryId: all._id,
      supplier: 'Hollow Hill',
      reference: 'HH-1',
      expectedOn: '2026-12-04',
      quantity: 20,
    },
  ])
  const one = { lineId: first._id, quantity: 12, received: 0 }
  expect((await receive(all, one)).status).toBe(200)
  expect(await onHand(fan)).toBe(15)
  const rest = { lineId: first._id, quantity: 8, received: 12 }
  expect((await receive(all, rest, { lineId: second._id, quantity: 2, received: 0 })).status).toBe(
    200,
  )
  expect([await onHand(fan), await onHand(lamp)]).toEqual([23, 2])
  const { body: ledger } = await owner.call('GET', `/api/product/${fan._id}/stock`)
  expect(ledger.slice(0, 2).map((line: StockLine) => [line.onHandDelta, line.delivery])).toEqual([
    [8, { _id: all._id, supplier: 'Hollow Hill', reference: 'HH-1' }],
    [12, { _id: all._id, supplier: 'Hollow Hill', reference: 'HH-1' }],
  ])
  for (const left of [1, 0]) {
    const { body } = await owner.call('POST', `/api/delivery/${all._id}/cancel`)
    expect(body.modifiedCount).toBe(left)
  }
  const canceledDelivery = await delivery(all._id)
  expect([canceledDelivery.quantity, canceledDelivery.received, canceledDelivery.canceled]).toEqual(
    [25, 22, 3],
  )
  const late = await receive(all, { lineId: second._id, quantity: 1, received: 2 })
  expect([late.status, late.body.error.message]).toEqual([
    400,
    'Only 0 of this line are still to come.',
  ])
  expect(await brokenInvariants(shop.pool)).toEqual([])
})

test('a line is received once, however many tabs submit it at once', async () => {
  const all = await expected({ lines: [{ partId: lamp._id, quantity: 10 }] })
  const before = await onHand(lamp)
  const half = { lineId: all.lines[0]?._id, quantity: 5, received: 0 }
  const answers = await Promise.all(Array.from({ length: 6 }, () => receive(all, half)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('OUTDATED')
  expect(await onHand(lamp)).toBe(before + 5)
})

test('raw SQL cannot receive without the ledger, more than ordered, or for another part', async () => {
  const all = await expected()
  const [line] = all.lines
  const refusal = (query: string, values: unknown[]) =>
    shop.pool.query(query, values).then(
      () => 'accepted',
      (error) => error.constraint ?? error.message,
    )
  const received = 'update delivery_lines set received = 1 where _id = $1'
  expect(await refusal(received, [line?._id])).toContain('only by stock_movements')
  const insert = `insert into stock_movements (part_id, type, on_hand_delta, delivery_line_id)
    values ($1, 'receive', $2, $3)`
  expect(await refusal(insert, [fan._id, 21, line?._id])).toBe('delivery_lines_received')
  expect(await refusal(insert, [lamp._id, 1, line?._id])).toContain('brings no part')
  await shop.pool.query(
    `alter table delivery_lines disable trigger user; update delivery_lines set received = 1 where _id = '${line?._id}';
     alter table delivery_lines enable trigger user`,
  )
  expect(await brokenInvariants(shop.pool)).toEqual([
    'a line of a delivery has received what the ledger says',
  ])
  await shop.pool.query(
    `alter table delivery_lines disable trigger user; update delivery_lines set received = 0 where _id = '${line?._id}';
     alter table delivery_lines enable trigger user`,
  )
})

test('is found by supplier, reference and state, the soonest first, in pages; an invalid one is refused', async () => {
  await expected({ supplier: 'Quarry', reference: 'Q-7', expectedOn: null })
  const soon = await expected({ supplier: 'Quarry', reference: 'Q-8', expectedOn: '2026-11-30' })
  const list = async (query: string): Promise<Delivery[]> =>
    (await owner.call('GET', `/api/deliveries?${query}`)).body.map((one: unknown) =>
      Delivery.parse(one),
    )
  const quarry = await list('q=quarry&sort=expected')
  expect(quarry.map(({ reference }) => reference)).toEqual(['Q-8', 'Q-7'])
  const next = await list(`q=quarry&sort=expected&limit=1&after=${soon._id}`)
  expect(next.map(({ reference }) => reference)).toEqual(['Q-7'])
  await owner.call('POST', `/api/delivery/${soon._id}/cancel`)
  expect((await list('q=quarry&state=expected')).map(({ reference }) => reference)).toEqual(['Q-7'])
  expect((await list('q=q-8&state=complete')).length).toBe(1)
  const { body: counted } = await owner.call('GET', '/api/deliveries/count?q=quarry')
  expect(counted).toEqual({ count: 2, isMore: false })
  const line = { partId: fan._id, quantity: 1 }
  const { _id: partId } = await stockPart(shop.pool, { onHand: 0 })
  await owner.call('DELETE', `/api/adminProduct/${partId}`)
  for (const [body, field] of [
    [{ supplier: ' ', lines: [line] }, 'supplier'],
    [{ supplier: 'S', lines: [] }, 'lines'],
    [{ supplier: 'S', lines: [line, line] }, 'lines'],
    [{ supplier: 'S', lines: [{ partId, quantity: 1 }] }, 'lines.0.partId'],
    [{ supplier: 'S', expectedOn: 'soon', lines: [line] }, 'expectedOn'],
  ] as const) {
    const refused = await owner.call('POST', '/api/delivery', body)
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, [field]])
  }
})

test('visitors see on its page what is expected of a part next, as soon as it is known', async () => {
  const part = await stockPart(shop.pool, { onHand: 0 })
  const shown = async () =>
    (await owner.call('GET', `/api/parts/${part._id}`)).body.expected as unknown
  expect(await shown()).toBeNull()
  const coming = (expectedOn: string | null, quantity: number) =>
    expected({ expectedOn, lines: [{ partId: part._id, quantity }] })
  await coming(null, 3)
  await coming('2020-01-01', 3)
  expect(await shown()).toBeNull()
  await coming('2099-12-10', 7)
  expect(await shown()).toEqual({ units: 7, on: '2099-12-10' })
  const next = await coming('2099-12-03', 12)
  await coming('2099-12-03', 4)
  expect(await shown()).toEqual({ units: 16, on: '2099-12-03' })
  const lineId = next.lines[0]?._id
  await receive(next, { lineId, quantity: 5, received: 0 })
  expect(await shown()).toEqual({ units: 11, on: '2099-12-03' })
  expect((await owner.call('POST', `/api/delivery/${next._id}/cancel`, {})).status).toBe(200)
  expect(await shown()).toEqual({ units: 4, on: '2099-12-03' })
})
