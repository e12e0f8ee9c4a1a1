/** WORKERS=n: the process that serves nothing itself, starts n workers on one port, and starts one again that dies. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { ShopFacts } from './banner.ts'
import { type Assignment, aliveMs, type FromSupervisor, type FromWorker } from './worker.ts'

/** Silence after which a worker is taken to hang: WatchdogSec in deploy/ferrite.service. */
const hangMs = 60_000
/** The pause before a worker starts again doubles for as long as it dies within `calmMs`. */
const leastPauseMs = 500
const maxPauseMs = 30_000
const calmMs = 60_000
/** How long a scrape waits for a worker that does not answer. */
const metricsMs = 1_000

type Gathering = { all: unknown[][]; missing: number; answer: () => void }

/** Gathers the metrics of all workers for the one that was asked. */
function gatherings() {
  const open = new Map<string, Gathering>()
  return {
    begin(key: string, workers: Worker[], reply: (all: unknown[][]) => void): void {
      const answer = () => {
        clearTimeout(late)
        open.delete(key)
        reply(gathering.all)
      }
      const late = setTimeout(answer, metricsMs)
      const gathering: Gathering = { all: [], missing: workers.length, answer }
      open.set(key, gathering)
      for (const worker of workers)
        worker.send({ type: 'metrics_wanted', key } satisfies FromSupervisor)
    },
    add(key: string, metrics: unknown[]): void {
      const gathering = open.get(key)
      if (!gathering) return
      gathering.all.push(metrics)
      gathering.missing -= 1
      if (gathering.missing === 0) gathering.answer()
    },
  }
}

/**
 * Starts the first worker and, once it is open, the others.
 * @param shop what each worker receives
 * @param stopMs how long a stop waits for workers
 * @returns `opened`: whether the first worker opened; `facts`: what it says of the shop
 */
export function startWorkers(
  shop: Omit<Assignment, 'number' | 'listensFirst'>,
  { count, log, stopMs }: { count: number; log: Logger; stopMs: number },
) {
  const running = new Map<number, Worker>()
  const serving = new Set<number>()
  const restarts = new Map<number, NodeJS.Timeout>()
  const metrics = gatherings()
  const { promise: opened, resolve: setOpened } = Promise.withResolvers<boolean>()
  const { promise: facts, resolve: setFacts } = Promise.withResolvers<ShopFacts>()
  let isOpen = false
  let stopping = false

  // each takes connections from the kernel itself: one that is handed over by us is lost when its worker dies just then
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // a file of settings was read once, for all
  const execArgv = process.execArgv.filter((word) => !word.startsWith('--env-file'))
  cluster.setupPrimary({ execArgv })

  function open(number: number): void {
    serving.add(number)
    if (isOpen) return
    isOpen = true
    setOpened(true)
    for (let other = 1; other <= count; other += 1) if (other !== number) run(other)
  }

  function receive(number: number, worker: Worker, message: FromWorker): void {
    if (message.type === 'open') open(number)
    if (message.type === 'facts') setFacts(message.facts)
    if (message.type === 'metrics') metrics.add(message.key, message.metrics)
    if (message.type === 'metrics_wanted') {
      const { key } = message
      metrics.begin(key, [...running.values()], (all) =>
        worker.send({ type: 'metrics', key, all } satisfies FromSupervisor),
      )
    }
  }

  function run(number: number, lastPauseMs = 0): void {
    const began = performance.now()
    let lastSeen = began
    const worker = cluster.fork()
    const { pid } = worker.process
    running.set(number, worker)
    const watch = setInterval(() => {
      if (performance.now() - lastSeen > hangMs) worker.process.kill('SIGKILL')
    }, aliveMs)
    const ended = (code: number | null, signal: string | null) => {
      clearInterval(watch)
      running.delete(number)
      serving.delete(number)
      if (!isOpen) setOpened(false)
      if (!isOpen || stopping) return
      const isCalm = performance.now() - began > calmMs
      const pauseMs = isCalm ? 0 : Math.min(maxPauseMs, Math.max(leastPauseMs, lastPauseMs * 2))
      log.warn({ worker: number, pid, code, signal, pauseMs }, 'worker_ended')
      restarts.set(
        number,
        setTimeout(() => run(number, pauseMs), pauseMs),
      )
    }
    worker.once('exit', ended)
    worker.on('error', (error) => {
      log.warn({ worker: number, err: error }, 'worker_unreachable')
      if (!pid) ended(null, null)
    })
    worker.on('message', (message: FromWorker) => {
      lastSeen = performance.now()
      receive(number, worker, message)
    })
    const assignment = {
      ...shop,
      number,
      listensFirst: serving.size === 0,
      // once: by the time a worker is started again, the shop may have got another
      newSecret: shop.newSecret && !isOpen,
    }
    worker.send({ type: 'open', assignment } satisfies FromSupervisor)
  }

  run(1)
  return {
    opened,
    facts,
    /** Every worker answers what it has begun, and ends. */
    async stop(): Promise<void> {
      stopping = true
      for (const restart of restarts.values()) clearTimeout(restart)
      const ending = [...running.values()]
      const kill = (signal: NodeJS.Signals) => {
        for (const worker of ending) worker.process.kill(signal)
      }
      const exits = ending.map((worker) => once(worker, 'exit'))
      kill('SIGTERM')
      const late = setTimeout(kill, stopMs, 'SIGKILL')
      await Promise.all(exits)
      clearTimeout(late)
    },
  }
}
