import { join } from 'node:path'
import type { Pool } from 'pg'
import { accessTokens } from '#server/http/auth.ts'
import { readSecrets } from '#server/secrets.ts'

/**
 * Customers with their tokens. Their rows are made directly: thousands of password hashes prove nothing about booking.
 * @param folder the shop's data
 */
export async function makeCustomers(
  pool: Pool,
  { folder, origin, count }: { folder: string; origin: string; count: number },
): Promise<{ userId: string; token: string }[]> {
  const { rows } = await pool.query<{ _id: string; email: string; name: string }>(
    `insert into users (issuer, subject, email, name, email_verified)
     select 'bench', n, 'bench.' || n || '@example.com', 'Customer ' || n, true from generate_series(1, $1) n
     returning _id, email, name`,
    [count],
  )
  const secrets = await readSecrets(undefined, join(folder, 'secrets'))
  const tokens = accessTokens(secrets.derive('access-token'), origin)
  return Promise.all(
    rows.map(async ({ _id: userId, email, name }) => ({
      userId,
      token: await tokens.issue({ userId, sessionId: userId, version: 0 }, { name, email }),
    })),
  )
}
