import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Inserted } from '#contracts/api.ts'
import { AdminPart, StockLine } from '#contracts/parts.ts'
import { ImportReport } from '#contracts/parts-csv.ts'
import {
  bookingOf,
  call,
  confirmCard,
  createUsers,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let image: string

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  image = (await upload(shop, owner, await photo())).body.data.url
})
beforeEach(async () => {
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

let named = 0
const newPart = (more: object = {}) => {
  named += 1
  return {
    name: `Ember ${named}`,
    image,
    description: 'A fan that glows.',
    minimumOrderQuantity: 2,
    availableQuantity: 10,
    price: 49,
    ...more,
  }
}
const add = (part: object) => owner.call('POST', '/api/product', part)
async function added(more: object = {}): Promise<AdminPart> {
  const { status, body } = await add(newPart(more))
  expect(status).toBe(200)
  return owned(Inserted.parse(body).insertedId)
}
async function owned(id: string): Promise<AdminPart> {
  const { body } = await owner.call('GET', '/api/products')
  const part = z
    .array(AdminPart)
    .parse(body)
    .find(({ _id }) => _id === id)
  if (!part) throw new Error('not in the list')
  return part
}
/**
 * Sends an edit like the form, which sends no quantity because bookings may change it meanwhile.
 */
const edit = ({ availableQuantity: _, ...part }: AdminPart, change: object) =>
  owner.call('PUT', `/api/product/${part._id}`, { ...part, ...change })
const actionsOn = async (id: string) => {
  const { rows } = await shop.pool.query(
    'select action, detail from audit_log where part_id = $1 order by _id',
    [id],
  )
  return rows
}

describe('a new part', () => {
  test('is on sale at once, with its stock in the ledger and its action logged', async () => {
    const part = await added({ name: 'Ember Alpha' })
    expect(part).toMatchObject({ availableQuantity: 10, onHand: 10, reserved: 0, version: 1 })
    expect(part.kind).toBe('computer part')
    const renumber = shop.pool.query('update parts set number = 1 where _id = $1', [part._id])
    await expect(renumber).rejects.toThrow('"number" can only be updated to DEFAULT')
    const { body } = await call(shop.origin, 'GET', '/api/part')
    expect(body.map(({ _id }: AdminPart) => _id)).toContain(part._id)
    expect((await actionsOn(part._id)).map(({ action }) => action)).toEqual(['part added'])
    expect((await bookingOf(ada, part, { quantity: 2 })).length).toBe(36)
  })

  test('may have no stock', async () => {
    expect(await added({ availableQuantity: 0, kind: ' fan ' })).toMatchObject({
      availableQuantity: 0,
      kind: 'fan',
    })
  })

  test('names its picture by its path or by its whole address here, and by no other', async () => {
    const whole = await added({ name: 'Whole address', image: `${shop.origin}${image}` })
    expect(whole.image).toBe(image)
    expect((await edit(whole, { image: `${shop.origin}${image}`, price: 7 })).status).toBe(200)
    const [other] = (await actionsOn(whole._id)).slice(-1)
    expect(Object.keys(other.detail)).toEqual(['price'])
    for (const origin of ['https://evil.example', `${shop.origin}.evil.example`]) {
      const { status, body } = await add(newPart({ image: `${origin}${image}` }))
      expect([status, Object.keys(body.error.fields)], origin).toEqual([400, ['image']])
    }
  })

  test('has a unique name, case-insensitive', async () => {
    const { name } = await added()
    const { status, body } = await add(newPart({ name: name.toUpperCase() }))
    expect([status, body.error.code]).toEqual([409, 'NAME_TAKEN'])
    expect(Object.keys(body.error.fields)).toEqual(['name'])
  })

  test.each([
    ['name', ['', '  ', 'x'.repeat(121), 'a\u0000b', 7, undefined]],
    ['price', [0, -1, 1.505, '49', 1_000_000, Number.NaN, null, undefined]],
    ['minimumOrderQuantity', [0, 1.5, '1', 100_001, undefined]],
    ['availableQuantity', [-1, 1.5, '10', 1_000_001, undefined]],
    ['description', ['', 'x'.repeat(2001), undefined]],
    [
      'image',
      [
        'https://evil.example/x.png',
        'javascript:alert(1)',
        '/images/../secret-960.webp',
        `/images/${'0'.repeat(24)}-960.webp`,
        '',
        undefined,
      ],
    ],
  ])('is refused with the field named: %s', async (field, values) => {
    for (const value of values) {
      const { status, body } = await add(newPart({ [field]: value }))
      expect([status, Object.keys(body.error.fields)], String(value)).toEqual([400, [field]])
    }
  })

  test('accepts no unknown field', async () => {
    const part = await added({ onHand: 99, reserved: 5, version: 7, _id: crypto.randomUUID() })
    expect(part).toMatchObject({ onHand: 10, reserved: 0, version: 1 })
  })
})

test('an edit changes no stock: another available quantity is refused, the stored one accepted', async () => {
  const part = await added()
  const { status, body } = await edit(part, { availableQuantity: 11, price: 50 })
  expect([status, body.error.code, body.error.fields]).toEqual([
    400,
    'INVALID',
    { availableQuantity: 'Stock is changed by a stock movement' },
  ])
  expect(await owned(part._id)).toEqual(part)
  expect((await edit(part, { availableQuantity: 10, price: 50 })).status).toBe(200)
  const stock = { change: 2, reason: 'Counted' }
  expect((await edit(await owned(part._id), { stock })).status).toBe(200)
  expect(await owned(part._id)).toMatchObject({ price: 50, onHand: 12, version: 3 })
})

test('units that are paid and not shipped are shown beside the stock, and where a count would set it', async () => {
  const [bob] = (await createUsers(shop, 1)) as [Person]
  const part = await added({ sku: 'COUNTED', minimumOrderQuantity: 1 })
  const order = await bookingOf(bob, part, { quantity: 3 })
  const payment = await intentFor(bob, order)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  await bob.call('PATCH', `/api/order/${order}`, { transactionId: payment.intentId })
  await bookingOf(bob, part)
  const alone = async () =>
    AdminPart.parse((await owner.call('GET', `/api/product/${part._id}`)).body)
  expect(await alone()).toMatchObject({ onHand: 10, reserved: 4, toShip: 3 })
  const count = async (onHand: number) => {
    const path = '/api/products/import?dryRun=true'
    const file = `_id,onHand\n${part._id},${onHand}`
    const { body } = await owner.call('POST', path, file, { 'content-type': 'text/csv' })
    return ImportReport.parse(body)
  }
  // a count covers the shelf, including units that are paid and not shipped yet
  const report = await count(13)
  expect(report.toShip).toBe(3)
  expect(report.rows[0]?.changes).toBe('Stock: +3 (including 3 paid and still to ship)')
  expect(await count(10)).toMatchObject({ toShip: 0, updated: 0 })
  expect((await count(3)).problems).toMatchObject([
    { message: 'Only 6 are in stock now, so 7 can’t be removed. 4 are reserved.' },
  ])
  await owner.call('PUT', `/api/order/${order}/shipped`, {})
  expect(await alone()).toMatchObject({ onHand: 7, reserved: 1, toShip: 0 })
  expect(await count(10)).toMatchObject({ toShip: 0, updated: 1 })
})

describe('a search', () => {
  const names = async (q: string, more = '') => {
    const { body } = await owner.call('GET', `/api/products?q=${encodeURIComponent(q)}${more}`)
    return body.map(({ name }: AdminPart) => name)
  }

  test('looks into descriptions too', async () => {
    await added({ name: 'Slip 9', description: 'A quicksilver drive for hot rooms.' })
    expect(await names('quicksilver')).toEqual(['Slip 9'])
  })

  test('finds similar spellings when nothing matches exactly', async () => {
    for (const n of [1, 2, 3]) await added({ name: `Zirconium blower ${n}` })
    const found = ['Zirconium blower 1', 'Zirconium blower 2', 'Zirconium blower 3']
    expect(await names('zircnium')).toEqual(found)
    const [first] = (await owner.call('GET', '/api/products?q=zircnium&limit=1')).body
    expect(await names('zircnium', `&limit=5&after=${first._id}`)).toEqual(found.slice(1))
    // an existing word is not corrected, so its pages end with its own matches
    const [exact] = (await owner.call('GET', '/api/products?q=zirconium&limit=500')).body.slice(-1)
    expect(await names('zirconium', `&after=${exact._id}`)).toEqual([])
    for (const nothing of ['qqqq', 'zircnium qqqq', '99999', 'nobody@example.com'])
      expect(await names(nothing), nothing).toEqual([])
  })
})

describe('an edit', () => {
  test('changes the part and answers with what changed', async () => {
    const part = await added()
    const { status, body } = await edit(part, { price: 59, description: 'It glows less.' })
    expect([status, body]).toEqual([200, { acknowledged: true, modifiedCount: 1 }])
    expect(await owned(part._id)).toEqual({
      ...part,
      price: 59,
      description: 'It glows less.',
      version: 2,
    })
    expect((await actionsOn(part._id)).at(-1)).toEqual({
      action: 'part changed',
      detail: {
        price: { from: 49, to: 59 },
        description: { from: 'A fan that glows.', to: 'It glows less.' },
      },
    })
  })

  test('that conflicts with another is refused, and the first stays', async () => {
    const part = await added()
    const answers = await Promise.all([edit(part, { price: 51 }), edit(part, { price: 52 })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.error.code).toBe('OUTDATED')
    const storedPrice = answers[0].status === 200 ? 51 : 52
    expect(await owned(part._id)).toMatchObject({ price: storedPrice, version: 2 })
  })

  test('succeeds despite a concurrent booking', async () => {
    const part = await added()
    await bookingOf(ada, part, { quantity: 2 })
    expect((await edit(part, { price: 55 })).status).toBe(200)
    expect(await owned(part._id)).toMatchObject({ onHand: 10, reserved: 2, price: 55 })
  })

  test('corrects the stock only with a reason, never below what is held', async () => {
    const part = await added()
    await bookingOf(ada, part, { quantity: 4 })
    expect((await edit(part, { stock: { change: -1 } })).status).toBe(400)
    expect((await edit(part, { stock: { change: 0, reason: 'none' } })).status).toBe(400)
    const tooFar = await edit(part, { price: 1, stock: { change: -7, reason: 'counted' } })
    expect([tooFar.status, tooFar.body.error.code]).toEqual([409, 'STOCK_GONE'])
    expect(await owned(part._id)).toMatchObject({ price: 49, version: 1 })
    expect((await edit(part, { stock: { change: -6, reason: 'counted' } })).status).toBe(200)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 4, reserved: 4 })
    const { body } = await owner.call('GET', `/api/product/${part._id}/stock`)
    const lines = z.array(StockLine).parse(body)
    const number = expect.stringMatching(/^F-\d+$/)
    expect(lines.map(({ orderNumber }) => orderNumber)).toEqual([null, number, null])
    expect(lines.map(({ type, onHandDelta, reason }) => [type, onHandDelta, reason])).toEqual([
      ['adjust', -6, 'counted'],
      ['hold', 0, null],
      ['receive', 10, 'first stock'],
    ])
  })

  test('takes what was counted on the whole shelf as it is', async () => {
    const part = await added({ availableQuantity: 20 })
    await bookingOf(ada, part, { quantity: 4 })
    const count = async (counted: number, more = {}) => {
      const { version } = await owned(part._id)
      return edit({ ...part, version }, { stock: { counted, reason: 'stocktake', ...more } })
    }
    expect((await count(18, { change: 1 })).status).toBe(400)
    expect((await count(-1)).status).toBe(400)
    const { body } = await count(3)
    expect([body.error.code, Object.keys(body.error.fields)]).toEqual([
      'STOCK_GONE',
      ['stock.counted'],
    ])
    for (const counted of [18, 18]) {
      expect((await count(counted)).status).toBe(200)
      expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 18, reserved: 4 })
    }
    const ledger = z
      .array(StockLine)
      .parse((await owner.call('GET', `/api/product/${part._id}/stock`)).body)
    expect(ledger.map(({ type, onHandDelta }) => [type, onHandDelta])).toEqual([
      ['adjust', -2],
      ['hold', 0],
      ['receive', 20],
    ])
  })

  test('is refused for a taken name and for a missing part', async () => {
    const [one, two] = [await added(), await added()]
    expect((await edit(two, { name: one.name })).body.error.code).toBe('NAME_TAKEN')
    expect((await edit({ ...one, _id: crypto.randomUUID() }, {})).status).toBe(404)
    await owner.call('DELETE', `/api/adminProduct/${one._id}`)
    expect((await edit(one, {})).status).toBe(404)
  })
})

describe('a deleted part', () => {
  test('is off sale, its orders stay, and undo restores it', async () => {
    const part = await added()
    const order = await bookingOf(ada, part, { quantity: 2 })
    const gone = await owner.call('DELETE', `/api/adminProduct/${part._id}`)
    expect(gone.body).toEqual({ acknowledged: true, deletedCount: 1 })
    const again = await owner.call('DELETE', `/api/adminProduct/${part._id}`)
    expect([again.status, again.body]).toEqual([200, { acknowledged: true, deletedCount: 0 }])
    const nothing = `/api/adminProduct/${crypto.randomUUID()}`
    expect((await owner.call('DELETE', nothing)).status).toBe(404)
    await expect(owned(part._id)).rejects.toThrow()
    expect((await ada.call('GET', `/api/part/${part._id}`)).status).toBe(404)
    expect((await ada.call('GET', `/api/order/${order}`)).body.product).toBe(part.name)
    const pay = { totalPrice: 98, orderId: order }
    expect((await ada.call('POST', '/api/create-payment-intent', pay)).status).toBe(200)
    const restore = () => owner.call('POST', `/api/product/${part._id}/restore`)
    expect((await restore()).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    expect((await restore()).body.modifiedCount).toBe(0)
    expect(await owned(part._id)).toMatchObject({ onHand: 10, reserved: 2, deletedAt: null })
    expect((await actionsOn(part._id)).map(({ action }) => action)).toEqual([
      'part added',
      'part deleted',
      'part restored',
    ])
  })

  test('is not restored while another has its name', async () => {
    const part = await added()
    await owner.call('DELETE', `/api/adminProduct/${part._id}`)
    await added({ name: part.name })
    const { status, body } = await owner.call('POST', `/api/product/${part._id}/restore`)
    expect([status, body.error.code]).toEqual([409, 'NAME_TAKEN'])
  })
})

test('the ledger of a part comes newest first, in pages', async () => {
  const part = await stockPart(shop.pool, { onHand: 50 })
  for (let i = 0; i < 4; i++) await bookingOf(ada, part)
  const path = `/api/product/${part._id}/stock`
  const whole = (await owner.call('GET', path)).body
  const first = (await owner.call('GET', `${path}?limit=2`)).body
  const rest = (await owner.call('GET', `${path}?after=${first[1]._id}`)).body
  expect([...first, ...rest]).toEqual(whole)
  expect(whole.map((line: StockLine) => [line.onHand, line.reserved])).toEqual([
    [50, 4],
    [50, 3],
    [50, 2],
    [50, 1],
    [50, 0],
  ])
  const nowhere = `/api/product/${crypto.randomUUID()}/stock`
  expect((await owner.call('GET', nowhere)).status).toBe(404)
})

describe('a specification', () => {
  test('is stored in canonical spelling, logged by its labels, and found by the list', async () => {
    const part = await added({
      kind: 'Processor',
      brand: 'Lodestone',
      mpn: 'LS-9700X',
      gtin: '4006381333931',
      specs: { socket: 'socket am5', cores: 8, graphics: false, memory_types: ['ddr5'] },
    })
    expect(part).toMatchObject({
      kind: 'processor',
      brand: 'Lodestone',
      specs: { socket: 'AM5', cores: 8, graphics: false, memory_types: ['DDR5'] },
    })
    expect((await edit(part, { specs: { socket: 'AM4', cores: 8 } })).status).toBe(200)
    const [changed] = (await actionsOn(part._id)).slice(-1)
    expect(changed.detail).toEqual({
      'spec:Socket': { from: 'AM5', to: 'AM4' },
      'spec:Graphics on board': { from: 'no', to: null },
      'spec:Memory': { from: 'DDR5', to: null },
    })
    const { body: log } = await owner.call('GET', `/api/audit?about=part:${part._id}`)
    expect(log[0].note).toContain('Socket: AM5 → AM4')
    expect(log[0].note).toContain('Memory: DDR5 → empty')
    for (const q of ['ls-9700x', '4006381333931', 'lodestone']) {
      const { body } = await owner.call('GET', `/api/products?q=${q}`)
      expect(
        body.map(({ _id }: AdminPart) => _id),
        q,
      ).toContain(part._id)
    }
  })

  test('with a field that its kind lacks is refused, naming the field and the existing ones', async () => {
    const part = await added({ kind: 'processor', specs: { socket: 'AM5' } })
    const refusals: [specs: object, field: string, message: RegExp][] = [
      [{ socket: 'AM55' }, 'specs.socket', /^Socket cannot be “AM55”. Choose from: AM4, AM5/],
      [{ cores: 257 }, 'specs.cores', /^Cores must be between 0 and 256$/],
      [{ tdp_w: '65' }, 'specs.tdp_w', /^TDP must be a number of W$/],
      [{ graphics: 'maybe' }, 'specs.graphics', /^Graphics on board must be yes or no$/],
      [{ length_mm: 240 }, 'specs.length_mm', /^The category “processor” has no field “length_mm”/],
    ]
    for (const [specs, field, message] of refusals) {
      for (const { status, body } of [
        await edit(part, { specs }),
        await add(newPart({ kind: 'processor', specs })),
      ]) {
        expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
        expect(body.error.fields[field]).toMatch(message)
      }
    }
    expect((await edit(part, { kind: 'fan' })).status).toBe(400)
    expect((await edit(part, { kind: 'fan', specs: {} })).status).toBe(200)
  })

  test('is not in the answer of GET /part', async () => {
    const { body } = await call(shop.origin, 'GET', '/api/part')
    expect(Object.keys(body[0])).not.toContain('specs')
  })
})

describe('a draft', () => {
  test('is in no public call and cannot be booked until it is on sale', async () => {
    const draft = await added({ name: 'Quiet Draft', state: 'draft' })
    const readVisibility = async () => [
      JSON.stringify((await call(shop.origin, 'GET', '/api/part')).body).includes(draft._id),
      (await ada.call('GET', `/api/part/${draft._id}`)).status === 200,
    ]
    expect(await readVisibility()).toEqual([false, false])
    const { rows } = await shop.pool.query('select is_on_sale from part_index where part_id = $1', [
      draft._id,
    ])
    expect(rows).toEqual([{ is_on_sale: false }])
    const drafts = (await owner.call('GET', '/api/products?state=draft')).body
    expect(drafts.map(({ name }: AdminPart) => name)).toEqual(['Quiet Draft'])
    for (const partId of [draft._id, undefined]) {
      const booking = {
        ...{ partId, product: draft.name, quantity: 2, price: draft.price },
        ...{ totalPrice: 2 * draft.price, phone: '+1 555 0100' },
      }
      expect((await ada.call('POST', '/api/order', booking)).status).toBe(404)
    }
    expect((await edit(draft, { state: 'on sale' })).status).toBe(200)
    expect(await readVisibility()).toEqual([true, true])
    expect((await actionsOn(draft._id)).at(-1).detail).toEqual({
      state: { from: 'draft', to: 'on sale' },
    })
    expect((await edit(await owned(draft._id), { state: 'shelved' })).status).toBe(400)
  })

  test('is refused by the database too', async () => {
    const part = await added()
    const order = await bookingOf(ada, part, { quantity: 2 })
    await shop.pool.query(`update parts set state = 'draft' where _id = $1`, [part._id])
    const hold = shop.pool.query(
      `insert into stock_movements (part_id, order_id, type, reserved_delta) values ($1, $2, 'hold', 2)`,
      [part._id, order],
    )
    await expect(hold).rejects.toMatchObject({ constraint: 'stock_movements_no_draft' })
  })
})

describe('numbers and cost', () => {
  test('no two parts have one SKU or EAN, and an EAN has its check digit', async () => {
    const part = await added({ sku: 'Shelf 7', mpn: 'EM-1', gtin: '0 36000-29145 2', cost: 31 })
    expect(part).toMatchObject({ sku: 'Shelf 7', gtin: '0036000291452', cost: 31 })
    for (const twin of [{ sku: 'shelf 7' }, { gtin: '36000291452' }]) {
      const { status, body } = await add(newPart(twin))
      expect([status, body.error.code]).toEqual([409, 'NAME_TAKEN'])
      expect(Object.keys(body.error.fields)).toEqual(Object.keys(twin))
    }
    expect((await add(newPart({ mpn: 'EM-1' }))).status).toBe(200)
    const { status, body } = await add(newPart({ gtin: '4006381333930' }))
    expect([status, body.error.fields.gtin]).toEqual([400, expect.stringMatching(/8 to 14 digits/)])
    const raw = shop.pool.query(`update parts set gtin = '4006381333930' where _id = $1`, [
      part._id,
    ])
    await expect(raw).rejects.toMatchObject({ constraint: 'parts_gtin_digits' })
  })

  test('a part has a weight from 1 to 100000 grams, or an unknown one', async () => {
    const part = await added({ weightG: 850 })
    expect(part.weightG).toBe(850)
    expect((await ada.call('GET', `/api/part/${part._id}`)).body.weightG).toBe(850)
    for (const weightG of [-1, 1.5, 100_001, '850', null]) {
      const { status, body } = await edit(part, { weightG })
      expect([status, Object.keys(body.error.fields)]).toEqual([400, ['weightG']])
    }
    const raw = shop.pool.query('update parts set weight_g = 100001 where _id = $1', [part._id])
    await expect(raw).rejects.toMatchObject({ constraint: 'parts_weight_g' })
    expect((await edit(part, { weightG: 0 })).status).toBe(200)
    expect((await actionsOn(part._id)).at(-1).detail).toEqual({ weightG: { from: 850, to: 0 } })
  })

  test('the parts without a weight are listed, and get one at once, by bulk edit or file', async () => {
    const without = [await added({ name: 'Feather 1' }), await added({ name: 'Feather 2' })]
    await added({ name: 'Feather 3', weightG: 5 })
    const path = '/api/products?q=feather&misses=weightG&sort=name'
    const listed = async () => {
      const { body } = await owner.call('GET', path)
      return body.map(({ name, weightG }: AdminPart) => [name, weightG])
    }
    expect(await listed()).toEqual(without.map(({ name }) => [name, 0]))
    const filter = { q: 'feather', misses: 'weightG' }
    const bulk = async (weightG: unknown, shown?: number) =>
      owner.call('POST', '/api/products/bulk', {
        ...{ filter, shown, change: { what: 'weight', weightG } },
      })
    expect((await bulk(100_001)).status).toBe(400)
    expect((await bulk(12)).body).toMatchObject({ shown: 2, changed: 2 })
    const { batch } = (await bulk(12, 2)).body
    expect(await listed()).toEqual([])
    expect((await owned(without[0]?._id ?? '')).weightG).toBe(12)
    expect((await owner.call('POST', `/api/batch/${batch}/undo`)).status).toBe(200)
    expect(await listed()).toHaveLength(2)
    const file = `_id,weightG\n${without.map(({ _id }, i) => `${_id},${7 + i}`).join('\n')}`
    const headers = { 'content-type': 'text/csv' }
    await owner.call('POST', '/api/products/import', file, headers)
    expect(await listed()).toEqual([])
    const { body: csv } = await owner.call('GET', '/api/products.csv?q=feather&sort=name')
    const [header, ...rows] = csv.trim().split(/\r?\n/)
    const column = header.split(',').indexOf('weightG')
    expect(rows.map((row: string) => row.split(',')[column])).toEqual(['7', '8', '5'])
  })

  test('the cost of a part is in no public answer', async () => {
    const part = await added({ name: 'Dear to us', cost: 424_243 })
    const answers = await Promise.all([
      call(shop.origin, 'GET', '/api/part'),
      ada.call('GET', `/api/part/${part._id}`),
      ada.call('GET', `/api/order/${await bookingOf(ada, part, { quantity: 2 })}`),
      ada.call('GET', '/api/account/data'),
    ])
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/424243|"cost"/)
  })
})

test('a part moves to the top, to the end and beside another, repeatedly, and back', async () => {
  const [a, b, c] = [await added(), await added(), await added()] as const
  const moveTo = (id: string, to: object) => owner.call('PUT', `/api/product/${id}/position`, to)
  const move = (id: string, before: string | null) => moveTo(id, { before })
  const order = async () => {
    const { body } = await call(shop.origin, 'GET', '/api/part')
    const ids = body.map(({ _id }: AdminPart) => _id)
    return [a, b, c].map(({ _id }) => _id).toSorted((x, y) => ids.indexOf(x) - ids.indexOf(y))
  }
  expect((await move(c._id, null)).status).toBe(200)
  expect((await call(shop.origin, 'GET', '/api/part')).body[0]._id).toBe(c._id)
  // a floating-point position would run out of precision after 53 halvings
  for (let i = 0; i < 60; i += 1) await move((i % 2 ? a : b)._id, (i % 2 ? b : a)._id)
  expect(await order()).toEqual([c._id, a._id, b._id])
  await Promise.all([move(c._id, b._id), move(a._id, b._id), move(c._id, b._id)])
  expect((await order()).at(-1)).toBe(b._id)
  const { rows } = await shop.pool.query(
    'select count(distinct position) = count(*) as own from parts',
  )
  expect(rows).toEqual([{ own: true }])
  expect((await actionsOn(a._id)).at(-1)).toMatchObject({ action: 'part moved' })
  expect((await move(a._id, a._id)).status).toBe(400)
  expect((await move(a._id, crypto.randomUUID())).status).toBe(404)

  await move(c._id, a._id)
  expect(await order()).toEqual([c._id, a._id, b._id])
  const { body: moved } = await moveTo(c._id, { after: a._id })
  expect(await order()).toEqual([a._id, c._id, b._id])
  await moveTo(c._id, moved.back)
  expect(await order()).toEqual([c._id, a._id, b._id])
  await moveTo(c._id, { after: null })
  const d = await added()
  const { body: lastMoved } = await move(d._id, null)
  await moveTo(d._id, lastMoved.back)
  const { body: all } = await call(shop.origin, 'GET', '/api/part')
  expect(all.slice(-2).map(({ _id }: AdminPart) => _id)).toEqual([c._id, d._id])
  expect((await actionsOn(c._id)).at(-1)).toMatchObject({
    action: 'part moved',
    detail: { after: null },
  })
})
