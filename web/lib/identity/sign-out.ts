import { IdentityError } from './port.ts'
import { timeouts } from './timeouts.ts'

/** The provider's sign-out, in a file of its own: every page has a Logout, few need the rest of the provider. */
export async function signOut(): Promise<void> {
  const response = await fetch('/identity/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    // who logs out and closes the page is logged out
    keepalive: true,
    signal: AbortSignal.timeout(timeouts(30_000, 60_000)),
  }).catch(() => null)
  if (!response?.ok) throw new IdentityError('auth/network-request-failed')
}
