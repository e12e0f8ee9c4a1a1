/** What every page may know about the shop it belongs to. */
export type Shop = {
  /** Origin, without a slash at the end. */
  publicUrl: string
  holdMinutes: number
  /** A hold that is renewed ends for good so many minutes after it was taken. */
  holdMaxMinutes: number
  /** An order that is unpaid for so long ends. */
  expireDays: number
  /** `scriptUrl` is null for Stripe itself; `simulated` when no card is ever charged. */
  payments: { publishableKey: string; scriptUrl: string | null; simulated: boolean }
  /** `google` is null when there is no such door; `simulated` when the accounts behind it are made up. */
  identity: { provider: 'embedded'; google: { simulated: boolean } | null }
  /** Where a demonstration shows the mails it did not send; null when mail is real. */
  mailbox: string | null
}
