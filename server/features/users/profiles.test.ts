import { afterAll, beforeAll, expect, test } from 'vitest'
import { Profile } from '#contracts/account.ts'
import { messages } from '#contracts/messages.ts'
import {
  bookingOf,
  call,
  createUsers,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let ada: Person
let bob: Person

beforeAll(async () => {
  shop = await openTestShop()
  ;[ada, bob] = (await createUsers(shop, 2)) as [Person, Person]
})
afterAll(() => shop.close())

const saved = {
  education: 'Home schooled',
  location: 'London',
  phone: '+44 20 7946 0000',
  linkedIn: 'https://www.linkedin.com/in/ada',
}
const of = (person: Person) => `/api/profile/${encodeURIComponent(person.email)}`

test('a profile that was never saved has a name, an address, and nothing else', async () => {
  const { status, body } = await bob.call('GET', of(bob))
  expect(status).toBe(200)
  expect(Profile.parse(body)).toEqual({
    name: bob.name,
    email: bob.email,
    education: null,
    location: null,
    phone: null,
    linkedIn: null,
  })
})

test('what is saved is there again, the second time in place of the first', async () => {
  expect((await ada.call('PUT', of(ada), { ...saved, location: 'Paris' })).status).toBe(200)
  const { status, body } = await ada.call('PUT', of(ada), saved)
  expect({ status, body }).toEqual({ status: 200, body: { acknowledged: true } })
  const again = await ada.call('GET', of(ada))
  expect(Profile.parse(again.body)).toEqual({ name: ada.name, email: ada.email, ...saved })
})

test('name, address and anything else in the body count for nothing', async () => {
  const claims = { name: 'Mallory', email: bob.email, role: 'admin', userId: bob.email, _id: 'x' }
  await ada.call('PUT', of(ada), { ...saved, ...claims })
  const { body } = await ada.call('GET', of(ada))
  expect(Profile.parse(body)).toMatchObject({ name: ada.name, email: ada.email })
  expect((await ada.call('GET', `/api/admin/${ada.email}`)).body).toEqual({ admin: false })
})

test('an admin reads a customer’s profile, and writes none', async () => {
  const admin = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  await ada.call('PUT', of(ada), saved)
  expect((await admin.call('GET', of(ada))).body).toMatchObject(saved)
  expect((await admin.call('PUT', of(ada), saved)).status).toBe(403)
  expect((await admin.call('GET', '/api/profile/nobody@example.com')).status).toBe(404)
})

test('a booking fills in the phone of a profile without one, and leaves one that is there', async () => {
  const cleo = await register(shop.origin)
  const part = await stockPart(shop.pool, { onHand: 9 })
  const book = async (phone: string) =>
    expect((await bookingOf(cleo, part, { phone })).length).toBeGreaterThan(0)
  const phone = async () => (await cleo.call('GET', of(cleo))).body.phone
  await book('0676/123 45 67')
  expect((await cleo.call('GET', of(cleo))).body).toMatchObject({
    phone: '0676/123 45 67',
    education: null,
    linkedIn: null,
  })
  await book('+1 555 0100')
  expect(await phone()).toBe('0676/123 45 67')
  await cleo.call('PUT', of(cleo), saved)
  await book('+1 555 0100')
  expect(await phone()).toBe(saved.phone)
})

test('a phone is what a booking takes', async () => {
  const { status, body } = await ada.call('PUT', of(ada), { ...saved, phone: 'call me' })
  expect({ status, fields: body.error.fields }).toEqual({
    status: 400,
    fields: { phone: messages.phoneInvalid },
  })
})

test('a refusal names every field that is wrong', async () => {
  const { status, body } = await ada.call('PUT', of(ada), { linkedIn: 'https://evil.example' })
  expect(status).toBe(400)
  expect(body.error.fields).toEqual({
    education: messages.educationRequired,
    location: messages.locationRequired,
    phone: messages.phoneRequired,
    linkedIn: messages.linkedInInvalid,
  })
  const noOne = await call(shop.origin, 'PUT', of(ada), { body: saved })
  expect(noOne.status).toBe(401)
})
