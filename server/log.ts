import { type Logger, pino } from 'pino'
import type { Settings } from './env.ts'

type Described = {
  type: string
  message: string
  code?: unknown
  stack?: string[]
  cause?: Described
}

/**
 * The loggable part of an error. Drivers attach connections and rows with personal data to their
 * errors.
 */
function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, cause } = error
  // a failed query's message ends with its parameters
  const message = error.message.replace(/\nparams:[\s\S]*/, '')
  const stack = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    ...(stack && { stack }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

/** JSON lines on standard output. */
export function createLogger(settings: Settings): Logger {
  return pino({
    level: settings.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  })
}

export type LoggedCall = {
  method: string
  /** The pattern, never the path, because paths contain e-mail addresses. */
  route: string
  status: number
  /** Milliseconds. */
  ms?: number
}

/**
 * How many refused calls of one status to log within this many milliseconds; further ones are only
 * counted.
 */
const refusals = { logged: 10, ms: 10_000 }

/**
 * Logs calls. Of refused calls, logs the first ones of each status, and then their number by route
 * in `requests_refused`, so that refused clients cannot fill the disk. Metrics count all calls.
 */
export function callLog(log: Logger) {
  let logged = new Map<number, number>()
  let unlogged = new Map<string, LoggedCall & { count: number }>()
  let reportComes = false
  const report = () => {
    for (const call of unlogged.values())
      log.info({ ...call, seconds: refusals.ms / 1000 }, 'requests_refused')
    logged = new Map()
    unlogged = new Map()
    reportComes = false
  }
  const isLogged = ({ method, route, status }: LoggedCall): boolean => {
    if (!reportComes) setTimeout(report, refusals.ms).unref()
    reportComes = true
    const count = (logged.get(status) ?? 0) + 1
    logged.set(status, count)
    if (count <= refusals.logged) return true
    const key = `${method} ${route} ${status}`
    const before = unlogged.get(key)?.count ?? 0
    unlogged.set(key, { method, route, status, count: before + 1 })
    return false
  }
  /** @param by the log of the request */
  return (call: LoggedCall, by: Logger): void => {
    const isRefused = call.status >= 400 && call.status !== 500
    if (!isRefused || isLogged(call)) by.info(call, 'request')
  }
}
