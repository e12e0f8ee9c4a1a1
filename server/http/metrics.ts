/** Figures for Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type BusinessMetrics, readBusinessMetrics } from '#server/database/business-metrics.ts'
import type { Database } from '#server/database/client.ts'

/** Gauges about the shop, read from the database at each scrape. */
const signs: [name: string, help: string, read: (signs: BusinessMetrics) => number][] = [
  ['holds', 'Unpaid orders that hold stock', (s) => s.holds],
  [
    'hold_overdue_seconds',
    'Age of the oldest hold that should be gone',
    (s) => s.oldestExpiredHold,
  ],
  ['orders_to_ship', 'Paid orders that nobody shipped', (s) => s.ordersToShip],
  ['payment_open_seconds', 'Age of the oldest payment without an end', (s) => s.oldestOpenPayment],
  ['refunds_unsettled', 'Refunds without an end', (s) => s.refundsUnsettled],
  ['refund_open_seconds', 'Age of the oldest of them', (s) => s.oldestUnsettledRefund],
  ['mails_waiting', 'Mails that are still to be sent', (s) => s.mailsWaiting],
  ['mail_waiting_seconds', 'Age of the oldest of them', (s) => s.oldestWaitingMail],
  ['mails_given_up', 'Mails that were given up in the last 24 hours', (s) => s.mailsGivenUp],
  ['webhook_lag_seconds', 'Longest way of an event to us in the last hour', (s) => s.webhookLag],
]

/** Seconds; most calls are fast, uploads and calls to the provider may not be. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Registers the gauges about the shop. @returns reads them from the database */
function watchShop(registry: Registry, db: Database): () => Promise<void> {
  const registers = [registry]
  const up = new Gauge({
    name: 'ferrite_database_up',
    help: '1 while the database answers; else the figures about the shop are absent',
    registers,
  })
  const gauges = signs.map(([name, help, pick]) => ({
    gauge: new Gauge({ name: `ferrite_${name}`, help, registers }),
    pick,
  }))
  const payments = new Gauge({
    name: 'ferrite_payments',
    help: 'Payments by what became of them',
    labelNames: ['status'],
    registers,
  })
  return async () => {
    const read = await readBusinessMetrics(db).catch(() => null)
    up.set(read ? 1 : 0)
    payments.reset()
    for (const [status, count] of Object.entries(read?.payments ?? {})) {
      payments.set({ status }, count)
    }
    for (const { gauge, pick } of gauges) {
      // an unknown value is absent: 0 would say that all is well
      if (read) gauge.set(pick(read))
      else gauge.remove()
    }
  }
}

function watchConnections(registry: Registry, { $client }: Database): void {
  const connections = new Gauge({
    name: 'ferrite_database_connections',
    help: 'Connections of this process, and requests that wait for one',
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

/** Counters and gauges that code sets where things happen. */
function counted(registers: Registry[]) {
  const answers = new Counter({
    name: 'ferrite_answers_total',
    help: 'Everything that was answered, pages and files too',
    labelNames: ['status'],
    registers,
  })
  const shed = new Counter({
    name: 'ferrite_shed_total',
    help: 'Requests refused because too many others waited or were rendered',
    registers,
  })
  const rendered = new Counter({
    name: 'ferrite_pages_rendered_total',
    help: 'Pages that were rendered; all others were ready',
    registers,
  })
  const disagreements = new Gauge({
    name: 'ferrite_disagreements',
    help: 'Payments of which the card provider had another record at the last comparison',
    registers,
  })
  // unknown before the first reconciliation
  disagreements.remove()
  const jobs = new Counter({
    name: 'ferrite_job_runs_total',
    help: 'Runs of the clockwork',
    labelNames: ['job', 'outcome'],
    registers,
  })
  return { answers, shed, rendered, disagreements, jobs }
}

/** All metrics of this process and of the shop. */
export function createMetrics(db: Database) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  watchConnections(registry, db)
  const askShop = watchShop(registry, db)
  const calls = new Histogram({
    name: 'ferrite_call_seconds',
    help: 'Calls of the backend, by route',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const { answers, shed, rendered, disagreements, jobs } = counted(registers)
  return {
    /** @param route the pattern, never the path @param ms milliseconds */
    called(call: { method: string; route: string; status: number; ms: number }): void {
      const { ms, ...labels } = call
      calls.observe(labels, ms / 1000)
    },
    shed: () => shed.inc(),
    rendered: () => rendered.inc(),
    ran: (job: string, outcome: 'done' | 'failed') => jobs.inc({ job, outcome }),
    /** @param count payments that the daily comparison could not bring to agree */
    disagreed: (count: number) => disagreements.set(count),
    /** All metrics in Prometheus' text format. */
    async read(): Promise<{ text: string; contentType: string }> {
      await askShop()
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
    /** Counts the responses of a listener. */
    counting(listener: RequestListener): RequestListener {
      return (request, response) => {
        response.once('close', () => answers.inc({ status: response.statusCode }))
        listener(request, response)
      }
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether the header carries the token, compared in constant time. */
export const carriesToken = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
