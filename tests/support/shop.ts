/**
 * A whole shop in this process: real HTTP, real PostgreSQL, the sandboxes; only the pages are left
 * out.
 */
import { rm } from 'node:fs/promises'
import type { FirebaseServers } from '#server/adapters/identity/firebase.ts'
import { pictureEncoder } from '#server/adapters/images/encoder.ts'
import type { Internet } from '#server/adapters/internet.ts'
import { readSettings } from '#server/env.ts'
import { partsFileReader } from '#server/features/imports/file-reader.ts'
import type { WebBuild } from '#server/http/pages/web-build.ts'
import { createListening, limitsFor } from '#server/http/server.ts'
import { createLogger } from '#server/log.ts'
import { openShop } from '#server/start.ts'
import { holdToDocument } from './api-document.ts'
import { shopFolder } from './data-folder.ts'
import { migratedDatabase, type TestDatabase } from './database.ts'
import { rememberToken } from './sandbox-token.ts'

/** One process of each for all shops of a worker, at normal priority. */
const encoder = pictureEncoder(0)
const readPartsFile = partsFileReader(0)

const noPages: WebBuild = {
  load: () => Promise.reject(new Error('this shop has no pages')),
  files: new Map(),
  wrap: (listener) => listener,
  close: () => Promise.resolve(),
}

/** Whether these settings make the shop reachable from other machines. */
const isForOthers = ({ PUBLIC_URL, HOST, TRUST_PROXY }: Record<string, string>) =>
  PUBLIC_URL !== undefined || HOST !== undefined || TRUST_PROXY === 'on'

export type TestShop = Awaited<ReturnType<typeof openTestShop>>

/**
 * Opens a shop on its own database. Settings are as in the environment; by default jobs run often.
 * @param shared a database that outlives this shop, and the data folder of another process on it
 * @param web the pages
 * @param firebase replaces Google's servers
 * @param internet the source of fetched pictures
 * @throws StartError with the message with which a shop refuses to open
 */
export async function openTestShop(
  settings: Record<string, string> = {},
  {
    shared,
    dataDir: folder,
    web = noPages,
    newSecret = false,
    firebase,
    internet,
  }: {
    shared?: TestDatabase
    dataDir?: string
    web?: WebBuild
    newSecret?: boolean
    firebase?: FirebaseServers
    internet?: Internet
  } = {},
) {
  const database = shared ?? (await migratedDatabase())
  const dataDir = folder ?? (await shopFolder())
  const read = readSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    JOB_SECONDS: '1',
    // a shop reachable from other machines declares its sandboxes, and has no sandbox controls
    ...(isForOthers(settings) ? { ALLOW_SANDBOX: 'on' } : { SANDBOX_CONTROLS: 'on' }),
    ADMIN_EMAIL: 'owner@ferrite.example',
    ADMIN_PASSWORD: 'owner-password',
    ...settings,
  })
  const listening = createListening(limitsFor(read))
  await listening.listen(read.HOST, read.PORT)
  const origin = `http://127.0.0.1:${listening.port}`
  async function cleanUp() {
    if (!shared) await database.drop()
    if (!folder) await rm(dataDir, { recursive: true, force: true })
  }
  const opening = openShop({
    settings: read,
    listening,
    origin,
    publicUrl: read.PUBLIC_URL ?? origin,
    databaseUrl: database.url,
    databaseFolder: null,
    web,
    development: false,
    newSecret,
    worker: null,
    log: createLogger(read),
    firebase,
    internet,
    encoder,
    readPartsFile,
  })
  const shop = await opening.catch(async (error) => {
    await listening.close()
    await cleanUp()
    throw error
  })
  holdToDocument(origin, shop.deps)
  rememberToken(origin, shop.deps.sandboxToken)
  return {
    origin,
    dataDir,
    notes: shop.notes,
    deps: shop.deps,
    databaseUrl: database.url,
    pool: database.pool,
    stopJobs: shop.stopJobs,
    async close() {
      await listening.close()
      await shop.close()
      await cleanUp()
    },
  }
}
