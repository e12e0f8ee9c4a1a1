/**
 * Work on files of strangers in a process of its own: its memory goes when it ends, requests of the shop go first, and a file
 * that breaks it does not break the shop. `ownProcess` is the shop's side, `answerTasks` that of the program.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '#contracts/errors.ts'
import { AppError } from './errors.ts'

export type ProcessOptions = {
  /** What it does, for the sentence about its end. */
  work: string
  /** A file's name beside `caller`, without its ending. */
  program: string
  /** `import.meta.filename` of the caller: in dist/ all lie beside the shop, where `import.meta.dirname` would say a folder of the checkout. */
  caller: string
  /** Its priority below ours: by 10 it gets a tenth of a processor that both want. */
  lower: number
  /** The longest task by the clock, after which it is killed. */
  longestMs: number
}

/** What the program answers to a task: its rows in several messages, so that no one message blocks the shop, then its end. */
type Answer<Row, Result> =
  | { rows: Row[] }
  | { result: Result }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string }

/** The process was killed during a task: for its time or memory, or by a fault of a library. */
export class ProcessEnded extends Error {}

/** Without work it ends after so long, and gives back its memory. */
const idleMs = 10_000
/** Rows of one message. */
const rowsAtOnce = 250
/** What the process needs of our environment. It reads untrusted files, so it gets no secret. */
const needed = /^(MALLOC_|LD_|PATH$|SYSTEMROOT$|TE?MP)/i

function start({ program, caller, lower }: ProcessOptions): ChildProcess {
  const file = join(dirname(caller), `${program}${extname(caller)}`)
  const named = Object.entries({ ...process.env }).filter(([name]) => needed.test(name))
  const child = fork(file, {
    env: Object.fromEntries(named),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    setPriority(child.pid ?? 0, Math.min(getPriority() + lower, 19))
  } catch {
    // a system may forbid a lower priority: the work is done all the same
  }
  // callers that wait for an answer get the error too
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
  return child
}

export type OwnProcess<Task, Row, Result> = (task: Task) => Promise<{ rows: Row[]; result: Result }>

/**
 * Runs one task at a time in a process that starts with the first and ends soon after the last.
 * @returns runs a task @throws AppError as the program refused, ProcessEnded, Error as it failed
 */
export function ownProcess<Task, Row, Result>(
  options: ProcessOptions,
): OwnProcess<Task, Row, Result> {
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function run(task: Task): Promise<{ rows: Row[]; result: Result }> {
    clearTimeout(timer)
    if (!child?.connected) child = start(options)
    const own = child
    timer = setTimeout(() => own.kill('SIGKILL'), options.longestMs)
    const over = new AbortController()
    const { signal } = over
    const rows: Row[] = []
    try {
      const ended = once(own, 'exit', { signal }).then(([code, killedBy]) => {
        const text = `The process that ${options.work} ended: ${killedBy ?? code}`
        // one that ends by itself could not start: no task is at fault
        throw killedBy ? new ProcessEnded(text) : new Error(text)
      })
      const answered = new Promise<Exclude<Answer<Row, Result>, { rows: Row[] }>>((resolve) => {
        const hear = (answer: Answer<Row, Result>) => {
          if ('rows' in answer) rows.push(...answer.rows)
          else resolve(answer)
        }
        own.on('message', hear)
        signal.addEventListener('abort', () => own.off('message', hear))
      })
      own.send(task as object)
      const answer = await Promise.race([answered, ended])
      if ('result' in answer) return { rows, result: answer.result }
      if ('refused' in answer) throw new AppError(answer.refused.code, answer.refused.message)
      throw new Error(answer.failed)
    } finally {
      over.abort()
      clearTimeout(timer)
      timer = setTimeout(() => own.connected && own.disconnect(), idleMs).unref()
    }
  }

  return (task) => {
    const running = last.then(() => run(task))
    last = running.catch(() => {})
    return running
  }
}

type Limits = {
  /** Processor time of one task. */
  cpuSeconds: number
  /** Memory of this process. */
  megabytes: number
}

/**
 * Kills this process when a task takes more than that, or when the shop is gone. A thread looks: the task itself may never let
 * go.
 */
function limitTasks({ cpuSeconds, megabytes }: Limits): { restart(): void } {
  const watch = new Worker(
    `const { parentPort } = require('node:worker_threads')
    const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6 }
    const shop = process.ppid
    let since = used()
    parentPort.on('message', () => { since = used() })
    setInterval(() => {
      const isOver = used() - since > ${cpuSeconds} || process.memoryUsage.rss() > ${megabytes} * 2 ** 20
      if (isOver || process.ppid !== shop) process.kill(process.pid, 'SIGKILL')
    }, 100)`,
    { eval: true },
  )
  watch.unref()
  return { restart: () => watch.postMessage('') }
}

/**
 * The program's side: answers each task, one at a time.
 * @param limits beyond which this process dies
 */
export function answerTasks<Task, Row, Result>(
  handle: (
    task: Task,
  ) => Promise<{ rows: Row[]; result: Result }> | { rows: Row[]; result: Result },
  limits?: Limits,
): void {
  const watch = limits && limitTasks(limits)
  const answer = (message: Answer<Row, Result>) => process.send?.(message)
  process.on('message', async (task: Task) => {
    watch?.restart()
    try {
      const { rows, result } = await handle(task)
      for (let i = 0; i < rows.length; i += rowsAtOnce)
        answer({ rows: rows.slice(i, i + rowsAtOnce) })
      answer({ result })
    } catch (error) {
      if (error instanceof AppError)
        answer({ refused: { code: error.code, message: error.message } })
      else
        answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  // the shop ends this process, after what it waits for
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
}
