import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Both in seconds. */
export const minute = 60
export const hour = 60 * minute

/**
 * When a queue retries a row, and when it gives up. `attempts` includes the current one.
 * @param delays seconds after each attempt; one more attempt follows the last delay
 */
export function retrySchedule(delays: readonly number[]) {
  const maxAttempts = delays.length + 1
  return {
    maxAttempts,
    /** The last delay follows the last attempt, too, because a process may have died during it. */
    nextAttemptAt: (attempts: SQLWrapper | number): SQL =>
      sql`now() + make_interval(secs => (${sql.param(delays)}::int[])[least((${attempts})::int, ${delays.length}::int)])`,
    /**
     * Null while another attempt follows. @param isFinal true when another attempt would fail the
     * same way
     */
    givenUpAt: (attempts: SQLWrapper, isFinal: boolean): SQL =>
      sql`case when ${isFinal}::boolean or ${attempts} >= ${maxAttempts}::int then now() end`,
  }
}
