/**
 * Pictures in a remote store: a shop opens, sells, is backed up and restored, whatever the store
 * does.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { backUp } from '#server/commands/backup/back-up.ts'
import { restore } from '#server/commands/backup/restore.ts'
import { readSettings } from '#server/env.ts'
import { uploadPicture } from '#server/features/pictures/pictures.ts'
import { migratedDatabase, testDatabase } from '#tests/support/database.ts'
import { atLength } from '#tests/support/length.ts'
import { login } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { imgbbServer } from '#tests/support/servers/imgbb-server.ts'
import { type S3Server, s3Keys, s3Server } from '#tests/support/servers/s3-server.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { runProgram } from '#tests/support/shop-process.ts'

const APP_SECRET = 'the same for every process, and long'
let picture: Buffer
let server: S3Server
let work: string
beforeAll(async () => {
  picture = await photo(80, 60)
  work = await mkdtemp(join(tmpdir(), 'ferrite-store-'))
})
afterAll(() => rm(work, { recursive: true, force: true }))
afterEach(() => server.close())

type How = Parameters<typeof openTestShop>[1]
async function open(how: How = {}) {
  return openTestShop({ DEMO: 'off', APP_SECRET, ...server.settings }, how)
}
const ownerOf = (shop: { origin: string }) =>
  login(shop.origin, 'owner@ferrite.example', 'owner-password')
const statusOf = async (shop: { origin: string }, url: string) =>
  (await fetch(`${shop.origin}${url}`)).status

test('two processes without a folder in common show the same pictures, at addresses of the shop alone', async () => {
  server = await s3Server()
  const first = await open()
  const other = join(work, 'other')
  const { databaseUrl: url, pool } = first
  const shared = { name: '', url, pool, drop: async () => {} }
  const second = await open({ shared, dataDir: other })
  const { body } = await upload(first, await ownerOf(first), picture)
  expect(body.data.url).toMatch(/^\/images\/[0-9a-f]{24}-960\.webp$/)
  const response = await fetch(`${second.origin}${body.data.url}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect([...response.headers].flat().join()).not.toContain(server.endpoint)
  expect(await readdir(first.dataDir)).not.toContain('images')
  expect(server.objects.size).toBe(7)
  await second.close()
  await first.close()
})

test('a store in trouble refuses in a sentence, hides nothing for good, and does not keep the shop closed', async () => {
  server = await s3Server()
  const database = await migratedDatabase()
  const how = { shared: database, dataDir: join(work, 'trouble') }
  const shop = await open(how)
  const owner = await ownerOf(shop)
  const { url } = (await upload(shop, owner, picture)).body.data
  server.fail(500, 'InternalError')
  const refused = await upload(shop, owner, picture)
  expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
  const response = await fetch(`${shop.origin}${url}`)
  expect(response.status).toBe(503)
  expect(response.headers.get('cache-control') ?? '').not.toContain('immutable')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  await shop.close()

  const again = await open(how)
  expect(again.notes.join()).toMatch(
    /^No picture can be shown for now\. .* answers 500 InternalError/,
  )
  server.trouble()
  expect(await statusOf(again, url)).toBe(200)
  await again.close()

  const wrongKeyShop = openTestShop(
    { ...server.settings, APP_SECRET, S3_SECRET_ACCESS_KEY: 'wrong' },
    how,
  )
  await expect(wrongKeyShop).rejects.toThrow(
    /SignatureDoesNotMatch: .* Correct the S3_ settings\.$/,
  )
  const moved = openTestShop({ APP_SECRET }, how)
  await expect(moved).rejects.toThrow(
    /images does not hold the pictures of the shop in this database/,
  )
  await database.drop()
})

test('a picture is removed when the database fails; if the store fails, too, the database’s error is reported', async () => {
  server = await s3Server()
  const shop = await open()
  const nobody = { _id: crypto.randomUUID(), email: '', name: '', role: 'admin' } as const
  const failing = () => uploadPicture(shop.deps, { ...nobody, emailVerified: true }, picture)
  await expect(failing()).rejects.toMatchObject({ cause: { code: '23503' } })
  expect([...server.objects.keys()]).toEqual(['shop-id'])
  server.trouble(({ method }, response) => {
    if (method === 'DELETE') response.writeHead(500).end()
    return method === 'DELETE'
  })
  await expect(failing()).rejects.toMatchObject({ cause: { code: '23503' } })
  server.trouble()
  expect(server.objects.size).toBe(7)
  for (const object of server.objects.values()) object.changedAt = new Date(0)
  const owner = await ownerOf(shop)
  const { issues } = (await owner.call('GET', '/api/money')).body
  expect(issues).toMatchObject([{ type: 'picture', repair: 'removeFile' }])
  const about = issues[0].about
  await owner.call('POST', '/api/money/repair', { repair: 'removeFile', about })
  expect([...server.objects.keys()]).toEqual(['shop-id'])
  await shop.close()
})

test('a backup holds the pictures, and goes into another store, the same, or on a disk; never over those of another shop', async () => {
  server = await s3Server()
  const shop = await open()
  const { url } = (await upload(shop, await ownerOf(shop), picture)).body.data
  const settingsFor = (DATABASE_URL: string, name: string, more: Record<string, string>) =>
    readSettings({ DATABASE_URL, DATA_DIR: join(work, name), APP_SECRET, ...more })
  const folder = join(work, 'backup')
  const backup = await backUp(settingsFor(shop.databaseUrl, 'none', server.settings), folder, '1')
  expect(backup.files.filter(({ path }) => path.startsWith('images/'))).toHaveLength(6)
  await shop.close()

  const objects = new Map(server.objects)
  const places = [
    ['emptied', server.settings],
    ['disk', {}],
    ['kept', server.settings],
  ] as const
  for (const [name, more] of atLength ? places : places.slice(0, 2)) {
    const database = await testDatabase()
    if (name === 'emptied') server.objects.clear()
    await restore(settingsFor(database.url, name, more), folder)
    const restored = await openTestShop(
      { ...more, APP_SECRET },
      { shared: database, dataDir: join(work, name) },
    )
    expect(await statusOf(restored, url), name).toBe(200)
    await restored.close()
    await database.drop()
  }
  const bytesOf = (all: S3Server['objects']) =>
    [...all].map(([key, { bytes }]) => [key, bytes.toString('base64')]).sort()
  expect(bytesOf(server.objects)).toEqual(bytesOf(objects))

  const database = await testDatabase()
  const id = server.objects.get('shop-id')
  if (id) id.bytes = Buffer.from('0199c0de-0000-7000-8000-000000000000\n')
  await expect(
    restore(settingsFor(database.url, 'foreign', server.settings), folder),
  ).rejects.toThrow(
    /holds the pictures of another shop: name an empty place; nothing was changed\.$/,
  )
  await database.drop()
  expect(JSON.stringify(backup)).not.toContain(s3Keys.secretAccessKey)
})

test('npm run images moves a shop that runs: a copy that was cut short goes on, and opens nothing before it is whole', async () => {
  server = await s3Server()
  const database = await migratedDatabase()
  const how = { shared: database, dataDir: join(work, 'moving') }
  const onDisk = { DEMO: 'off', APP_SECRET }
  const shop = await openTestShop(onDisk, how)
  const owner = await ownerOf(shop)
  const urls: string[] = []
  const uploadOne = async () => urls.push((await upload(shop, owner, picture)).body.data.url)
  for (let i = 0; i < 6; i++) await uploadOne()
  const settings = {
    ...server.settings,
    IMAGES: 'disk',
    DATABASE_URL: database.url,
    DATA_DIR: how.dataDir,
  }
  const images = (words: string, more = {}) =>
    runProgram('images', words.split(' '), { APP_SECRET, ...settings, ...more })
  const copy = () => images('copy disk s3')
  server.trouble(({ method }, response) => {
    const isFull = method === 'PUT' && server.objects.size >= 20
    if (isFull) response.writeHead(507).end()
    return isFull
  })
  const cut = await copy()
  expect(cut).toMatchObject({ code: 1, output: expect.stringMatching(/pictures answers 507$/) })
  const moved = () => openTestShop({ ...onDisk, ...server.settings }, how)
  await expect(moved()).rejects.toThrow(
    /does not hold the pictures .* \(its file shop-id is missing\)/,
  )

  server.trouble()
  const before = server.objects.size
  expect(before).toBeGreaterThan(0)
  const first = await copy()
  expect(first.output).toMatch(
    /6 of 6 pictures, \d copied\n\d pictures? copied: .* has all 6 now\. Set IMAGES=s3/,
  )
  expect(first.output).not.toContain('6 copied')
  await uploadOne()
  const second = await moved()
  const last = await images('copy disk s3', { IMAGES: 's3' })
  expect(last.output).toMatch(/7 of 7 pictures, 1 copied\n1 picture copied: /)
  await shop.close()
  expect(await Promise.all(urls.map((url) => statusOf(second, url)))).toEqual(Array(7).fill(200))
  await second.close()

  const without = await images('copy disk imgbb')
  expect(without.output).toBe('IMGBB_API_KEY must be set too, for pictures at imgbb.')
  for (const words of atLength ? ['copy disk', 'copy disk disk', 'move disk s3'] : []) {
    const output = expect.stringContaining('copy FROM TO')
    expect(await images(words)).toMatchObject({ code: 1, output })
  }
  await database.drop()
})

test('a shop with its pictures at imgbb shows, moves and restores them, and says what a person has to delete there', async () => {
  const host = await imgbbServer()
  server = await s3Server()
  const database = await migratedDatabase()
  const how = { shared: database, dataDir: join(work, 'imgbb') }
  const shop = await openTestShop({ DEMO: 'off', APP_SECRET, ...host.settings }, how)
  const owner = await ownerOf(shop)
  const { url } = (await upload(shop, owner, picture)).body.data
  const response = await fetch(`${shop.origin}${url}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await owner.call('GET', '/api/money')).body.issues).toEqual([])

  const settings = { ...server.settings, ...host.settings, APP_SECRET, DATA_DIR: how.dataDir }
  const moved = await runProgram('images', ['copy', 'imgbb', 's3'], {
    ...settings,
    DATABASE_URL: database.url,
  })
  expect(moved.output).toContain('1 picture copied: ')
  expect(server.objects.size).toBe(7)

  const folder = join(work, 'backup-imgbb')
  await backUp(readSettings({ ...settings, DATABASE_URL: database.url }), folder, '1')
  const [lost = ''] = host.files.keys()
  host.files.delete(lost)
  const again = await testDatabase()
  const elsewhere = { DATA_DIR: join(work, 'imgbb-restored'), DATABASE_URL: again.url }
  await restore(readSettings({ ...settings, ...elsewhere }), folder)
  const restored = await openTestShop(
    { DEMO: 'off', APP_SECRET, ...host.settings },
    { shared: again, dataDir: elsewhere.DATA_DIR },
  )
  expect(await statusOf(restored, url)).toBe(200)
  await restored.close()
  await again.drop()

  await shop.pool.query('delete from pictures')
  await shop.deps.images.remove(url)
  const { issues } = (await owner.call('GET', '/api/money')).body
  expect(issues).toMatchObject([
    {
      about: `picture:${url}`,
      words: 'Files of a removed picture are still at imgbb.',
      repair: null,
      advice: expect.stringMatching(/^imgbb lets only people delete: open http/),
    },
  ])
  host.files.clear()
  expect((await owner.call('GET', '/api/money')).body.issues).toEqual([])
  await shop.close()
  await database.drop()
  await host.close()
})
