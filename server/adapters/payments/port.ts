/**
 * The card provider. Amounts are in cents. Adapters: `stripe.ts` (Stripe itself, or the sandbox in `sandbox/stripe`, which
 * speaks the same wire format).
 */
export type Intent = {
  id: string
  status: 'open' | 'processing' | 'succeeded' | 'canceled'
  /** cents */
  amount: number
  /** cents */
  amountReceived: number
  /** cents refunded or on their way back, by us or by hand */
  amountRefunded: number
  /** ISO 4217 */
  currency: string
  clientSecret: string
  /** The order it was opened for, from the provider's metadata; null when it is not ours. */
  orderId: string | null
  /** The customer it was opened for, likewise. */
  userId: string | null
}

export type NewIntent = {
  amount: number
  orderId: string
  userId: string
  description: string
  receiptEmail: string
  /** The same key returns the same intent. */
  idempotencyKey: string
}

/** A refund. `pending` may still succeed or fail. */
export type Refund = {
  id: string
  /** cents */
  amount: number
  state: 'pending' | 'succeeded' | 'failed'
  /** The shop's reference; null for a refund made by hand at the provider. */
  reference: string | null
}

export type NewRefund = {
  intentId: string
  amount: number
  reference: string
  /** The same key returns the same refund. */
  idempotencyKey: string
}

/** A chargeback. The bank decides; the shop can only answer at the provider. */
export type Dispute = {
  /** cents */
  amount: number
  /** The bank's reason, readable: 'product not received'. */
  reason: string
  /** `closed` is an inquiry that came to nothing. */
  state: 'open' | 'won' | 'lost' | 'closed'
  /** Without an answer by then it is lost. */
  answerBy: Date | null
}

export type ProviderEvent = {
  id: string
  type: string
  intentId: string | null
  /** Of an event about one. */
  dispute: Dispute | null
  /** When the provider made it, to the second. */
  happenedAt: Date
}

/** Every call throws AppError('PROVIDER_DOWN') when the provider does not answer in time or fails, and KeyRefused when it refuses the shop's key. */
export type Payments = {
  /** How long one question to the provider may take, in milliseconds. */
  readonly timeoutMs: number
  /** What the browser needs to take a card. */
  readonly browser: { publishableKey: string; scriptUrl: string | null; sandbox: boolean }
  createIntent(intent: NewIntent): Promise<Intent>
  /** @returns null when the provider knows no such intent */
  retrieveIntent(id: string): Promise<Intent | null>
  /** Every intent opened since then, newest first, at most 10,000. */
  intentsSince(moment: Date): Promise<Intent[]>
  /**
   * Ends an open intent. Never throws for one that cannot be ended any more: read the answer's status.
   * @returns null when the provider knows no such intent
   */
  cancelIntent(id: string): Promise<Intent | null>
  /**
   * Gives a part of a payment back, or all of it.
   * @throws AppError('REFUND_REFUSED') with what an admin can do, then the provider's own words: no such refund was made
   */
  refund(refund: NewRefund): Promise<Refund>
  /** Everything that was ever given back of an intent, by us or by hand. @throws AppError('REFUND_REFUSED') for none of ours */
  listRefunds(intentId: string): Promise<Refund[]>
  /** What was given back of any payment since then, at most the newest 10,000. */
  refundsSince(moment: Date): Promise<(Refund & { intentId: string | null })[]>
  /** The events of these types since then, oldest first, at most the newest 10,000; the provider keeps them 30 days. */
  eventsSince(moment: Date, types: string[]): Promise<ProviderEvent[]>
  /** Tests whether the provider takes the shop's key, for all that the shop reads. */
  verify(): Promise<void>
  /** Verifies a webhook's signature over its raw bytes, then reads it. @throws AppError('INVALID') */
  readEvent(rawBody: string, signature: string | undefined): Promise<ProviderEvent>
}
