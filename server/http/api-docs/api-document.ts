/**
 * The document of the API: OpenAPI 3.1, generated from the declarations of the routes. Guards
 * define who may call a route and what it returns, contracts what it accepts, and `rate-limits.ts`
 * how often.
 */
import { z } from 'zod'
import * as account from '#contracts/account.ts'
import * as apiKeys from '#contracts/api-keys.ts'
import { keyPrefix, keyScopes } from '#contracts/api-keys.ts'
import * as audit from '#contracts/audit.ts'
import * as deliveries from '#contracts/deliveries.ts'
import * as errors from '#contracts/errors.ts'
import { type ErrorCode, errorMeaning, errorStatus } from '#contracts/errors.ts'
import * as lists from '#contracts/lists.ts'
import * as mail from '#contracts/mail.ts'
import * as myData from '#contracts/my-data.ts'
import * as orders from '#contracts/orders.ts'
import * as overview from '#contracts/overview.ts'
import * as partLists from '#contracts/part-lists.ts'
import * as parts from '#contracts/parts.ts'
import * as csv from '#contracts/parts-csv.ts'
import * as pictures from '#contracts/pictures.ts'
import * as reconciliation from '#contracts/reconciliation.ts'
import * as refunds from '#contracts/refunds.ts'
import * as reviews from '#contracts/reviews.ts'
import * as search from '#contracts/search.ts'
import * as staff from '#contracts/staff.ts'
import * as tickets from '#contracts/tickets.ts'
import * as users from '#contracts/users.ts'
import * as webhooks from '#contracts/webhooks.ts'
import { waitText } from '#server/errors.ts'
import type { Route, Rule } from '#server/http/guards.ts'
import { limitOf, otherWrites } from '#server/http/limits/rate-limits.ts'
import { version } from '#server/version.ts'

/** The subset of JSON Schema that the document uses. */
export type Schema = {
  $ref?: string
  type?: string
  format?: string
  pattern?: string
  enum?: string[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  description?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  allOf?: Schema[]
}
type Content = Record<string, { schema: Schema; example?: unknown }>
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}
export type DocumentedCall = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, { description: string; headers?: object; content: Content }>
}
export type ApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, DocumentedCall>>
  /** What the shop sends to webhooks. */
  webhooks: object
  components: { schemas: Record<string, Schema>; securitySchemes: object }
}

const introduction = `The calls of this shop: those that its own pages make.

**Access.** Calls for customers and admins take an access token, which lasts an hour. With an account of the shop it takes three calls; \`$SHOP\` is the shop’s address, such as \`https://shop.example\`:

\`\`\`
curl -c cookies "$SHOP/identity/sign-in/email" -H "Origin: $SHOP" \\
  -H 'Content-Type: application/json' -d '{"email":"ada@example.com","password":"…"}'
curl -b cookies "$SHOP/identity/token"
curl -X PUT "$SHOP/api/user/ada@example.com" -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com","idToken":"…"}'
\`\`\`

The second answer’s \`token\` is the ID token, the third’s is \`$TOKEN\` in the examples. What a caller may do is decided at each request: a token carries no rights, and signing out or a new password ends it.

**Programs** of an admin’s take an API key instead, which an admin makes under Integrations: \`Authorization: Bearer ${keyPrefix}…\`. It makes the calls that its scopes name and no other, until its last day.

**Refusals** have one body for all calls, \`ErrorBody\`: \`code\` is for programs, \`message\` a sentence for people, and \`requestId\` finds the request in the shop’s log.

**Limits** count the calls of one user, or of one network’s visitors. Where a call names none of its own, it is one of ${otherWrites.max} writes in a minute; reading is not counted.

**Repeated requests.** A call with an \`Idempotency-Key\` does its work once: the same key and body get the same answer.

**Lists** come whole, or in pages: \`limit\` says how many rows, and \`after\` is the \`_id\` of the last row read.

**Values.** Amounts are in the shop’s currency, with at most two decimals, ids are UUIDs, times ISO 8601 in UTC.`

const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${keyPrefix}…`,
    description: Object.entries(keyScopes)
      .map(([scope, text]) => `\`${scope}\`: ${text}.`)
      .join(' '),
  },
  providerSignature: { type: 'apiKey', in: 'header', name: 'Stripe-Signature' },
}

const audience: Record<Rule, { text: string; security: DocumentedCall['security'] }> = {
  anyone: { text: 'For everybody.', security: [] },
  proof: { text: 'For everybody who sends the proof.', security: [] },
  user: { text: 'For customers and admins.', security: [{ accessToken: [] }] },
  packer: { text: 'For packers and admins.', security: [{ accessToken: ['packer'] }] },
  admin: { text: 'For admins.', security: [{ accessToken: ['admin'] }] },
  signature: { text: 'For the card provider.', security: [{ providerSignature: [] }] },
}

const contracts: object[] = [
  account,
  apiKeys,
  audit,
  deliveries,
  errors,
  lists,
  mail,
  myData,
  orders,
  overview,
  partLists,
  parts,
  csv,
  pictures,
  reconciliation,
  refunds,
  reviews,
  search,
  staff,
  tickets,
  users,
  webhooks,
]

/** Names objects in the document as in `contracts/`. */
function nameContracts(): void {
  for (const [id, schema] of contracts.flatMap((contract) => Object.entries(contract))) {
    if (schema instanceof z.ZodObject) z.globalRegistry.add(schema, { ...schema.meta(), id })
  }
}

/** Removes what adds nothing: the pattern of a named format, and JavaScript's own maximum. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  // zod's own format name
  if (schema.format === 'starts_with') delete schema.format
  if (schema.format) delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}

/** Converts contracts into schemas, and collects the named ones. */
function schemaWriter() {
  const named: Record<string, Schema> = {}
  const write = (contract: z.ZodType, io: 'input' | 'output'): Schema => {
    const jsonSchema = z.toJSONSchema(contract, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        simplify(jsonSchema)
        delete jsonSchema.examples
        // only examples of requests; zod drops them when a contract transforms its input
        const examples = io === 'input' && z.globalRegistry.get(zodSchema)?.examples
        if (Array.isArray(examples)) jsonSchema.examples = examples
      },
    })
    const text = JSON.stringify(jsonSchema).replaceAll('#/$defs/', '#/components/schemas/')
    const { $schema: _, $defs = {}, ...schema } = JSON.parse(text)
    for (const [name, { id: _, ...one }] of Object.entries<Schema & { id: string }>($defs))
      named[name] = one
    return schema
  }
  return { named, write }
}
type Write = ReturnType<typeof schemaWriter>['write']

const contentOf = (contract: z.ZodType, schema: Schema): Content => {
  const type = contract.meta()?.contentMediaType
  return { [typeof type === 'string' ? type : 'application/json']: { schema } }
}

/** Every error code with which the call may be refused. */
function errorCodes(route: Route): ErrorCode[] {
  const { method, rule, operation, inputs } = route
  const takes = Object.keys(inputs).length > 0 || operation?.body
  const codes = new Set<ErrorCode>(operation?.errors)
  if (takes || operation?.idempotencyKey) codes.add('INVALID')
  if (rule === 'user' || rule === 'packer' || rule === 'admin')
    codes.add('UNAUTHENTICATED').add('FORBIDDEN')
  if (operation?.asksCode) codes.add('CONFIRM_FIRST')
  if (method !== 'GET') codes.add('TOO_LARGE').add('STORAGE_LOW')
  if (operation?.idempotencyKey) codes.add('KEY_REUSED')
  if (limitOf(route)) codes.add('TOO_MANY')
  codes.add('INTERNAL').add('UNAVAILABLE')
  return (Object.keys(errorStatus) as ErrorCode[]).filter((code) => codes.has(code))
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
}

function refusals(route: Route): DocumentedCall['responses'] {
  const byStatus = Map.groupBy(errorCodes(route), (code) => errorStatus[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const code = { properties: { code: { enum: codes } } }
      const schema = {
        allOf: [{ $ref: '#/components/schemas/ErrorBody' }, { properties: { error: code } }],
      }
      const refusal = {
        description: codes.map((one) => `${one}: ${errorMeaning[one]}`).join('\n\n'),
        ...((status === 429 || status === 503) && { headers: retryAfter }),
        content: { 'application/json': { schema } },
      }
      return [String(status), refusal]
    }),
  )
}

const key = (use: 'optional' | 'required'): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: use === 'required',
  description: 'Of your choice: the same key and body do the work once.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
})

function parametersOf({ inputs, operation }: Route, write: Write): Parameter[] {
  const of = (place: 'path' | 'query', contract?: z.ZodType) => {
    // a copy without a name, so that each field becomes a parameter
    const fields = z.object(contract instanceof z.ZodObject ? contract.shape : {})
    const { properties = {}, required = [] } = write(fields, 'input')
    return Object.entries(properties).map(([name, property]): Parameter => {
      const { description, ...schema } = property as Schema
      const isRequired = required.includes(name)
      return { name, in: place, required: isRequired, ...(description && { description }), schema }
    })
  }
  const { idempotencyKey } = operation ?? {}
  return [
    ...of('path', inputs.param),
    ...of('query', inputs.query),
    ...(idempotencyKey ? [key(idempotencyKey)] : []),
  ]
}

/** `GET /api/product/:id/stock` → `getProductByIdStock`. */
const operationIdOf = ({ method, path }: Route) =>
  method.toLowerCase() +
  path
    .slice('/api'.length)
    .replaceAll('/:', '/by-')
    .replaceAll(/[/.-](\w)/g, (_, letter: string) => letter.toUpperCase())

function callOf(route: Route, write: Write): DocumentedCall {
  const { rule, operation, section, inputs } = route
  if (!rule || !operation || !section) throw new Error(`${route.key} is in no section`)
  const { summary, description, answer, scope } = operation
  const { text, security } = audience[rule]
  const byKey = scope && `API keys need the scope \`${scope}\`.`
  const limit = limitOf(route)
  const limited =
    limit && limit !== otherWrites && `At most ${limit.max} calls in ${waitText(limit.seconds)}.`
  const body = inputs.json ?? operation.body
  const content = body && contentOf(body, write(body, 'input'))
  return {
    operationId: operationIdOf(route),
    summary,
    description: [description, text, byKey, limited].filter(Boolean).join(' '),
    tags: [section],
    security: scope ? [...security, { apiKey: [scope] }] : security,
    parameters: parametersOf(route, write),
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      200: { description: 'Done.', content: contentOf(answer, write(answer, 'output')) },
      ...refusals(route),
    },
  }
}

/** The webhook event, signed according to https://www.standardwebhooks.com. */
function webhookCall(subject: string, content: Content) {
  const header = (name: string, description: string) => ({
    ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
  })
  return {
    summary: `Sends an event of ${subject} to a webhook.`,
    parameters: [
      header('webhook-id', 'The same at every try.'),
      header('webhook-timestamp', 'When this try was made, in seconds since 1970.'),
      header('webhook-signature', '`v1,` and base64; during a change of the secret two of them.'),
    ],
    requestBody: { required: true, content },
    responses: { '2XX': { description: 'It arrived. Any other answer is tried again.' } },
  }
}

/** @param routes of the API, as `declaredRoutes` finds them */
export function apiDocument(routes: Route[], shopName: string): ApiDocument {
  nameContracts()
  const { named, write } = schemaWriter()
  write(errors.ErrorBody, 'output')
  const { OrderEvent, TicketEvent } = webhooks
  const paths: ApiDocument['paths'] = {}
  for (const route of routes) {
    const path = route.path.slice('/api'.length).replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = callOf(route, write)
  }
  const sections = new Set(routes.map(({ section = '' }) => section))
  return {
    openapi: '3.1.0',
    info: { title: `${shopName} API`, version, description: introduction },
    servers: [{ url: '/api' }],
    tags: [...sections].map((name) => ({ name })),
    paths,
    webhooks: {
      orderEvent: {
        post: webhookCall('an order', contentOf(OrderEvent, write(OrderEvent, 'output'))),
      },
      ticketEvent: {
        post: webhookCall('a ticket', contentOf(TicketEvent, write(TicketEvent, 'output'))),
      },
    },
    components: { schemas: named, securitySchemes },
  }
}
