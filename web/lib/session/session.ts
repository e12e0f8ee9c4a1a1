import { useSyncExternalStore } from 'react'
import { clearDrafts } from '#web/lib/draft.ts'
import { firebaseMeta, signOutEmbedded } from '#web/lib/identity/sign-out.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { dropToken, onTokenElsewhere, readClaims, storedToken, storeToken } from './access-token.ts'

/** `unknown` on the server and during hydration, because only the browser knows the user. */
export type Session = {
  status: 'unknown' | 'visitor' | 'user'
  user: { name: string; email: string } | null
}

const unknown: Session = { status: 'unknown', user: null }
const visitor: Session = { status: 'visitor', user: null }

const loadProvider = withTimeout(() => import('#web/lib/identity/provider.ts'))

let token: string | null = null
let session: Session = unknown
let leftByChoice = false
const listeners = new Set<() => void>()

function adopt(next: string | null): void {
  const before = session
  const claims = next ? readClaims(next) : null
  // an unreadable token is discarded
  if (next && !claims) storeToken(null)
  token = claims ? next : null
  session = claims ? { status: 'user', user: { name: claims.name, email: claims.email } } : visitor
  // one user's data and drafts must not be visible to the next
  if (before !== unknown && before.user?.email !== claims?.email) browserQueryClient().clear()
  if (claims) clearDrafts(claims.email)
  document.documentElement.dataset.session = session.status
  for (const listener of listeners) listener()
}

function current(): Session {
  if (session === unknown) adopt(storedToken())
  return session
}

function followOtherTabs(byChoice: boolean): void {
  if (byChoice) {
    leftByChoice = true
    clearDrafts()
  }
  adopt(storedToken())
}

let unfollow: (() => void) | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  unfollow ??= onTokenElsewhere(followOtherTabs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    unfollow?.()
    unfollow = undefined
  }
}

/** The session, for screens. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, current, () => unknown)
}

/** The access token to send, or null for visitors. */
export function accessToken(): string | null {
  return current().status === 'user' ? token : null
}

/** Logs this browser in with a new access token; renewals use it too. */
export function startSession(next: string): void {
  leftByChoice = false
  storeToken(next)
  adopt(next)
}

/**
 * Removes the session from this browser, and all data read with it.
 * @param comeBack whether the next login returns to this page
 */
export function forgetSession({ comeBack = true } = {}): void {
  if (!comeBack) leftByChoice = true
  storeToken(null)
  adopt(null)
}

/**
 * Ends the provider's session; offline, it waits for the network, and stops if a user has logged in
 * meanwhile.
 * @param ended the access token of the session, if it is still valid
 */
export async function signOutThere(ended?: string | null): Promise<void> {
  try {
    if (firebaseMeta()) await (await (await loadProvider()).provider()).signOut(ended)
    else await signOutEmbedded()
  } catch {
    const again = () => accessToken() || signOutThere(ended)
    addEventListener('online', again, { once: true })
  }
}

/** Logs out: here at once, at the provider once it responds. */
export function endSession(): void {
  const ended = token
  leftByChoice = true
  clearDrafts()
  dropToken()
  adopt(null)
  void signOutThere(ended)
}

/**
 * Whether the last session ended by logout or missing rights: the login page then does not return
 * here.
 */
export function endedByChoice(): boolean {
  return leftByChoice
}
