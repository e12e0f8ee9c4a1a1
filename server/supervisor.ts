/**
 * WORKERS=n: this process serves no requests. It starts n workers on one port, and restarts workers
 * that die.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { ShopFacts } from './banner.ts'
import { type Assignment, aliveMs, type FromSupervisor, type FromWorker } from './worker.ts'

/**
 * A worker that is silent for this long counts as hanging, like WatchdogSec in
 * deploy/ferrite.service.
 */
const hangMs = 60_000
/** The pause before a restart doubles each time a worker dies within `calmMs`. */
const minPauseMs = 500
const maxPauseMs = 30_000
const calmMs = 60_000
/** How long a scrape waits for a worker that does not respond. */
const metricsMs = 1_000

type Gathering = { all: unknown[][]; missing: number; answer: () => void }

/** Collects the metrics of all workers for the worker that was scraped. */
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

type Events = {
  onMessage: (message: FromWorker) => void
  onEnd: (end: { code: number | null; signal: string | null; livedMs: number }) => void
}

/** Forks a worker, and kills it when it hangs. */
function forkWorker(number: number, log: Logger, { onMessage, onEnd }: Events): Worker {
  const began = performance.now()
  let lastSeen = began
  const worker = cluster.fork()
  const { pid } = worker.process
  const watch = setInterval(() => {
    if (performance.now() - lastSeen > hangMs) worker.process.kill('SIGKILL')
  }, aliveMs)
  const ended = (code: number | null, signal: string | null) => {
    clearInterval(watch)
    onEnd({ code, signal, livedMs: performance.now() - began })
  }
  worker.once('exit', ended)
  worker.on('error', (error) => {
    log.warn({ worker: number, err: error }, 'worker_unreachable')
    // without a process, there will be no exit event
    if (!pid) ended(null, null)
  })
  worker.on('message', (message: FromWorker) => {
    lastSeen = performance.now()
    onMessage(message)
  })
  return worker
}

/** Waits until every worker has finished its open requests, for at most `stopMs`. */
async function stopAll(workers: Worker[], stopMs: number): Promise<void> {
  const kill = (signal: NodeJS.Signals) => {
    for (const worker of workers) worker.process.kill(signal)
  }
  const exits = workers.map((worker) => once(worker, 'exit'))
  kill('SIGTERM')
  const late = setTimeout(kill, stopMs, 'SIGKILL')
  await Promise.all(exits)
  clearTimeout(late)
}

/** The pause before the restart of a worker that lived for this long. */
const pauseAfter = (livedMs: number, lastPauseMs: number): number =>
  livedMs > calmMs ? 0 : Math.min(maxPauseMs, Math.max(minPauseMs, lastPauseMs * 2))

/**
 * Starts the first worker and, once it is open, the others.
 * @param shop what each worker receives
 * @param stopMs how long a stop waits for workers
 * @returns `opened`: whether the first worker opened; `facts`: its facts about the shop
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

  // each worker accepts connections from the kernel: a connection handed over would be lost if its
  // worker died just then
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // this process has read the settings file for all workers
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
    const worker: Worker = forkWorker(number, log, {
      onMessage: (message) => receive(number, worker, message),
      onEnd: ({ code, signal, livedMs }) => {
        running.delete(number)
        serving.delete(number)
        if (!isOpen) setOpened(false)
        if (!isOpen || stopping) return
        const pauseMs = pauseAfter(livedMs, lastPauseMs)
        const { pid } = worker.process
        log.warn({ worker: number, pid, code, signal, pauseMs }, 'worker_ended')
        restarts.set(
          number,
          setTimeout(() => run(number, pauseMs), pauseMs),
        )
      },
    })
    running.set(number, worker)
    const assignment = {
      ...shop,
      number,
      listensFirst: serving.size === 0,
      // only once: before a worker is restarted, the shop may have got another secret
      newSecret: shop.newSecret && !isOpen,
    }
    worker.send({ type: 'open', assignment } satisfies FromSupervisor)
  }

  run(1)
  return {
    opened,
    facts,
    /** Stops all workers, and restarts none. */
    async stop(): Promise<void> {
      stopping = true
      for (const restart of restarts.values()) clearTimeout(restart)
      await stopAll([...running.values()], stopMs)
    },
  }
}
