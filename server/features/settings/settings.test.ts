/** The shop has the owner's name and address everywhere, and says what is so in every process. */

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { iconFiles, type LogoFile, logoFiles, logoPath } from '#contracts/logo.ts'
import { messages } from '#contracts/messages.ts'
import { LogoUploaded, type Settings, sampleFacts } from '#contracts/settings.ts'
import type { ShopFacts } from '#contracts/shop.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { bookingOf, call, createUsers, login, type Person } from '#tests/support/people.ts'
import { upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let database: TestDatabase
/** Two processes of one shop. */
let shop: TestShop
let other: TestShop
let owner: Person

beforeAll(async () => {
  database = await migratedDatabase()
  const settings = { APP_SECRET: 'one secret of two processes, long enough' }
  const web = await builtWeb()
  shop = await openTestShop(settings, { shared: database, web })
  other = await openTestShop(settings, { shared: database, dataDir: shop.dataDir, web })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
}, 90_000)
afterAll(async () => {
  await other.close()
  await shop.close()
  await database.drop()
})

const read = async (): Promise<Settings> => (await owner.call('GET', '/api/settings')).body
const save = (version: number, facts: Partial<Record<keyof ShopFacts, unknown>>) =>
  owner.call('PUT', '/api/settings', {
    version,
    settings: { shop: { ...sampleFacts, ...facts } },
  })
/** What a page says, without its style and the marks between its texts. */
const page = async (path: string, of = shop): Promise<string> => {
  const { body } = await call(of.origin, 'GET', path)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.replaceAll('<!-- -->', '').replaceAll(/<style.*?<\/style>/gs, '')
}

test('a shop that never saved has the words of the sample', async () => {
  expect(await read()).toEqual({ version: 0, settings: { shop: sampleFacts } })
  expect(await page('/imprint')).toContain('Robin Ferrer, owner of Ferrite')
  expect(await page('/')).toContain('<title>Computer parts that stay honest · Ferrite</title>')
})

test('a field that breaks a rule is named with its limit, and nothing is saved', async () => {
  const refused = async (facts: Partial<Record<keyof ShopFacts, unknown>>) => {
    const { status, body } = await save(0, facts)
    expect(status).toBe(400)
    return body.error.fields
  }
  expect(await refused({ name: '' })).toEqual({
    'settings.shop.name': 'Name of the shop is required',
  })
  expect(await refused({ owner: 'a'.repeat(100_000) })).toEqual({
    'settings.shop.owner': 'Owner must be 80 characters or shorter',
  })
  expect(await refused({ address: 'a\n'.repeat(50_000) })).toEqual({
    'settings.shop.address': 'Address must be 300 characters or shorter',
  })
  expect(await refused({ address: '1\n2\n3\n4\n5\n6' })).toEqual({
    'settings.shop.address': 'Address can have at most 5 lines',
  })
  expect(await refused({ country: 'XX' })).toEqual({
    'settings.shop.country': 'Country must be a code of ISO 3166, like AT',
  })
  for (const hidden of ['\u0007', '\u202e'])
    expect(await refused({ name: `Kiln${hidden}` })).toEqual({
      'settings.shop.name': 'Name of the shop cannot contain control characters',
    })
  expect(await refused({ phone: 'on request' })).toEqual({
    'settings.shop.phone': messages.phoneInvalid,
  })
  expect(Object.keys(await refused({ email: 'nobody' }))).toEqual(['settings.shop.email'])
  expect(await refused({ openingHours: 7 })).toEqual({
    'settings.shop.openingHours': 'Opening hours is required',
  })
  expect((await read()).version).toBe(0)
})

test('two admins who save at once lose nothing: one is told', async () => {
  const { version, settings } = await read()
  const answers = await Promise.all([
    save(version, { phone: '+1 555 0001' }),
    save(version, { phone: '+1 555 0002' }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('OUTDATED')
  const after = await read()
  expect(after.version).toBe(version + 1)
  expect(['+1 555 0001', '+1 555 0002']).toContain(after.settings.shop.phone)
  const { body } = await owner.call('GET', '/api/audit')
  expect(body[0]).toMatchObject({
    action: 'settings changed',
    by: 'owner@ferrite.example',
    note: `Phone: ${settings.shop.phone} → ${after.settings.shop.phone}`,
  })
})

const mark = '<b>"Kiln & Co"</b>'
const renamed = {
  name: mark,
  owner: 'Kim <i>Kiln</i>',
  address: '1 Oven Road\n\n  </script><script>alert(1)</script>  \nLeeds',
  country: 'GB',
  phone: '+44 113 496 0000',
  email: 'hello@kiln.example',
  taxNumber: 'GB 123 4567 89',
  openingHours: 'Mon to Fri\n9 to 17',
  figures: '30 <i>years</i> of kilns\n4 ovens',
  mailSignature: 'Kind regards <i>\nKim',
  slogan: 'Kilns for <b>all</b>. And ovens.',
}

test('a renamed shop says its name on every page, in every process within two seconds, as text', async () => {
  const paths = [
    '/',
    '/parts',
    '/parts/case',
    '/basket',
    '/login',
    '/register',
    '/reviews',
    '/blogs',
    '/myPortfolio',
    '/dashboard',
    '/dashboard/settings',
    '/no-such-page',
    '/site.webmanifest',
    '/robots.txt',
    '/sitemap.xml',
    '/api/docs',
    '/api/openapi.json',
  ]
  const sitemap = await page('/sitemaps/pages.xml')
  const listed = [...sitemap.matchAll(/<loc>[^<]*?:\d+([^<]*)<\/loc>/g)].map(
    ([, path = '']) => path,
  )
  expect(listed.length).toBeGreaterThan(10)
  const { _id } = await stockPart(shop.pool, { onHand: 9 })
  const all = [...new Set([...paths, ...listed, `/part/${_id}`])]
  // both processes have cached them under the old name
  for (const of of [shop, other]) for (const path of all) await page(path, of)

  expect((await save((await read()).version, renamed)).status).toBe(200)
  await expect.poll(() => page('/', other), { timeout: 2000 }).toContain('Kiln')
  for (const of of [shop, other]) {
    for (const path of all) {
      const text = (await page(path, of)).replaceAll('X-Ferrite', '')
      // names of cookies, headers and keys are the program's
      const shown = path.startsWith('/api/') ? text.replaceAll(/ferrite_|Ferrite-/g, '') : text
      expect([path, /ferrite(?!\.[a-z])/i.exec(shown)?.[0]]).toEqual([path, undefined])
      expect([path, text.includes('<b>"Kiln') || text.includes('<i>Kiln')]).toEqual([path, false])
      expect([path, text.includes('<script>alert')]).toEqual([path, false])
    }
  }
  const imprint = await page('/imprint')
  expect(imprint).toContain('Tax number: GB 123 4567 89')
  expect(imprint).toContain('1 Oven Road')
  expect(await page('/contact')).toMatch(/Leeds<(?:(?!script).)*>United Kingdom</s)
  expect(await page('/contact')).toContain('Mon to Fri\n9 to 17')
  expect(await page('/')).toContain('<title>Kilns for &lt;b&gt;all&lt;/b&gt; · ')
  expect(await page('/about')).not.toContain('booked before they are paid')
  // the sample's portfolio and blogs are not the owner's
  for (const path of ['/blogs', '/portfolio']) {
    expect((await call(shop.origin, 'GET', path)).status).toBe(404)
    expect(await page('/about')).not.toContain(`href="${path}"`)
  }
  expect(JSON.parse(await page('/site.webmanifest'))).toMatchObject({ name: mark })
})

test('a page that the owner hides is gone, from menu, footer and sitemap too', async () => {
  const current = await read()
  const shown = { ...current.settings.shop, blogs: 'shown', portfolio: 'shown' }
  expect((await save(current.version, shown)).status).toBe(200)
  await expect
    .poll(async () => (await call(other.origin, 'GET', '/blogs')).status, { timeout: 2000 })
    .toBe(200)
  for (const path of ['/blogs', '/portfolio']) {
    expect((await call(shop.origin, 'GET', path)).status).toBe(200)
    expect(await page('/about')).toContain(`href="${path}"`)
  }
  expect((await save(current.version + 1, { ...shown, blogs: 'never' })).status).toBe(400)
  const hidden = { ...shown, blogs: 'hidden', portfolio: 'hidden' }
  expect((await save(current.version + 1, hidden)).status).toBe(200)
  for (const of of [shop, other]) {
    for (const path of ['/blogs', '/portfolio']) {
      const status = async () => (await call(of.origin, 'GET', path)).status
      await expect.poll(status, { timeout: 2000 }).toBe(404)
      expect(await page('/about', of)).not.toContain(`href="${path}"`)
      expect(await page('/sitemaps/pages.xml', of)).not.toContain(path)
    }
  }
  expect((await save(current.version + 2, shown)).status).toBe(200)
  await expect
    .poll(async () => (await call(other.origin, 'GET', '/portfolio')).status, { timeout: 2000 })
    .toBe(200)
  expect(await page('/portfolio')).toContain('Kim &lt;i&gt;Kiln&lt;/i&gt;</h1>')
})

/** Lets the shop's clock stand on this day. */
const setToday = (day: string) =>
  shop.pool.query(
    `create or replace function shop_today() returns date language sql stable as $$ select date '${day}' $$`,
  )

test('a vacation stands on every page from its first midnight to its last, in every process', async () => {
  const { version, settings } = await read()
  const shown = settings.shop
  const refused = async (facts: Partial<Record<keyof ShopFacts, string>>) =>
    (await save(version, { ...shown, ...facts })).body.error.fields
  expect(await refused({ vacationFrom: '2027-02-30', vacationTo: '2027-03-03' })).toEqual({
    'settings.shop.vacationFrom': 'Vacation from must be a date, like 2026-12-24',
  })
  expect(await refused({ vacationFrom: '2027-01-03' })).toEqual({
    'settings.shop.vacationTo': 'A vacation needs both days',
  })
  expect(await refused({ vacationFrom: '2027-01-03', vacationTo: '2027-01-02' })).toEqual({
    'settings.shop.vacationTo': 'A vacation cannot end before it begins',
  })
  const decade = new Date().getUTCFullYear() + 10
  expect(await refused({ vacationFrom: '2027-01-03', vacationTo: `${decade}-01-01` })).toEqual({
    'settings.shop.vacationTo': 'A vacation must end within two years',
  })
  await setToday('2026-12-31')
  const away = { ...shown, vacationFrom: '2027-01-01', vacationTo: '2027-01-03' }
  expect((await save(version, away)).status).toBe(200)
  const isAway = async (of: TestShop, path: string) =>
    (await page(path, of)).includes('We’re away until Jan 3, 2027.')
  const paths = ['/', '/parts', '/imprint', '/dashboard']
  for (const [day, expected] of [
    ['2026-12-31', false],
    ['2027-01-01', true],
    ['2027-01-03', true],
    ['2027-01-04', false],
  ] as const) {
    await setToday(day)
    for (const of of [shop, other])
      for (const path of paths)
        await expect
          .poll(() => isAway(of, path), { timeout: 2500, message: `${path} on ${day}` })
          .toBe(expected)
    const [ada] = (await createUsers(shop, 1)) as [Person]
    await bookingOf(ada, await stockPart(shop.pool, { onHand: 9 }))
    const mails = JSON.stringify((await ada.call('GET', '/api/me/data')).body.mails)
    expect(mails.includes('We’re away until January 3, 2027 and will ship')).toBe(expected)
  }
  expect((await save(version + 1, shown)).status).toBe(200)
})

test('a logo is made in all sizes, and shown on pages, in tabs and on phones once it is saved', async () => {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const drawn = await sharp({
    create: { width: 600, height: 300, channels: 4, background: '#ff000080' },
  })
    .png()
    .toBuffer()
  const send = (by: Person, bytes: Uint8Array) =>
    upload(shop, by, bytes, { type: 'image/png', path: '/api/logo' })
  expect((await send(ada, drawn)).status).toBe(403)
  expect((await send(owner, Buffer.from('<svg onload="alert(1)"/>'))).status).toBe(415)
  expect((await send(owner, drawn.subarray(0, 200))).status).toBe(400)
  const { logo } = LogoUploaded.parse((await send(owner, drawn)).body)
  expect((await send(owner, drawn)).body).toEqual({ acknowledged: true, logo })

  for (const [file, size] of Object.entries(logoFiles)) {
    const answer = await fetch(other.origin + logoPath(logo, file as LogoFile))
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    const picture = sharp(Buffer.from(await answer.arrayBuffer()))
    const { width, height } = await picture.metadata()
    expect([file, width, height]).toEqual([file, size, size])
    const { isOpaque } = await picture.stats()
    expect([file, isOpaque]).toEqual([file, file === 'apple' || file === 'maskable'])
  }
  for (const path of [
    logoPath('0'.repeat(64), 'tab'),
    `/logo/${logo}/huge.png`,
    `/logo/${logo}/tab`,
    '/logo/%2e%2e/tab.png',
  ])
    expect([path, (await call(shop.origin, 'GET', path)).status]).toEqual([path, 404])

  // another spelling takes no place of its own among what is cached
  const spelled = `%${logo.charCodeAt(0).toString(16)}${logo.slice(1)}`
  for (const path of [logoPath(spelled, 'tab'), '/api/text/%61bout'])
    expect((await call(shop.origin, 'GET', path)).status).toBe(400)

  const { version, settings } = await read()
  const gone = await save(version, { ...settings.shop, logo: 'f'.repeat(64) })
  expect(gone.body.error.fields).toEqual({
    'settings.shop.logo': 'This logo no longer exists. Upload it again.',
  })
  expect((await save(version, { ...settings.shop, logo })).status).toBe(200)
  for (const of of [shop, other]) {
    await expect.poll(() => page('/about', of), { timeout: 2000 }).toContain(logo)
    for (const path of ['/', '/parts', '/about']) {
      const text = await page(path, of)
      for (const file of ['tab', 'apple', 'header'] as const)
        expect(text).toContain(logoPath(logo, file))
      expect(text).not.toMatch(/favicon|og\.png|apple-touch-icon\.png|icon-512/)
    }
    // also where browsers and programs look by themselves
    for (const [path, file] of Object.entries(iconFiles)) {
      const bytes = async (at: string) =>
        Buffer.from(await (await fetch(of.origin + at)).arrayBuffer()).toString('base64')
      expect([path, await bytes(path)]).toEqual([path, await bytes(logoPath(logo, file))])
    }
  }
  expect((await save(version + 1, { ...settings.shop, logo: '' })).status).toBe(200)
  await expect.poll(() => page('/about'), { timeout: 2000 }).toContain('/favicon.svg')
  // a cached page of what does not exist is no icon
  expect((await call(shop.origin, 'GET', '/no-such-page')).status).toBe(404)
  for (const path of Object.keys(iconFiles))
    expect([path, (await call(shop.origin, 'GET', path)).status]).toEqual([path, 200])
})

test('mails have the name of the moment in which they leave, as text', async () => {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const part = await stockPart(shop.pool, { onHand: 9, price: 30 })
  await bookingOf(ada, part)
  const { rows } = await shop.pool.query(
    `select _id from mail_queue where recipient = $1 and template = 'order-booked'`,
    [ada.email],
  )
  const message = await page(`/sandbox/mail/${rows[0]._id}/message`)
  expect(message).toContain('&lt;b&gt;&quot;Kiln &amp; Co&quot;&lt;/b&gt;, +44 113 496 0000')
  expect(message).toContain('Kind regards &lt;i&gt;\nKim\n&lt;b&gt;')
  expect(message).not.toMatch(/Ferrite|\{shop/)
  const { body } = await ada.call('GET', '/api/me/data')
  const mails = JSON.stringify(body.mails)
  expect(mails).toContain('Kiln')
  expect(mails).not.toContain('{shop')
})

test('a customer reads and saves no settings', async () => {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  expect((await ada.call('GET', '/api/settings')).status).toBe(403)
  expect((await ada.call('PUT', '/api/settings', await read())).status).toBe(403)
})
