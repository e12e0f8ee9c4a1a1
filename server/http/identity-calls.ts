/**
 * The calls of the identity provider that the shop uses. Every other call gets a 404 and never reaches the provider's
 * library: it reads no body and asks no database.
 */
import type { identityLimits } from './rate-limits.ts'

export type IdentityCall = {
  /** Refused without the provider's session cookie. */
  needsSession?: true
  /** May mail an address that the caller chose, so it counts towards the network's mails too. */
  mails?: true
  /** Replaces the call's own `callbackURL`. */
  callbackURL?: string
  /** A step of sign-in with Google: a refusal shows the last page of its window. */
  window?: true
  /** Hashes a password. Few such calls run at a time, so that they hold few database connections. */
  hashes?: true
  /** The `Cache-Control` of the response; without it nothing may cache the response. */
  cache?: string
  /** Redirects to the provider's site, as its discovery document says. */
  leavesSite?: true
}

const toGoogle: IdentityCall = { window: true, leavesSite: true }

/** By method and path below `/identity`. */
export const identityCalls: Record<keyof typeof identityLimits, IdentityCall> = {
  'POST /sign-up/email': { mails: true, hashes: true },
  'POST /sign-in/email': { hashes: true },
  'POST /sign-out': {},
  'GET /token': { needsSession: true },
  'POST /update-user': { needsSession: true },
  'POST /change-password': { needsSession: true, hashes: true },
  'POST /change-email': { needsSession: true, mails: true, hashes: true },
  'POST /send-verification-email': { mails: true },
  'GET /verify-email': { callbackURL: '/verified' },
  'POST /request-password-reset': { mails: true },
  'GET /reset-password/:token': { callbackURL: '/reset-password' },
  'POST /reset-password': { hashes: true },
  // the keys that verify ID tokens
  'GET /jwks': { cache: 'public, max-age=300' },
  'GET /popup/check': {},
  'GET /popup/google': toGoogle,
  'GET /popup/done': {},
  'GET /redirect/google': toGoogle,
  'GET /redirect/done': {},
  'GET /callback/google': { window: true },
}
