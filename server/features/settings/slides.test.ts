/** The owner's own slides: on the home page as text, kept with their pictures, not lost to others. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredSlide } from '#contracts/slides.ts'
import { removeOrphans } from '#server/features/pictures/pictures.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { call, login, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop({}, { web: await builtWeb() })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
}, 90_000)
afterAll(() => shop.close())

const empty = { version: 0, title: '', text: '', linkText: '', link: '', image: '' }
const save = (place: number, edit: Partial<Record<keyof typeof empty, unknown>>) =>
  owner.call('PUT', `/api/slides/${place}`, { ...empty, ...edit })
const stored = async (): Promise<StoredSlide[]> => (await owner.call('GET', '/api/slides')).body
const home = async () => String((await call(shop.origin, 'GET', '/')).body)

test('an own slide replaces the shop’s, until its title is emptied', async () => {
  expect(await home()).toMatch(/<h1[^>]*>Parts that <br\/>stay honest\.<\/h1>/)
  expect(await stored()).toEqual([1, 2, 3].map((place) => ({ place, ...empty })))
  const image = (await upload(shop, owner, await photo(1600, 1200))).body.data.url
  const slide = {
    title: 'Built <for> you',
    text: 'We build & test your PC.',
    linkText: 'How it works',
    link: '/about',
    image,
  }
  expect((await save(1, slide)).status).toBe(200)
  expect(
    (await save(2, { title: 'Winter', link: 'https://e.example/', linkText: 'Out' })).status,
  ).toBe(200)
  await expect
    .poll(home, { timeout: 2_000 })
    .toMatch(/<h1[^>]*>Built &lt;for&gt; you<\/h1>[\s\S]*We build &amp; test your PC\./)
  const page = await home()
  expect(page).toMatch(/<a class="button hero-primary" href="\/about"[^>]*>How it works<\/a>/)
  expect(page).toContain('<h2 class="slide-title">Winter</h2>')
  expect(page).toContain('href="https://e.example/" class="button hero-primary"')
  expect(page).toContain(`/images/${image.split('/').at(-1)}`)
  expect(page).not.toContain('stay honest.</h1>')
  const { body } = await owner.call('GET', '/api/audit')
  expect(body[1]).toMatchObject({ action: 'slide changed', note: '1: “Built <for> you”' })

  // its picture is used, however old
  await shop.pool.query(`update pictures set created_at = now() - interval '2 days'`)
  await removeOrphans(shop.deps)
  expect((await call(shop.origin, 'GET', '/api/home-parts')).body.slides[0].picture).toEqual({
    width: 1600,
    height: 1200,
  })
  expect((await save(1, { version: 1 })).status).toBe(200)
  await expect.poll(home, { timeout: 2_000 }).toMatch(/stay honest\.<\/h1>/)
  await removeOrphans(shop.deps)
  expect((await shop.pool.query('select from pictures where url = $1', [image])).rowCount).toBe(0)
  const gone = await save(3, { title: 'Late', image })
  // nor a drawing, which comes with the program and is no upload
  const drawing = await save(3, { title: 'Drawn', image: '/images/mainboard.svg' })
  expect([drawing.status, drawing.body.error.fields]).toEqual([400, gone.body.error.fields])
  expect(gone.body.error.fields).toEqual({
    image: 'This picture no longer exists. Upload it again.',
  })
})

test('two admins who save at once lose nothing: one is told', async () => {
  for (const version of [0, 1]) {
    const answers = await Promise.all(
      ['one', 'two'].map((title) => save(3, { version, title: `${title} ${version}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('what breaks a rule is refused by its name and limit', async () => {
  const refused = async (edit: Parameters<typeof save>[1]) =>
    (await save(2, edit)).body.error.fields
  expect(await refused({ text: 'Without a title' })).toEqual({ title: 'A slide needs a title' })
  expect(await refused({ title: 'a'.repeat(41) })).toEqual({
    title: 'Title must be 40 characters or shorter',
  })
  expect(await refused({ title: 'a', linkText: 'Go' })).toEqual({
    link: 'A button needs a text and a link',
  })
  for (const link of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'http://a.b'])
    expect(await refused({ title: 'a', linkText: 'Go', link })).toEqual({
      link: 'Link must begin with / or https://',
    })
  for (const place of ['0', '4', 'x'])
    expect((await owner.call('PUT', `/api/slides/${place}`, empty)).status).toBe(400)
})
