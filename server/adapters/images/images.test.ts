import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { StartError } from '#server/errors.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { describeImageStore, pictureFiles } from '#tests/support/image-store.ts'
import { photo } from '#tests/support/pictures.ts'
import { imgbbServer } from '#tests/support/servers/imgbb-server.ts'
import { type S3Server, s3Keys, s3Server } from '#tests/support/servers/s3-server.ts'
import { childrenOf } from '#tests/support/shop-process.ts'
import { diskImages } from './disk.ts'
import { pictureEncoder } from './encoder.ts'
import { imgbbImages } from './imgbb.ts'
import type { ListDatabase } from './port.ts'
import { s3Images } from './s3.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'ferrite-images-'))
const timeoutMs = 5_000

describeImageStore('on disk', async () => {
  const folder = await newFolder()
  return {
    images: diskImages(join(folder, 'images')),
    close: () => rm(folder, { recursive: true, force: true }),
  }
})

describeImageStore('S3', async () => {
  const server = await s3Server()
  return { images: s3Images({ ...server, ...s3Keys, timeoutMs }), close: server.close }
})

describeImageStore('imgbb', async () => {
  const [server, database] = await Promise.all([imgbbServer(), migratedDatabase()])
  return {
    images: imgbbImages({ ...server, timeoutMs }, database.pool),
    close: () => Promise.all([server.close(), database.drop()]),
  }
})

test('a picture is encoded in a separate process of low priority, which has no secrets and ends by itself', async () => {
  process.env.FERRITE_TEST_SECRET = 'not for strangers'
  const { encodePicture: encode } = pictureEncoder()
  const others = await childrenOf(process.pid)
  const [large, small] = await Promise.all([photo(3000, 3000), photo(60, 40)])
  const encoding = encode(large).catch((error: Error) => error)
  const later = encode(small)
  const encoder = async () =>
    (await childrenOf(process.pid)).find((pid) => !others.includes(pid)) ?? 0
  await expect.poll(encoder).toBeGreaterThan(0)
  const pid = await encoder()
  expect(getPriority(pid)).toBe(Math.min(getPriority() + 10, 19))
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => 'no Linux')
  expect(environment).not.toContain('not for strangers')
  process.kill(pid, 'SIGKILL')
  expect(await encoding).toMatchObject({ message: expect.stringContaining('SIGKILL') })
  expect(await later).toMatchObject({ width: 60, height: 40 })
})

test('a picture that the disk cannot keep whole leaves nothing', async () => {
  const folder = await newFolder()
  const broken = { width: 1600, format: 'webp', bytes: {} as Uint8Array } as const
  await expect(diskImages(folder).save([...pictureFiles, broken])).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

describe('an S3 store that', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await s3Server()
  })
  afterEach(() => {
    server.trouble()
    server.objects.clear()
  })
  afterAll(() => server.close())
  const images = (options = {}) => s3Images({ ...server, ...s3Keys, timeoutMs, ...options })
  const nameOf = (url: string) => url.split('/').at(-1) as string
  const busy = { code: 'UNAVAILABLE' }

  test('fails now and then is tried again, and its pictures may be cached forever', async () => {
    let requestCount = 0
    server.trouble((_, response) => {
      requestCount += 1
      if (requestCount % 3 === 0) return false
      if (requestCount % 3 === 1) response.destroy()
      else response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
      return true
    })
    const url = await images().save(pictureFiles.slice(0, 1))
    server.trouble()
    expect(await images().list()).toMatchObject([{ url, files: ['480.webp'] }])
    const [storedObject] = server.objects.values()
    expect(storedObject).toMatchObject({
      type: 'image/webp',
      cache: 'public, max-age=31536000, immutable',
    })
  })

  test('fails stores nothing, and gives the reason without the key', async () => {
    const url = await images().save(pictureFiles)
    server.objects.clear()
    for (const [how, code] of [
      [() => server.fail(500, 'InternalError'), 'UNAVAILABLE'],
      [() => server.fail(403, 'AccessDenied'), 'UNAVAILABLE'],
      [() => server.fail(404, 'NoSuchBucket'), 'UNAVAILABLE'],
      [() => server.fail(507, 'InsufficientStorage'), 'STORAGE_LOW'],
      [() => server.fail(403, 'QuotaExceeded'), 'STORAGE_LOW'],
    ] as const) {
      how()
      const error = await images()
        .save(pictureFiles)
        .catch((refused) => refused)
      expect(error).toMatchObject({
        code,
        cause: { message: expect.stringContaining(server.bucket) },
      })
      expect(`${error.message}${error.cause.message}`).not.toContain(s3Keys.secretAccessKey)
      // the error must not claim that the picture is gone, because browsers and search engines
      // would believe it
      await expect(images().read(nameOf(url))).rejects.toMatchObject({ code })
      await expect(images().list()).rejects.toMatchObject({ code })
    }
    server.trouble()
    expect(server.objects.size).toBe(0)
  })

  test('has room for only some files keeps none of them', async () => {
    server.trouble(({ method, url }, response) => {
      const isRefused = method === 'PUT' && url?.endsWith('.avif') === true
      if (isRefused) response.writeHead(507).end()
      return isRefused
    })
    await expect(images().save(pictureFiles)).rejects.toMatchObject({ code: 'STORAGE_LOW' })
    expect(server.objects.size).toBe(0)
  })

  test('hangs is given up in time, and further visitors do not wait behind it', async () => {
    const url = await images().save(pictureFiles)
    server.trouble(() => true)
    const slow = images({ timeoutMs: 300 })
    const names = Array.from({ length: 65 }, (_, i) => nameOf(url).replace(/^../, `${i + 10}`))
    const waiting = names.slice(0, 64).map((name) => slow.read(name).catch((error) => error))
    let answered = false
    void waiting[0]?.then(() => {
      answered = true
    })
    await expect(slow.read(names[64] ?? '')).rejects.toMatchObject(busy)
    expect(answered).toBe(false)
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject(busy)
    server.trouble()
    expect(await slow.read(nameOf(url))).not.toBeNull()
  })

  test('reports a picture as stored that it has not is not believed', async () => {
    server.trouble(({ method }, response) => {
      if (method === 'PUT') response.end()
      return method === 'PUT'
    })
    await expect(images().save(pictureFiles)).rejects.toMatchObject({
      ...busy,
      cause: { message: expect.stringContaining('and does not') },
    })
  })

  test('responds to everything with its own page is not believed', async () => {
    server.trouble((_, response) => {
      response.end('<!doctype html><title>Sign in to this network</title>')
      return true
    })
    const name = `${'ab'.repeat(12)}-960.webp`
    await expect(images().read(name)).rejects.toMatchObject(busy)
    await expect(images().list()).rejects.toMatchObject(busy)
    await expect(images().save(pictureFiles)).rejects.toMatchObject(busy)
  })

  test('sends an endless list is not read forever', async () => {
    server.trouble((_, response) => {
      const next = '<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>'
      response.end(`<ListBucketResult>${next}</ListBucketResult>`)
      return true
    })
    await expect(images().list()).rejects.toMatchObject(busy)
  })

  test('refuses the settings stops a start with its own words; one in trouble does not', async () => {
    for (const wrongSettings of [
      { secretAccessKey: 'wrong' },
      { region: 'other' },
      { bucket: 'no-such' },
    ]) {
      const read = images(wrongSettings).marker?.read()
      await expect(read).rejects.toThrow(StartError)
      await expect(read).rejects.toThrow(/answers 40[34] \w+: .*\. Correct the S3_ settings\.$/)
    }
    server.fail(503, 'SlowDown')
    await expect(images().marker?.read()).rejects.toMatchObject(busy)
  })
})

describe('imgbb', () => {
  let server: Awaited<ReturnType<typeof imgbbServer>>
  let database: TestDatabase
  beforeAll(async () => {
    ;[server, database] = await Promise.all([imgbbServer(), migratedDatabase()])
  })
  afterEach(() => server.trouble())
  afterAll(() => Promise.all([server.close(), database.drop()]))
  const images = (options = {}, db: ListDatabase = database.pool) =>
    imgbbImages({ ...server, timeoutMs, ...options }, db)
  const nameOf = (url: string) => url.split('/').at(-1) as string

  test('keeps what is removed until a person deletes it there, and says where', async () => {
    const url = await images().save(pictureFiles)
    await images().remove(url)
    const [left, ...more] = (await images().leftovers?.()) ?? []
    expect([left?.url, more]).toEqual([url, []])
    expect(left?.deleteUrls).toHaveLength(pictureFiles.length)
    for (const address of left?.deleteUrls ?? []) expect(address).toMatch(/\/i\d+\/[0-9a-f]{32}$/)
    expect(server.files.size).toBe(pictureFiles.length)
    server.files.clear()
    expect(await images().leftovers?.()).toEqual([])
    expect((await database.pool.query('select from hosted_pictures')).rowCount).toBe(0)
  })

  test('refuses without a word of the key, and what was uploaded before is left to be deleted', async () => {
    server.trouble((response, name) => {
      if (!name.endsWith('.avif')) return false
      server.refuse(response, `Rate limit reached for ${server.key}.`)
      return true
    })
    const error = await images()
      .save(pictureFiles)
      .catch((refused) => refused)
    expect(error).toMatchObject({ code: 'UNAVAILABLE' })
    expect(error.cause.message).toMatch(/answers 400 Rate limit reached for …\.$/)
    const left = await images().leftovers?.()
    expect(left?.flatMap(({ deleteUrls }) => deleteUrls)).toHaveLength(2)
    expect(await images().list()).toEqual([])
    const keyError = await images({ key: 'no-such-key' })
      .save(pictureFiles)
      .catch((refused) => refused)
    expect(keyError.cause.message).toMatch(/answers 400 Invalid API v1 key\.$/)
    server.files.clear()
    await images().leftovers?.()
  })

  test('names addresses of other hosts, none of which is requested', async () => {
    server.trouble((response) => {
      const data = { url: 'http://169.254.169.254/latest', delete_url: 'http://169.254.169.254/' }
      response.end(JSON.stringify({ success: true, status: 200, data }))
      return true
    })
    await expect(images().save(pictureFiles)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { message: expect.stringContaining('not its own') },
    })
  })

  test('has the pictures when the database has not: the error says where to delete them', async () => {
    const failing = { query: () => Promise.reject(new Error('the database is gone')) }
    await expect(images({}, failing).save(pictureFiles)).rejects.toThrow(
      /keeps files that nothing names, delete them there: (http:\S+\/i\d+\/[0-9a-f]{32} ?){3}$/,
    )
    server.files.clear()
  })

  test('serves no HTML page as a picture, and nothing for a deleted one', async () => {
    const url = await images().save(pictureFiles)
    for (const file of server.files.values()) file.bytes = Buffer.from('<!doctype html>')
    await expect(images().read(nameOf(url))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    server.files.clear()
    expect(await images().read(nameOf(url))).toBeNull()
  })
})
