/**
 * dist/ as on a server: the bundle, the files that it reads, and the packages of its own
 * package.json, without a checkout.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { call, login } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { program, type ShopProcess, startShop } from '#tests/support/shop-process.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
let shop: ShopProcess | undefined
afterAll(async () => {
  await shop?.remove()
  // the picture encoder ends after the shop, and then writes its compile cache
  await rm(folder, { recursive: true, maxRetries: 20 })
})

/**
 * Copies dist/ and, from the checkout, the packages that its package-lock.json lists for this
 * machine.
 */
async function installed(): Promise<string> {
  const dist = dirname(await program('main'))
  const to = await mkdtemp(join(tmpdir(), 'ferrite-dist-'))
  await cp(dist, to, { recursive: true })
  const lock = JSON.parse(await readFile(join(dist, 'package-lock.json'), 'utf8'))
  // Node itself is the one that runs this test
  const packages = Object.keys(lock.packages).filter((place) => place && !/\/node(-|$)/.test(place))
  expect(packages).toEqual(expect.arrayContaining(['node_modules/sharp']))
  for (const place of packages) {
    // for another platform
    if (!existsSync(join(root, place))) continue
    await mkdir(join(to, dirname(place)), { recursive: true })
    // takes a tenth of the time of Node's cp
    await promisify(execFile)('cp', ['-a', join(root, place), join(to, place)])
  }
  return to
}

test('runs by itself: pages, pictures, sandboxes, database, and stack traces that name the sources', async () => {
  folder = await installed()
  shop = await startShop({ DEMO: 'off', LOG_LEVEL: 'error' }, undefined, {
    folder,
    main: 'main.js',
  })
  const { origin, output } = shop
  const home = await call(origin, 'GET', '/home')
  const script = /\/assets\/[^"]+\.js/.exec(home.body)?.[0]
  const owner = await login(origin, 'owner@ferrite.example', 'owner-password')
  const picture = (await upload(shop, owner, await photo(80, 60))).body.data.url
  const paths = [script, picture, '/sandbox/mail', '/sandbox/stripe/stripe.js']
  for (const path of [...paths, '/sandbox/google/.well-known/openid-configuration'])
    expect([path, (await call(origin, 'GET', String(path))).status]).toEqual([path, 200])

  const pool = await shopDatabase(shop)
  await pool.query('alter table reviews rename to gone')
  await pool.end()
  expect((await owner.call('GET', '/api/reviews')).status).toBe(500)
  // the log arrives through a pipe
  await expect.poll(output).toMatch(/server\/features\/reviews\/\S+\.ts:\d+/)
  expect(await shop.end('SIGTERM')).toBe(0)
})
