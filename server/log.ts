import { type Logger, pino } from 'pino'
import type { Settings } from './env.ts'

type Described = {
  type: string
  message: string
  code?: unknown
  stack?: string[]
  cause?: Described
}

/** The loggable part of an error. Drivers attach connections and rows to their errors, with personal data in them. */
function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, cause } = error
  // a failed query's message ends with the values it was given
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
