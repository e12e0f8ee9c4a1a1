/** A worker's side of WORKERS=n, and the messages between a worker and its supervisor. */
import { once } from 'node:events'
import type { ShopFacts } from './banner.ts'

/** How often a worker reports that its event loop is running. */
export const aliveMs = 10_000

/** What a worker receives before it opens. */
export type Assignment = {
  /** Numbered from 1; a worker that replaces a dead one gets its number. */
  number: number
  port: number
  /** Whether it listens before it is open, because no other worker serves. */
  listensFirst: boolean
  databaseUrl: string
  databaseFolder: string | null
  newSecret: boolean
}

export type FromSupervisor =
  | { type: 'open'; assignment: Assignment }
  | { type: 'metrics_wanted'; key: string }
  | { type: 'metrics'; key: string; all: unknown[][] }
export type FromWorker =
  | { type: 'open' }
  | { type: 'facts'; facts: ShopFacts }
  | { type: 'alive' }
  | { type: 'metrics_wanted'; key: string }
  | { type: 'metrics'; key: string; metrics: unknown[] }

export type Worker = Awaited<ReturnType<typeof joinSupervisor>>

const sendMessage = (message: FromWorker) => process.send?.(message)

/**
 * Waits for the supervisor's messages. When the supervisor dies, node:cluster ends this process.
 */
export async function joinSupervisor() {
  const waiting = new Map<string, (all: unknown[][]) => void>()
  let read: () => Promise<unknown[]> = async () => []
  let scrapes = 0
  process.on('message', (message: FromSupervisor) => {
    if (message.type === 'metrics') waiting.get(message.key)?.(message.all)
    if (message.type === 'metrics_wanted') {
      const { key } = message
      read().then((metrics) => sendMessage({ type: 'metrics', key, metrics }))
    }
  })
  const [first] = (await once(process, 'message')) as [FromSupervisor]
  if (first.type !== 'open') throw new Error(`A worker is told ${first.type} before it is open`)
  setInterval(() => sendMessage({ type: 'alive' }), aliveMs).unref()
  return {
    ...first.assignment,
    sendMessage,
    /** @param own reads the metrics of this process, for the worker that is scraped */
    shareMetrics(own: () => Promise<unknown[]>): void {
      read = own
    },
    /** The metrics of all workers that respond in time. */
    gatherMetrics(): Promise<unknown[][]> {
      const key = `${process.pid}.${++scrapes}`
      return new Promise((resolve) => {
        waiting.set(key, (all) => {
          waiting.delete(key)
          resolve(all)
        })
        sendMessage({ type: 'metrics_wanted', key })
      })
    },
  }
}
