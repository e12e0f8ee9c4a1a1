import type { IdentityEvents } from '#server/adapters/identity/port.ts'
import type { Database } from '#server/database/client.ts'
import { accountStatus } from './store.ts'

/**
 * Why an existing account must not be entered or linked through Google; null when it may.
 * @param sandbox whether Google is the sandbox, which lets anybody be anybody: it opens no admin's account
 */
export async function googleDenialReason(
  db: Database,
  identity: { issuer: string; subject: string },
  sandbox: boolean,
): ReturnType<IdentityEvents['googleDenialReason']> {
  const user = await accountStatus(db, identity)
  if (user?.disabledAt) return 'user_disabled'
  return sandbox && user?.role === 'admin' ? 'account_not_linked' : null
}
