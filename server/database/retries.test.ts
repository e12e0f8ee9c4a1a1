import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/support/database.ts'
import { hour, minute, retrySchedule } from './retries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** The state of a row after this many attempts. */
async function after(attempts: number, isFinal = false) {
  const retries = retrySchedule([minute, 2 * hour])
  const { rows } = await drizzle(database.pool).execute(sql`
    select extract(epoch from ${retries.nextAttemptAt(sql`attempts`)} - now())::int as wait,
      ${retries.givenUpAt(sql`attempts`, isFinal)} is not null as "isGivenUp"
    from (values (${attempts}::int)) as row (attempts)`)
  return rows[0]
}

describe('a schedule of two delays', () => {
  test.each([
    [1, minute, false],
    [2, 2 * hour, false],
    [3, 2 * hour, true],
    // a process died during its last attempt
    [4, 2 * hour, true],
  ])('after attempt %i waits %i seconds, given up: %s', async (attempts, wait, isGivenUp) => {
    expect(await after(attempts)).toEqual({ wait, isGivenUp })
  })

  test('gives up at once what another attempt would only repeat', async () => {
    expect(await after(1, true)).toMatchObject({ isGivenUp: true })
  })

  test('says when the first attempt of a caller is followed by another', async () => {
    const { rows } = await drizzle(database.pool).execute(
      sql`select extract(epoch from ${retrySchedule([minute]).nextAttemptAt(1)} - now())::int as wait`,
    )
    expect(rows).toEqual([{ wait: minute }])
  })
})
