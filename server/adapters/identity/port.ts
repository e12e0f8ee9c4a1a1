/**
 * Who people are. The shop trusts an issuer (its key set and audience), not a library. Technologies: `embedded.ts`
 * (better-auth inside this process, under `/identity`).
 */
export type Proof = {
  issuer: string
  /** The issuer's own id of the account; with the issuer it is the identity. An e-mail never is. */
  subject: string
  /** lower-case */
  email: string
  emailVerified: boolean
  name: string
  /** The sign-in this proof came from; null when the issuer has none. */
  sessionId: string | null
}

export type IdentityMail = {
  template: 'verify-email' | 'change-email' | 'reset-password'
  recipient: string
  /** The link to follow. */
  url: string
}

/** What the provider tells the shop. */
export type IdentityEvents = {
  mail(mail: IdentityMail): Promise<void>
  sessionEnded(sessionId: string): Promise<void>
  /** The password was reset: whoever held the account before must be out. */
  passwordReset(subject: string, email: string): Promise<void>
  /** Somebody proved to read the mail of this account's address, which may be another than before. */
  emailVerified(subject: string, email: string): Promise<void>
  /** Somebody who is signed in says to know the password. @throws AppError TOO_MANY */
  passwordTried(subject: string): Promise<void>
  /** The password was changed by somebody who knew the one before; every sign-in ended. */
  passwordChanged(subject: string, email: string): Promise<void>
  /** Did an admin block this account? Then it gets no session. */
  isBlocked(subject: string): Promise<boolean>
  /** Why this account can not be entered by the word of Google, in the library's words; null when it can. */
  googleDenialReason(subject: string): Promise<'user_disabled' | 'account_not_linked' | null>
}

/** Whose account at a provider. */
export type AccountKey = Pick<Proof, 'issuer' | 'subject'>

/** One sign-in of an account that can still be used. What it is proved by stays with the provider. */
export type SignIn = {
  sessionId: string
  /** As the client called itself, if it did. */
  userAgent: string | null
  ipAddress: string | null
  signedInAt: Date
  lastSeenAt: Date
}

export type Identity = {
  readonly provider: 'embedded'
  /** @throws AppError('UNAUTHENTICATED') for anything but a live ID token of this issuer for this shop */
  verifyIdToken(token: string): Promise<Proof>
  /** Answers requests under `/identity`. */
  handle(request: Request): Promise<Response>
  /**
   * The verified account of this address. When there is none it is created with this password; one that nobody proved
   * to own is taken from whoever made it.
   */
  ensureAccount(account: { email: string; password: string; name: string }): Promise<Proof>
  /** Where this account is signed in; nowhere when the provider does not know it. */
  signIns(account: AccountKey): Promise<SignIn[]>
  /** Ends sign-ins of this account; others are left alone. */
  endSignIns(account: AccountKey, sessionIds: string[]): Promise<void>
  /** A link that sets a password of this account, once and within an hour, as the mail for a forgotten one has it. */
  passwordLink(account: AccountKey): Promise<string>
  hasPassword(account: AccountKey): Promise<boolean>
  /** Is this the account's password? Never for one without. */
  isPassword(account: AccountKey, password: string): Promise<boolean>
  /** A sign-in was used just now. */
  seen(sessionId: string): Promise<void>
}
