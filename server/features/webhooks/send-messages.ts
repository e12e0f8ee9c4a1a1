/**
 * Sends messages to webhooks, with headers and signatures as https://www.standardwebhooks.com
 * specifies.
 */
import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { failingDays, waitingLimit } from '#contracts/webhooks.ts'
import type { Webhooks } from '#server/adapters/webhooks/port.ts'
import type { Database } from '#server/database/client.ts'
import { queueOwnerMail } from '#server/database/mail-queue.ts'
import { AppError } from '#server/errors.ts'
import { mailTemplate } from '#server/mail/template.ts'
import {
  dueEndpoints,
  isFlooded,
  markDelivered,
  markFailed,
  switchOff,
  type TakenMessage,
  takeDueMessage,
} from './store.ts'

export type WebhookDeps = {
  db: Database
  webhooks: Webhooks
  /** Returns the secret with this id: 32 bytes. */
  webhookSecret: (secretId: string) => Buffer
  ownerMail: string | null
  publicUrl: string
  log: Logger
}

/**
 * The most messages that one run sends to one endpoint, so that stopping the shop does not take
 * long.
 */
const maxPerRun = 200

const signature = (secret: Buffer, text: string) =>
  `v1,${createHmac('sha256', secret).update(text).digest('base64')}`

function headersOf(
  { _id, payload, secretIds }: TakenMessage,
  secretOf: WebhookDeps['webhookSecret'],
) {
  const id = `msg_${_id}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signed = `${id}.${timestamp}.${payload}`
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secretIds.map((one) => signature(secretOf(one), signed)).join(' '),
  }
}

async function ask(
  { webhooks, webhookSecret }: WebhookDeps,
  message: TakenMessage,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const { url, payload: body } = message
    const status = await webhooks.post({ url, headers: headersOf(message, webhookSecret), body })
    const isTaken = status >= 200 && status < 300
    return { status, error: isTaken ? null : `It answers ${status}.` }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: null, error: error.message }
  }
}

/** Switches a failing endpoint off, and mails the owner. */
async function lose(deps: WebhookDeps, endpointId: string, why: string): Promise<void> {
  const { db, ownerMail, publicUrl, log } = deps
  await db.transaction(async (tx) => {
    const off = await switchOff(tx, endpointId, why)
    if (!off) return
    log.error({ endpointId, reason: why }, 'webhook_switched_off')
    const mail = mailTemplate({
      subject: 'A webhook was switched off',
      lines: [
        `Your shop no longer sends to ${off.url}: ${why}`,
        'Repair the program there and switch the webhook on again. What happened meanwhile is not sent automatically: fetch your orders, or send single messages again.',
      ],
      action: { label: 'See the webhooks', url: `${publicUrl}/dashboard/integrations` },
    })
    const dedupe = `webhook off ${endpointId} ${off.at?.toISOString()}`
    await queueOwnerMail(tx, ownerMail, { template: 'owner-webhook-off', dedupe, ...mail })
  })
}

/** Sends a message that the caller has taken. @returns why it did not arrive; null when it did */
export async function sendTaken(deps: WebhookDeps, message: TakenMessage): Promise<string | null> {
  const { status, error } = await ask(deps, message)
  if (error === null) {
    await markDelivered(deps.db, message, status ?? 0)
    return null
  }
  const isTest = message.orderId === null && message.ticketId === null
  const isLost = await markFailed(deps.db, message, { status, error, isFinal: isTest })
  if (status === 410) await lose(deps, message.endpointId, 'it answered 410, Gone.')
  else if (isLost)
    await lose(deps, message.endpointId, `for ${failingDays} days no message arrived. ${error}`)
  return error
}

/** Sends the due messages of one endpoint, one after the other, until one fails. */
async function sendTo(deps: WebhookDeps, endpointId: string): Promise<void> {
  for (let sentCount = 0; sentCount < maxPerRun; sentCount += 1) {
    const message = await takeDueMessage(deps.db, endpointId)
    if (!message) return
    if ((await sendTaken(deps, message)) === null) continue
    if (await isFlooded(deps.db, endpointId))
      await lose(deps, endpointId, `more than ${waitingLimit} messages wait.`)
    return
  }
}

/** Sends due messages. A slow endpoint does not delay the others. */
export async function sendDueMessages(deps: WebhookDeps): Promise<void> {
  await Promise.all((await dueEndpoints(deps.db)).map((id) => sendTo(deps, id)))
}
