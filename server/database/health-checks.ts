/** The table of health check results, which all processes of a shop share. */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import {
  type HealthCheckName,
  type HealthEvent,
  healthCheckNames,
  healthEvents,
} from '#contracts/health.ts'
import { healthChecks } from '#server/database/schema/shop.ts'
import type { Queryable, QueryRunner } from './client.ts'

/** What a health check found. */
export type CheckResult = {
  name: HealthCheckName
  /** Null while all is well. */
  event: HealthEvent | null
  /** The problem and its cause, for the owner; without keys and personal data. */
  sentence: string
}

const isFresh = (checkedAt: string) => `${checkedAt} > now() - interval '2 hours'`
/**
 * Whether a row describes the shop's present state. A row not renewed for two hours comes from a
 * machine that is gone or from a restored backup.
 */
export const isCurrent = sql.raw(isFresh('checked_at'))

const failing = Object.entries(healthEvents).flatMap(([event, { state }]) =>
  state === 'failing' ? [event] : [],
)

/**
 * Saves a result. Machines may differ, so a problem stays until the machine that found it reports
 * success, or has not reported for an hour. A failure replaces a warning from any machine.
 * @param machine where it was found
 * @param isFirst whether it is this process's first result; it always counts, because its settings
 * may be new
 * @returns whether it was saved
 */
export async function noteCheck(
  db: QueryRunner,
  { name, event, sentence }: CheckResult,
  { machine, isFirst }: { machine: string; isFirst: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into health_checks as known (name, event, sentence, machine) values ($1, $2, $3, $4)
     on conflict (name) do update set event = excluded.event, sentence = excluded.sentence, machine = excluded.machine,
       checked_at = now(),
       since = case when known.event is not distinct from excluded.event and ${isFresh('known.checked_at')}
         then known.since else now() end
     where $5 or known.machine = excluded.machine or known.checked_at < now() - interval '1 hour'
       or (known.event is null and excluded.event is not null)
       or (excluded.event = any($6) and known.event <> all($6))`,
    [name, event, sentence, machine, isFirst, failing],
  )
  return rowCount === 1
}

/** Deletes a check that does not apply to these settings. */
export async function dropCheck(db: Queryable, name: HealthCheckName): Promise<void> {
  await db.delete(healthChecks).where(eq(healthChecks.name, name))
}

/** The result of each check in the last two hours, in the order of the page. */
export async function readChecks(db: Queryable) {
  const rows = await db
    .select({
      name: healthChecks.name,
      event: healthChecks.event,
      sentence: healthChecks.sentence,
      since: healthChecks.since,
      checkedAt: healthChecks.checkedAt,
    })
    .from(healthChecks)
    .where(isCurrent)
  return healthCheckNames.flatMap((name) => rows.filter((row) => row.name === name))
}

/** How many checks found a problem. */
export const countFailingChecks = (db: Queryable): Promise<number> =>
  db.$count(healthChecks, and(isNotNull(healthChecks.event), isCurrent))
