import { invalid, missing } from './faults.ts'

/** Decoded form fields; `a[b]=c` becomes `{ a: { b: 'c' } }`, `a[]=c` becomes `{ a: { 0: 'c' } }`. */
export type Params = { [name: string]: string | Params }

/** Reads Stripe's form encoding with bracket notation. */
export function parseForm(text: string): Params {
  const params = empty()
  for (const [name, value] of new URLSearchParams(text)) put(params, path(name), value)
  return params
}

const empty = (): Params => Object.create(null)

function path(name: string): string[] {
  const [head = '', ...rest] = name.split('[')
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))]
}

function put(target: Params, keys: string[], value: string): void {
  const [key = '', ...rest] = keys
  const name = key === '' ? String(Object.keys(target).length) : key
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const next = inner === undefined || typeof inner === 'string' ? empty() : inner
  target[name] = next
  put(next, rest, value)
}

const everywhere = new Set(['key', 'expand', 'client_secret'])

/** Refuses parameters that the call does not have. */
export function allow(params: Params, names: readonly string[]): void {
  const extra = Object.keys(params).find((name) => !names.includes(name) && !everywhere.has(name))
  if (extra !== undefined) {
    const details = { code: 'parameter_unknown', param: extra }
    throw invalid(`Received unknown parameter: ${extra}`, details)
  }
}

/** A text parameter; an empty one counts as absent, as at Stripe. */
export function text(params: Params, name: string): string | undefined {
  const value = params[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw invalid('Invalid string', { param: name })
  if (value.length > 5000)
    throw invalid(`Invalid string: must be at most 5000 characters`, { param: name })
  return value
}

export function requiredText(params: Params, name: string): string {
  const value = text(params, name)
  if (value === undefined) throw missing(name)
  return value
}

export function integer(params: Params, name: string): number | undefined {
  const value = text(params, name)
  if (value === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(value)) {
    throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name })
  }
  return Number(value)
}

export function oneOf(params: Params, name: string, values: readonly string[]): string | undefined {
  const value = text(params, name)
  if (value !== undefined && !values.includes(value)) {
    throw invalid(`Invalid ${name}: must be one of ${values.join(', ')}`, { param: name })
  }
  return value
}

export function nested(params: Params, name: string): Params {
  const value = params[name]
  return value === undefined || typeof value === 'string' ? empty() : value
}

/** The texts of a list parameter, in the order sent. */
export function list(params: Params, name: string): string[] {
  return Object.values(nested(params, name)).filter((value) => typeof value === 'string')
}

/** Merges sent metadata into what there is: an empty value unsets its key, an empty field unsets all. */
export function metadata(params: Params, before: Record<string, string> = {}) {
  if (params.metadata === '') return {}
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(nested(params, 'metadata'))) {
    const param = `metadata[${key}]`
    if (typeof value !== 'string') throw invalid('Metadata values must be strings', { param })
    if (key.length > 40) throw invalid('Metadata keys can have up to 40 characters.', { param })
    if (value.length > 500)
      throw invalid('Metadata values can have up to 500 characters.', { param })
    if (value === '') merged.delete(key)
    else merged.set(key, value)
  }
  if (merged.size > 50) throw invalid('Metadata can have up to 50 keys.', { param: 'metadata' })
  return Object.fromEntries(merged)
}
