/**
 * Inputs generated from the schemas of the API document: valid, changed in one place, and garbage.
 */
import fc from 'fast-check'
import type { Schema } from '#server/http/api-docs/api-document.ts'

/** Values that exist in the shop, by field name, so that an input may be valid in substance too. */
export type ExistingValues = Record<string, string[]>

const odd = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202eevil',
  'a\r\nBcc: eve@example.com',
  "' or 1=1 --",
  '"; select pg_sleep(40); --',
  '%',
  '%_%',
  '\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '$' + '{jndi:ldap://x}',
  'x'.repeat(5000),
  '🛒'.repeat(300),
]

/** A value as a user would write it into a URL or a CSV file. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Any text. Created once for all inputs: the generator scans all of Unicode for each new one. */
export const anyText = fc.string({ unit: 'binary' })

/** A value that matches no schema. */
export const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...odd),
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, -0, 1e21, 2 ** 53, 2 ** 31, -(2 ** 63), [], {}),
  fc.constantFrom<unknown>([1], { $gt: 0 }, { length: 1 }, { toString: 1 }, '1e309', 'NaN', '0x10'),
  anyText,
  fc.jsonValue(),
)

function texts(
  { format, pattern, minLength = 0, maxLength = 200 }: Schema,
  existingValues: string[],
) {
  const plain = fc.string({ minLength, maxLength, unit: 'grapheme' })
  if (existingValues.length > 0) return fc.constantFrom(...existingValues)
  if (format === 'uuid') return fc.uuid()
  // the generator does not support property escapes, which match nearly any text
  if (!pattern || pattern.includes('\\P')) return plain
  return fc.stringMatching(new RegExp(pattern))
}

function meantBy(
  schema: Schema,
  name: string,
  existingValues: ExistingValues,
): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf)
    return fc.oneof(...schema.anyOf.map((one) => meantBy(one, name, existingValues)))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'object') return fieldsOf(schema, existingValues)
  if (schema.type === 'string') return texts(schema, existingValues[name] ?? [])
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum: min = -(2 ** 53) + 1, maximum: max = 2 ** 53 - 1 } = schema
    // small numbers get furthest: there is stock for them
    const small = fc.integer({ min: Math.max(Math.ceil(min), 0), max: Math.min(max, 20) })
    return fc.oneof(
      small,
      fc.maxSafeInteger().filter((n) => n >= min && n <= max),
      edges(min, max),
    )
  }
  return garbage
}

const edges = (min: number, max: number) => fc.constantFrom(min, max)

function fieldsOf({ properties = {}, required = [] }: Schema, existingValues: ExistingValues) {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, meantBy(field, name, existingValues)] as const,
  )
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

const foreign = ['role', 'admin', 'paid', 'userId', '_id', 'status', 'constructor', 'toString', '']

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function nudge(value: unknown, at: number, to: unknown): unknown {
  if (!isFields(value)) return to
  const names = [...Object.keys(value), ...foreign]
  const name = names[at % names.length] as string
  if (at % 3 === 0) return Object.fromEntries(Object.entries(value).filter(([n]) => n !== name))
  if (at % 3 === 1 && isFields(value[name])) return { ...value, [name]: nudge(value[name], at, to) }
  return { ...value, [name]: to }
}

/**
 * @returns inputs for one part of a request: half of them valid by its schema, half changed or
 * garbage
 */
export function inputsOf(schema: Schema, existingValues: ExistingValues): fc.Arbitrary<unknown> {
  const meant = meantBy(schema, '', existingValues)
  const nudged = fc
    .tuple(meant, fc.nat(1000), garbage)
    .map(([value, at, to]) => nudge(value, at, to))
  return fc.oneof({ arbitrary: meant, weight: 4 }, { arbitrary: nudged, weight: 4 }, garbage)
}

const brokenJson = [
  '',
  '{',
  'null',
  '{"quantity":1e999}',
  '{"quantity":-1e999,"quantity":1}',
  '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"admin":true}}}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `{"review":"${'x'.repeat(70_000)}"}`,
  '\ufeff{}',
  '\u0000',
]

/** Bodies of a call whose JSON has this schema, as text. */
export const bodiesOf = (schema: Schema, existingValues: ExistingValues): fc.Arbitrary<string> =>
  fc.oneof(
    {
      arbitrary: inputsOf(schema, existingValues).map((value) => JSON.stringify(value)),
      weight: 9,
    },
    fc.constantFrom(...brokenJson),
  )

/** For each string in a body: bodies with each odd text in it and the rest valid. */
export function oddTextsIn(schema: Schema, existingValues: ExistingValues): string[] {
  const [meant] = fc.sample(meantBy(schema, '', existingValues), { numRuns: 1, seed: 1 })
  const names = Object.entries(schema.properties ?? {}).filter(([, { type }]) => type === 'string')
  return names.flatMap(([name]) =>
    odd.map((text) => JSON.stringify({ ...(meant as Fields), [name]: `a${text}b` })),
  )
}

const spelled = [
  '%',
  '%00',
  '%ff',
  '%2e%2e%2f',
  '%252e',
  '..;',
  '%F0%9F%9B',
  '*',
  "'",
  '.csv',
  '-1',
]

/** One path segment: percent-encoded, sometimes incorrectly. */
export const segmentsOf = (
  schema: Schema,
  name: string,
  existingValues: ExistingValues,
): fc.Arbitrary<string> =>
  fc.oneof(
    {
      arbitrary: inputsOf(schema, existingValues).map((value) =>
        encodeURIComponent(textOf(isFields(value) ? value[name] : value).toWellFormed()),
      ),
      weight: 6,
    },
    fc.constantFrom(...spelled),
  )

/** A query with its question mark. */
export function queriesOf(schema: Schema, existingValues: ExistingValues): fc.Arbitrary<string> {
  const pairs = inputsOf(schema, existingValues).map((value) =>
    Object.entries(isFields(value) ? value : { q: value }).map(([name, one]) => [
      name,
      textOf(one),
    ]),
  )
  const tails = ['', '', '', '&limit=2&limit=1', '&after', '&q[]=1', '&__proto__[role]=admin', '&%']
  return fc.tuple(pairs, fc.constantFrom(...tails)).map(([list, tail]) => {
    const encoded = list.map((pair) =>
      pair.map((t) => encodeURIComponent(t.toWellFormed())).join('='),
    )
    return `?${encoded.join('&')}${tail}`
  })
}
