/**
 * The calls of the identity provider that the shop uses. Every other call gets a 404 and never reaches the provider's
 * library: it reads no body and asks no database.
 */
import type { RateLimit } from './rate-limiter.ts'

export type IdentityCall = {
  /** The rate limit of one network. */
  limit: Omit<RateLimit, 'name'>
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

const aWhile = { most: 100, seconds: 10 }
const toGoogle = { limit: { most: 30, seconds: 60 }, window: true, leavesSite: true } as const
const mailing = { limit: { most: 3, seconds: 60 }, mails: true } as const

/** By method and path below `/identity`. */
export const identityCalls: Record<`${'GET' | 'POST'} /${string}`, IdentityCall> = {
  'POST /sign-up/email': { limit: { most: 3, seconds: 10 }, mails: true, hashes: true },
  'POST /sign-in/email': { limit: { most: 3, seconds: 10 }, hashes: true },
  'POST /sign-out': { limit: aWhile },
  'GET /token': { limit: aWhile, needsSession: true },
  'POST /update-user': { limit: { most: 20, seconds: 60 }, needsSession: true },
  'POST /change-password': { limit: { most: 20, seconds: 60 }, needsSession: true, hashes: true },
  'POST /change-email': { ...mailing, needsSession: true, hashes: true },
  'POST /send-verification-email': mailing,
  'GET /verify-email': { limit: aWhile, callbackURL: '/verified' },
  'POST /request-password-reset': mailing,
  'GET /reset-password/:token': { limit: aWhile, callbackURL: '/reset-password' },
  'POST /reset-password': { limit: { most: 20, seconds: 60 }, hashes: true },
  // the keys that verify ID tokens
  'GET /jwks': { limit: aWhile, cache: 'public, max-age=300' },
  'GET /popup/check': { limit: aWhile },
  'GET /popup/google': toGoogle,
  'GET /popup/done': { limit: aWhile },
  'GET /redirect/google': toGoogle,
  'GET /redirect/done': { limit: aWhile },
  'GET /callback/google': { limit: aWhile, window: true },
}

/** Limits the mails that one network's clients cause to addresses of their choice. */
export const mailsOfNetwork: RateLimit = { name: 'mails of a network', most: 30, seconds: 3600 }
