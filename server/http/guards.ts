import type { Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { validator } from 'hono/validator'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type KeyScope, keyScopes } from '#contracts/api-keys.ts'
import type { ErrorCode } from '#contracts/errors.ts'
import { type Caller, isAdmin, isPacker } from '#contracts/users.ts'
import type { Topic } from '#server/database/catalogue-version.ts'
import { AppError } from '#server/errors.ts'
import { hashedKey, networksOf } from './client-address.ts'

/** The context of a request. `caller` and `sessionId` are null for visitors. */
export type Env = {
  /** The client's address, set by `site.ts`. */
  Bindings: { address?: string }
  Variables: {
    requestId: string
    log: Logger
    caller: Caller | null
    /** The session that issued the access token. */
    sessionId: string | null
    /**
     * Whether the caller has no second factor, or entered a code in this session within the last ten
     * minutes.
     */
    isConfirmed: () => Promise<boolean>
    /** A program's API key. Its admin becomes the caller only in routes whose scope the key has. */
    apiKey: { _id: string; scopes: KeyScope[]; caller: Caller } | null
  }
}

/** Who may call a route. The server does not start when a route has no rule. */
export type Rule = 'anyone' | 'user' | 'packer' | 'admin' | 'signature' | 'proof'

/**
 * A rate limit: `max` calls in `seconds`, per user or API key, or for visitors per network, and for
 * their writes per network and path.
 */
export type CallLimit = {
  max: number
  seconds: number
  /** Replaces the default message. */
  message?: string
  /**
   * Counts by e-mail address, because registering again creates a new user and sends another mail.
   */
  by?: 'email'
}
export const perMinute = (max: number): CallLimit => ({ max, seconds: 60 })
export const perHour = (max: number): CallLimit => ({ max, seconds: 3600 })

/**
 * A crowd in one line delays no other; calls of payments wait for the card provider, too, and those
 * of papers for the process that makes PDFs.
 */
export const lockLines = ['queue', 'holds', 'payments', 'papers'] as const
export type LockLine = (typeof lockLines)[number]

/** A route's declaration, for its callers, the API document, rate limits and the cache. */
export type Operation = {
  /** One sentence that starts with the verb. */
  summary: string
  /** What the contracts cannot express. */
  description?: string
  /** The response body of a success: JSON, unless its metadata has a `contentMediaType`. */
  answer: z.ZodType
  /** The scope that an API key needs for this call; without a scope, no key can make it. */
  scope?: KeyScope
  /**
   * Money goes out, or rights or accounts change: who has a second factor needs a code of the last
   * minutes. No API key may do this.
   */
  asksCode?: true
  /** The route's own errors; `api-document.ts` adds those of its guard, contracts and limits. */
  errors?: readonly ErrorCode[]
  /** A body that no `valid('json', …)` reads. */
  body?: z.ZodType
  /** Whether requests with the same Idempotency-Key run once. */
  idempotencyKey?: 'optional' | 'required'
  /**
   * Without a limit, writes count toward the caller's other writes, and reads do not count. 'none'
   * never counts.
   */
  limit?: CallLimit | 'none'
  /**
   * The line in which calls run a few at a time, in turns of networks, because they wait for each
   * other.
   */
  inTurns?: LockLine
  /** The maximum body size in bytes, and the message for larger ones; 64 KB by default. */
  maxBody?: { bytes: number; message?: string }
  /**
   * The part of the catalogue that the response shows: a change of that topic makes pages with it
   * outdated. A handler can be more specific with `Cache-Tag`.
   */
  shows?: Topic
  /**
   * Which callers share the same response, cached until its content changes. Such a route cannot
   * read a query.
   */
  cached?: 'everybody' | 'visitors'
}

type Target = 'json' | 'param' | 'query'
export type Route = {
  /** Method and path: `GET /api/part/:id`. */
  key: string
  method: string
  path: string
  rule?: Rule
  operation?: Operation
  /** The route's group. */
  section?: string
  inputs: Partial<Record<Target, z.ZodType>>
}

const declared = Symbol('declared')
type Declaration = Partial<Route>
const declare = <T extends object>(handler: T, declaration: Declaration): T =>
  Object.assign(handler, { [declared]: declaration })

/** Sets the group of these routes. */
export function inSection<T extends Pick<Hono<Env>, 'routes'>>(section: string, app: T): T {
  for (const { handler } of app.routes as { handler: { [declared]?: Declaration } }[]) {
    if (handler[declared]?.operation) handler[declared].section = section
  }
  return app
}

/** The declaration of the matched route's guard, for middleware that runs before the guard. */
export const guardOf = (c: Context): Declaration | undefined =>
  matchedRoutes(c)
    .map(({ handler }) => (handler as { [declared]?: Declaration })[declared])
    .find((declaration) => declaration?.operation !== undefined)

export const operationOf = (c: Context): Operation | undefined => guardOf(c)?.operation

/** Every route with the declarations of its guard and contracts. */
export function declaredRoutes(app: Pick<Hono<Env>, 'routes'>): Route[] {
  const routes = new Map<string, Route>()
  for (const { method, path, handler } of app.routes) {
    if (method === 'ALL') continue
    const key = `${method} ${path}`
    const route = routes.get(key) ?? { key, method, path, inputs: {} }
    const { inputs, ...guard } = (handler as { [declared]?: Declaration })[declared] ?? {}
    routes.set(key, { ...route, ...guard, inputs: { ...route.inputs, ...inputs } })
  }
  return [...routes.values()]
}

/**
 * @throws Error at start when a route has no guard, which would leave open who may call it, or
 * reads a query although its response is cached for every query
 */
export function checkRules(app: Pick<Hono<Env>, 'routes'>): void {
  const routes = declaredRoutes(app)
  const refuse = (fault: string, are: Route[]) => {
    if (are.length > 0) throw new Error(`${fault}: ${are.map(({ key }) => key).join(', ')}`)
  }
  refuse(
    'routes without a rule',
    routes.filter(({ rule }) => !rule),
  )
  refuse(
    'cached routes with a query',
    routes.filter(({ operation, inputs }) => operation?.cached && inputs.query),
  )
}

const loginFirst = () => new AppError('UNAUTHENTICATED', 'Log in first')

const pass = () => createMiddleware<Env>((_, next) => next())

type Signed = { Variables: Env['Variables'] & { caller: Caller } }

/**
 * Makes the admin of an API key the caller when the key has the call's scope. @throws AppError
 * FORBIDDEN
 */
function actByKey(c: Context<Signed>, { scope }: Operation): void {
  const { apiKey } = c.var
  if (!apiKey) return
  if (!scope) throw new AppError('FORBIDDEN', 'No API key may do this')
  if (!apiKey.scopes.includes(scope))
    throw new AppError('FORBIDDEN', `This API key may not do this: ${keyScopes[scope]} (${scope})`)
  c.set('caller', apiKey.caller)
}

/** Explicitly admits everybody. */
export const anyone = (operation: Operation) => declare(pass(), { rule: 'anyone', operation })

/** Admits everybody, because the handler checks a proof: an ID token, or a webhook's signature. */
export const verifiedInHandler = (rule: 'proof' | 'signature', operation: Operation) =>
  declare(pass(), { rule, operation })

/**
 * Asks for the code of `asksCode`: for handlers of routes that need one only for some of their
 * rows, and declare `errors: ['CONFIRM_FIRST']`.
 * @throws AppError CONFIRM_FIRST
 */
export async function checkCode(c: Pick<Context<Env>, 'var'>): Promise<void> {
  if (!(await c.var.isConfirmed()))
    throw new AppError('CONFIRM_FIRST', 'Enter a one-time code first')
}

/** Admits callers with a valid access token, and API keys with the operation's scope. */
export const requireUser = (operation: Operation) =>
  declare(
    createMiddleware<Signed>(async (c, next) => {
      actByKey(c, operation)
      if (!c.var.caller) throw loginFirst()
      if (operation.asksCode) await checkCode(c)
      return next()
    }),
    { rule: 'user', operation },
  )

const staff = {
  admin: { isOne: isAdmin, refusal: 'Only admins may do this' },
  packer: { isOne: isPacker, refusal: 'Only packers and admins may do this' },
} as const

const requireStaff = (rule: keyof typeof staff) => (operation: Operation) =>
  declare(
    createMiddleware<Signed>(async (c, next) => {
      actByKey(c, operation)
      if (!c.var.caller) throw loginFirst()
      if (!staff[rule].isOne(c.var.caller)) throw new AppError('FORBIDDEN', staff[rule].refusal)
      if (operation.asksCode) await checkCode(c)
      return next()
    }),
    { rule, operation },
  )

/**
 * Like `requireUser`, for callers whom the database lists as admins with a verified e-mail at this
 * request.
 */
export const requireAdmin = requireStaff('admin')

/** The same for packers and admins. */
export const requirePacker = requireStaff('packer')

/** The request's networks, narrowest first, hashed like the keys of rate limits. */
export function hashedNetworks(c: { env?: Env['Bindings'] }): [string, ...string[]] {
  const [narrowest, ...wider] = networksOf(c.env?.address ?? 'unknown')
  return [hashedKey(narrowest), ...wider.map(hashedKey)]
}

/** The first error of each field, by field name. */
function fieldProblems(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  return fields
}

function invalid(fields: Record<string, string>): AppError {
  const [[field, problem] = ['', '']] = Object.entries(fields)
  return new AppError('INVALID', `${field}: ${problem}`, fields)
}

/**
 * The path to a text that PostgreSQL cannot store, because it contains NUL or an unpaired
 * surrogate; null without one.
 */
function unkeepable(value: unknown, path: string[] = []): string[] | null {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const badPath = unkeepable(inner, [...path, name])
    if (badPath) return badPath
  }
  return null
}

/**
 * Parses one part of a request with its contract, or refuses the request and names each invalid
 * field. Every request is checked here.
 */
export function valid<T extends Target, S extends z.ZodType>(target: T, schema: S) {
  const check = validator(target, (value): z.output<S> => {
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw invalid(fieldProblems(parsed.error))
    const path = unkeepable(parsed.data)
    if (path)
      throw invalid({ [path.join('.') || 'body']: 'holds a character that cannot be stored' })
    return parsed.data
  })
  return declare(check, { inputs: { [target]: schema } })
}

const Key = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable characters')

/** The client's Idempotency-Key, or null. @throws AppError INVALID for a malformed key */
export function idempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  const key = Key.safeParse(header)
  if (key.success) return key.data
  throw new AppError('INVALID', 'Idempotency-Key: must be 1 to 255 printable characters')
}

/** The same where the call needs one. @throws AppError INVALID without a key */
export function requiredKey(header: string | undefined): string {
  const key = idempotencyKey(header)
  if (!key) throw new AppError('INVALID', 'Idempotency-Key is required')
  return key
}
