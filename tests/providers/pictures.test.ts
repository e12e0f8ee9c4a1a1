/** Picture stores: the S3 adapter against other vendors' servers. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { s3Images } from '#server/adapters/images/s3.ts'
import { StartError } from '#server/errors.ts'
import { describeImageStore, pictureFiles } from '#tests/support/image-store.ts'
import { login } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { describeServer, installServer } from '#tests/support/servers/real-server.ts'
import { openTestShop } from '#tests/support/shop.ts'

type S3 = {
  spec: string
  keys: { accessKeyId: string; secretAccessKey: string }
  /** The arguments with which the server creates the bucket `pictures` in a folder. */
  words: (folder: string, port: number) => string[]
}

/**
 * Their deviations: s3rver checks neither the signature (version 4) nor the checksum of a body, and
 * encrypts its list tokens with a cipher that OpenSSL has retired. Our own
 * `tests/support/s3-server.ts` checks signature and checksum. CloudServer is on npm only as one
 * beta, whose packages come from GitHub by SSH.
 */
const servers: S3[] = [
  {
    spec: 's3rver@3.7.1',
    keys: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    words: (folder, port) => [
      ...['-d', folder, '-a', '127.0.0.1', '-p', `${port}`, '--no-vhost-buckets'],
      ...['--configure-bucket', 'pictures'],
    ],
  },
  {
    spec: '@zenko/cloudserver@8.0.0-beta',
    keys: { accessKeyId: 'accessKey1', secretAccessKey: 'verySecretKey1' },
    words: () => [],
  },
]

for (const { spec, keys, words } of servers) {
  await describeServer(
    spec,
    () => installServer(spec),
    (installed) => {
      let folder: string
      let child: ChildProcess
      const options = {
        endpoint: '',
        region: 'us-east-1',
        bucket: 'pictures',
        ...keys,
        timeoutMs: 10_000,
      }

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'ferrite-s3-'))
        const port = await freePort()
        options.endpoint = `http://127.0.0.1:${port}`
        const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
        const script = typeof bin === 'string' ? bin : Object.values<string>(bin)[0]
        const flags = ['--openssl-legacy-provider', join(installed, script ?? '')]
        child = spawn(process.execPath, [...flags, ...words(folder, port)])
        await vi.waitFor(() => fetch(options.endpoint), { timeout: 30_000, interval: 100 })
      })
      afterAll(async () => {
        child.kill()
        await once(child, 'exit')
        await rm(folder, { recursive: true })
      })

      describeImageStore('the adapter', async () => ({
        images: s3Images(options),
        close: async () => {},
      }))

      test('lists more than one page', async () => {
        const images = s3Images(options)
        const urls: string[] = []
        for (let i = 0; i < 34; i += 1) {
          const ten = Array.from({ length: 10 }, () => images.save(pictureFiles))
          urls.push(...(await Promise.all(ten)))
        }
        const listed = await images.list()
        expect(listed.map(({ url }) => url).toSorted()).toEqual(urls.toSorted())
        expect(listed.every(({ files }) => files.length === pictureFiles.length)).toBe(true)
        for (const url of urls) await images.remove(url)
      }, 600_000)

      test.each([
        ['an unknown key', { accessKeyId: 'wrong' }, /answers 403 InvalidAccessKeyId/],
        ['a bucket that is not there', { bucket: 'none' }, /answers 404 NoSuchBucket/],
      ])('refuses %s in words that a start can print', async (_, wrongOptions, sentence) => {
        const read = s3Images({ ...options, ...wrongOptions }).marker?.read()
        await expect(read).rejects.toThrow(StartError)
        await expect(read).rejects.toThrow(sentence)
      })

      test('keeps the pictures of a shop', async () => {
        await s3Images(options).marker?.write('')
        const picture = await photo()
        const shop = await openTestShop({
          ...{ DEMO: 'off', IMAGES: 's3', S3_ENDPOINT: options.endpoint, S3_BUCKET: 'pictures' },
          ...{ S3_ACCESS_KEY_ID: keys.accessKeyId, S3_SECRET_ACCESS_KEY: keys.secretAccessKey },
        })
        const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
        const { url } = (await upload(shop, owner, picture)).body.data
        const response = await fetch(`${shop.origin}${url.replace('webp', 'avif')}`)
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/avif'])
        expect((await owner.call('GET', '/api/money')).body.issues).toEqual([])
        await shop.close()
      })
    },
  )
}
