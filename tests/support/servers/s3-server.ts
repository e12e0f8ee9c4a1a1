/**
 * An in-memory store with as much of S3 as the shop uses, which can be told to fail. For real ones
 * see tests/providers.
 */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export const s3Keys = {
  accessKeyId: 'AKIA-of-the-test',
  secretAccessKey: 'the-secret-key-of-the-test',
}
const region = 'eu-test-1'
const pageSize = 4

type StoredObject = { bytes: Buffer; type: string; cache: string; changedAt: Date }
/** Handles a request itself; false leaves it to the store. */
type Trouble = (request: IncomingMessage, response: ServerResponse) => boolean

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const error = (response: ServerResponse, status: number, code: string) =>
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is ${code}</Message></Error>`)

export async function s3Server(bucket = 'pictures') {
  const objects = new Map<string, StoredObject>()
  const state: { trouble: Trouble } = { trouble: () => false }

  /** Signature version 4, as Amazon describes it. */
  function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
    const [, scope = '', names = '', signature] =
      /^AWS4-HMAC-SHA256 Credential=(.+), SignedHeaders=(.+), Signature=(\w+)$/.exec(
        headers.authorization ?? '',
      ) ?? []
    const [accessKeyId, day = '', ...place] = scope.split('/')
    const date = String(headers['x-amz-date'])
    const isOurs =
      accessKeyId === s3Keys.accessKeyId && place.join() === `${region},s3,aws4_request`
    if (!isOurs || !date.startsWith(day)) return false
    const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort()
    const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
    const body = String(headers['x-amz-content-sha256'])
    const request = [method, url.pathname, query.join('&'), signed.join(''), names, body].join('\n')
    const text = ['AWS4-HMAC-SHA256', date, [day, ...place].join('/'), sha256(request)].join('\n')
    const key = [day, ...place].reduce<string | Buffer>(hmac, `AWS4${s3Keys.secretAccessKey}`)
    return hmac(key, text).toString('hex') === signature
  }

  function list(url: URL): string {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const rest = [...objects].filter(([key]) => key.startsWith(prefix) && key > after).sort()
    const page = rest.slice(0, pageSize)
    const contents = page.map(
      ([key, { bytes, changedAt }]) =>
        `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`,
    )
    const next =
      rest.length > page.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>'
    return `<ListBucketResult>${next}${contents.join('')}</ListBucketResult>`
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    const body = await buffer(request)
    if (state.trouble(request, response)) return
    if (!isSigned(request, url)) return error(response, 403, 'SignatureDoesNotMatch')
    if (request.headers['x-amz-content-sha256'] !== sha256(body))
      return error(response, 400, 'XAmzContentSHA256Mismatch')
    const [, named, key = ''] = url.pathname.split('/')
    if (named !== bucket) return error(response, 404, 'NoSuchBucket')
    if (key === '') return response.end(list(url))
    const object = objects.get(key)
    if (request.method === 'PUT') {
      const { 'content-type': type = '', 'cache-control': cache = '' } = request.headers
      objects.set(key, { bytes: body, type, cache, changedAt: new Date() })
      return response.end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (!object) return error(response, 404, 'NoSuchKey')
    response.writeHead(200, { 'content-type': object.type, 'content-length': object.bytes.length })
    return response.end(request.method === 'HEAD' ? undefined : object.bytes)
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    objects,
    endpoint,
    region,
    bucket,
    /** The settings of a shop that stores its pictures here. */
    settings: {
      IMAGES: 's3',
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    },
    /** Until the next call without an argument: handles each request itself. */
    trouble(how: Trouble = () => false) {
      state.trouble = how
    },
    fail: (status: number, code: string) => {
      state.trouble = (_, response) => {
        error(response, status, code)
        return true
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type S3Server = Awaited<ReturnType<typeof s3Server>>
