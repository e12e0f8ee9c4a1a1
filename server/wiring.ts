/** Composition root: the only place that chooses adapters. */

import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { FirebaseFacts, ShopFacts } from '#contracts/shop.ts'
import { passwordLimits } from '#contracts/users.ts'
import { googleSandbox } from '#sandbox/google/index.ts'
import { mailSandbox } from '#sandbox/mail/index.ts'
import { stripeSandbox } from '#sandbox/stripe/index.ts'
import { embeddedIdentity } from '#server/adapters/identity/embedded.ts'
import { type FirebaseServers, firebaseIdentity } from '#server/adapters/identity/firebase.ts'
import { embeddedIssuer } from '#server/adapters/identity/id-token.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import { diskImages } from '#server/adapters/images/disk.ts'
import { withDrawings } from '#server/adapters/images/drawings.ts'
import { pictureEncoder } from '#server/adapters/images/encoder.ts'
import { pictureFetcher } from '#server/adapters/images/fetch-picture.ts'
import { imgbbImages } from '#server/adapters/images/imgbb.ts'
import type { Images, ListDatabase, PictureEncoder } from '#server/adapters/images/port.ts'
import { s3Images } from '#server/adapters/images/s3.ts'
import type { Internet } from '#server/adapters/internet.ts'
import { outboxMailer, purgeOutbox } from '#server/adapters/mail/outbox.ts'
import { smtpMailer } from '#server/adapters/mail/smtp.ts'
import { stripePayments } from '#server/adapters/payments/stripe.ts'
import { webhooksBy } from '#server/adapters/webhooks/post.ts'
import { catalogueCache } from '#server/database/catalogue-cache.ts'
import { connect, connectionsFor, type Database } from '#server/database/client.ts'
import { findMail, recentMail } from '#server/database/mail-queue.ts'
import { primaryAlone, replicaSource } from '#server/database/replica.ts'
import type { SecretAndImages } from '#server/database/same-shop.ts'
import * as identityTables from '#server/database/schema/identity.ts'
import { partsFileReader } from '#server/features/imports/file-reader.ts'
import type { ReadPartsFile } from '#server/features/imports/read-parts-file.ts'
import { paperAttacher } from '#server/features/invoices/attach.ts'
import { type MakePdf, pdfMaker } from '#server/features/invoices/pdf.ts'
import { findInvoice } from '#server/features/invoices/store.ts'
import { missedSearches } from '#server/features/search/search-words.ts'
import { shopFacts, shopPages } from '#server/features/settings/store.ts'
import { saleFacts } from '#server/features/shipping/sale-facts.ts'
import { ticketKeys } from '#server/features/tickets/ticket-key.ts'
import {
  accountProblem,
  displayNameFrom,
  identityEvents,
} from '#server/features/users/identity-events.ts'
import { accessTokens } from '#server/http/auth.ts'
import type { OpenBodies } from '#server/http/limits/body-limit.ts'
import { diskGuard } from '#server/http/limits/disk-guard.ts'
import { deletionTurns } from '#server/http/limits/load-shedding.ts'
import { noRateLimits, type RateLimiter, rateLimiter } from '#server/http/limits/rate-limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { mailerOf, withShop } from '#server/mail/shop-slots.ts'
import { isLocalOnly, isLoopback, type Settings } from './env.ts'
import { callLog } from './log.ts'
import { ownSecretOf, type Secrets } from './secrets.ts'
import type { Worker } from './worker.ts'

export type { FirebaseServers, Internet }
export const clientAddressHeader = 'x-ferrite-client-address'
export const stripeSandboxPath = '/sandbox/stripe'
export const mailboxPath = '/sandbox/mail'
const googleSandboxPath = '/sandbox/google'

type Base = {
  settings: Settings
  publicUrl: string
  secrets: Secrets
  sandboxToken: string
  db: Database
  log: Logger
}

/**
 * Google through Firebase, or with the shop's own keys. Otherwise the sandbox, if only this machine
 * can reach the shop and it has one process; else nothing.
 */
function googleFor(
  { settings, publicUrl, secrets, sandboxToken: token, log }: Base,
  firebase: FirebaseFacts | null,
) {
  if (firebase) {
    return { keys: null, google: { sandbox: firebase.emulator !== null }, sandbox: null }
  }
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } = settings
  if (GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET) {
    const keys = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET }
    return { keys: { ...keys, issuer: GOOGLE_ISSUER }, google: { sandbox: false }, sandbox: null }
  }
  // the sandbox keeps a sign-in in its process's memory, and the next request may reach another
  // worker
  if (!isLocalOnly(publicUrl, settings) || settings.WORKERS > 1)
    return { keys: null, google: null, sandbox: null }
  const keys = {
    clientId: 'ferrite-sandbox',
    clientSecret: secrets.derive('google-sandbox').toString('hex'),
    issuer: `${publicUrl}${googleSandboxPath}`,
  }
  const sandbox = googleSandbox({
    ...keys,
    basePath: googleSandboxPath,
    token,
    redirectUri: `${publicUrl}/identity/callback/google`,
    cookieSecret: secrets.derive('google-sandbox-cookies').toString('hex'),
    log: (reason) => log.warn({ reason }, 'google_sandbox'),
  })
  return { keys, google: { sandbox: true }, sandbox }
}

/** The sandbox's mailbox, when no mail leaves and only this machine can reach the shop. */
function mailboxFor(
  { settings, publicUrl, sandboxToken: token, db }: Base,
  facts: () => Promise<ShopFacts>,
  makePdf: MakePdf,
) {
  if (settings.SMTP_URL || !isLocalOnly(publicUrl, settings)) return null
  const app = mailSandbox({
    basePath: mailboxPath,
    token,
    recent: () => recentMail(db),
    find: async (id) => {
      const mail = await findMail(db, id)
      return mail && withShop(mail, await facts())
    },
    findPaper: async (id) => {
      const mail = await findMail(db, id)
      const paper = mail?.invoiceId && (await findInvoice(db, mail.invoiceId))
      return paper ? makePdf(paper.document) : null
    },
  })
  return { path: mailboxPath, app }
}

/** Firebase Auth, when a project is set. */
function firebaseFor(settings: Settings): FirebaseFacts | null {
  const { FIREBASE_PROJECT_ID: projectId, FIREBASE_API_KEY: apiKey } = settings
  if (!projectId || !apiKey) return null
  const emulator = settings.FIREBASE_AUTH_EMULATOR_HOST
  return {
    projectId,
    apiKey,
    authDomain: settings.FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`,
    emulator: emulator ? `http://${emulator}` : null,
  }
}

function identityFor(
  base: Base,
  google: ReturnType<typeof googleFor>,
  limiter: RateLimiter,
  firebase: FirebaseFacts | null,
  servers: FirebaseServers | undefined,
): Identity {
  const { settings, publicUrl, secrets, db, log } = base
  if (firebase) {
    return firebaseIdentity({
      ...firebase,
      publicUrl,
      timeoutMs: settings.PROVIDER_SECONDS * 1000,
      cleanName: displayNameFrom,
      servers,
      log: (reason) => log.warn({ reason }, 'identity_failed'),
    })
  }
  const { port } = new URL(publicUrl)
  // users of this machine may type either name
  const origins = isLoopback(publicUrl)
    ? [publicUrl, `http://localhost:${port}`, `http://127.0.0.1:${port}`]
    : [publicUrl]
  const { user, session, account, verification, jwks, twoFactor } = identityTables
  return embeddedIdentity(
    {
      publicUrl,
      trustedOrigins: origins,
      secret: secrets.derive('identity').toString('hex'),
      passwordMin: passwordLimits.min,
      passwordMax: passwordLimits.max,
      clientAddressHeader,
      problemWith: accountProblem,
      cleanName: displayNameFrom,
      google: google.keys,
      trustProxy: settings.TRUST_PROXY,
      log: (reason) => log.warn({ reason }, 'identity_failed'),
    },
    { db, tables: { user, session, account, verification, jwks, twoFactor } },
    identityEvents({
      db,
      log,
      rateLimiter: limiter,
      publicUrl,
      issuer: embeddedIssuer,
      googleIsSandbox: google.google?.sandbox === true,
    }),
  )
}

/** Derives the sandbox's keys from the shop's secret, so that they survive a restart. */
function sandboxKeys(secrets: Secrets) {
  const hex = secrets.derive('stripe-sandbox').toString('hex')
  return {
    secretKey: `sk_test_${hex.slice(0, 24)}`,
    publishableKey: `pk_test_${hex.slice(24, 48)}`,
    webhookSecret: `whsec_${hex.slice(40)}`,
  }
}

/** Stripe if its keys are set, else the sandbox at `origin`, where this process listens. */
function paymentsFor({ settings, secrets, db, log }: Base, origin: string) {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = settings
  const timeoutMs = settings.PROVIDER_SECONDS * 1000
  const currency = settings.CURRENCY
  if (STRIPE_SECRET_KEY && STRIPE_PUBLISHABLE_KEY && STRIPE_WEBHOOK_SECRET) {
    const payments = stripePayments({
      secretKey: STRIPE_SECRET_KEY,
      publishableKey: STRIPE_PUBLISHABLE_KEY,
      webhookSecrets: STRIPE_WEBHOOK_SECRET,
      currency,
      timeoutMs,
    })
    return { payments, stripeSandbox: null }
  }
  const keys = sandboxKeys(secrets)
  const sandbox = stripeSandbox({
    ...keys,
    pool: db.$client,
    webhookUrl: () => `${origin}/api/stripe/webhook`,
    basePath: stripeSandboxPath,
    controls: settings.SANDBOX_CONTROLS,
    log: (reason) => log.debug({ reason }, 'stripe_sandbox'),
  })
  const payments = stripePayments({
    ...keys,
    webhookSecrets: [keys.webhookSecret],
    currency,
    timeoutMs,
    sandbox: {
      apiBase: `${origin}${stripeSandboxPath}`,
      scriptUrl: `${stripeSandboxPath}/stripe.js`,
    },
  })
  return { payments, stripeSandbox: sandbox }
}

/** With only a data folder, pictures are in it. */
export type ImageSettings = Pick<Settings, 'DATA_DIR'> & Partial<Settings>

/** The picture store. @param db for the list of a store that has none itself */
export function imagesFor(settings: ImageSettings, db: ListDatabase): Images {
  const timeoutMs = (settings.PROVIDER_SECONDS ?? 10) * 1000
  const { IMAGES, S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings
  if (IMAGES === 's3') {
    return s3Images({
      endpoint: S3_ENDPOINT ?? '',
      region: settings.S3_REGION ?? '',
      bucket: S3_BUCKET ?? '',
      accessKeyId: S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: S3_SECRET_ACCESS_KEY ?? '',
      timeoutMs,
    })
  }
  if (IMAGES === 'imgbb') {
    const { IMGBB_URL: api = '', IMGBB_API_KEY: key = '' } = settings
    return imgbbImages({ api, key, timeoutMs }, db)
  }
  return diskImages(join(resolve(settings.DATA_DIR), 'images'))
}

/** What a process shares with the others of its shop. */
export async function secretAndImagesOf(
  settings: ImageSettings & Partial<Pick<Settings, 'CURRENCY' | 'APP_SECRET'>>,
): Promise<SecretAndImages> {
  const images = (db: ListDatabase) => imagesFor(settings, db)
  return { ...(await ownSecretOf(settings)), currency: settings.CURRENCY, images }
}

/**
 * Builds all dependencies of the shop.
 * @param origin where this process listens, for its own sandboxes
 */
export function createDeps(options: {
  settings: Settings
  databaseUrl: string
  /** Folder of the embedded database; null with DATABASE_URL. */
  databaseFolder: string | null
  publicUrl: string
  origin: string
  secrets: Secrets
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
}) {
  const { settings, databaseUrl, databaseFolder, publicUrl, secrets, worker, log } = options
  // all connections break when the database ends, and their stacks are useless
  const idle = ({ message }: Error) => log.warn({ reason: message }, 'database_connection_lost')
  const db = connect(databaseUrl, idle, { max: connectionsFor(settings.WORKERS) })
  // the same in every process and after a restart
  const sandboxToken = secrets.derive('sandbox-token').subarray(0, 16).toString('base64url')
  const base = { settings, publicUrl, secrets, sandboxToken, db, log }
  const dataDir = resolve(settings.DATA_DIR)
  const outbox = join(dataDir, 'outbox')
  const firebase = firebaseFor(settings)
  const google = googleFor(base, firebase)
  const limiter = settings.RATE_LIMIT ? rateLimiter(db.$client) : noRateLimits
  const { DATABASE_READ_URL: readUrl } = settings
  const catalogue = catalogueCache(databaseUrl, idle)
  const facts = shopFacts(db, catalogue)
  const makePdf = pdfMaker()
  return {
    db,
    reading: readUrl ? replicaSource(db, readUrl, log) : primaryAlone(db),
    log,
    logCall: callLog(log),
    metrics: createMetrics(db, worker),
    disk: diskGuard(databaseFolder ? [dataDir, databaseFolder] : [dataDir], log),
    catalogue,
    facts,
    ownPages: shopPages(db, catalogue),
    sale: saleFacts(db, catalogue),
    makePdf,
    identity: identityFor(base, google, limiter, firebase, options.firebase),
    firebase,
    google: google.google,
    googleSandbox: google.sandbox,
    mailbox: mailboxFor(base, facts, makePdf),
    sandboxToken,
    ...paymentsFor(base, options.origin),
    images: withDrawings(imagesFor(settings, db.$client)),
    ...(options.encoder ?? pictureEncoder()),
    readPartsFile: options.readPartsFile ?? partsFileReader(),
    fetchPicture: pictureFetcher(options.internet),
    mailer: mailerOf(
      settings.SMTP_URL
        ? smtpMailer(settings.SMTP_URL, settings.MAIL_FROM)
        : outboxMailer(outbox, settings.MAIL_FROM),
      { facts, attachPaper: paperAttacher({ db, makePdf, log }) },
    ),
    webhooks: webhooksBy({ isLocal: isLocalOnly(publicUrl, settings) }),
    webhookSecret: (secretId: string) => secrets.derive(`webhook ${secretId}`),
    purgeOutbox: (before: Date) => purgeOutbox(outbox, before),
    ownerMail: settings.OWNER_MAIL ?? null,
    machine: hostname(),
    sender: settings.SMTP_URL
      ? ({
          type: 'smtp',
          where: new URL(settings.SMTP_URL).host,
          from: settings.MAIL_FROM,
        } as const)
      : ({ type: 'files', where: outbox, from: settings.MAIL_FROM } as const),
    tokens: accessTokens(secrets.derive('access-token'), publicUrl),
    currency: settings.CURRENCY,
    holdMinutes: settings.HOLD_MINUTES,
    // never ends a hold before HOLD_MINUTES
    holdMaxMinutes: Math.max(settings.HOLD_MAX_MINUTES, settings.HOLD_MINUTES),
    openHolds: settings.OPEN_HOLDS,
    openHoldsUnverified: settings.OPEN_HOLDS_UNCONFIRMED,
    offerHours: settings.OFFER_HOURS,
    expireDays: settings.EXPIRE_DAYS,
    backupHours: settings.BACKUP_HOURS,
    publicUrl,
    rateLimiter: limiter,
    openBodies: { visitors: 0, customers: 0 } satisfies OpenBodies,
    deletionTurns: deletionTurns({ db }),
    missedSearches: missedSearches(db),
    ticketKeys: ticketKeys(secrets.derive('ticket keys')),
    deviceSecret: secrets.derive('device').toString('hex'),
  }
}
export type Deps = ReturnType<typeof createDeps>
