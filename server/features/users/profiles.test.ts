import { afterAll, beforeAll, expect, test } from 'vitest'
import { Profile } from '#contracts/account.ts'
import { messages } from '#contracts/messages.ts'
import { call, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

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
