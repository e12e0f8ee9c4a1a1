import { type Identity, IdentityError } from './port.ts'

const messages = {
  'auth/email-already-in-use': 'The email address is already in use by another account.',
  'auth/invalid-email': 'The email address is badly formatted.',
  'auth/weak-password': 'The password must be 6 characters long or more.',
  'auth/invalid-credential': 'The supplied auth credential is incorrect, malformed or has expired.',
  'auth/invalid-action-code':
    'The action code is invalid. This can happen if the code is malformed, expired, or has already been used.',
  'auth/user-token-expired':
    "The user's credential is no longer valid. The user must sign in again.",
  'auth/too-many-requests':
    'We have blocked all requests from this device due to unusual activity. Try again later.',
  'auth/network-request-failed':
    'A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred.',
  'auth/unauthorized-domain': 'This domain is not authorized for sign-in at this shop.',
  'auth/internal-error': 'An internal AuthError has occurred.',
} as const

type Code = keyof typeof messages

const codes: Record<string, Code> = {
  PASSWORD_TOO_SHORT: 'auth/weak-password',
  USER_ALREADY_EXISTS: 'auth/email-already-in-use',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'auth/email-already-in-use',
  INVALID_EMAIL: 'auth/invalid-email',
  INVALID_EMAIL_OR_PASSWORD: 'auth/invalid-credential',
  INVALID_TOKEN: 'auth/invalid-action-code',
  INVALID_ORIGIN: 'auth/unauthorized-domain',
  MISSING_OR_NULL_ORIGIN: 'auth/unauthorized-domain',
}

const refusal = (code: Code) => new IdentityError(code, messages[code])

async function refusalOf(response: Response): Promise<IdentityError> {
  if (response.status === 429) return refusal('auth/too-many-requests')
  const body: unknown = await response.json().catch(() => null)
  const known = codes[String((body as { code?: unknown } | null)?.code)]
  if (known) return refusal(known)
  return refusal(response.status === 401 ? 'auth/user-token-expired' : 'auth/internal-error')
}

/** @throws IdentityError when the provider refuses, or no answer came within 30 s */
async function call(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`/identity${path}`, {
    method: body ? 'POST' : 'GET',
    headers: body && { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => {
    throw refusal('auth/network-request-failed')
  })
  if (!response.ok) throw await refusalOf(response)
  return response.json().catch(() => {
    throw refusal('auth/internal-error')
  })
}

/** The provider inside the shop: better-auth under /identity, its session in an HttpOnly cookie. */
export const identity: Identity = {
  async signIn(email, password) {
    await call('/sign-in/email', { email, password })
  },
  async createAccount(name, email, password) {
    await call('/sign-up/email', { name, email, password, callbackURL: '/home' })
  },
  async sendVerification(email) {
    await call('/send-verification-email', { email, callbackURL: '/home' })
  },
  async setDisplayName(name) {
    await call('/update-user', { name })
  },
  async sendReset(email) {
    await call('/request-password-reset', { email, redirectTo: '/reset-password' })
  },
  async resetPassword(token, newPassword) {
    await call('/reset-password', { token, newPassword })
  },
  async signOut() {
    await call('/sign-out', {})
  },
  async idToken() {
    const body = await call('/token')
    return String((body as { token: unknown }).token)
  },
}
