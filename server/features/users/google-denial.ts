import type { IdentityEvents } from '#server/adapters/identity/port.ts'
import type { Database } from '#server/database/client.ts'
import { accountStatus } from './store.ts'

/**
 * Why an account that exists can not be entered, or linked, by the word of Google; null when it can.
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
