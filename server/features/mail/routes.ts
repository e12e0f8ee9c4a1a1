import { Hono } from 'hono'
import { Acknowledged, acknowledged, ById, Outcome } from '#contracts/api.ts'
import { MailStatus, ResendRequest, type UnsentMail } from '#contracts/mail.ts'
import type { Database } from '#server/database/client.ts'
import { readRuns } from '#server/database/last-runs.ts'
import { findOwnerMail, readUnsentMail } from '#server/database/mail-queue.ts'
import { withTimes } from '#server/database/times.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import type { MailDeps } from '#server/mail/send.ts'
import { dismissGivenUp, resendMail, sendTestMail } from './unsent-mail.ts'

type Row = Awaited<ReturnType<typeof readUnsentMail>>['waiting']['rows'][number]

const toMail = ({ lastError, ...row }: Row): UnsentMail => ({
  ...withTimes(row),
  error: lastError,
  ...(row.givenUpAt && { nextAttemptAt: null }),
})

const toList = ({ total, rows }: { total: number; rows: Row[] }) => ({
  total,
  rows: rows.map(toMail),
})

/**
 * Reads how the shop sends mail, the unsent mails, and the times of the last reconciliation and
 * backup.
 */
async function readMailStatus({
  db,
  sender,
  ownerMail,
}: {
  db: Database
  sender: MailStatus['sender']
  ownerMail: string | null
}): Promise<MailStatus> {
  const [{ waiting, givenUp }, { reconciliation, backup }, owner] = await Promise.all([
    readUnsentMail(db),
    readRuns(db),
    findOwnerMail(db, ownerMail),
  ])
  return {
    sender,
    ownerMail: owner,
    waiting: toList(waiting),
    givenUp: toList(givenUp),
    lastReconciliation: reconciliation
      ? {
          at: reconciliation.endedAt.toISOString(),
          issues: Number(reconciliation.detail.issues ?? 0),
        }
      : null,
    lastBackup: backup ? { at: backup.endedAt.toISOString() } : null,
  }
}

type Deps = MailDeps & {
  sender: MailStatus['sender']
  ownerMail: string | null
  publicUrl: string
}

/** GET /mail lists unsent mails; admins resend, dismiss, or send a test mail. */
export function mailRoutes(deps: Deps) {
  return new Hono<Env>()
    .get(
      '/mail',
      requireAdmin({
        summary: 'Tells how mail leaves, and lists what was not sent.',
        answer: MailStatus,
      }),
      async (c) => c.json((await readMailStatus(deps)) satisfies MailStatus),
    )
    .post(
      '/mail/test',
      requireAdmin({ summary: 'Mails the caller a test.', answer: Outcome }),
      async (c) => {
        const isReal = deps.sender.type === 'smtp'
        return c.json((await sendTestMail(deps, c.var.caller, isReal)) satisfies Outcome)
      },
    )
    .post(
      '/mail/:id/resend',
      requireAdmin({
        summary: 'Sends a mail again, also to a corrected address.',
        answer: Outcome,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      valid('json', ResendRequest),
      async (c) => {
        const { id } = c.req.valid('param')
        const outcome = await resendMail(deps, c.var.caller, id, c.req.valid('json'))
        return c.json(outcome satisfies Outcome)
      },
    )
    .post(
      '/mail/:id/dismiss',
      requireAdmin({
        summary: 'Takes a mail that was given up off the list.',
        answer: Acknowledged,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        await dismissGivenUp(deps, c.var.caller, c.req.valid('param').id)
        return c.json(acknowledged)
      },
    )
}
