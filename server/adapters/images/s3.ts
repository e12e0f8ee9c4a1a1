/**
 * Pictures as objects in one bucket of any S3-compatible store. The bucket stays private: the shop
 * serves them.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { AwsV4Signer } from 'aws4fetch'
import { pictureAddress, pictureIdOf } from '#contracts/catalogue.ts'
import { StartError } from '#server/errors.ts'
import type { EncodedFile, Images } from './port.ts'
import { type Answer, asking, picturesOf, refusal, remoteReader, StoreFailure } from './remote.ts'

export type S3Options = {
  /** The origin of the store. The bucket is the first path segment, which every store supports. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Per response; each request is tried up to three times. */
  timeoutMs: number
}

type Sending = { query?: Record<string, string>; body?: Uint8Array; type?: string; tries?: number }

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
/** The text of an element that contains only text. */
const textOf = (xml: string, element: string) =>
  new RegExp(`<${element}>([^<]*)</${element}>`)
    .exec(xml)?.[1]
    ?.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => entities[name] ?? '')

/** Signs and sends requests. */
function s3Calls(options: S3Options, where: string) {
  const { endpoint, bucket, timeoutMs, ...keys } = options
  const ask = asking(where, timeoutMs)
  let signer: Promise<typeof AwsV4Signer> | undefined
  return async (method: string, key: string, { query, body, type, tries }: Sending = {}) => {
    signer ??= import('aws4fetch').then((library) => library.AwsV4Signer)
    const Signer = await signer
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const headers = {
      // the store compares it with the received body
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
      ...(type && { 'content-type': type }),
      // for a cache in front of the bucket
      ...(type?.startsWith('image/') && { 'cache-control': 'public, max-age=31536000, immutable' }),
    }
    return ask(async () => {
      const signed = await new Signer({
        method,
        url: url.href,
        headers,
        service: 's3',
        ...keys,
      }).sign()
      return new Request(signed.url, {
        method,
        headers: signed.headers,
        ...(body && { body: new Uint8Array(body) }),
      })
    }, tries)
  }
}

/** The failure in a response. */
function failureOf({ status, body }: Answer, where: string): StoreFailure {
  const xml = body.subarray(0, 4000).toString()
  const details = ['Code', 'Message'].map((element) => textOf(xml, element)?.slice(0, 200))
  const isFull = status === 507 || /Quota|Full|InsufficientStorage/i.test(details[0] ?? '')
  const words = details.filter(Boolean).join(': ')
  const isKeyRefused = !isFull && (status === 401 || status === 403)
  const answer = `${where} answers ${status} ${words}`.trim()
  return new StoreFailure(answer, status, { isFull, isKeyRefused })
}

type Listed = { name: string; changedAt: Date }

/** @throws StoreFailure unless the response is a list */
function readList(answer: Answer, where: string): { listed: Listed[]; next: string | undefined } {
  const xml = answer.body.toString()
  if (answer.status !== 200) throw failureOf(answer, where)
  if (!xml.includes('<ListBucketResult')) {
    throw new StoreFailure(`${where} answers with what is not a list`, null)
  }
  const listed = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, one = '']) => ({
    name: textOf(one, 'Key') ?? '',
    changedAt: new Date(textOf(one, 'LastModified') ?? 0),
  }))
  const isCut = textOf(xml, 'IsTruncated') === 'true'
  const next = isCut ? textOf(xml, 'NextContinuationToken') : undefined
  if (isCut && !next) throw new StoreFailure(`${where} cuts a list without saying where`, null)
  return { listed, next }
}

/** The objects of a bucket, by their keys. @param where names the bucket in failures */
function bucketOf(options: S3Options, where: string) {
  const call = s3Calls(options, where)
  const get = async (key: string, tries?: number) => {
    const answer = await call('GET', key, tries ? { tries } : {})
    if (answer.status === 200) return answer.body
    const { length } = answer.body
    // any other 404 means that the store or the bucket is wrong
    if (
      answer.status === 404 &&
      (length === 0 || textOf(answer.body.toString(), 'Code') === 'NoSuchKey')
    )
      return null
    throw failureOf(answer, where)
  }
  const put = async (key: string, body: Uint8Array, type: string) => {
    const answer = await call('PUT', key, { body, type })
    if (answer.status !== 200) throw failureOf(answer, where)
  }
  const putPicture = async (id: string, { width, format, bytes }: EncodedFile) => {
    const key = `${id}-${width}.${format}`
    await put(key, bytes, `image/${format}`)
    const { status, headers } = await call('HEAD', key)
    if (status === 200 && Number(headers.get('content-length')) === bytes.length) return
    throw new StoreFailure(`${where} says that it keeps ${key} and does not`, null)
  }
  const listKeys = async (prefix: string) => {
    const all: Listed[] = []
    let token: string | undefined
    do {
      const query = { 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) }
      const { listed, next } = readList(await call('GET', '', { query }), where)
      if (next === token && token) throw new StoreFailure(`${where} repeats a list`, null)
      all.push(...listed)
      token = next
    } while (token)
    return all
  }
  const removeAll = async (id: string) => {
    for (const { name } of await listKeys(`${id}-`)) {
      const answer = await call('DELETE', name)
      if (![200, 204, 404].includes(answer.status)) throw failureOf(answer, where)
    }
  }
  return { get, put, putPicture, listKeys, removeAll }
}

/** Pictures in a bucket of an S3-compatible store. */
export function s3Images(options: S3Options): Images {
  const where = `${options.endpoint}/${options.bucket}`
  const { get, put, putPicture, listKeys, removeAll } = bucketOf(options, where)
  /** Settings that the store refuses stop the start; a failure of the store does not. */
  const marking = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof StoreFailure && error.isLasting)
        throw new StartError(`${error.message}. Correct the S3_ settings.`)
      throw refusal(error, '')
    }
  }
  return {
    name: 'S3',
    where,
    marker: {
      read: () => marking(get('shop-id').then((bytes) => bytes?.toString().trim() ?? null)),
      write: (id) => marking(put('shop-id', Buffer.from(`${id}\n`), 'text/plain')),
    },
    async save(files, id = randomBytes(12).toString('hex')) {
      const results = await Promise.allSettled(files.map((file) => putPicture(id, file)))
      const failed = results.find(({ status }) => status === 'rejected')
      if (failed?.status !== 'rejected') return pictureAddress(id)
      // a picture that cannot be removed either stays as an orphan, which the doctor finds
      await removeAll(id).catch(() => {})
      throw refusal(failed.reason, 'Nothing was saved.')
    },
    read: remoteReader(where, (name) => get(name, 2)),
    list: () =>
      listKeys('').then(picturesOf, (error) => {
        throw refusal(error, '')
      }),
    async verify() {
      await get('shop-id').catch((error) => {
        throw refusal(error, '')
      })
    },
    async remove(url) {
      const id = pictureIdOf(url)
      if (id)
        await removeAll(id).catch((error) => {
          throw refusal(error, 'Nothing was removed.')
        })
    },
  }
}
