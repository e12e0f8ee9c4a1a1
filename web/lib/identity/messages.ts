import { type IdentityCode, IdentityError } from './port.ts'

/**
 * The meaning of each provider error, and what to do next. The first sentence is the error's
 * established text (Firebase's JavaScript SDK, without its name).
 */
const texts: Record<IdentityCode, string> = {
  'auth/popup-blocked':
    'Unable to establish a connection with the popup. It may have been blocked by the browser. Allow popups for this shop and try again, or continue without one.',
  'auth/popup-closed-by-user':
    'The popup has been closed by the user before finalizing the operation.',
  'auth/cancelled-popup-request':
    'This operation has been cancelled due to another conflicting popup being opened. Continue in the newest one.',
  'auth/unauthorized-domain':
    'This domain is not authorized for logging in. Use this shop’s usual address.',
  'auth/web-storage-unsupported':
    'This browser is not supported or 3rd party cookies and data may be disabled. Allow cookies and data for this shop, then try again.',
  'auth/network-request-failed':
    'A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. Check your connection and try again.',
  'auth/internal-error': 'An internal AuthError has occurred. Try again in a moment.',
  'auth/invalid-auth-event':
    'An internal AuthError has occurred. The response didn’t belong to a login on this page, so we didn’t use it: start again.',
  'auth/invalid-api-key':
    'Your API key is invalid, please check you have copied it correctly. The shop’s owner has to fix this; until then, use email and password.',
  'auth/auth-domain-config-required':
    'Be sure to include authDomain in the settings: this shop has no Google login yet. Use email and password.',
  'auth/account-exists-with-different-credential':
    'An account already exists with the same email address but different sign-in credentials. Log in with your password, or use ‘Forgot password?’ to set a new one. That proves the address is yours, and then Google works too.',
  'auth/user-disabled':
    'The user account has been disabled by an administrator. If you don’t know why, contact the shop.',
  'auth/email-already-in-use':
    'The email address is already in use by another account. If it is yours, log in instead:',
  'auth/invalid-email':
    'The email address is badly formatted. It should look like ada@example.com.',
  'auth/email-already-verified': 'This address is already confirmed. You’re all set.',
  'auth/weak-password': 'The password must be 6 characters long or more. Choose a longer one.',
  'auth/wrong-password':
    'The password is invalid or the user does not have a password. Type your current password.',
  'auth/invalid-credential':
    'The supplied auth credential is incorrect, malformed or has expired. The email or password is wrong.',
  'auth/invalid-action-code':
    'The action code is invalid. This can happen if the code is malformed, expired, or has already been used. Ask for a new email, and open the link in the newest one.',
  'auth/user-token-expired':
    "The user's credential is no longer valid. The user must sign in again. Log in once more.",
  'auth/operation-not-allowed':
    'The given sign-in provider is disabled for this Firebase project. The shop’s owner has to enable it; until then, log in another way.',
  // only for an account at Firebase: for the shop's own, the screen asks for the code
  'auth/multi-factor-auth-required':
    'This account needs a second factor, but this shop can’t ask for one.',
  'auth/invalid-verification-code':
    'That code is wrong. Enter the newest code from your app, or an unused recovery code.',
  'auth/code-expired': 'That code has already been used. Wait for the next one in your app.',
  'auth/requires-recent-login': 'This needs a one-time code. Enter one to continue.',
  'auth/too-many-requests':
    'We have blocked all requests from this device due to unusual activity. Try again within 15 minutes.',
} as const

/** Reads a code from the provider; an unknown code counts as an internal error. */
export function identityCode(code: unknown): IdentityCode {
  return typeof code === 'string' && Object.hasOwn(texts, code)
    ? (code as IdentityCode)
    : 'auth/internal-error'
}

/** The message for an error: the texts above for a provider's error, or else the error's own. */
export function errorMessage(error: Error): string {
  return error instanceof IdentityError ? texts[error.code] : error.message
}
