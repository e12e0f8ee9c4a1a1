import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'

export type Account = { sub: string; email: string; name: string; emailVerified: boolean }

const columns = 'sub, email, name, email_verified as "emailVerified"'
const listed = 8

/** As many digits as Google's ids have. */
const newSub = () => `1${Array.from({ length: 20 }, () => randomInt(10)).join('')}`

/** The accounts used last, newest first. */
export async function recentAccounts(pool: Pool): Promise<Account[]> {
  const { rows } = await pool.query<Account>(
    `select ${columns} from sandbox_google.accounts order by used_at desc limit ${listed}`,
  )
  return rows
}

export async function findAccount(pool: Pool, sub: string): Promise<Account | undefined> {
  const { rows } = await pool.query<Account>(
    `select ${columns} from sandbox_google.accounts where sub = $1`,
    [sub],
  )
  return rows[0]
}

/** Notes that an account of the list was chosen again. @returns its id, undefined when there is none */
export async function reuseAccount(pool: Pool, sub: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ sub: string }>(
    'update sandbox_google.accounts set used_at = now() where sub = $1 returning sub',
    [sub],
  )
  return rows[0]?.sub
}

/** The account of this address, as just typed: the same address is always the same account. @returns its id */
export async function keepAccount(pool: Pool, account: Omit<Account, 'sub'>): Promise<string> {
  const { rows } = await pool.query<{ sub: string }>(
    `insert into sandbox_google.accounts (sub, email, name, email_verified) values ($1, $2, $3, $4)
      on conflict (email) do update set name = excluded.name,
        email_verified = excluded.email_verified, used_at = now()
      returning sub`,
    [newSub(), account.email, account.name, account.emailVerified],
  )
  const sub = rows[0]?.sub
  if (!sub) throw new Error('an upsert answered no row')
  return sub
}
