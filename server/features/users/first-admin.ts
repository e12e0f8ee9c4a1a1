import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Identity } from '#server/adapters/identity/port.ts'
import type { Database } from '#server/database/client.ts'
import { demoOwner } from '#server/database/demo-content.ts'
import { StartError } from '#server/errors.ts'
import { expectAccount } from './other-provider.ts'
import { adminExists, setRole, upsertFromProof } from './store.ts'

const adminLock = 0xad319

export type FirstAdmin = { email: string; password: string }

/**
 * Creates the first admin if there is none: the configured one or a demo owner.
 * @param configured ADMIN_EMAIL and ADMIN_PASSWORD
 * @returns the address and random password of a new demo owner, to be shown once; else null
 * @throws StartError without ADMIN_EMAIL, if the shop cannot create accounts at the provider
 */
export async function ensureFirstAdmin(
  deps: { db: Database; identity: Identity },
  configured: { email: string; password: string | undefined } | null,
): Promise<FirstAdmin | null> {
  return deps.db.transaction(async (tx) => {
    // if processes start together, the second one finds the first one's admin
    await tx.execute(sql`select pg_advisory_xact_lock(${adminLock})`)
    if (await adminExists(tx)) return null
    const password = configured?.password ?? randomBytes(9).toString('base64url')
    const account = { email: configured?.email ?? demoOwner, password }
    const admin = { ...account, name: 'Shop owner' }
    if (!configured && !deps.identity.ensureAccount) {
      throw new StartError(
        'This shop has no admin yet: set ADMIN_EMAIL to the address with which its owner signs up at Firebase.',
      )
    }
    const proof = deps.identity.ensureAccount
      ? await deps.identity.ensureAccount(admin)
      : await expectAccount(tx, deps.identity, admin)
    const user = await upsertFromProof(tx, proof)
    await setRole(tx, [user._id], 'admin')
    return configured ? null : account
  })
}

/** Returns the address of an admin when ADMIN_EMAIL is not the address of one; else null. */
export async function adminInstead(
  db: Database,
  email: string | undefined,
): Promise<string | null> {
  if (!email) return null
  const { rows } = await db.execute<{ email: string }>(
    sql`select email from users where role = 'admin' order by email = lower(${email}) desc, created_at limit 1`,
  )
  const [admin] = rows
  return !admin || admin.email === email.toLowerCase() ? null : admin.email
}
