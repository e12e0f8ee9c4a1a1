/**
 * Processes untrusted files in a separate process: it frees its memory when it ends, has a lower
 * priority than the shop's requests, and cannot crash the shop. `ownProcess` is the shop's side,
 * `answerTasks` the program's.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '#contracts/errors.ts'
import { AppError } from './errors.ts'

export type ProcessOptions = {
  /** What it does, for the error message when it ends. */
  work: string
  /** The name of a file beside `caller`, without its extension. */
  program: string
  /**
   * `import.meta.filename` of the caller. In dist/ all programs are beside the shop's bundle, but
   * `import.meta.dirname` would point to a folder of the checkout.
   */
  caller: string
  /** Its priority below ours: at 10, it gets a tenth of a contested processor. */
  lower: number
  /** The maximum duration of a task, after which the process is killed. */
  longestMs: number
}

/**
 * The program's response to a task: rows in several messages, so that no single message blocks the
 * shop, then the result.
 */
type Answer<Row, Result> =
  | { rows: Row[] }
  | { result: Result }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string }

/**
 * The process was killed during a task, because it used too much time or memory or because a
 * library crashed.
 */
export class ProcessEnded extends Error {}

/** Without work, the process ends after this time and frees its memory. */
const idleMs = 10_000
/** Rows of one message. */
const rowsAtOnce = 250
/**
 * The environment variables that the process needs. It reads untrusted files, so it gets no secret.
 */
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
    // the system may forbid a lower priority; the work continues anyway
  }
  // callers that wait for a response get the error, too
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
  return child
}

export type OwnProcess<Task, Row, Result> = (task: Task) => Promise<{ rows: Row[]; result: Result }>

/**
 * Runs one task at a time in a process that starts with the first and ends soon after the last.
 * @returns a function that runs a task
 * @throws AppError when the program refuses, ProcessEnded when it was killed, Error when it fails
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
        // a process that ends by itself could not start: no task caused this
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
 * Kills this process when a task exceeds the limits, or when the shop is gone. A thread checks
 * this, because the task itself may never yield.
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
 * The program's side: handles the tasks one at a time.
 * @param limits kill this process when exceeded
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
  // the shop ends this process after the tasks that it waits for
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
}
