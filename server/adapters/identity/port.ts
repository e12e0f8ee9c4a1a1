/**
 * Identity. The shop trusts an issuer (its key set and audience), not a library. Adapters:
 * `embedded.ts` (better-auth inside this process, under `/identity`), `firebase.ts` (Firebase Auth,
 * which the browser calls directly).
 */
export type Proof = {
  issuer: string
  /**
   * The issuer's id of the account. Issuer and subject identify the account; an e-mail never does.
   */
  subject: string
  /** lower-case */
  email: string
  emailVerified: boolean
  name: string
  /** The session that issued the ID token; null when the issuer has none. */
  sessionId: string | null
}

export type IdentityMail = {
  template: 'verify-email' | 'change-email' | 'reset-password'
  recipient: string
  /** The link to follow. */
  url: string
}

/** The provider's reports to the shop, and its queries. */
export type IdentityEvents = {
  mail(mail: IdentityMail): Promise<void>
  sessionEnded(sessionId: string): Promise<void>
  /** The password was reset: all earlier sign-ins of the account must end. */
  passwordReset(subject: string, email: string): Promise<void>
  /** A user proved that they read mail at this account's address, which may be new. */
  emailVerified(subject: string, email: string): Promise<void>
  /** A signed-in user entered the password. @throws AppError TOO_MANY */
  passwordTried(subject: string): Promise<void>
  /** The user changed the password with the old one; every session ended. */
  passwordChanged(subject: string, email: string): Promise<void>
  /**
   * A user enters a one-time code or a recovery code.
   * @param isSignIn after the password, or else in a session
   * @throws AppError TOO_MANY
   */
  codeTried(subject: string, isSignIn: boolean): Promise<void>
  /** The code was right. */
  codeAccepted(subject: string, isSignIn: boolean): Promise<void>
  /**
   * Uses up the code of a time step.
   * @returns false when it, or a later one, was used before
   */
  codeUsed(subject: string, step: number): Promise<boolean>
  /** The user switched the second factor on or off. If on, all other sessions ended. */
  secondFactorChanged(subject: string, isOn: boolean): Promise<void>
  /** Whether the account is blocked and gets no session. */
  isBlocked(subject: string): Promise<boolean>
  /** Why Google must not open this account, as a code of the library; null when it may. */
  googleDenialReason(subject: string): Promise<'user_disabled' | 'account_not_linked' | null>
}

/** An account at a provider. */
export type AccountKey = Pick<Proof, 'issuer' | 'subject'>

/** An active session of an account. Its token stays with the provider. */
export type SignIn = {
  sessionId: string
  /** The client's User-Agent, if any. */
  userAgent: string | null
  ipAddress: string | null
  signedInAt: Date
  lastSeenAt: Date
}

export type Identity = {
  readonly provider: 'embedded' | 'firebase'
  /** The issuer of its proofs. */
  readonly issuer: string
  /**
   * @throws AppError UNAUTHENTICATED unless it is a valid ID token of this issuer for this shop,
   * BLOCKED for a disabled account, PROVIDER_DOWN when the issuer does not respond, KeyRefused when
   * it refuses the shop's keys
   */
  verifyIdToken(token: string): Promise<Proof>
  /**
   * Tests whether the provider accepts the shop's keys; null for a provider inside this process.
   * @throws KeyRefused, or AppError PROVIDER_DOWN
   */
  readonly verify: (() => Promise<void>) | null
  /** Handles requests under `/identity`; null for an external provider. */
  readonly handle: ((request: Request) => Promise<Response>) | null
  /**
   * Returns the verified account of this address. Creates one with this password when there is
   * none, and takes over an unverified one. Null for a provider where only owners create their
   * accounts.
   */
  readonly ensureAccount:
    | ((account: { email: string; password: string; name: string }) => Promise<Proof>)
    | null
  /**
   * The account's sessions; none for an unknown account, null with a provider that does not list
   * them.
   */
  signIns(account: AccountKey): Promise<SignIn[] | null>
  /** Ends these sessions of the account, and no others. */
  endSignIns(account: AccountKey, sessionIds: string[]): Promise<void>
  /**
   * A link that sets the account's password once within an hour, like the link in a reset mail;
   * null with a provider that only mails it.
   */
  passwordLink(account: AccountKey): Promise<string | null>
  /** Whether the account has a password that `isPassword` can check. */
  hasPassword(account: AccountKey): Promise<boolean>
  /** Whether this is the account's password; false for an account without one. */
  isPassword(account: AccountKey, password: string): Promise<boolean>
  /**
   * Whether the account has a second factor, and if so, whether a code was entered in this session
   * within the last ten minutes. Always 'off' with a provider that asks for codes itself.
   */
  secondFactor(
    account: AccountKey,
    sessionId: string | null,
  ): Promise<'off' | 'unconfirmed' | 'confirmed'>
  /** Switches a lost second factor off. @returns false if there was none */
  removeSecondFactor(account: AccountKey): Promise<boolean>
  /**
   * Prepares the removal of an account outside the shop's database; null when the provider's
   * accounts are in it.
   * @returns a function that removes it after the shop's own account
   * @throws AppError unless the ID token's login is a few minutes old at most
   */
  readonly removal: ((account: AccountKey, idToken: string) => Promise<() => Promise<void>>) | null
  /** Records that a session was just used. */
  noteUse(sessionId: string): Promise<void>
}
