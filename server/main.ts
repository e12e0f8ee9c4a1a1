/** The process: settings, socket, database, shop, and a stop that loses nothing. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { assertRestored, openDataFolder } from '#server/data-folder.ts'
import { assertReachable } from '#server/database/assert-reachable.ts'
import { limitsFor, listen } from '#server/http/server.ts'
import { builtWeb, liveWeb } from '#server/http/web-build.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { printBanner } from './banner.ts'
import { localOrigin, processSettings, type Settings } from './env.ts'
import { StartError } from './errors.ts'
import { createLogger } from './log.ts'

/** How long the printed table waits for the mail server. */
const mailTimeoutMs = 3_000
const development = process.argv.includes('--dev')
const newSecret = process.argv.includes('--new-secret')
const underSystemd = process.argv.includes('--systemd')
/** A third of WatchdogSec in deploy/ferrite.service. */
const watchdogMs = 20_000

/** Steps of a stop, run in reverse order. */
const undo: Array<() => Promise<unknown>> = []
let stopping = false

async function stop(exitCode: number): Promise<void> {
  // Ctrl-C arrives twice, from the terminal and from the starter
  if (stopping) return
  stopping = true
  for (const step of undo.splice(0).reverse()) {
    await step().catch((error) => console.error(`While stopping: ${error}`))
  }
  process.exit(exitCode)
}

/** Tells systemd that the shop is open, and from then on that this process works. */
function reportToSystemd(): void {
  const report = (word: string) =>
    spawn('systemd-notify', [word], { stdio: 'ignore' }).once('error', (error) =>
      console.error(`systemd-notify could not be started: ${error.message}`),
    )
  report('--ready')
  const timer = setInterval(() => report('WATCHDOG=1'), watchdogMs)
  undo.push(async () => clearInterval(timer))
}

async function openDatabase(settings: Settings, owner: string, log: (line: string) => void) {
  if (settings.DATABASE_URL) {
    await assertReachable(settings.DATABASE_URL)
    return { databaseUrl: settings.DATABASE_URL, databaseFolder: null }
  }
  const embedded = await startEmbedded({ dataDir: resolve(settings.DATA_DIR), log, owner })
  undo.push(() => embedded.stop())
  return { databaseUrl: embedded.url, databaseFolder: embedded.folder }
}

async function start(): Promise<void> {
  const began = performance.now()
  const settings = processSettings()
  assertRestored(settings.DATA_DIR)
  const log = createLogger(settings)
  const listening = await listen(settings.HOST, settings.PORT, limitsFor(settings))
  undo.push(() => listening.close())
  await openDataFolder(settings.DATA_DIR)
  const origin = localOrigin(settings.HOST, listening.port)
  const publicUrl = settings.PUBLIC_URL ?? origin
  // the libraries take a second to load; PostgreSQL starts meanwhile
  const loading = Promise.all([
    import('./start.ts'),
    development ? liveWeb(listening.server) : builtWeb(),
  ])
  loading.catch(() => {})
  const { databaseUrl, databaseFolder } = await openDatabase(settings, publicUrl, (line) =>
    log.info(line),
  )
  const [{ openShop }, web] = await loading
  undo.push(() => web.close())
  const options = {
    settings,
    listening,
    origin,
    publicUrl,
    databaseUrl,
    databaseFolder,
    web,
    development,
    newSecret,
    log,
  }
  const shop = await openShop(options)
  const current = development
    ? (await import('./reload.ts')).reopenOnChange(options, shop)
    : () => shop
  // the last request in flight is answered before anything it needs goes away
  undo.push(
    () => current().close(),
    () => Promise.all([listening.close(), current().stopJobs()]),
  )
  if (underSystemd) reportToSystemd()
  const ms = performance.now() - began
  // the log reports a mail server that answers later
  const mailProblem = await Promise.race([
    shop.mailTried,
    pause(mailTimeoutMs, null, { ref: false }),
  ])
  const { payments, images, google, mailbox } = shop.deps
  printBanner({
    settings,
    publicUrl,
    databaseFolder,
    sandbox: payments.browser.sandbox,
    images,
    google,
    mailbox: mailbox?.path ?? null,
    owner: shop.owner,
    notes: shop.notes,
    mailProblem,
    ms,
  })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
// scripts/start.js died: nothing would stop this process any more
process.once('disconnect', () => stop(0))
start().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  return stop(1)
})
