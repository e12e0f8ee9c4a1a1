import { identityCode } from './messages.ts'
import type { IdentityCode } from './port.ts'
import { timeouts } from './timeouts.ts'

/** Session cookie and access token both need a place in the browser. */
function storageWorks(): boolean {
  const key = 'ferrite:probe'
  try {
    localStorage.setItem(key, '1')
    localStorage.removeItem(key)
    return navigator.cookieEnabled
  } catch {
    return false
  }
}

async function doorProblem(): Promise<IdentityCode | null> {
  const answer = await fetch('/identity/popup/check', {
    signal: AbortSignal.timeout(timeouts(5_000, 15_000)),
  }).catch(() => null)
  if (!answer) return 'auth/network-request-failed'
  if (answer.ok) return null
  const body: unknown = await answer.json().catch(() => null)
  return identityCode((body as { code?: unknown } | null)?.code)
}

/**
 * What keeps a sign-in by popup from ending well here and now, or null.
 * @param publicUrl the shop's own origin: at another one the provider would send people back elsewhere
 */
export async function popupPrecheck(publicUrl: string): Promise<IdentityCode | null> {
  if (location.origin !== publicUrl) return 'auth/unauthorized-domain'
  if (!storageWorks()) return 'auth/web-storage-unsupported'
  return doorProblem()
}
