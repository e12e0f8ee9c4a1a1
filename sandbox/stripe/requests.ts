import type { Context } from 'hono'
import type { Pool } from 'pg'
import { transaction } from '#sandbox/transaction.ts'
import { allowOrigin, isPublishable, secretKeyRequired } from './access.ts'
import { injected, refusal, send, silence } from './answers.ts'
import type { Call, Reply } from './call.ts'
import { nextFault } from './controls.ts'
import { ApiFault, type ErrorBody, invalid, withAddresses } from './faults.ts'
import { list, type Params, parseForm } from './form.ts'
import { type Answer, claimKey, fingerprintOf, rememberAnswer } from './idempotency.ts'
import { expand } from './reads.ts'
import { newId } from './store.ts'

export type RequestOptions = {
  pool: Pool
  secretKey: string
  publishableKey: string
  basePath: string
  controls: boolean
  log: (line: string) => void
  /** Called when something may have to be delivered. */
  wake: () => void
}

export type Handler = (call: Call, id: string, path: string) => Promise<Reply>

/** Who may make a call, and whether the card frame is one of them. */
export type Access = 'secret' | 'browser' | 'frame'

/** Answers one API request: key, idempotency, one transaction, Stripe's headers. */
export async function answerRequest(
  c: Context,
  options: RequestOptions,
  handler: Handler,
  access: Access,
): Promise<Response> {
  const requestId = newId('req', 14)
  allowOrigin(c, access === 'frame')
  try {
    const form = c.req.method === 'GET' ? new URL(c.req.url).search.slice(1) : await c.req.text()
    if (/%00|\0/.test(form + c.req.path)) throw invalid('Invalid string: it holds a NUL character.')
    const params = parseForm(form)
    const publishable = isPublishable(c, params, options)
    if (publishable && access === 'secret') throw secretKeyRequired()
    const fault = options.controls ? await nextFault(options.pool, c.req) : undefined
    if (fault && fault.status !== 'timeout') throw injected(fault.status)
    const request = { c, options, handler, params, publishable, form, requestId }
    const answer = await perform(request)
    if (answer.status !== 400) options.wake()
    if (fault) await silence(c)
    return send(c, answer, requestId)
  } catch (error) {
    if (!(error instanceof ApiFault)) options.log(`stripe sandbox: ${requestId} ${String(error)}`)
    return send(c, refusal(error, requestId), requestId)
  }
}

type Request = {
  c: Context
  options: RequestOptions
  handler: Handler
  params: Params
  publishable: boolean
  form: string
  requestId: string
}

async function perform(request: Request): Promise<Answer> {
  const { c, options, form, requestId } = request
  const path = c.req.path.slice(options.basePath.length)
  const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined
  return transaction(options.pool, async (db) => {
    const fingerprint = fingerprintOf(c.req.method, form, options.secretKey)
    const keyed = key === undefined ? undefined : { key, path, fingerprint }
    const before = keyed && (await claimKey(db, keyed))
    if (before) return before
    const call: Call = {
      db,
      request: { id: requestId, idempotency_key: key ?? null },
      controls: options.controls,
      params: request.params,
      publishable: request.publishable,
      secretKey: options.secretKey,
    }
    const answer = await run(request, call, path)
    if (keyed) await rememberAnswer(db, keyed, answer)
    return answer
  })
}

/** Runs the handler; a refusal that a key remembers becomes an answer, its traces undone. */
async function run(request: Request, call: Call, path: string): Promise<Answer> {
  const { requestId } = request
  await call.db.query('savepoint handler')
  try {
    const reply = await request.handler(call, request.c.req.param('id') ?? '', path)
    const body = await finish(reply, call, requestId)
    return { status: reply.status, body: JSON.stringify(body, null, 2), requestId, replayed: false }
  } catch (error) {
    if (!(error instanceof ApiFault) || !error.saved) throw error
    await call.db.query('rollback to savepoint handler')
    return refusal(error, requestId)
  }
}

async function finish(reply: Reply, call: Call, requestId: string): Promise<object> {
  if (reply.status === 402) {
    const { error } = reply.body as { error: ErrorBody }
    return { error: withAddresses(error, requestId) }
  }
  const asked = list(call.params, 'expand')
  const paths = call.publishable ? asked.filter((path) => path === 'payment_method') : asked
  return paths.length > 0 ? expand(call.db, reply.body, paths) : reply.body
}
