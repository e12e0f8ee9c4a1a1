/** What every page may know about the shop it belongs to. */
export type Shop = {
  /** Origin, without a slash at the end. */
  publicUrl: string
  holdMinutes: number
  /** `scriptUrl` is null for Stripe itself; `simulated` when no card is ever charged. */
  payments: { publishableKey: string; scriptUrl: string | null; simulated: boolean }
  identity: { kind: 'embedded' }
}
