/**
 * Identity. The shop trusts an issuer (its key set and audience), not a library. Adapters: `embedded.ts` (better-auth inside
 * this process, under `/identity`), `firebase.ts` (Firebase Auth, to which the browser speaks).
 */
export type Proof = {
  issuer: string
  /** The issuer's id of the account. Issuer and subject are the identity; an e-mail never is. */
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

/** What the provider reports to, and asks of, the shop. */
export type IdentityEvents = {
  mail(mail: IdentityMail): Promise<void>
  sessionEnded(sessionId: string): Promise<void>
  /** The password was reset: all earlier sign-ins of the account must end. */
  passwordReset(subject: string, email: string): Promise<void>
  /** A user proved that they read mail at this account's address, which may be new. */
  emailVerified(subject: string, email: string): Promise<void>
  /** A signed-in user entered the password. @throws AppError TOO_MANY */
  passwordTried(subject: string): Promise<void>
  /** The password was changed with the old one; every session ended. */
  passwordChanged(subject: string, email: string): Promise<void>
  /** Whether the account is blocked and gets no session. */
  isBlocked(subject: string): Promise<boolean>
  /** Why Google must not open this account, as a code of the library; null when it may. */
  googleDenialReason(subject: string): Promise<'user_disabled' | 'account_not_linked' | null>
}

/** An account at a provider. */
export type AccountKey = Pick<Proof, 'issuer' | 'subject'>

/** A live session of an account. Its token stays with the provider. */
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
   * @throws AppError UNAUTHENTICATED for anything but a valid ID token of this issuer for this shop, BLOCKED for a disabled
   * account, PROVIDER_DOWN when the issuer cannot be asked, KeyRefused when it refuses the shop's keys
   */
  verifyIdToken(token: string): Promise<Proof>
  /**
   * Tests whether the provider takes the shop's keys; null for one inside this process.
   * @throws KeyRefused, or AppError PROVIDER_DOWN
   */
  readonly verify: (() => Promise<void>) | null
  /** Answers requests under `/identity`; null for a provider elsewhere. */
  readonly handle: ((request: Request) => Promise<Response>) | null
  /**
   * Returns the verified account of this address. Creates one with this password when there is none, and takes over an
   * unverified one. Null for a provider whose accounts only their owners make.
   */
  readonly ensureAccount:
    | ((account: { email: string; password: string; name: string }) => Promise<Proof>)
    | null
  /** The account's sessions; none for an unknown account, null with a provider that does not list them. */
  signIns(account: AccountKey): Promise<SignIn[] | null>
  /** Ends these sessions of the account, and no others. */
  endSignIns(account: AccountKey, sessionIds: string[]): Promise<void>
  /**
   * A link that sets the account's password, once and within an hour, like the one in a reset mail; null with a provider that
   * only mails it.
   */
  passwordLink(account: AccountKey): Promise<string | null>
  /** Whether it has one that `isPassword` can check. */
  hasPassword(account: AccountKey): Promise<boolean>
  /** Whether this is the account's password; false for an account without one. */
  isPassword(account: AccountKey, password: string): Promise<boolean>
  /**
   * Prepares the removal of an account that is not in the shop's database; null for those that are.
   * @returns what removes it, once the shop has @throws AppError without the ID token of a login a few minutes old
   */
  readonly removal: ((account: AccountKey, idToken: string) => Promise<() => Promise<void>>) | null
  /** Notes that a session was just used. */
  noteUse(sessionId: string): Promise<void>
}
