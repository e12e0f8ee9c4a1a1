/** The transfer size of pages, compressed. `npm run bench:browser` measures the resulting times. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partPath } from '#contracts/part-address.ts'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockDemo } from '#tests/support/stock.ts'
import { sitePages } from '#web/content/site-pages.ts'
import { builtWeb } from './web-build.ts'

const root = join(import.meta.dirname, '../../..')
const assets = join(root, 'build/client/assets')

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({}, { web: await builtWeb() })
  await stockDemo(shop.pool)
}, 90_000)
afterAll(() => shop.close())

const read = async (path: string) => (await call(shop.origin, 'GET', path)).body as string

/** These scripts and everything they import. */
function withImports(names: string[]): Set<string> {
  const all = new Set<string>()
  const add = (name: string) => {
    if (all.has(name)) return
    all.add(name)
    const code = readFileSync(join(assets, name), 'utf8')
    for (const [, next = ''] of code.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) add(next)
  }
  for (const name of names) add(name)
  return all
}

/** A part of the demo. */
const onePart = async () => (await call(shop.origin, 'GET', '/api/home-parts')).body.parts[0]

const scriptsOf = (html: string) =>
  [...html.matchAll(/\/assets\/([^"'\\]+\.js)/g)].map(([, name = '']) => name)

/** Kilobytes that a browser downloads from these URLs. */
async function kilobytesOf(paths: Iterable<string>): Promise<number> {
  const sizes = [...paths].map(async (path) => {
    const { headers } = await fetch(shop.origin + path, { headers: { 'accept-encoding': 'br' } })
    return Number(headers.get('content-length'))
  })
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0) / 1024
}

/** Scripts that a page loads when it becomes visible, besides those in its HTML. */
const startingWith = (...starts: string[]) =>
  readdirSync(assets).filter(
    (name) => /\.js$/.test(name) && starts.some((start) => name.startsWith(start)),
  )

// budgets in kB; a link in the footer fits
describe.each([
  { path: '/', page: 25, scripts: 126, later: ['later-slides-', 'home-lower-half-'], pictures: 1 },
  { path: '/parts/graphics-card', page: 20, scripts: 142, pictures: 1 },
  { path: '/part/', page: 20, scripts: 142, pictures: 1 },
  { path: '/login', page: 18, scripts: 174, pictures: 0 },
  { path: '/blogs', page: 18, scripts: 126, pictures: 0 },
  { path: '/dashboard', page: 18, scripts: 196, pictures: 0 },
  { path: '/dashboard/myOrders', page: 18, scripts: 197, pictures: 0 },
])('$path', ({ path: start, page, scripts, pictures, later = [] }) => {
  test(`is ${page} kB with its style, its scripts ${scripts}`, async () => {
    const path = start === '/part/' ? partPath(await onePart()) : start
    expect(await kilobytesOf([path])).toBeLessThan(page)
    const loaded = withImports([...scriptsOf(await read(path)), ...startingWith(...later)])
    expect(await kilobytesOf([...loaded].map((name) => `/assets/${name}`))).toBeLessThan(scripts)
  })

  test('is painted before a script is asked for, and asks for one picture first', async () => {
    const html = await read(start === '/part/' ? partPath(await onePart()) : start)
    expect(/<(script[^>]* src=|link[^>]* rel="modulepreload")/.exec(html)?.[0]).toBeUndefined()
    expect(html.match(/<link rel="preload" as="image"/g) ?? []).toHaveLength(pictures)
  })
})

/** The characters of each font file of a family and weight, as in `fonts.css`. */
function fontRanges(font: string): { file: string; ranges: [number, number][] }[] {
  const css = readFileSync(join(root, 'web/styles/fonts.css'), 'utf8')
  const faces = css.matchAll(
    /family: "([^"]+)";\s+font-weight: ([^;]+);[^}]*?url\("([^"]+)"[^}]*?unicode-range:([^;]+);/g,
  )
  return [...faces]
    .filter(([, family, weight]) => `${family} ${weight}` === font)
    .map(([, , , file = '', range = '']) => ({
      file,
      ranges: [...range.matchAll(/U\+(\w+)(?:-(\w+))?/g)].map(([, from = '', to = from]) => [
        Number.parseInt(from, 16),
        Number.parseInt(to, 16),
      ]),
    }))
}

// a browser merges font files only of exactly the same weight
test.each([
  'Bricolage Grotesque 600 700',
  'Instrument Sans 400',
  'Instrument Sans 600',
  'Geist Mono 400 600',
])(
  'a font of %s that comes too late brings no second one: no character is in two files',
  (font) => {
    const faces = fontRanges(font)
    expect(faces).toHaveLength(3)
    const files = new Map<number, string[]>()
    for (const { file, ranges } of faces.filter((face) => !face.file.includes('-ext-'))) {
      for (const [from, to] of ranges)
        for (let code = from; code <= to; code += 1)
          files.set(code, [...(files.get(code) ?? []), file])
    }
    expect(files.size).toBeGreaterThan(200)
    expect([...files].filter(([, names]) => names.length > 1)).toEqual([])
  },
)

test('no page of the shop’s own texts has a character that is not in the fonts of its first paint', async () => {
  const ranges =
    fontRanges('Geist Mono 400 600').find(({ file }) => file.endsWith('/geist.woff2'))?.ranges ?? []
  const isOwn = (character: string) => {
    const code = character.codePointAt(0) ?? 0
    return code < 32 || ranges.some(([from, to]) => code >= from && code <= to)
  }
  for (const path of [
    '/',
    '/parts',
    '/login',
    '/register',
    '/blogs',
    ...sitePages.flatMap(({ pages }) => pages.map(({ to }) => to)),
  ]) {
    const text = (await read(path)).replaceAll(/<(script|style).*?<\/\1>/gs, '')
    expect([path, [...new Set(text)].filter((each) => !isOwn(each))]).toEqual([path, []])
  }
})

test('a font of the first paint comes in two round trips where six files share a slow line', () => {
  const fonts = readdirSync(join(root, 'web/fonts'))
  expect(fonts).toHaveLength(4)
  for (const name of fonts) {
    // with the response's headers, at most six packets of 1,460 bytes
    expect([name, statSync(join(root, 'web/fonts', name)).size < 8_200]).toEqual([name, true])
  }
})

test('what runs before the first paint is small', async () => {
  const [, boot = ''] = /<script>(\s*globalThis[^<]*)/.exec(await read('/login')) ?? []
  expect(boot).toContain('trustedTypes')
  expect(brotliCompressSync(boot).length).toBeLessThan(1024)
})
