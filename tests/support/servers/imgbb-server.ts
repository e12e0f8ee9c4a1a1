/**
 * An in-memory image host with imgbb's documented call, which can be told to fail: there is no real
 * one to test against.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const key = 'the-imgbb-key-of-the-test'

const send = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** An error in imgbb's format: its own code, and always status 400. */
const refuse = (response: ServerResponse, message: string, code = 100) =>
  send(response, 400, { status_code: 400, error: { message, code }, status_txt: 'Bad Request' })

export async function imgbbServer() {
  /** By the path of their URLs. */
  const files = new Map<string, { bytes: Buffer; type: string }>()
  let count = 0
  const state: { trouble: ((response: ServerResponse, name: string) => boolean) | null } = {
    trouble: null,
  }

  const server = createServer(async (request, response) => {
    const { method, headers } = request
    const url = new URL(request.url ?? '', `http://${headers.host}`)
    const body = await buffer(request)
    if (method !== 'POST') {
      const file = files.get(url.pathname)
      if (!file) return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length })
      return response.end(method === 'HEAD' ? undefined : file.bytes)
    }
    const type = headers['content-type'] ?? ''
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData()
    const [image, name] = [form.get('image'), String(form.get('name'))]
    if (url.pathname !== '/1/upload') return response.writeHead(404).end()
    if (url.searchParams.get('key') !== key) return refuse(response, 'Invalid API v1 key.')
    if (!(image instanceof File)) return refuse(response, 'Empty upload source.', 130)
    if (state.trouble?.(response, image.name)) return
    count += 1
    const extension = image.type.replace('image/', '')
    const path = `/w${count}/${name}.${extension}`
    files.set(path, { bytes: Buffer.from(await image.arrayBuffer()), type: image.type })
    const imageFields = {
      filename: `${name}.${extension}`,
      name,
      mime: image.type,
      extension,
      url: `${url.origin}${path}`,
    }
    send(response, 200, {
      data: {
        ...{ id: `i${count}`, title: name, url_viewer: `${url.origin}/i${count}` },
        ...{ url: imageFields.url, display_url: imageFields.url, width: '1', height: '1' },
        ...{ size: String(image.size), time: '1552042565', expiration: '0' },
        ...{ image: imageFields, thumb: imageFields, medium: imageFields },
        delete_url: `${url.origin}/i${count}/670a7e48ddcb85ac340c717a41047e5c`,
      },
      success: true,
      status: 200,
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1/upload`
  return {
    files,
    api,
    key,
    /** The settings of a shop that stores its pictures here. */
    settings: { IMAGES: 'imgbb', IMGBB_API_KEY: key, IMGBB_URL: api },
    refuse,
    /** Until the next call without an argument: handles an upload itself when it returns true. */
    trouble(how: typeof state.trouble = null) {
      state.trouble = how
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
