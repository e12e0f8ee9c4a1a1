/** The sandbox for Google by itself, on a port of its own: for the shop it is as real as Google. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { googleSandbox } from '#sandbox/google/index.ts'

const basePath = '/sandbox/google'

export async function openGoogleSandbox() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = {
    issuer: `${origin}${basePath}`,
    basePath,
    clientId: 'ferrite-test',
    clientSecret: 'a secret of the test',
    /** May be set until the first request. */
    redirectUri: `${origin}/back`,
    cookieSecret: 'signs cookies',
  }
  const start = () => googleSandbox(options)((_, response) => response.writeHead(204).end())
  let listener = start()
  server.on('request', (request, response) => listener(request, response))
  return {
    origin,
    options,
    /** Begins anew, without an account. */
    restart() {
      listener = start()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
