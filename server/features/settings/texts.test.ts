/** The owner's own texts: shown in every process, never as HTML, and not lost between two admins. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleFacts } from '#contracts/settings.ts'
import { ownPagesLimit, type StoredText, textLimits } from '#contracts/texts.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { call, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

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

const stored = async (page: string): Promise<StoredText> =>
  (await owner.call('GET', '/api/texts')).body.find((text: StoredText) => text.page === page)
const save = (page: string, edit: Record<string, unknown>) =>
  owner.call('PUT', `/api/texts/${page}`, { version: 0, lead: '', text: '', ...edit })
const pageOf = async (path: string, of = shop): Promise<string> =>
  String((await call(of.origin, 'GET', path)).body).replaceAll('<!-- -->', '')

test('an own text replaces the shop’s, in every process within two seconds, until it is emptied', async () => {
  expect(await pageOf('/about')).toContain('What we promise')
  const text = [
    'We are {shop name} & sons.',
    '# Since **1998**',
    'Call [us](tel:{phone}) or *write*.  \nAt once.',
    '1. one\n2. two\n   - and a half',
    '### Late',
    '<script>alert(1)</script> ![x](https://evil.example/x.png) [y](javascript:alert(1))',
    '{contact details}',
  ].join('\n\n')
  expect((await save('about', { lead: 'Parts since "1998".', text })).status).toBe(200)
  for (const of of [shop, other]) {
    await expect
      .poll(() => pageOf('/about', of), { timeout: 2_000 })
      .toContain('We are Ferrite &amp; sons.')
    const page = await pageOf('/about', of)
    expect(page).not.toContain('What we promise')
    expect(page).toContain('<meta name="description" content="Parts since &quot;1998&quot;."')
    expect(page).toMatch(/<h2[^>]*>Since 1998<\/h2>/)
    expect(page).toContain(`<a href="tel:${sampleFacts.phone}">us</a> or <em>write</em>.`)
    expect(page).toMatch(/<ol>(?:<li[^>]*>(?:one|two|and a half)<\/li>){3}<\/ol>/)
    expect(page).toMatch(/<h3[^>]*>Late<\/h3>/)
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toMatch(/<img[^>]*evil|href="javascript/)
    expect(page).toContain('<address>')
  }
  const { body } = await owner.call('GET', '/api/audit')
  expect(body[0]).toMatchObject({
    action: 'text changed',
    note: `/about: ${text.length} characters`,
  })

  expect((await save('about', { version: 1 })).status).toBe(200)
  await expect.poll(() => pageOf('/about', other), { timeout: 2_000 }).toContain('What we promise')
  expect(await stored('about')).toEqual({ page: 'about', version: 2, lead: '', text: '' })
})

test('two admins who save at once lose nothing: one is told', async () => {
  for (const version of [0, 1]) {
    const answers = await Promise.all(
      ['one', 'two'].map((text) => save('terms', { version, text: `${text} ${version}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('OUTDATED')
    expect((await stored('terms')).version).toBe(version + 1)
  }
})

test('what breaks a rule is refused by its name and limit', async () => {
  const refused = async (edit: Record<string, unknown>) =>
    (await save('delivery', edit)).body.error.fields
  expect(await refused({ text: 'a'.repeat(100_000) })).toEqual({
    text: `The text must be ${textLimits.text} characters or shorter`,
  })
  expect(await refused({ text: 'a\u0007' })).toEqual({
    text: 'The text cannot contain control characters',
  })
  expect((await refused({ text: 'Write to {email}.' })).text).toMatch(
    /^\{email\} doesn’t exist\. You can use \{shop name\}, /,
  )
  expect(await refused({ text: '#\n'.repeat(9_000) })).toEqual({
    text: 'The text can have 500 headings, paragraphs and list items at most, not 9000',
  })
  expect(await refused({ lead: 'a'.repeat(201) })).toEqual({
    lead: 'Introduction must be 200 characters or shorter',
  })
  expect((await save('nowhere', { text: 'a' })).status).toBe(400)
  expect(Object.keys(await refused({ version: 2 ** 31 }))).toEqual(['version'])
  expect((await call(shop.origin, 'GET', '/api/text/nowhere')).status).toBe(400)
  expect((await stored('delivery')).version).toBe(0)
})

test('a page of one’s own is in the footer, the sitemap and the menu of its group, in every process', async () => {
  const put = (address: string, edit: Record<string, unknown>) =>
    owner.call('PUT', `/api/pages/${address}`, {
      ...{ version: 0, title: 'Build & test', group: 'Services', lead: '', text: 'We build it.' },
      ...edit,
    })
  const status = async (path: string, of = shop) => (await call(of.origin, 'GET', path)).status
  expect(await status('/pages/build')).toBe(404)
  expect(await status('/pages/..%2Fabout')).toBe(404)
  const text = '## By <hand>\n\nAsk {owner}.'
  expect((await put('build', { lead: 'Ready to run.', text })).status).toBe(200)
  for (const of of [shop, other]) {
    await expect
      .poll(() => pageOf('/pages/build', of), { timeout: 2_000 })
      .toMatch(/<link rel="canonical" href="[^"]*\/pages\/build"/)
    const page = await pageOf('/pages/build', of)
    expect(page).toContain('<h1 class="mt-3')
    expect(page).toContain('Build &amp; test</h1>')
    expect(page).toMatch(/<h2[^>]*>By &lt;hand&gt;<\/h2>/)
    expect(page).toContain(`Ask ${sampleFacts.owner}.`)
    expect(page).toContain('<title>Build &amp; test · Ferrite</title>')
    expect(page).toContain('<meta name="description" content="Ready to run."')
    // the menu of its group, and the footer
    expect((await pageOf('/delivery', of)).match(/href="\/pages\/build"/g)).toHaveLength(2)
    expect((await pageOf('/terms', of)).match(/href="\/pages\/build"/g)).toHaveLength(1)
    expect(await pageOf('/sitemaps/pages.xml', of)).toContain('/pages/build</loc>')
  }
  const answers = await Promise.all(
    ['one', 'two'].map((title) => put('build', { version: 1, title })),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
  expect((await put('build', {})).body.error.message).toMatch(/^There is a page at this address/)
  for (const [edit, field] of [
    [{ title: '' }, 'title'],
    [{ text: '  ' }, 'text'],
    [{ text: 'a'.repeat(100_000) }, 'text'],
    [{ text: '{email}' }, 'text'],
    [{ group: 'Elsewhere' }, 'group'],
  ] as const)
    expect(Object.keys((await put('other', edit)).body.error.fields)).toEqual([field])
  // /dashboard/settings/pages/new adds a page
  for (const address of ['Build', 'a b', '-', 'a'.repeat(61), 'new'])
    expect((await put(encodeURIComponent(address), {})).status).toBe(400)

  // two admins add the last one
  for (let i = 1; i < ownPagesLimit - 1; i += 1)
    expect((await put(`page-${i}`, { title: `Page ${i}` })).status).toBe(200)
  const last = await Promise.all(['x', 'y', 'z'].map((address) => put(address, {})))
  expect(last.map((answer) => answer.status).sort()).toEqual([200, 429, 429])
  const remove = (version: number) => owner.call('DELETE', `/api/pages/build?version=${version}`)
  expect((await remove(1)).status).toBe(409)
  expect((await remove(2)).status).toBe(200)
  await expect.poll(() => status('/pages/build', other), { timeout: 2_000 }).toBe(404)
  expect(await pageOf('/delivery', other)).not.toContain('/pages/build"')
  const { body } = await owner.call('GET', '/api/audit')
  expect(body[0].note).toMatch(/^\/pages\/build: “(one|two)” removed$/)
})
