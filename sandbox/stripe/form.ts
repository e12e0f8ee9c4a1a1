import { invalid, missing } from './errors.ts'

/** The fields of a call, named in Stripe's bracket notation such as `card[number]`. */
export type Fields = URLSearchParams

const everywhere = ['key', 'expand', 'client_secret']

/** Rejects parameters that the sandbox's version of the call does not have. */
export function allow(fields: Fields, names: readonly string[]): void {
  for (const field of fields.keys()) {
    const [param = ''] = field.split('[')
    if (names.includes(param) || everywhere.includes(param)) continue
    throw invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
}

/** A text parameter; an empty one counts as absent, as at Stripe. */
export const text = (fields: Fields, name: string) => fields.get(name) || undefined

export function requiredText(fields: Fields, name: string): string {
  const value = text(fields, name)
  if (value === undefined) throw missing(name)
  return value
}

export function integer(fields: Fields, name: string): number | undefined {
  const value = text(fields, name)
  if (value === undefined) return undefined
  if (/^-?\d{1,15}$/.test(value)) return Number(value)
  const details = { code: 'parameter_invalid_integer', param: name }
  throw invalid(`Invalid integer: ${value}`, details)
}

/** The texts of a list parameter, in the order sent. */
export const list = (fields: Fields, name: string) =>
  [...fields].flatMap(([field, value]) => (field.startsWith(`${name}[`) ? [value] : []))

export const metadata = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    [...fields].flatMap(([field, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(field)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
