/** The error codes of an identity provider, named as in Firebase's JavaScript SDK. */
export type IdentityCode =
  | 'auth/popup-blocked'
  | 'auth/popup-closed-by-user'
  | 'auth/cancelled-popup-request'
  | 'auth/unauthorized-domain'
  | 'auth/web-storage-unsupported'
  | 'auth/network-request-failed'
  | 'auth/internal-error'
  | 'auth/invalid-auth-event'
  | 'auth/invalid-api-key'
  | 'auth/auth-domain-config-required'
  | 'auth/account-exists-with-different-credential'
  | 'auth/user-disabled'
  | 'auth/email-already-in-use'
  | 'auth/invalid-email'
  | 'auth/email-already-verified'
  | 'auth/weak-password'
  | 'auth/wrong-password'
  | 'auth/invalid-credential'
  | 'auth/invalid-action-code'
  | 'auth/user-token-expired'
  | 'auth/too-many-requests'
  | 'auth/operation-not-allowed'
  | 'auth/multi-factor-auth-required'
  | 'auth/invalid-verification-code'
  | 'auth/code-expired'
  | 'auth/requires-recent-login'

/**
 * An error of the identity provider. It has only a code: `messages.ts` has the texts for screens.
 */
export class IdentityError extends Error {
  code: IdentityCode

  constructor(code: IdentityCode) {
    super(code)
    this.name = 'IdentityError'
    this.code = code
  }
}

/**
 * The operations that the shop needs from an identity provider. Each rejects with an IdentityError.
 */
export interface Identity {
  signIn(email: string, password: string): Promise<void>
  /** Creates the account, signs it in, and has the verification mail sent. */
  createAccount(name: string, email: string, password: string): Promise<void>
  /** Whether the signed-in user's address is verified. */
  isVerified(): Promise<boolean>
  /**
   * Signs in with Google in a popup: call it inside the click handler. A newer call cancels an
   * older one.
   */
  signInByPopup(publicUrl: string): Promise<void>
  /**
   * Confirms an address with the token of the mailed link, if the account is signed in here. May
   * leave the page.
   */
  verifyAddress(token: string): Promise<void>
  /** Whether the signed-in account has a password; null if only the shop's server can tell. */
  hasPassword(): Promise<boolean | null>
  /** Sends the verification mail again. Some providers send it only to a signed-in user. */
  sendVerification(email: string): Promise<void>
  setDisplayName(name: string): Promise<void>
  /**
   * Sends a link to the new address; opening it changes the account's address. Does not reveal
   * whether the address is free.
   */
  changeEmail(newEmail: string, password: string): Promise<void>
  /** Signs out every other device. This one continues with a new session. */
  changePassword(current: string, next: string): Promise<void>
  /** Does not reveal whether the address is known. */
  sendReset(email: string): Promise<void>
  /**
   * `token` comes from the mailed link.
   * @returns the account's address, if the provider returns it
   */
  resetPassword(token: string, newPassword: string): Promise<string | undefined>
  /** @param accessToken the token of the session to end, if known */
  signOut(accessToken?: string | null): Promise<void>
  /** An ID token of the signed-in user, valid for a few minutes. */
  idToken(): Promise<string>
}
