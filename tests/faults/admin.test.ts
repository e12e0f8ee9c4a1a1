import { afterAll, expect, test } from 'vitest'
import { atLength } from '#tests/support/length.ts'
import { call, login, register } from '#tests/support/people.ts'
import { setUpFactor } from '#tests/support/second-factor.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { runProgram, type ShopProcess, startShop } from '#tests/support/shop-process.ts'

/** Two starts of a shop and three of the command, on a busy machine. */
const slow = { timeout: 180_000 }

let running: ShopProcess
afterAll(() => running?.remove())

const admin = (words: string[], settings: Record<string, string>) =>
  runProgram('admin', words, settings)

/** Opens the printed link as a browser does, and sets a password. */
async function setPassword(origin: string, output: string, newPassword: string) {
  const { pathname, search } = new URL(/http\S+/.exec(output)?.[0] ?? '')
  const page = await call(origin, 'GET', pathname + search)
  const { searchParams } = new URL(page.headers.get('location') ?? '', origin)
  const body = { newPassword, token: searchParams.get('token') }
  const answer = await call(origin, 'POST', '/identity/reset-password', {
    body,
    headers: { origin },
  })
  expect(answer.status).toBe(200)
}
const isAdmin = async (origin: string, email: string, password: string) => {
  const person = await login(origin, email, password)
  return (await person.call('GET', `/api/admin/${email}`)).body
}

test('of a shop with an embedded database, running and stopped', slow, async () => {
  running = await startShop({ DEMO: 'off' })
  const where = { DATA_DIR: running.dataDir, PORT: new URL(running.origin).port }
  const ada = await register(running.origin, 'Ada Owner', { verified: false })
  const promotion = await admin([ada.email.toUpperCase()], where)
  expect(promotion.output).toMatch(
    new RegExp(`^${ada.email} is an admin now. Earlier sign-ins have ended.`),
  )
  expect(promotion.code).toBe(0)
  // earlier sessions, perhaps not of the address's owner, are ended
  expect((await ada.call('GET', `/api/admin/${ada.email}`)).status).toBe(401)
  const { body } = await call(running.origin, 'GET', '/identity/token', {
    headers: { cookie: ada.cookie },
  })
  expect(body.token).toBeUndefined()
  await expect(login(running.origin, ada.email, 'correct horse')).rejects.toThrow('no session')
  await setPassword(running.origin, promotion.output, 'a new password')
  expect(await isAdmin(running.origin, ada.email, 'a new password')).toEqual({ admin: true })

  await running.end('SIGTERM')
  const again = atLength && (await admin(['owner@ferrite.example'], where))
  if (again) expect(again.output).toMatch(/^owner@ferrite.example is an admin, as before\. /)
  const fresh = await admin(['colleague@shop.example'], where)
  expect(fresh.output).toMatch(/^colleague@shop.example is an admin now, with a new account\. /)
  running = await running.restart()
  if (again) {
    await setPassword(running.origin, again.output, 'remembered this time')
    expect(await isAdmin(running.origin, 'owner@ferrite.example', 'remembered this time')).toEqual({
      admin: true,
    })
  }
  await setPassword(running.origin, fresh.output, 'a first password')
  const colleague = await login(running.origin, 'colleague@shop.example', 'a first password')
  const audit = await colleague.call('GET', '/api/audit?about=user:colleague@shop.example')
  expect(audit.body).toMatchObject([{ by: 'npm run admin', action: 'admin made' }])
})

test('of a shop with a database of its owner; a blocked one comes in again', slow, async () => {
  const shop = await openTestShop()
  try {
    const where = {
      DATA_DIR: shop.dataDir,
      DATABASE_URL: shop.databaseUrl,
      PORT: new URL(shop.origin).port,
    }
    const bob = await register(shop.origin, 'Bob Blocked')
    await shop.pool.query('update users set disabled_at = now() where email = $1', [bob.email])
    const { output } = await admin([bob.email], where)
    await setPassword(shop.origin, output, 'a new password')
    expect(await isAdmin(shop.origin, bob.email, 'a new password')).toEqual({ admin: true })

    for (const words of atLength ? [[], ['a@b.example', 'c@d.example']] : [[]])
      expect(await admin(words, where)).toEqual({
        code: 1,
        output: 'Name one address: npm run admin -- EMAIL',
      })
    // a lost second factor, of an account that is no admin either
    const cy = await register(shop.origin, 'Cy Lost')
    const { person } = await setUpFactor(shop, cy, 'correct horse')
    const off = await admin([cy.email, '--second-factor-off'], where)
    expect(off).toMatchObject({ code: 0 })
    expect(off.output).toMatch(`The second factor of ${cy.email} is off.`)
    expect(await isAdmin(shop.origin, cy.email, 'correct horse')).toEqual({ admin: false })
    expect((await person.call('GET', '/api/me')).body.secondFactor).toBe(false)
    expect((await admin(['nobody'], where)).output).toBe('“nobody” is no e-mail address.')
  } finally {
    await shop.close()
  }
})
