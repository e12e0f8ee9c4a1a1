import type { Currency } from './money.ts'

/** What the browser needs to speak to Firebase Auth. `emulator` is the origin of the Auth emulator; null for Firebase itself. */
export type FirebaseFacts = {
  projectId: string
  apiKey: string
  authDomain: string
  emulator: string | null
}

/** For how long parts are held, as every screen and mail says it: 'a minute', '30 minutes'. */
export function holdText(minutes: number): string {
  const whole = Math.max(1, Math.floor(minutes))
  return whole === 1 ? 'a minute' : `${whole} minutes`
}

/** Facts about the shop that every page gets. */
export type Shop = {
  /** Origin, without a trailing slash. */
  publicUrl: string
  currency: Currency
  holdMinutes: number
  /** A renewed hold ends for good this many minutes after it was first taken. */
  holdMaxMinutes: number
  /** An unpaid order ends after this many days. */
  expireDays: number
  /** `scriptUrl` is null for Stripe itself; `sandbox` when no card is charged. */
  payments: { publishableKey: string; scriptUrl: string | null; sandbox: boolean }
  /**
   * `google` is null without sign-in with Google; `sandbox` for the sandbox. `firebase` is null with the embedded provider.
   */
  identity: { google: { sandbox: boolean } | null; firebase: FirebaseFacts | null }
  /** Whether the reviews of the demonstration are here: it was seeded, and `go-live` has not removed it. */
  isDemo: boolean
  /** Path of the sandbox's mailbox; null when mail is real. */
  mailbox: string | null
}
