/**
 * The process: settings, socket, database, shop, and a shutdown without data loss. With WORKERS=n,
 * each of the processes.
 */
import { spawn } from 'node:child_process'
import cluster from 'node:cluster'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { assertRestored, openDataFolder } from '#server/data-folder.ts'
import { awaitDatabase } from '#server/database/assert-reachable.ts'
import { builtWeb, liveWeb } from '#server/http/pages/web-build.ts'
import { createListening, limitsFor } from '#server/http/server.ts'
import { freePort } from '#server/postgres/process.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { printBanner, type ShopFacts } from './banner.ts'
import { assertOpenable, localOrigin, processSettings, type Settings } from './env.ts'
import { StartError } from './errors.ts'
import { createLogger } from './log.ts'
import { startWorkers } from './supervisor.ts'
import { joinSupervisor, type Worker } from './worker.ts'

/** How long the startup table waits for the providers' tests. */
const triedTimeoutMs = 3_000
/** The maximum time that a worker's stop takes after STOP_SECONDS. */
const closingSeconds = 3
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

/** Reports to systemd that the shop is open, and then regularly that this process works. */
function reportToSystemd(): void {
  const report = (word: string) =>
    spawn('systemd-notify', [word], { stdio: 'ignore' }).once('error', (error) =>
      console.error(`systemd-notify could not be started: ${error.message}`),
    )
  report('--ready')
  const timer = setInterval(() => report('WATCHDOG=1'), watchdogMs)
  undo.push(async () => clearInterval(timer))
}

async function openDatabase(settings: Settings, owner: string, log: Logger) {
  assertOpenable(settings, owner)
  await openDataFolder(settings.DATA_DIR)
  if (settings.DATABASE_URL) {
    await awaitDatabase(settings.DATABASE_URL, (sentence) => console.error(sentence))
    return { databaseUrl: settings.DATABASE_URL, databaseFolder: null }
  }
  const embedded = await startEmbedded({
    dataDir: resolve(settings.DATA_DIR),
    log: (reason) => log.warn({ reason }, 'embedded_database'),
    owner,
  })
  undo.push(() => embedded.stop())
  return { databaseUrl: embedded.url, databaseFolder: embedded.folder }
}

/**
 * Opens the shop in this process.
 * @param worker null when it is the only process on its port
 * @returns the banner's facts, after the tests of the providers
 */
async function serve(settings: Settings, log: Logger, worker: Worker | null) {
  const listening = createListening(limitsFor(settings))
  undo.push(() => listening.close())
  const { HOST } = settings
  const { port, listensFirst } = worker ?? { port: settings.PORT, listensFirst: true }
  if (listensFirst) await listening.listen(HOST, port)
  const origin = localOrigin(HOST, listening.port || port)
  const publicUrl = settings.PUBLIC_URL ?? origin
  // the libraries take a second to load; PostgreSQL starts meanwhile
  const loading = Promise.all([
    import('./start.ts'),
    development ? liveWeb(listening.server) : builtWeb(),
  ])
  loading.catch(() => {})
  const { databaseUrl, databaseFolder } = worker ?? (await openDatabase(settings, publicUrl, log))
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
    newSecret: worker?.newSecret ?? newSecret,
    worker,
    log,
  }
  const shop = await openShop(options)
  const current = development
    ? (await import('./reload.ts')).reopenOnChange(options, shop)
    : () => shop
  // finish the last request in flight before closing anything it needs
  undo.push(
    () => current().close(),
    () => Promise.all([listening.close(), current().stopJobs()]),
  )
  if (!listensFirst) await listening.listen(HOST, port)
  const { payments, images, google, firebase, mailbox, sandboxToken } = shop.deps
  return async (): Promise<ShopFacts> => ({
    publicUrl,
    databaseFolder,
    sandbox: payments.browser.sandbox,
    images: { name: images.name, where: images.where },
    google,
    firebase,
    mailbox: mailbox?.path ?? null,
    sandboxToken,
    demoOwner: shop.demoOwner,
    notes: shop.notes,
    // the log reports a provider that responds later
    tried: await Promise.race([shop.tried, pause(triedTimeoutMs, [], { ref: false })]),
  })
}

/** Opens the database and starts the workers. */
async function supervise(settings: Settings, log: Logger) {
  const { WORKERS: count, HOST, PUBLIC_URL, STOP_SECONDS } = settings
  const port = settings.PORT || (await freePort(0))
  const publicUrl = PUBLIC_URL ?? localOrigin(HOST, port)
  const database = await openDatabase(settings, publicUrl, log)
  const stopMs = (STOP_SECONDS + closingSeconds) * 1000
  const workers = startWorkers({ port, ...database, newSecret }, { count, log, stopMs })
  undo.push(workers.stop)
  // the worker has already reported why
  if (!(await workers.opened)) await stop(1)
  return () => workers.facts
}

async function work(settings: Settings, log: Logger): Promise<void> {
  const worker = await joinSupervisor()
  const facts = await serve(settings, log, worker)
  worker.sendMessage({ type: 'open' })
  worker.sendMessage({ type: 'facts', facts: await facts() })
}

async function start(): Promise<void> {
  const began = performance.now()
  const settings = processSettings()
  // a change of the sources reopens the shop in the same process
  if (development) settings.WORKERS = 1
  const log = createLogger(settings)
  if (cluster.isWorker) return work(settings, log)
  assertRestored(settings.DATA_DIR)
  const facts = await (settings.WORKERS > 1 ? supervise(settings, log) : serve(settings, log, null))
  if (underSystemd) reportToSystemd()
  const ms = performance.now() - began
  printBanner({ settings, ms, ...(await facts()) })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
// scripts/start.js died: nothing else would stop this process
process.once('disconnect', () => stop(0))
start().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  return stop(1)
})
