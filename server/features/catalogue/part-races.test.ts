/** Two admins and a customer change the same part at the same moment. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, editBody, partBody, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let partner: Person
let ada: Person
let image: string

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[partner, ada] = (await createUsers(shop, 2)) as [Person, Person]
  await shop.pool.query(`update users set role = 'admin', email_verified = true where email = $1`, [
    partner.email,
  ])
  image = (await upload(shop, owner, await photo())).body.data.url
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

const newPart = (name: string) => partBody({ name, image })
const remove = (id: string, by: Person) => by.call('DELETE', `/api/adminProduct/${id}`)
const restore = (id: string, by: Person) => by.call('POST', `/api/product/${id}/restore`)
const correct = (id: string, by: Person, change: number, version = 1) =>
  by.call('PUT', `/api/product/${id}`, {
    ...editBody({ name: `Corrected ${id}`, image }),
    version,
    stock: { change, reason: 'counted' },
  })
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted()
const actionsOn = async (id: string) => {
  const { rows } = await shop.pool.query(
    'select action from audit_log where part_id = $1 order by _id',
    [id],
  )
  return rows.map(({ action }) => action)
}

test('concurrent deletions and restorations take effect once each', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { _id } = await stockPart(shop.pool, { onHand: 5 })
    const gone = await Promise.all([remove(_id, owner), remove(_id, partner)])
    expect(gone.map(({ body }) => body.deletedCount).toSorted()).toEqual([0, 1])
    const back = await Promise.all([restore(_id, owner), restore(_id, partner)])
    expect(back.map(({ body }) => body.modifiedCount).toSorted()).toEqual([0, 1])
    expect(await actionsOn(_id)).toEqual(['part deleted', 'part restored'])
  }
})

test('restored while another part takes its name: one of them is on sale', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { _id, name } = await stockPart(shop.pool, { onHand: 5 })
    await remove(_id, owner)
    const answers = await Promise.all([
      restore(_id, owner),
      partner.call('POST', '/api/product', newPart(name.toUpperCase())),
    ])
    expect(statuses(answers)).toEqual([200, 409])
    const { rowCount } = await shop.pool.query(
      'select from parts where lower(name) = lower($1) and deleted_at is null',
      [name],
    )
    expect(rowCount).toBe(1)
  }
})

test('edited while it is deleted: the edit comes first or is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { _id } = await stockPart(shop.pool, { onHand: 5 })
    await shop.pool.query('update parts set image = $2 where _id = $1', [_id, image])
    const [edited, deleted] = await Promise.all([correct(_id, owner, 1), remove(_id, partner)])
    expect(deleted.status).toBe(200)
    expect([200, 404]).toContain(edited.status)
    expect(await stockOf(shop.pool, _id)).toMatchObject({ onHand: edited.status === 200 ? 6 : 5 })
  }
})

test('last units booked while a stock count removes them: one is refused, no counter is negative', async () => {
  for (let round = 0; round < 8; round += 1) {
    const part = await stockPart(shop.pool, { onHand: 5 })
    const [counted, booked] = await Promise.all([
      correct(part._id, owner, -5),
      bookingOf(ada, part, { quantity: 5 }).then(
        () => 200,
        () => 409,
      ),
    ])
    expect([counted.status, booked].toSorted()).toEqual([200, 409])
    const { onHand, reserved } = await stockOf(shop.pool, part._id)
    expect([onHand, reserved]).toEqual(booked === 200 ? [5, 5] : [0, 0])
    if (counted.status !== 200) expect(await actionsOn(part._id)).toEqual([])
  }
})

test('a correction that is out of range or not a number changes nothing', async () => {
  const { _id } = await stockPart(shop.pool, { onHand: 5 })
  for (const change of ['1e309', '2147483647', '-2147483649', '"1"', '1.5', 'null', '{}']) {
    const body = JSON.stringify({
      ...newPart('Never'),
      version: 1,
      stock: { change: 0, reason: 'x' },
    }).replace('"change":0', `"change":${change}`)
    const { status } = await owner.call('PUT', `/api/product/${_id}`, body)
    expect([400, 409], change).toContain(status)
  }
  expect(await stockOf(shop.pool, _id)).toEqual({ onHand: 5, reserved: 0 })
  expect(await actionsOn(_id)).toEqual([])
  // the largest correction, twice
  const most = await correct(_id, owner, 1_000_000)
  expect(most.status).toBe(200)
  const again = await correct(_id, partner, 1_000_000, 1)
  expect([again.status, again.body.error.code]).toEqual([409, 'OUTDATED'])
})
