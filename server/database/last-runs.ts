import { sql } from 'drizzle-orm'
import { lastRuns } from '#server/database/schema/shop.ts'
import type { Queryable, QueryRunner } from './client.ts'

export type LoggedJob = typeof lastRuns.$inferSelect.job

/** Records that a job has ended. @param detail its result, without personal data */
export async function noteRun(
  db: QueryRunner,
  job: LoggedJob,
  detail: Record<string, unknown>,
): Promise<void> {
  await db.query(
    `insert into last_runs (job, detail) values ($1, $2)
     on conflict (job) do update set ended_at = now(), detail = excluded.detail`,
    [job, JSON.stringify(detail)],
  )
}

/** The last success of each job and its result; undefined for a job that never succeeded. */
export async function readRuns(db: Queryable) {
  const rows = await db
    .select({ job: lastRuns.job, endedAt: lastRuns.endedAt, detail: lastRuns.detail })
    .from(lastRuns)
    .orderBy(sql`${lastRuns.job}`)
  const runOf = (job: LoggedJob) => rows.find((row) => row.job === job)
  return {
    reconciliation: runOf('reconciliation'),
    backup: runOf('backup'),
    backupFailure: runOf('backup_failure'),
  }
}
