/** The codes of an identity provider's refusals, as Firebase's JavaScript SDK names them. */
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

/** An identity provider's refusal. It carries only a code: `messages.ts` has the sentences that screens show for it. */
export class IdentityError extends Error {
  code: IdentityCode

  constructor(code: IdentityCode) {
    super(code)
    this.name = 'IdentityError'
    this.code = code
  }
}

/** What the shop asks of an identity provider. Every operation rejects with an IdentityError. */
export interface Identity {
  signIn(email: string, password: string): Promise<void>
  /** Creates the account, signs it in, and has the verification mail sent. */
  createAccount(name: string, email: string, password: string): Promise<void>
  /** Whether the signed-in user's address is verified. */
  isVerified(): Promise<boolean>
  /** Signs in with Google in a popup: call it inside the click's handler. A newer call cancels an older one. */
  signInByPopup(publicUrl: string): Promise<void>
  /** Confirms an address by the token of the mailed link, where the account is signed in. May leave the page. */
  confirmAddress(token: string): Promise<void>
  /** Whether the signed-in account has a password; null when only the shop's server knows. */
  hasPassword(): Promise<boolean | null>
  /** Sends the verification mail once more. Some providers send it only to a signed-in user. */
  sendVerification(email: string): Promise<void>
  setDisplayName(name: string): Promise<void>
  /** Has a link sent to the new address, which is the account's once the link is opened; says nothing about whether it is free. */
  changeEmail(newEmail: string, password: string): Promise<void>
  /** Signs out every other device. This one continues with a new sign-in. */
  changePassword(current: string, next: string): Promise<void>
  /** Says nothing about whether the address is known. */
  sendReset(email: string): Promise<void>
  /** `token` is the one from the mailed link. @returns the address of the account, where the provider tells it */
  resetPassword(token: string, newPassword: string): Promise<string | undefined>
  /** @param accessToken of the session that ends, where it is known */
  signOut(accessToken?: string | null): Promise<void>
  /** Proof of who is signed in, good for a few minutes. */
  idToken(): Promise<string>
}
