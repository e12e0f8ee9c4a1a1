import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Both in seconds. */
export const minute = 60
export const hour = 60 * minute

/**
 * When a queue tries a row again, and when it gives the row up. `attempts` includes the one being made.
 * @param delays seconds after each attempt; one more attempt follows the last delay
 */
export function retrySchedule(delays: readonly number[]) {
  const maxAttempts = delays.length + 1
  return {
    maxAttempts,
    /** The last delay counts after the last attempt too: a process may have died while it made that one. */
    nextAttemptAt: (attempts: SQLWrapper | number): SQL =>
      sql`now() + make_interval(secs => (${sql.param(delays)}::int[])[least((${attempts})::int, ${delays.length}::int)])`,
    /** Null while another attempt follows. @param isFinal another attempt would only repeat the failure */
    givenUpAt: (attempts: SQLWrapper, isFinal: boolean): SQL =>
      sql`case when ${isFinal}::boolean or ${attempts} >= ${maxAttempts}::int then now() end`,
  }
}
