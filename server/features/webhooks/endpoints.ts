/**
 * The actions of admins on webhooks. The audit log has no subject 'endpoint', so it records them
 * under the admin.
 */
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Outcome } from '#contracts/api.ts'
import type { Caller } from '#contracts/users.ts'
import {
  type EndpointChange,
  endpointsLimit,
  type MadeEndpoint,
  type NewEndpoint,
  type NewSecret,
  oldSecretHours,
} from '#contracts/webhooks.ts'
import { type AuditAction, logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { webhookEndpoints } from '#server/database/schema/webhooks.ts'
import { AppError, found } from '#server/errors.ts'
import { sendTaken, type WebhookDeps } from './send-messages.ts'
import { insertTest, lockEndpoint, retakeMessage, switchOff } from './store.ts'

const logEndpoint = (
  tx: Transaction,
  actor: Caller,
  action: AuditAction['action'],
  detail: Record<string, unknown>,
) => logActions(tx, [{ actor, userId: actor._id, action, detail }])

/** The secret in the format that receivers' libraries expect. */
const textOf = ({ webhookSecret }: WebhookDeps, secretId: string) =>
  `whsec_${webhookSecret(secretId).toString('base64')}`

const checkUrl = ({ webhooks }: WebhookDeps, url: string) => {
  try {
    webhooks.assertAllowed(url)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('INVALID', error.message, { url: error.message })
  }
}

/** Adds an endpoint. @throws AppError INVALID for a forbidden address or too many endpoints */
export async function addEndpoint(
  deps: WebhookDeps,
  caller: Caller,
  endpoint: NewEndpoint,
): Promise<MadeEndpoint> {
  checkUrl(deps, endpoint.url)
  return deps.db.transaction(async (tx) => {
    // without the lock, two concurrent requests could exceed the limit
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('webhook_endpoints'))`)
    if ((await tx.$count(webhookEndpoints)) >= endpointsLimit)
      throw new AppError('INVALID', `There are ${endpointsLimit} webhooks. Delete one first.`)
    const [row] = await tx.insert(webhookEndpoints).values(endpoint).returning()
    const { _id, secretId } = found(row, 'webhook')
    await logEndpoint(tx, caller, 'webhook added', endpoint)
    return { acknowledged: true, insertedId: _id, secret: textOf(deps, secretId) }
  })
}

/**
 * Changes an endpoint, or switches it on or off.
 * @throws AppError NOT_FOUND, or INVALID for a forbidden address
 */
export async function changeEndpoint(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
  { isOn, ...endpoint }: EndpointChange,
): Promise<void> {
  checkUrl(deps, endpoint.url)
  await deps.db.transaction(async (tx) => {
    found(await lockEndpoint(tx, id), 'webhook')
    const on = { disabledAt: null, disabledWhy: null, failingSince: null }
    await tx
      .update(webhookEndpoints)
      .set({ ...endpoint, ...(isOn && on) })
      .where(eq(webhookEndpoints._id, id))
    if (!isOn) await switchOff(tx, id, null)
    await logEndpoint(tx, caller, 'webhook changed', { ...endpoint, isOn })
  })
}

/** Deletes an endpoint with its messages. @throws AppError NOT_FOUND */
export async function deleteEndpoint(
  { db }: WebhookDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { url } = found(await lockEndpoint(tx, id), 'webhook')
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints._id, id))
    await logEndpoint(tx, caller, 'webhook deleted', { url })
  })
}

/**
 * Gives an endpoint a new secret. For `oldSecretHours`, messages are signed with the old secret
 * too, so that the receiver has time to switch. An even older secret ends at once.
 * @throws AppError NOT_FOUND
 */
export async function changeSecret(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
): Promise<NewSecret> {
  return deps.db.transaction(async (tx) => {
    const { url, secretId: oldSecretId } = found(await lockEndpoint(tx, id), 'webhook')
    const secretId = randomUUID()
    const oldSecretUntil = new Date(Date.now() + oldSecretHours * 3_600_000)
    await tx
      .update(webhookEndpoints)
      .set({ secretId, oldSecretId, oldSecretUntil })
      .where(eq(webhookEndpoints._id, id))
    await logEndpoint(tx, caller, 'webhook secret changed', { url })
    const secret = textOf(deps, secretId)
    return { acknowledged: true, secret, oldUntil: oldSecretUntil.toISOString() }
  })
}

const outcomeOf = (why: string | null): Outcome => ({
  acknowledged: true,
  done: why === null,
  outcome: why === null ? 'The message arrived.' : `The message did not arrive. ${why}`,
})

/** Sends an endpoint a message of the type `test`, once. @throws AppError NOT_FOUND */
export async function testEndpoint(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
): Promise<Outcome> {
  const payload = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: {} })
  const dueMessage = await deps.db.transaction(async (tx) => {
    const { url } = found(await lockEndpoint(tx, id), 'webhook')
    await logEndpoint(tx, caller, 'webhook tested', { url })
    return found(await insertTest(tx, id, payload), 'webhook')
  })
  return outcomeOf(await sendTaken(deps, dueMessage))
}

/**
 * Sends a message again at once, with a new count of attempts.
 * @throws AppError NOT_FOUND, even while it is being sent
 */
export async function resendMessage(
  deps: WebhookDeps,
  caller: Caller,
  id: string,
): Promise<Outcome> {
  const dueMessage = await deps.db.transaction(async (tx) => {
    const message = found(await retakeMessage(tx, id), 'message that was sent')
    await logEndpoint(tx, caller, 'webhook message sent again', { url: message.url })
    return message
  })
  return outcomeOf(await sendTaken(deps, dueMessage))
}
