/** The API document, and checks that responses match it. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type ApiDocument,
  apiDocument,
  type DocumentedCall,
  type Schema,
} from '#server/http/api-docs/api-document.ts'
import { createApp } from '#server/http/app.ts'
import { declaredRoutes } from '#server/http/guards.ts'
import type { Deps } from '#server/wiring.ts'
import { type Answer, checkAnswers } from './people.ts'

/** A call in the document, with every `$ref` resolved. */
export type DescribedCall = DocumentedCall & {
  /** Method and path, such as `GET /api/part/{id}`. */
  key: string
  method: string
  path: string
  isForAdmins: boolean
}

export function describedCalls(document: ApiDocument): DescribedCall[] {
  const schemas = new Map<string, unknown>()
  /** The same value with each `$ref` replaced by its target; each target is resolved once. */
  const resolved = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, inner: { $ref?: string } | null) => {
      const name = inner?.$ref?.split('/').at(-1)
      if (!name) return inner
      if (!schemas.has(name)) schemas.set(name, resolved(document.components.schemas[name]))
      return schemas.get(name)
    })
  return Object.entries(document.paths).flatMap(([tail, calls]) =>
    Object.entries(calls).map(([verb, described]) => {
      const [method, path] = [verb.toUpperCase(), `/api${tail}`]
      const isForAdmins = described.security.some(({ accessToken = [] }) => accessToken.length > 0)
      return {
        ...resolved(described),
        key: `${method} ${path}`,
        method,
        path,
        isForAdmins,
      }
    }),
  )
}

/** The fields in a call's path or query. */
export function fieldsIn(place: 'path' | 'query', { parameters }: DescribedCall): Schema {
  const these = parameters.filter((parameter) => parameter.in === place)
  return {
    type: 'object',
    properties: Object.fromEntries(these.map(({ name, schema }) => [name, schema])),
    required: these.filter(({ required }) => required).map(({ name }) => name),
  }
}

export const documentOf = (deps: Deps): ApiDocument =>
  apiDocument(declaredRoutes(createApp(deps)), 'Ferrite')

/**
 * The example of a call's body, with real values in its fields.
 * @param key as in `describedCalls`
 */
export function exampleBody(calls: DescribedCall[], key: string, real: object = {}): object {
  const body = calls.find((call) => call.key === key)?.requestBody?.content['application/json']
  const [example] = body?.schema.examples ?? []
  if (typeof example !== 'object') throw new Error(`${key} has no example`)
  return { ...example, ...real }
}

/** Compares responses with the document. The result is a message, or null. */
function answerCheck(document: ApiDocument) {
  const calls = describedCalls(document).map((call) => ({
    ...call,
    // literal segments take precedence over variable ones
    words: call.path.split('{').length,
    pattern: new RegExp(`^${call.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  calls.sort((a, b) => a.words - b.words)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  // by content: nearly all calls have the same refusals
  const compiled = new Map<string, ValidateFunction>()
  return (method: string, path: string, { status, body, headers }: Answer): string | null => {
    const { pathname } = new URL(path, 'http://shop')
    const call = calls.find((one) => one.method === method && one.pattern.test(pathname))
    // 304 belongs to HTTP, for responses with an ETag
    if (!call || status === 304) return null
    const callAndStatus = `${call.key} answered ${status}`
    const response = call.responses[status]
    if (!response)
      return `${callAndStatus}, which its document does not name: ${JSON.stringify(body)}`
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const content = response.content[type]
    if (!content) return `${callAndStatus} as ${type}, which its document does not name`
    if (type !== 'application/json') return null
    const key = JSON.stringify(content.schema)
    const check = compiled.get(key) ?? ajv.compile(content.schema)
    compiled.set(key, check)
    return check(body)
      ? null
      : `${callAndStatus}: ${ajv.errorsText(check.errors)}: ${JSON.stringify(body)}`
  }
}

const held = new Set<string>()
let findProblem: ReturnType<typeof answerCheck> | undefined

/**
 * From now on every API response of this shop must match its document, which is the same for all
 * shops.
 */
export function holdToDocument(origin: string, deps: Deps): void {
  findProblem ??= answerCheck(documentOf(deps))
  held.add(origin)
  checkAnswers(checkAnswer)
}

/** @throws Error if a shop of this process gives a response that its document does not describe */
function checkAnswer(origin: string, method: string, path: string, answer: Answer): void {
  if (!findProblem || !held.has(origin) || !path.startsWith('/api/')) return
  const problem = findProblem(method, path, answer)
  if (problem) throw new Error(problem)
}
