import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { StaffSession } from '#contracts/staff.ts'
import { ShippedParcel, ToShip } from '#contracts/to-ship.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

const password = 'correct horse'
const role = (method: 'PUT' | 'DELETE', by: Person, of: Person) =>
  by.call(method, `/api/user/packer/${of.email}`)

async function packer(name: string): Promise<Person> {
  const person = await register(shop.origin, name)
  expect((await role('PUT', owner, person)).body.modifiedCount).toBe(1)
  return person
}
async function paidOrder(): Promise<string> {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const id = await bookingOf(ada, await stockPart(shop.pool, { onHand: 5, price: 654_321 }))
  const payment = await intentFor(ada, id)
  await confirmCard(cardsOf(shop), payment)
  await ada.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
  return id
}

describe('a packer', () => {
  test('packs, ships and corrects, and reads no price', async () => {
    const pat = await packer('Pat Packs')
    const id = await paidOrder()
    const { checkoutId } = await orderOf(owner, id)
    const list = await pat.call('GET', '/api/to-ship')
    expect(ToShip.parse(list.body).checkouts.map((one) => one.checkoutId)).toContain(checkoutId)
    const parcel = { carrier: 'UPS', trackingNumber: '1Z' }
    const ship = await pat.call('PUT', `/api/checkout/${checkoutId}/shipped`, parcel)
    expect(ship.body.modifiedCount).toBe(1)
    const right = { carrier: 'UPS', trackingNumber: '1Z999' }
    const fix = await pat.call('PUT', `/api/checkout/${checkoutId}/shipment`, right)
    expect(fix.body.modifiedCount).toBe(1)
    const shipped = await pat.call('GET', '/api/shipped')
    const [last] = z.array(ShippedParcel).parse(shipped.body)
    expect(last).toMatchObject({ checkoutId, ...right, lines: [{ orderId: id }] })
    expect(JSON.stringify([list.body, shipped.body])).not.toContain('654321')
    expect(await orderOf(owner, id)).toMatchObject({ status: 'shipped', ...right })
    // an order of somebody else has prices, and is not a packer's to read
    expect((await pat.call('GET', `/api/order/${id}`)).status).toBe(404)
    expect((await pat.call('GET', `/api/checkout/${checkoutId}`)).status).toBe(404)
  })

  test('is shown as one, and is one until the role is taken', async () => {
    const pia = await packer('Pia Leaves')
    const lookup = () => pia.call('GET', `/api/admin/${pia.email}`)
    expect((await lookup()).body).toEqual({ admin: false, packer: true })
    expect((await owner.call('GET', '/api/user?role=packer')).body).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ email: pia.email })]),
    )
    expect((await role('DELETE', owner, pia)).body.modifiedCount).toBe(1)
    expect((await role('DELETE', owner, pia)).body.modifiedCount).toBe(0)
    expect((await lookup()).body).toEqual({ admin: false })
    expect((await pia.call('GET', '/api/to-ship')).status).toBe(403)
    const { rows } = await shop.pool.query(
      `select action from audit_log l join users u on u._id = l.user_id where u.email = $1 order by l._id`,
      [pia.email],
    )
    expect(rows.map(({ action }) => action)).toEqual(['packer made', 'packer rights removed'])
  })

  test('gives nobody a role; taking admin rights leaves a packer one', async () => {
    const pol = await packer('Pol Tries')
    expect((await role('PUT', pol, pol)).status).toBe(403)
    expect((await pol.call('PUT', `/api/user/admin/${pol.email}`)).status).toBe(403)
    const taken = await owner.call('DELETE', `/api/user/admin/${pol.email}`)
    expect(taken.body.modifiedCount).toBe(0)
    expect((await pol.call('GET', '/api/to-ship')).status).toBe(200)
  })

  test('with an unverified address may do nothing', async () => {
    const pim = await packer('Pim Moves')
    await shop.pool.query('update users set email_verified = false where email = $1', [pim.email])
    expect((await pim.call('GET', '/api/to-ship')).status).toBe(403)
  })
})

test('an admin is not made a packer at a click, and an unverified address neither', async () => {
  const refused = await role('PUT', owner, owner)
  expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID'])
  const una = await register(shop.origin, 'Una Verified', { verified: false })
  expect((await role('PUT', owner, una)).body.error.code).toBe('NOT_VERIFIED')
})

test('the database knows three roles, and keeps an admin when the last would pack', async () => {
  const set = (to: string) =>
    shop.pool.query('update users set role = $1 where email = $2', [to, owner.email])
  await expect(set('boss')).rejects.toMatchObject({ constraint: 'users_role' })
  await expect(set('packer')).rejects.toMatchObject({ constraint: 'users_last_admin' })
})

describe('sessions of the staff', () => {
  const list = async (by: Person) =>
    z.array(StaffSession).parse((await by.call('GET', '/api/staff-sessions')).body)

  test('are those of admins and packers, with device and network', async () => {
    const pip = await packer('Pip Listed')
    const customer = await register(shop.origin, 'Cat Customer')
    const sessions = await list(owner)
    const emails = sessions.map(({ email }) => email)
    expect(emails).toContain(pip.email)
    expect(emails).not.toContain(customer.email)
    expect(sessions.find(({ current }) => current)).toMatchObject({
      email: owner.email,
      role: 'admin',
      network: '127.0.0.1',
    })
    const { rows } = await shop.pool.query('select token from identity.session')
    for (const { token } of rows) expect(JSON.stringify(sessions)).not.toContain(token)
  })

  test('are ended one at a time, at once', async () => {
    const pru = await packer('Pru Ended')
    const there = await login(shop.origin, pru.email, password)
    const own = (await list(owner)).filter(({ email }) => email === pru.email)
    expect(own).toHaveLength(2)
    const [newest] = own as [StaffSession]
    const end = () => owner.call('DELETE', `/api/staff-sessions/${newest._id}`)
    expect((await end()).status).toBe(200)
    const left = [pru, there].map(async (one) => (await one.call('GET', '/api/to-ship')).status)
    expect((await Promise.all(left)).toSorted()).toEqual([200, 401])
    expect((await end()).status).toBe(404)
    const customer = await register(shop.origin, 'Cal Customer')
    const [session] = (await customer.call('GET', '/api/sessions')).body
    const other = await owner.call('DELETE', `/api/staff-sessions/${session._id}`)
    expect(other.status).toBe(404)
    expect((await customer.call('GET', '/api/me')).status).toBe(200)
  })
})
