import { type IdentityCode, IdentityError } from './port.ts'

/**
 * The meaning of each provider error, and what to do next. The first sentence is the error's
 * established text (Firebase's JavaScript SDK, without its name).
 */
const texts: Record<IdentityCode, string> = {
  'auth/popup-blocked':
    'Unable to establish a connection with the popup. It may have been blocked by the browser. Allow popups for this shop and try again, or go on without one.',
  'auth/popup-closed-by-user':
    'The popup has been closed by the user before finalizing the operation.',
  'auth/cancelled-popup-request':
    'This operation has been cancelled due to another conflicting popup being opened. Go on in the newest one.',
  'auth/unauthorized-domain':
    'This domain is not authorized for logging in. Use this shop’s usual address.',
  'auth/web-storage-unsupported':
    'This browser is not supported or 3rd party cookies and data may be disabled. Allow cookies and data for this shop, then try again.',
  'auth/network-request-failed':
    'A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. Check your connection and try again.',
  'auth/internal-error': 'An internal AuthError has occurred. Try again in a moment.',
  'auth/invalid-auth-event':
    'An internal AuthError has occurred. The answer belongs to no login of this page, so it was not used: start again.',
  'auth/invalid-api-key':
    'Your API key is invalid, please check you have copied it correctly. The owner of this shop has to mend it; meanwhile use email and password.',
  'auth/auth-domain-config-required':
    'Be sure to include authDomain in the settings: this shop has no Google login yet. Use email and password.',
  'auth/account-exists-with-different-credential':
    'An account already exists with the same email address but different sign-in credentials. Log in with your password, or use ‘Forgot password?’ to set a new one: that proves the address is yours, and then Google works too.',
  'auth/user-disabled':
    'The user account has been disabled by an administrator. Ask the shop if you do not know why.',
  'auth/email-already-in-use':
    'The email address is already in use by another account. If it is yours, log in instead:',
  'auth/invalid-email':
    'The email address is badly formatted. It should look like ada@example.com.',
  'auth/email-already-verified': 'This address is confirmed already. There is nothing left to do.',
  'auth/weak-password': 'The password must be 6 characters long or more. Choose a longer one.',
  'auth/wrong-password':
    'The password is invalid or the user does not have a password. Type your current password.',
  'auth/invalid-credential':
    'The supplied auth credential is incorrect, malformed or has expired. E-mail or password is wrong.',
  'auth/invalid-action-code':
    'The action code is invalid. This can happen if the code is malformed, expired, or has already been used. Ask for a new mail, and open the link in the newest one.',
  'auth/user-token-expired':
    "The user's credential is no longer valid. The user must sign in again. Log in once more.",
  'auth/operation-not-allowed':
    'The given sign-in provider is disabled for this Firebase project. The owner of this shop has to enable it; meanwhile use another way to log in.',
  // only for an account at Firebase: for the shop's own, the screen asks for the code
  'auth/multi-factor-auth-required':
    'This account needs a second factor, which this shop cannot ask for.',
  'auth/invalid-verification-code':
    'The code is wrong. Type the newest code of your app, or a recovery code that you have not used.',
  'auth/code-expired': 'This code was used already. Wait for the next one in your app.',
  'auth/requires-recent-login': 'This needs a one-time code. Enter one to go on.',
  'auth/too-many-requests':
    'We have blocked all requests from this device due to unusual activity. Try again later: in a quarter of an hour at the latest.',
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
