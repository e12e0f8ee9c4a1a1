/**
 * The calls of the identity provider that the shop uses. One that is not listed never reaches the provider's library:
 * it is a 404 that reads no body, asks no database and writes nothing.
 */
import type { RateLimit } from './rate-limiter.ts'

export type IdentityCall = {
  /** At most so many from one network. */
  limit: Omit<RateLimit, 'name'>
  /** Refused at once without the provider's session cookie. */
  needsSession?: true
  /** May end in a mail to an address that the caller chose, so it counts towards the mails of a network too. */
  mails?: true
  /** Where the call leads the browser, whatever its `callbackURL` says. */
  callbackURL?: string
  /** A step of a sign-in with Google: a refusal is shown as the last page of its window. */
  window?: true
  /** Hashes a password: a crowd of them takes turns, so that it holds few connections of the database. */
  hashes?: true
  /** How long the answer may be kept, for a `Cache-Control`; nobody keeps the others. */
  cache?: string
  /** Leads to the provider's own site, at the address that its discovery document names. */
  leavesSite?: true
}

const aWhile = { most: 100, seconds: 10 }
const toGoogle = { limit: { most: 30, seconds: 60 }, window: true, leavesSite: true } as const
const mailing = { limit: { most: 3, seconds: 60 }, mails: true } as const

/** By method and path below `/identity`, a parameter for each part of the path that is made up. */
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
  // ID tokens are verified against what is published here
  'GET /jwks': { limit: aWhile, cache: 'public, max-age=300' },
  'GET /popup/check': { limit: aWhile },
  'GET /popup/google': toGoogle,
  'GET /popup/done': { limit: aWhile },
  'GET /redirect/google': toGoogle,
  'GET /redirect/done': { limit: aWhile },
  'GET /callback/google': { limit: aWhile, window: true },
}

/** All mails to addresses that the visitors of one network chose. */
export const mailsOfNetwork: RateLimit = { name: 'mails of a network', most: 30, seconds: 3600 }
