import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EncodePicture, FetchPicture, Images } from '#server/adapters/images/port.ts'
import { indexParts } from '#server/database/bulk-changes.ts'
import { applyRetention, mailDays } from '#server/database/retention.ts'
import { countSales } from '#server/features/catalogue/best-seller.ts'
import { healthReporter, type ReportDeps } from '#server/features/health/report.ts'
import {
  type BackupRules,
  checkBackup,
  checkDisk,
  checkJobs,
  checkStock,
  type JobAge,
} from '#server/features/health/shop-checks.ts'
import {
  type ProviderDeps,
  providerReporter,
  type Tried,
  tryProviders,
} from '#server/features/health/try-providers.ts'
import { expireHolds } from '#server/features/orders/end-holds.ts'
import { type ExpireDeps, expireOrders } from '#server/features/orders/expire-orders.ts'
import { mailLowStock } from '#server/features/overview/mail-low-stock.ts'
import { settleUnsettled } from '#server/features/payments/catch-up.ts'
import { addQueuedPictures } from '#server/features/pictures/add-queued-pictures.ts'
import { removeOrphans } from '#server/features/pictures/pictures.ts'
import { type QueueDeps, serveQueue } from '#server/features/queue/serve-queue.ts'
import { reconcile } from '#server/features/reconciliation/reconcile.ts'
import { vocabularyRefresher } from '#server/features/search/refresh-vocabulary.ts'
import type { MissedSearches } from '#server/features/search/search-words.ts'
import { sendDueMessages, type WebhookDeps } from '#server/features/webhooks/send-messages.ts'
import type { DiskGuard } from '#server/http/limits/disk-guard.ts'
import type { RateLimiter } from '#server/http/limits/rate-limits.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { sendDueMail } from '#server/mail/send.ts'
import type { ShopMailer } from '#server/mail/shop-slots.ts'
import { AppError, KeyRefused, reasonOf } from './errors.ts'

/**
 * How long a stop waits for a running job. Interrupting one is harmless, because the next start
 * continues its work.
 */
const timeoutMs = 5_000
/**
 * The interval between tests of the providers' keys, whatever JOB_SECONDS is, because each test
 * uses the network.
 */
const triesSeconds = 600
/**
 * Parallel jobs: a mail server takes a second for each mail, and sometimes a minute, which blocks
 * only one of them.
 */
const mailLanes = ['send_mail', 'send_mail_2', 'send_mail_3', 'send_mail_4', 'send_mail_5']
/** Node's longest timer; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1

type Watched = { log: Logger; metrics: Metrics; retrySeconds: number; graceSeconds: number }

/** Why a job failed, without the values that a failed query's message ends with. */
function describeJobError(error: unknown): string {
  if (error instanceof AppError) return reasonOf(error)
  const message = error instanceof Error ? (error.cause ?? error) : error
  return String(message instanceof Error ? message.message : message).split('\n')[0] ?? ''
}

/**
 * Runs `work` at once and then every `seconds`, never twice at the same time in this process. Runs
 * it again at once when it returns true. Retries a failed run after `retrySeconds` when that is
 * sooner.
 * @returns `first` resolves after the first run; stop() waits for a run in progress
 */
function every(
  seconds: number,
  { log, metrics, retrySeconds, graceSeconds }: Watched,
  name: string,
  work: () => Promise<unknown>,
) {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let succeededAt = performance.now()
  let lastError: string | null = null
  const run = async () => {
    let wait = seconds
    try {
      if ((await work()) === true) wait = 0
      metrics.ran(name, 'done')
      succeededAt = performance.now()
      lastError = null
    } catch (error) {
      lastError = describeJobError(error)
      wait = Math.min(seconds, retrySeconds)
      metrics.ran(name, 'failed')
      if (error instanceof KeyRefused) log.error({ job: name, reason: error.reason }, error.event)
      else if (error instanceof AppError && error.code === 'PROVIDER_DOWN')
        log.warn({ job: name, reason: reasonOf(error) }, 'payment_provider_down')
      else log.error({ err: error, job: name }, 'job_failed')
    }
    const ms = Math.min(wait * 1000, longestMs)
    if (!stopped) timer = setTimeout(() => (running = run()), ms)
  }
  const first = run()
  let running = first
  return {
    first,
    age: (): JobAge => ({
      job: name,
      age: (performance.now() - succeededAt) / 1000,
      limit: seconds * 2 + graceSeconds,
      error: lastError,
    }),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await Promise.race([running, pause(timeoutMs, undefined, { ref: false })])
    },
  }
}

/**
 * Starts the background jobs. Any number of processes may run them: every step is a conditional
 * change in the database.
 * @param jobSeconds between two checks of unsettled payments and refunds; skips payments checked
 * within twice that time
 * @param oftenSeconds the maximum time between two checks of the mail queue, new offers and the
 * disk, which can fill up within a minute
 * @returns `reconciled` resolves when the first reconciliation with the card provider is over,
 * `tried` resolves to the results of the providers' first tests; stop() ends the jobs
 */
export function startJobs(
  shop: ExpireDeps &
    QueueDeps &
    WebhookDeps & {
      mailer: ShopMailer
      images: Images
      encodePicture: EncodePicture
      fetchPicture: FetchPicture
      disk: DiskGuard
      metrics: Metrics
      rateLimiter: RateLimiter
      missedSearches: MissedSearches
      purgeOutbox: (before: Date) => Promise<number>
    } & ProviderDeps &
    ReportDeps &
    Pick<BackupRules, 'backupHours'>,
  jobSeconds: number,
  oftenSeconds = 2,
): { reconciled: Promise<void>; tried: Promise<Tried[]>; stop: () => Promise<void> } {
  const deps = { ...shop, retrySeconds: jobSeconds * 10, graceSeconds: jobSeconds * 15 }
  const report = healthReporter(deps)
  const reportProviders = providerReporter(deps, report)
  const { promise: tried, resolve: setTried } = Promise.withResolvers<Tried[]>()
  const reconciliation = every(jobSeconds * 1440, deps, 'reconcile_payments', () => reconcile(deps))
  const readAges = (): JobAge[] => jobs.map((job) => job.age())
  deps.metrics.watchJobs(readAges)
  const jobs: ReturnType<typeof every>[] = [
    reconciliation,
    every(Math.min(jobSeconds, 5), deps, 'expire_holds', () => expireHolds(deps)),
    every(Math.min(jobSeconds, oftenSeconds), deps, 'serve_queue', () => serveQueue(deps)),
    every(jobSeconds, deps, 'expire_orders', () => expireOrders(deps)),
    every(jobSeconds, deps, 'settle_payments', () => settleUnsettled(deps, jobSeconds * 2)),
    ...mailLanes.map((name) =>
      every(Math.min(jobSeconds, oftenSeconds), deps, name, () => sendDueMail(deps)),
    ),
    every(Math.min(jobSeconds, oftenSeconds), deps, 'send_webhooks', () => sendDueMessages(deps)),
    every(Math.min(jobSeconds, oftenSeconds), deps, 'index_parts', () => indexParts(deps.db)),
    every(Math.min(jobSeconds, oftenSeconds), deps, 'add_pictures', async () =>
      deps.disk.isFull() ? false : addQueuedPictures(deps),
    ),
    every(jobSeconds * 60, deps, 'mail_low_stock', () => mailLowStock(deps)),
    every(Math.min(jobSeconds, oftenSeconds), deps, 'check_disk', async () => {
      await deps.disk.look()
      deps.metrics.setDisk(deps.disk)
    }),
    every(triesSeconds, deps, 'try_providers', async () => {
      const all = await tryProviders(deps)
      setTried(all)
      await reportProviders(all)
    }),
    // results that are not renewed within two hours are not shown
    every(Math.min(jobSeconds * 5, 1800), deps, 'check_health', async () => {
      await deps.disk.look()
      const isDemo = deps.payments.browser.sandbox
      // each separately: without a database, the log still gets the state of disk and jobs
      await Promise.all([
        report(checkDisk(deps.disk)),
        report(checkJobs(readAges())),
        checkBackup(deps.db, { backupHours: deps.backupHours, isDemo }).then(report),
        checkStock(deps.db).then(report),
      ])
    }),
    every(jobSeconds * 30, deps, 'clear_rate_limits', () => deps.rateLimiter.clear()),
    every(jobSeconds * 60, deps, 'count_sales', () => countSales(deps)),
    every(jobSeconds * 2, deps, 'refresh_vocabulary', vocabularyRefresher(deps)),
    every(jobSeconds, deps, 'write_missed_searches', () => deps.missedSearches.write()),
    every(jobSeconds * 30, deps, 'apply_retention', async () => {
      // one that fails must not keep the other from running
      const [kept] = await Promise.allSettled([
        applyRetention(deps.db),
        deps.purgeOutbox(new Date(Date.now() - mailDays * 86_400_000)),
      ])
      if (kept.status === 'rejected') throw kept.reason
    }),
    every(jobSeconds * 30, deps, 'remove_orphan_pictures', () => removeOrphans(deps)),
  ]
  return {
    reconciled: reconciliation.first,
    tried,
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}
