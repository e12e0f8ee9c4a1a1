import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { withDatabase } from '#server/commands/with-database.ts'
import { assertRestored } from '#server/data-folder.ts'
import { assertMigrated } from '#server/database/migrate.ts'
import { assertSameShop } from '#server/database/same-shop.ts'
import { localOrigin, type Settings } from '#server/env.ts'
import { createLogger } from '#server/log.ts'
import { knownSecret, readSecrets } from '#server/secrets.ts'
import { createDeps, type Deps, secretAndImagesOf, stripeSandboxPath } from '#server/wiring.ts'

/**
 * Runs `work` with the shop's adapters, without the shop. The card sandbox has its state in the
 * shop's database, so it behaves as in the shop.
 * @throws StartError when the data folder has no secret
 */
export async function withAdapters<T>(
  settings: Settings,
  databaseUrl: string,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const folder = join(settings.DATA_DIR, 'secrets')
  const secrets = await readSecrets(await knownSecret(settings.APP_SECRET, folder), folder)
  const log = createLogger({ ...settings, LOG_LEVEL: 'silent' })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const publicUrl = settings.PUBLIC_URL ?? localOrigin(settings.HOST, settings.PORT)
  const deps = createDeps({
    settings,
    databaseUrl,
    databaseFolder: null,
    publicUrl,
    origin,
    secrets,
    worker: null,
    log,
  })
  const site = new Hono()
  if (deps.stripeSandbox) site.route(stripeSandboxPath, deps.stripeSandbox.app)
  server.on('request', getRequestListener(site.fetch))
  try {
    return await work(deps)
  } finally {
    server.close()
    server.closeAllConnections()
    await deps.catalogue.close()
    await deps.db.$client.end()
  }
}

/**
 * Runs a command on a shop, whether the shop runs or not, with its embedded database or
 * DATABASE_URL.
 * @param visitor the command's name, for the message to a shop that starts meanwhile
 * @throws StartError when there is no shop, it is another version's, or secret and pictures belong
 * to another shop
 */
export function visitShop<T>(
  settings: Settings,
  visitor: string,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  assertRestored(settings.DATA_DIR)
  return withDatabase(settings, visitor, async (url) => {
    await assertMigrated(url)
    await assertSameShop(url, await secretAndImagesOf(settings))
    return withAdapters(settings, url, work)
  })
}
