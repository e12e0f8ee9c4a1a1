import type { Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { validator } from 'hono/validator'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type KeyScope, keyScopes } from '#contracts/api-keys.ts'
import type { ErrorCode } from '#contracts/errors.ts'
import { type Caller, isAdmin } from '#contracts/users.ts'
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
    /** The key of a program. Its admin becomes the caller where the route names a scope that it has, and nowhere else. */
    apiKey: { _id: string; scopes: KeyScope[]; caller: Caller } | null
  }
}

/** Who may call a route. `app.ts` refuses to start with a route without a rule. */
export type Rule = 'anyone' | 'user' | 'admin' | 'signature' | 'proof'

/** How often a call may be made: `max` in `seconds`, by one user or API key, or by one network's visitors at one path. */
export type CallLimit = {
  max: number
  seconds: number
  /** Replaces the usual refusal. */
  message?: string
  /** Counts by e-mail address: registering again makes a new user and sends another mail. */
  by?: 'email'
}
export const perMinute = (max: number): CallLimit => ({ max, seconds: 60 })
export const perHour = (max: number): CallLimit => ({ max, seconds: 3600 })

/** Everything that a route says about itself: to its callers, to the document of the API, and to what limits and caches it. */
export type Operation = {
  /** One sentence, with the verb first. */
  summary: string
  /** What its contracts cannot say. */
  description?: string
  /** The body of a success, in JSON unless its metadata name a `contentMediaType`. */
  answer: z.ZodType
  /** By which scope an API key may make this call; without one, by none. */
  scope?: KeyScope
  /** Its own refusals; `api-document.ts` adds those that follow from guard, contracts and limits. */
  errors?: readonly ErrorCode[]
  /** A body that no `valid('json', …)` reads. */
  body?: z.ZodType
  /** Whether the same Idempotency-Key does the same work once. */
  idempotencyKey?: 'optional' | 'required'
  /** Without one, a write counts with the caller's other writes and a read is not counted. 'none' never counts. */
  limit?: CallLimit | 'none'
  /** The largest body in bytes, and the sentence for a larger one; 64 KB without it. */
  maxBody?: { bytes: number; message?: string }
  /** What its answer shows of the catalogue: a page made of it is outdated by that topic. A handler may name it more closely in `Cache-Tag`. */
  shows?: Topic
  /** For whom its answer is the same, until what it shows changes: then it is cached. It must read nothing of the query. */
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
  /** The group of routes that it belongs to. */
  section?: string
  inputs: Partial<Record<Target, z.ZodType>>
}

const declared = Symbol('declared')
type Declaration = Partial<Route>
const declare = <T extends object>(handler: T, declaration: Declaration): T =>
  Object.assign(handler, { [declared]: declaration })

/** Names the group of these routes. */
export function inSection<T extends Pick<Hono<Env>, 'routes'>>(section: string, app: T): T {
  for (const { handler } of app.routes as { handler: { [declared]?: Declaration } }[]) {
    if (handler[declared]?.operation) handler[declared].section = section
  }
  return app
}

/** What the guard of the matched route declares, for middleware that runs before it. */
export const operationOf = (c: Context): Operation | undefined =>
  matchedRoutes(c)
    .map(({ handler }) => (handler as { [declared]?: Declaration })[declared]?.operation)
    .find((operation) => operation !== undefined)

/** Every route with what its guard and its contracts declare. */
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

/** @throws Error at start when a route has no guard, so that who may call it is undecided */
export function checkRules(app: Pick<Hono<Env>, 'routes'>): void {
  const bare = declaredRoutes(app).filter(({ rule }) => !rule)
  if (bare.length === 0) return
  throw new Error(`routes without a rule: ${bare.map(({ key }) => key).join(', ')}`)
}

const loginFirst = () => new AppError('UNAUTHENTICATED', 'Log in first')

const pass = () => createMiddleware<Env>((_, next) => next())

type Signed = { Variables: Env['Variables'] & { caller: Caller } }

/** Makes the admin of an API key the caller, for a call that its scopes name. @throws AppError FORBIDDEN */
function actByKey(c: Context<Signed>, { scope }: Operation): void {
  const { apiKey } = c.var
  if (!apiKey) return
  if (!scope) throw new AppError('FORBIDDEN', 'No API key may do this')
  if (!apiKey.scopes.includes(scope))
    throw new AppError('FORBIDDEN', `This API key may not do this: ${keyScopes[scope]} (${scope})`)
  c.set('caller', apiKey.caller)
}

/** Admits everybody, on purpose. */
export const anyone = (operation: Operation) => declare(pass(), { rule: 'anyone', operation })

/** Admits everybody, because the handler checks a proof: an ID token, or a webhook's signature. */
export const verifiedInHandler = (rule: 'proof' | 'signature', operation: Operation) =>
  declare(pass(), { rule, operation })

/** Admits callers with a valid access token, and API keys with the operation's scope. */
export const requireUser = (operation: Operation) =>
  declare(
    createMiddleware<Signed>((c, next) => {
      actByKey(c, operation)
      if (!c.var.caller) throw loginFirst()
      return next()
    }),
    { rule: 'user', operation },
  )

/** The same, of callers who have the role and a verified e-mail in the database at this request. */
export const requireAdmin = (operation: Operation) =>
  declare(
    createMiddleware<Signed>((c, next) => {
      actByKey(c, operation)
      if (!c.var.caller) throw loginFirst()
      if (!isAdmin(c.var.caller)) throw new AppError('FORBIDDEN', 'Only admins may do this')
      return next()
    }),
    { rule: 'admin', operation },
  )

/** The request's networks, narrowest first, hashed as in rate limits. */
export function hashedNetworks(c: { env?: Env['Bindings'] }): [string, ...string[]] {
  const [narrowest, ...wider] = networksOf(c.env?.address ?? 'unknown')
  return [hashedKey(narrowest), ...wider.map(hashedKey)]
}

/** The first complaint about each field, by its name. */
function fieldProblems(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  return fields
}

function invalid(fields: Record<string, string>): AppError {
  const [[field, problem] = ['', '']] = Object.entries(fields)
  return new AppError('INVALID', `${field}: ${problem}`, fields)
}

/** The path to a text that PostgreSQL cannot store, for NUL or half a surrogate pair; null when there is none. */
function unkeepable(value: unknown, path: string[] = []): string[] | null {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const badPath = unkeepable(inner, [...path, name])
    if (badPath) return badPath
  }
  return null
}

/** Parses one part of a request by its contract, or refuses and names each wrong field. Every request passes here. */
export function valid<T extends Target, S extends z.ZodType>(target: T, schema: S) {
  const check = validator(target, (value): z.output<S> => {
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw invalid(fieldProblems(parsed.error))
    const path = unkeepable(parsed.data)
    if (path)
      throw invalid({ [path.join('.') || 'body']: 'holds a character that can not be kept' })
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
