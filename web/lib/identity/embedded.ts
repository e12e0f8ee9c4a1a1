import { askForCode } from './confirm.ts'
import { signInByPopup } from './popup.ts'
import type { IdentityCode } from './port.ts'
import { type Identity, IdentityError } from './port.ts'
import { signOutEmbedded } from './sign-out.ts'
import { timeouts } from './timeouts.ts'

const codes: Record<string, IdentityCode> = {
  PASSWORD_TOO_SHORT: 'auth/weak-password',
  USER_ALREADY_EXISTS: 'auth/email-already-in-use',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'auth/email-already-in-use',
  INVALID_EMAIL: 'auth/invalid-email',
  INVALID_EMAIL_OR_PASSWORD: 'auth/invalid-credential',
  INVALID_PASSWORD: 'auth/wrong-password',
  EMAIL_ALREADY_VERIFIED: 'auth/email-already-verified',
  INVALID_TOKEN: 'auth/invalid-action-code',
  USER_DISABLED: 'auth/user-disabled',
  INVALID_ORIGIN: 'auth/unauthorized-domain',
  MISSING_OR_NULL_ORIGIN: 'auth/unauthorized-domain',
  INVALID_CODE: 'auth/invalid-verification-code',
  INVALID_BACKUP_CODE: 'auth/invalid-verification-code',
  CODE_USED: 'auth/code-expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'auth/user-token-expired',
  CONFIRM_FIRST: 'auth/requires-recent-login',
}

async function refusalOf(response: Response): Promise<IdentityError> {
  if (response.status === 429) return new IdentityError('auth/too-many-requests')
  const body: unknown = await response.json().catch(() => null)
  const identityCode = codes[String((body as { code?: unknown } | null)?.code)]
  if (identityCode) return new IdentityError(identityCode)
  return new IdentityError(
    response.status === 401 ? 'auth/user-token-expired' : 'auth/internal-error',
  )
}

/**
 * @throws IdentityError if the provider refuses, or does not respond within 30 s (60 s on a phone)
 */
async function callOnce(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`/identity${path}`, {
    method: body ? 'POST' : 'GET',
    headers: body && { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(timeouts(30_000, 60_000)),
  }).catch(() => {
    throw new IdentityError('auth/network-request-failed')
  })
  if (!response.ok) throw await refusalOf(response)
  return response.json().catch(() => {
    throw new IdentityError('auth/internal-error')
  })
}

/** The same. A call that needs a one-time code is repeated once the user has entered one. */
export function call(path: string, body?: object): Promise<unknown> {
  return callOnce(path, body).catch(async (error) => {
    const isAsked = error instanceof IdentityError && error.code === 'auth/requires-recent-login'
    if (isAsked && (await askForCode())) return callOnce(path, body)
    throw error
  })
}

/**
 * The shop's own identity provider: better-auth under /identity, with its session in an HttpOnly
 * cookie.
 */
export const embedded: Identity = {
  async signIn(email, password) {
    const answer = await call('/sign-in/email', { email, password })
    if ((answer as { twoFactorRedirect?: boolean }).twoFactorRedirect)
      throw new IdentityError('auth/multi-factor-auth-required')
  },
  async createAccount(name, email, password) {
    await call('/sign-up/email', { name, email, password, callbackURL: '/verified' })
  },
  async sendVerification(email) {
    await call('/send-verification-email', { email, callbackURL: '/verified' })
  },
  async isVerified() {
    const [, claims = ''] = (await embedded.idToken()).split('.')
    return (
      JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).email_verified === true
    )
  },
  signInByPopup,
  hasPassword: async () => null,
  verifyAddress(token) {
    location.assign(`/identity/verify-email?${new URLSearchParams({ token })}`)
    return new Promise(() => {})
  },
  async setDisplayName(name) {
    await call('/update-user', { name })
  },
  async changeEmail(newEmail, password) {
    await call('/change-email', { newEmail, password, callbackURL: '/verified' })
  },
  async changePassword(currentPassword, newPassword) {
    await call('/change-password', { currentPassword, newPassword, revokeOtherSessions: true })
  },
  async sendReset(email) {
    await call('/request-password-reset', { email, redirectTo: '/reset-password' })
  },
  async resetPassword(token, newPassword) {
    const answer = await call('/reset-password', { token, newPassword })
    return (answer as { email?: string }).email
  },
  signOut: signOutEmbedded,
  async idToken() {
    const body = await call('/token')
    return String((body as { token: unknown }).token)
  },
}
