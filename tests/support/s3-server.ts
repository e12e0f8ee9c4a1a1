/** A store that speaks as much of S3 as the shop uses, in memory, and can be told to fail. Real ones: tests/providers. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'

export const s3Keys = {
  accessKeyId: 'AKIA-of-the-test',
  secretAccessKey: 'the-secret-key-of-the-test',
}
const region = 'eu-test-1'
const pageSize = 4

type Kept = { bytes: Buffer; type: string; cache: string; changedAt: Date }
/** Answers a request in its own way; false leaves it to the store. */
type Trouble = (request: IncomingMessage, response: ServerResponse) => boolean

const error = (response: ServerResponse, status: number, code: string) =>
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is ${code}</Message></Error>`)

export async function s3Server(bucket = 'pictures') {
  const objects = new Map<string, Kept>()
  const state: { trouble: Trouble } = { trouble: () => false }

  async function isSigned({ method = '', headers }: IncomingMessage, url: URL) {
    const kept = Object.entries(headers).filter(([name]) =>
      /^(x-amz-content-sha256|cache-control)$/.test(name),
    )
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, headers: kept as [string, string][], service: 's3', region },
      ...{ ...s3Keys, datetime: String(headers['x-amz-date']) },
    })
    return headers.authorization === (await signer.sign()).headers.get('authorization')
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
    if (!(await isSigned(request, url))) return error(response, 403, 'SignatureDoesNotMatch')
    const sha256 = createHash('sha256').update(body).digest('hex')
    if (request.headers['x-amz-content-sha256'] !== sha256)
      return error(response, 400, 'XAmzContentSHA256Mismatch')
    const [, named, key = ''] = url.pathname.split('/')
    if (named !== bucket) return error(response, 404, 'NoSuchBucket')
    if (key === '') return response.end(list(url))
    const kept = objects.get(key)
    if (request.method === 'PUT') {
      const { 'content-type': type = '', 'cache-control': cache = '' } = request.headers
      objects.set(key, { bytes: body, type, cache, changedAt: new Date() })
      return response.end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (!kept) return error(response, 404, 'NoSuchKey')
    response.writeHead(200, { 'content-type': kept.type, 'content-length': kept.bytes.length })
    return response.end(request.method === 'HEAD' ? undefined : kept.bytes)
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
    /** The settings of a shop that keeps its pictures here. */
    settings: {
      IMAGES: 's3',
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    },
    /** Until it is called without: answers each request in its own way. */
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
