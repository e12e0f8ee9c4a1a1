/**
 * Metrics for Prometheus, which follow its naming conventions:
 * https://prometheus.io/docs/practices/naming/
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client'
import { type BusinessMetrics, readBusinessMetrics } from '#server/database/business-metrics.ts'
import type { Database } from '#server/database/client.ts'
import type { DiskGuard } from '#server/http/limits/disk-guard.ts'
import type { callLog } from '#server/log.ts'
import type { Worker } from '#server/worker.ts'
import type { Env } from './guards.ts'

type JobAge = { job: string; age: number }

/** Gauges of the shop, read from the database at each scrape. */
const businessMetrics: [
  name: string,
  help: string,
  /** null when unknown */
  read: (shop: BusinessMetrics) => number | null,
][] = [
  ['holds', 'Unpaid orders that hold stock', (s) => s.holds],
  [
    'hold_overdue_seconds',
    'Age of the oldest hold that should have ended',
    (s) => s.oldestExpiredHold,
  ],
  ['orders_to_ship', 'Paid orders that are not shipped', (s) => s.ordersToShip],
  ['payment_open_seconds', 'Age of the oldest unsettled payment', (s) => s.oldestOpenPayment],
  ['refunds_unsettled', 'Unsettled refunds', (s) => s.refundsUnsettled],
  ['refund_open_seconds', 'Age of the oldest unsettled refund', (s) => s.oldestUnsettledRefund],
  ['mails_waiting', 'Mails in the queue', (s) => s.mailsWaiting],
  ['mail_waiting_seconds', 'Age of the oldest mail in the queue', (s) => s.oldestWaitingMail],
  ['mails_given_up', 'Mails that were given up in the last 24 hours', (s) => s.mailsGivenUp],
  [
    'webhook_lag_seconds',
    'Longest delay of an event of the card provider in the last hour',
    (s) => s.webhookLag,
  ],
  [
    'last_backup_age_seconds',
    'Age of the last backup; absent before the first',
    (s) => s.lastBackupAge,
  ],
]

/** Seconds. Most calls are fast; uploads and calls to the provider may be slow. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Registers the gauges of the shop. @returns a function that reads them from the database */
function watchShop(registry: Registry, db: Database): () => Promise<void> {
  const registers = [registry]
  const up = new Gauge({
    name: 'ferrite_database_up',
    help: '1 while the database answers; else the metrics of the shop are absent',
    registers,
  })
  const gauges = businessMetrics.map(([name, help, pick]) => ({
    gauge: new Gauge({ name: `ferrite_${name}`, help, registers }),
    pick,
  }))
  const payments = new Gauge({
    name: 'ferrite_payments',
    help: 'Payments by status',
    labelNames: ['status'],
    registers,
  })
  const checks = new Gauge({
    name: 'ferrite_health_check_failing',
    help: '1 while a health check finds something wrong',
    labelNames: ['check'],
    registers,
  })
  return async () => {
    const read = await readBusinessMetrics(db).catch(() => null)
    up.set(read ? 1 : 0)
    payments.reset()
    for (const [status, count] of Object.entries(read?.payments ?? {})) {
      payments.set({ status }, count)
    }
    checks.reset()
    for (const [check, failing] of Object.entries(read?.failingChecks ?? {})) {
      checks.set({ check }, failing)
    }
    for (const { gauge, pick } of gauges) {
      // an unknown value is absent, because 0 would mean that there is no problem
      const value = read && pick(read)
      if (value === null) gauge.remove()
      else gauge.set(value)
    }
  }
}

function watchConnections(registry: Registry, { $client }: Database): void {
  const connections = new Gauge({
    name: 'ferrite_database_connections',
    help: 'Connections of this process by state, and queries that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = $client
      connections.set({ state: 'busy' }, totalCount - idleCount)
      connections.set({ state: 'idle' }, idleCount)
      connections.set({ state: 'waiting' }, waitingCount)
    },
  })
}

/** Gauges of the disk. @returns a function that sets them */
function watchDisk(registers: Registry[]): (disk: DiskGuard) => void {
  const free = new Gauge({
    name: 'ferrite_disk_free_bytes',
    help: 'Free bytes of the disk that holds the data folder, or of the fuller one of two',
    registers,
  })
  const refused = new Gauge({
    name: 'ferrite_writes_refused',
    help: '1 while the disk is so full that the shop refuses every change',
    registers,
  })
  for (const gauge of [free, refused]) gauge.remove()
  return (disk) => {
    free.set(disk.freeBytes())
    refused.set(disk.isFull() ? 1 : 0)
  }
}

/** The age of the background jobs. @returns a function that takes their reader */
function watchJobAges(registers: Registry[]): (read: () => JobAge[]) => void {
  let read = (): JobAge[] => []
  new Gauge({
    name: 'ferrite_job_age_seconds',
    help: 'Seconds since a background job last succeeded in this process, or since its start',
    labelNames: ['job'],
    registers,
    collect() {
      for (const { job, age } of read()) this.set({ job }, age)
    },
  })
  return (next) => {
    read = next
  }
}

/** The first part of a path, with few values for any request: pages are `/*`. */
const sectionOf = (url: string): string => {
  const [, section] = /^\/(api|assets|identity|images|sandbox)(?=\/)/.exec(url) ?? []
  return section ? `/${section}/*` : '/*'
}

/** Counters and gauges that code sets where events happen. */
function counted(registers: Registry[]) {
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'HTTP requests of all kinds, by the first part of their path',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const shed = new Counter({
    name: 'ferrite_requests_shed_total',
    help: 'Requests refused under load',
    registers,
  })
  const rendered = new Counter({
    name: 'ferrite_pages_rendered_total',
    help: 'Pages rendered; all others came from the cache',
    registers,
  })
  const issues = new Gauge({
    name: 'ferrite_reconciliation_issues',
    help: 'Issues that the last reconciliation found',
    registers,
  })
  // unknown before the first reconciliation
  issues.remove()
  const jobs = new Counter({
    name: 'ferrite_job_runs_total',
    help: 'Runs of the background jobs',
    labelNames: ['job', 'outcome'],
    registers,
  })
  return { requests, shed, rendered, issues, jobs }
}

/**
 * With workers, each metric has its worker's number as a label, and nothing is summed. @returns a
 * function that reads the text
 */
function ofProcesses(registry: Registry, worker: Worker | null): () => Promise<string> {
  if (!worker) return () => registry.metrics()
  registry.setDefaultLabels({ worker: String(worker.number) })
  worker.shareMetrics(() => registry.getMetricsAsJSON())
  return async () => {
    const all = (await worker.gatherMetrics()) as MetricObject[][]
    const named = all.map((metrics) => metrics.map((one) => ({ ...one, aggregator: 'first' })))
    return AggregatorRegistry.aggregate(named).metrics()
  }
}

/** All metrics of the shop, and of this process or all workers. */
export function createMetrics(db: Database, worker: Worker | null) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  watchConnections(registry, db)
  const shop = new Registry()
  const readShop = watchShop(shop, db)
  const readProcesses = ofProcesses(registry, worker)
  const calls = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of API calls by route',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const { requests, shed, rendered, issues, jobs } = counted(registers)
  return {
    /** @param route the pattern, never the path @param ms milliseconds */
    observeCall(call: { method: string; route: string; status: number; ms: number }): void {
      const { ms, ...labels } = call
      calls.observe(labels, ms / 1000)
    },
    shed: () => shed.inc(),
    rendered: () => rendered.inc(),
    setDisk: watchDisk(registers),
    /** @param read the jobs of this process */
    watchJobs: watchJobAges(registers),
    ran: (job: string, outcome: 'done' | 'failed') => jobs.inc({ job, outcome }),
    /** @param count payments that reconciliation could not repair */
    setReconciliationIssues: (count: number) => issues.set(count),
    /** All metrics in Prometheus' text format. */
    async read(): Promise<{ text: string; contentType: string }> {
      const [ofThem] = await Promise.all([readProcesses(), readShop()])
      return { text: `${ofThem}\n${await shop.metrics()}`, contentType: registry.contentType }
    },
    /** Counts the responses of a listener. */
    counting(listener: RequestListener): RequestListener {
      return (request, response) => {
        const { method = '', url = '' } = request
        response.once('close', () =>
          requests.inc({ method, route: sectionOf(url), status: response.statusCode }),
        )
        listener(request, response)
      }
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether the header has the token, compared in constant time. */
export const carriesToken = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))

type TraceDeps = {
  log: Logger
  metrics: Metrics
  logCall: ReturnType<typeof callLog>
}

/** Gives each request an id and a log line, and forbids caching its response. */
export function traceCalls({ log, metrics, logCall }: TraceDeps) {
  return createMiddleware<Env>(async (c, next) => {
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('log', log.child({ requestId }))
    c.header('x-request-id', requestId)
    c.header('cache-control', 'no-store')
    c.header('vary', 'Authorization, Origin')
    const start = performance.now()
    await next()
    const ms = Math.round(performance.now() - start)
    const call = { method: c.req.method, route: routePath(c, -1), status: c.res.status, ms }
    metrics.observeCall(call)
    logCall(call, c.var.log)
  })
}
