/** The stand-in for Google by itself, on a port of its own: for the shop it is as real as Google. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { googleSandbox } from '#sandbox/google/index.ts'
import { testDatabase } from './database.ts'

const basePath = '/sandbox/google'

export async function googleStandIn() {
  const database = await testDatabase()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = {
    pool: database.pool,
    issuer: `${origin}${basePath}`,
    basePath,
    clientId: 'ferrite-test',
    clientSecret: 'a secret of the test',
    /** May be set until the first request. */
    redirectUri: `${origin}/back`,
    cookieSecret: 'signs cookies',
  }
  const sandbox = googleSandbox(options)
  await sandbox.start()
  server.on(
    'request',
    sandbox.before((_, response) => response.writeHead(204).end()),
  )
  return {
    origin,
    options,
    pool: database.pool,
    /** What another process on the same database would run. */
    another: () => googleSandbox(options),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await database.drop()
    },
  }
}
