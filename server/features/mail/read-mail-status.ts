import type { MailStatus, UnsentMail } from '#contracts/mail.ts'
import type { Database } from '#server/database/client.ts'
import { readRuns } from '#server/database/last-runs.ts'
import { findOwnerMail, readUnsentMail } from '#server/database/mail-queue.ts'

type Row = Awaited<ReturnType<typeof readUnsentMail>>['waiting']['rows'][number]

const toMail = ({ lastError, ...row }: Row): UnsentMail => ({
  ...row,
  error: lastError,
  createdAt: row.createdAt.toISOString(),
  nextAttemptAt: row.givenUpAt ? null : row.nextAttemptAt.toISOString(),
  givenUpAt: row.givenUpAt?.toISOString() ?? null,
})

const toList = ({ total, rows }: { total: number; rows: Row[] }) => ({
  total,
  rows: rows.map(toMail),
})

/** Reads how mail leaves, which mails were not sent, and when the shop was last reconciled and backed up. */
export async function readMailStatus({
  db,
  sender,
  ownerMail,
}: {
  db: Database
  sender: MailStatus['sender']
  ownerMail: string | null
}): Promise<MailStatus> {
  const [{ waiting, givenUp }, { comparison, backup }, owner] = await Promise.all([
    readUnsentMail(db),
    readRuns(db),
    findOwnerMail(db, ownerMail),
  ])
  return {
    sender,
    ownerMail: owner,
    waiting: toList(waiting),
    givenUp: toList(givenUp),
    lastComparison: comparison
      ? { at: comparison.endedAt.toISOString(), issues: Number(comparison.detail.issues ?? 0) }
      : null,
    lastBackup: backup ? { at: backup.endedAt.toISOString() } : null,
  }
}
