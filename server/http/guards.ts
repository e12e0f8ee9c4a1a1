import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { validator } from 'hono/validator'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type Caller, isAdmin } from '#contracts/users.ts'
import { AppError } from '#server/errors.ts'
import { hashedKey, networkOf } from './client-address.ts'

/** The context of a request. `caller` and `sessionId` are null for visitors. */
export type Env = {
  /** The client's address, set by `site.ts`. */
  Bindings: { address?: string }
  /** `sessionId` is the session that issued the access token. */
  Variables: { requestId: string; log: Logger; caller: Caller | null; sessionId: string | null }
}

/** Who may call a route. `app.ts` refuses to start with a route without a rule. */
export type Rule = 'anyone' | 'user' | 'admin' | 'signature' | 'proof'

const ruleOf = Symbol('rule')
type Ruled = { [ruleOf]?: Rule }

/** The rule of a guard; undefined for other handlers. */
export const declaredRule = (handler: object): Rule | undefined => (handler as Ruled)[ruleOf]

function ruled<T extends object>(rule: Rule, guard: T): T {
  return Object.assign(guard, { [ruleOf]: rule })
}

/** @throws Error at start when a route has no guard, so that who may call it is undecided */
export function checkRules(app: Pick<Hono<Env>, 'routes'>): void {
  const ruled = new Map<string, boolean>()
  for (const { method, path, handler } of app.routes) {
    if (method === 'ALL') continue
    const key = `${method} ${path}`
    ruled.set(key, (ruled.get(key) ?? false) || declaredRule(handler) !== undefined)
  }
  const bare = [...ruled].filter(([, ok]) => !ok).map(([key]) => key)
  if (bare.length > 0) throw new Error(`routes without a rule: ${bare.join(', ')}`)
}

const loginFirst = () => new AppError('UNAUTHENTICATED', 'Log in first')

type Signed = { Variables: Env['Variables'] & { caller: Caller } }

/** Admits everybody, on purpose. */
export const anyone = ruled(
  'anyone',
  createMiddleware<Env>((_, next) => next()),
)

/** Admits everybody, because the handler checks a proof: an ID token, or a webhook's signature. */
export const verifiedInHandler = (rule: 'proof' | 'signature') =>
  ruled(
    rule,
    createMiddleware<Env>((_, next) => next()),
  )

/** Admits callers with a valid access token. */
export const requireUser = ruled(
  'user',
  createMiddleware<Signed>((c, next) => {
    if (!c.var.caller) throw loginFirst()
    return next()
  }),
)

/** Admits callers who have the role and a verified e-mail in the database at this request. */
export const requireAdmin = ruled(
  'admin',
  createMiddleware<Signed>((c, next) => {
    if (!c.var.caller) throw loginFirst()
    if (!isAdmin(c.var.caller)) throw new AppError('FORBIDDEN', 'Only admins may do this')
    return next()
  }),
)

/** The request's network, hashed as in rate limits. */
export const hashedNetwork = (c: { env?: Env['Bindings'] }): string =>
  hashedKey(networkOf(c.env?.address ?? 'unknown'))

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
    const found = unkeepable(inner, [...path, name])
    if (found) return found
  }
  return null
}

type Target = 'json' | 'param' | 'query'
const inputOf = Symbol('input')
type Declared = { [inputOf]?: { target: Target; schema: z.ZodType } }

/** The contract of a `valid` handler; undefined for other handlers. */
export const declaredInput = (handler: object) => (handler as Declared)[inputOf]

/** Parses one part of a request by its contract, or refuses and names each wrong field. Every request passes here. */
export function valid<T extends Target, S extends z.ZodType>(target: T, schema: S) {
  const check = validator(target, (value): z.output<S> => {
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw invalid(fieldProblems(parsed.error))
    const odd = unkeepable(parsed.data)
    if (odd) throw invalid({ [odd.join('.') || 'body']: 'holds a character that can not be kept' })
    return parsed.data
  })
  return Object.assign(check, { [inputOf]: { target, schema } })
}

const Key = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable characters')

/** The client's Idempotency-Key, or null. @throws AppError INVALID for a malformed key */
export function idempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  const key = Key.safeParse(header)
  if (key.success) return key.data
  throw new AppError('INVALID', 'Idempotency-Key: must be 1 to 255 printable characters')
}
