import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { iconFiles } from '#contracts/logo.ts'
import type { PictureEncoder } from '#server/adapters/images/port.ts'
import { disconnect } from '#server/database/client.ts'
import { demoOnSale, hasDemoReviews } from '#server/database/demo-content.ts'
import { migrate } from '#server/database/migrate.ts'
import { assertReplica } from '#server/database/replica.ts'
import { joinShop } from '#server/database/same-shop.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
import type { Tried } from '#server/features/health/try-providers.ts'
import type { ReadPartsFile } from '#server/features/imports/read-parts-file.ts'
import { noteOnSample } from '#server/features/settings/store.ts'
import {
  adminInstead,
  ensureFirstAdmin,
  type FirstAdmin,
} from '#server/features/users/first-admin.ts'
import { adminExists } from '#server/features/users/store.ts'
import { createApp } from '#server/http/app.ts'
import { type ClientAddress, clientAddress } from '#server/http/client-address.ts'
import { fairShare } from '#server/http/limits/fair-share.ts'
import { pages } from '#server/http/pages/pages.ts'
import { cachedBytes, cachedFirst, responseCache } from '#server/http/pages/response-cache.ts'
import type { WebBuild } from '#server/http/pages/web-build.ts'
import { type Listening, notReady } from '#server/http/server.ts'
import { createSite } from '#server/http/site.ts'
import { assertOpenable, isLiveKey, type Settings } from './env.ts'
import { StartError } from './errors.ts'
import { startJobs } from './jobs.ts'
import { ownSecretOf, readSecrets } from './secrets.ts'
import {
  createDeps,
  type Deps,
  type FirebaseServers,
  type Internet,
  secretAndImagesOf,
  stripeSandboxPath,
} from './wiring.ts'
import type { Worker } from './worker.ts'

/** How long a stop waits for the queries of aborted requests, which may wait for a lock. */
const queryGraceMs = 500
/**
 * How long opening waits for the first reconciliation; with a slow card provider, it ends after the
 * shop has opened.
 */
const reconcileTimeoutMs = 3_000

export type ShopOptions = {
  settings: Settings
  listening: Listening
  /** The process's own origin, for its sandboxes. */
  origin: string
  publicUrl: string
  databaseUrl: string
  /** Folder of the embedded database; null with DATABASE_URL. */
  databaseFolder: string | null
  web: WebBuild
  development: boolean
  /** Makes this process's secret the shop's from now on, even if the shop had another. */
  newSecret: boolean
  /** Null when this process is the only one on its port. */
  worker: Worker | null
  log: Logger
  /** Replaces Google's servers. */
  firebase?: FirebaseServers | undefined
  /** Replaces the internet from which pictures are fetched. */
  internet?: Internet | undefined
  /** Replace the separate low-priority processes. */
  encoder?: PictureEncoder | undefined
  readPartsFile?: ReadPartsFile | undefined
}

export type OpenShop = {
  deps: Deps
  /** The demo owner, if this start created it. */
  demoOwner: FirstAdmin | null
  /** Sentences about the settings for the owner. */
  notes: string[]
  /** Resolves to the results of the providers' first tests. */
  tried: Promise<Tried[]>
  /** Stops the jobs; requests continue. */
  stopJobs(): Promise<void>
  /** Ends jobs and connections; no request may be in flight. */
  close(): Promise<void>
}

/** @throws StartError when live keys meet demo content on sale, or a shop without an admin */
async function assertNoDemoWithLiveKeys(
  { STRIPE_SECRET_KEY, ADMIN_EMAIL }: Settings,
  { db }: Deps,
) {
  if (!STRIPE_SECRET_KEY || !isLiveKey(STRIPE_SECRET_KEY)) return
  const left = await demoOnSale(db.$client)
  if (left.length > 0) {
    throw new StartError(
      `With live keys of Stripe nothing of the demonstration may be here, and this shop has ${left.join(', ')} of it: ` +
        'npm run go-live shows all that it left, and takes it out with -- --confirm.',
    )
  }
  if (ADMIN_EMAIL || (await adminExists(db))) return
  throw new StartError(
    'This shop has no admin yet: with live keys of Stripe set ADMIN_EMAIL and ADMIN_PASSWORD for the first start.',
  )
}

/** Seeds the kinds of parts and, if wanted, the demo, and creates the first admin. */
async function seedAndCreateAdmin(settings: Settings, deps: Deps) {
  await seedKinds(deps.db)
  const { STRIPE_SECRET_KEY: key } = settings
  const demo = settings.DEMO
    ? settings.DEMO === 'on'
    : !settings.DATABASE_URL && !(key && isLiveKey(key))
  if (demo) await seedDemo(deps.db)
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = settings
  return ensureFirstAdmin(deps, email ? { email: email.toLowerCase(), password } : null)
}

/** Sentences about settings without effect, or with an unexpected one. */
async function notesOn(settings: Settings, { db }: Deps): Promise<string[]> {
  const { ADMIN_EMAIL, SMTP_URL, STRIPE_SECRET_KEY: key, DATA_DIR } = settings
  const notes = []
  const { FIREBASE_PROJECT_ID, ADMIN_PASSWORD, GOOGLE_CLIENT_ID } = settings
  if (FIREBASE_PROJECT_ID && ADMIN_PASSWORD) {
    notes.push(
      'ADMIN_PASSWORD is not used: Firebase keeps the passwords. Sign up with ADMIN_EMAIL and open the link that is mailed there.',
    )
  }
  if (FIREBASE_PROJECT_ID && GOOGLE_CLIENT_ID) {
    notes.push('The GOOGLE_ settings are not used: sign-in with Google goes through Firebase.')
  }
  const instead = await adminInstead(db, ADMIN_EMAIL)
  if (instead) {
    notes.push(
      `ADMIN_EMAIL is not used: this shop has an admin already (${instead}). npm run admin -- EMAIL makes another.`,
    )
  }
  if (key && isLiveKey(key) && !SMTP_URL) {
    notes.push(
      `Customers pay for real and get no mail: without SMTP_URL every receipt is only a file in ${join(DATA_DIR, 'outbox')}.`,
    )
  }
  const onSample = key && isLiveKey(key) ? await noteOnSample(db) : null
  if (onSample) notes.push(onSample)
  return notes
}

function siteFor(
  { publicUrl, web, development, settings, listening }: ShopOptions,
  deps: Deps,
  isDemo: boolean,
  readAddress: ClientAddress,
) {
  const https = publicUrl.startsWith('https:')
  const { browser } = deps.payments
  const { holdMinutes, holdMaxMinutes, expireDays } = deps
  const api = createApp(deps)
  const rendered = pages({
    shop: {
      publicUrl,
      currency: deps.currency,
      holdMinutes,
      holdMaxMinutes,
      expireDays,
      isDemo,
      payments: browser,
      identity: { google: deps.google, firebase: deps.firebase },
      mailbox: deps.mailbox?.path ?? null,
    },
    facts: deps.facts,
    sale: deps.sale,
    ownPages: deps.ownPages,
    metrics: deps.metrics,
    fetchApi: async (path) => api.request(path),
    policy: { https, stripe: !browser.sandbox, firebase: deps.firebase, development },
    loadBuild: web.load,
  })
  const cache = responseCache({
    catalogue: deps.catalogue,
    pages: rendered,
    // an own logo replaces these
    files: new Map([...web.files].filter(([path]) => !(path in iconFiles))),
    https,
    enabled: !development,
  })
  const site = createSite({
    deps,
    api,
    cache,
    https,
    files: web.files,
    clientAddress: readAddress,
    metricsToken: settings.METRICS_TOKEN,
    isClosing: listening.isClosing,
  })
  return { cache, site }
}

/** The listener of the open shop, which shares its work fairly between networks. */
function listenerFor(options: ShopOptions, deps: Deps, isDemo: boolean): RequestListener {
  const { settings, log } = options
  const readAddress = clientAddress({ trustProxy: settings.TRUST_PROXY, log })
  const { cache, site } = siteFor(options, deps, isDemo, readAddress)
  const answer = getRequestListener(site.fetch)
  const all = deps.googleSandbox?.(answer) ?? answer
  const addressOf = ({ headers, socket }: IncomingMessage) =>
    readAddress(headers['x-forwarded-for'] as string | undefined, socket.remoteAddress)
  const { metrics, db } = deps
  const connections = db.$client.options.max
  const listener = cachedFirst(cache, all)
  if (!settings.RATE_LIMIT) return metrics.counting(listener)
  const shares = { addressOf, metrics, connections, cachedBytes: cachedBytes.bind(null, cache) }
  return metrics.counting(fairShare(shares, listener))
}

/**
 * The listener while the shop opens: it serves only the Stripe sandbox, which the shop itself
 * calls.
 */
function whileOpening({ stripeSandbox }: Deps): RequestListener {
  const sandbox = getRequestListener(
    new Hono().route(stripeSandboxPath, stripeSandbox?.app ?? new Hono()).fetch,
  )
  return (request, response) => {
    const isAsked = stripeSandbox && request.url?.startsWith(`${stripeSandboxPath}/`)
    return isAsked ? sandbox(request, response) : notReady(request, response)
  }
}

/**
 * Migrates, seeds and opens the shop on a socket that already listens.
 * @throws StartError with a sentence for the terminal
 */
export async function openShop(options: ShopOptions): Promise<OpenShop> {
  const { settings, databaseUrl, databaseFolder, publicUrl, origin, listening, log } = options
  assertOpenable(settings, publicUrl)
  const { DATABASE_READ_URL: readUrl } = settings
  if (readUrl) await assertReplica(databaseUrl, readUrl, log)
  await migrate(databaseUrl)
  const readOwnSecrets = () => readSecrets(settings.APP_SECRET, join(settings.DATA_DIR, 'secrets'))
  const makeSecret = async () => {
    await readOwnSecrets()
    return (await ownSecretOf(settings)).fingerprint ?? ''
  }
  const pictureNote = await joinShop(databaseUrl, () => secretAndImagesOf(settings), {
    makeSecret,
    newSecret: options.newSecret,
  })
  const secrets = await readOwnSecrets()
  const deps = createDeps({
    settings,
    databaseUrl,
    databaseFolder,
    publicUrl,
    origin,
    secrets,
    worker: options.worker,
    log,
    firebase: options.firebase,
    internet: options.internet,
    encoder: options.encoder,
    readPartsFile: options.readPartsFile,
  })
  const endQueries = () => disconnect(deps.db, queryGraceMs)
  const closing = [endQueries, () => deps.reading.close(), () => deps.catalogue.close()]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    await assertNoDemoWithLiveKeys(settings, deps)
    const demoOwner = await seedAndCreateAdmin(settings, deps)
    const notes = await notesOn(settings, deps)
    if (pictureNote) notes.push(pictureNote)
    const { stripeSandbox } = deps
    if (stripeSandbox) {
      await stripeSandbox.start()
      closing.push(() => stripeSandbox.stop())
    }
    listening.serve(whileOpening(deps))
    const jobs = startJobs(deps, settings.JOB_SECONDS)
    closing.push(jobs.stop)
    await Promise.race([jobs.reconciled, pause(reconcileTimeoutMs, undefined, { ref: false })])
    const isDemo = await hasDemoReviews(deps.db.$client)
    listening.serve(options.web.wrap(listenerFor(options, deps, isDemo)))
    return { deps, demoOwner, notes, tried: jobs.tried, stopJobs: jobs.stop, close }
  } catch (error) {
    await close()
    throw error
  }
}
