/**
 * The card provider. Amounts are in cents. Adapters: `stripe.ts` (Stripe itself, or the sandbox in
 * `sandbox/stripe`, which uses the same wire format).
 */
/** What the provider took for a movement of the shop's account. */
export type Fee = {
  /** The movement's id at the provider. */
  movementId: string
  /** In the smallest unit of its currency; negative when it was given back. */
  amount: number
  /** ISO 4217, that of the account; it may differ from the payment's. */
  currency: string
}

export type Intent = {
  id: string
  status: 'open' | 'processing' | 'succeeded' | 'canceled'
  /** cents */
  amount: number
  /** cents */
  amountReceived: number
  /** cents refunded or about to be, by us or by hand */
  amountRefunded: number
  /** ISO 4217 */
  currency: string
  /** Null where it is not asked for, and while the provider has not reported it. */
  fee: Fee | null
  clientSecret: string
  /** The order of the intent, from the provider's metadata; null when it is not ours. */
  orderId: string | null
  /** The customer of the intent, likewise. */
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
  /** Likewise; `sentBack` is that of a bank's return. */
  fees: { refund: Fee | null; sentBack: Fee | null }
}

export type NewRefund = {
  intentId: string
  amount: number
  reference: string
  /** The same key returns the same refund. */
  idempotencyKey: string
}

/** A chargeback. The bank decides; the shop can only respond at the provider. */
export type Dispute = {
  /** cents */
  amount: number
  /** The bank's reason, readable: 'product not received'. */
  reason: string
  /** `closed` is an inquiry that ended without a dispute. */
  state: 'open' | 'won' | 'lost' | 'closed'
  /** Without a response by then, the dispute is lost. */
  answerBy: Date | null
  /** One for taking the money and, after that, one for giving it back. */
  fees: Fee[]
}

export type ProviderEvent = {
  id: string
  type: string
  intentId: string | null
  /** The dispute that the event is about, if any. */
  dispute: Dispute | null
  /** When the provider created it, to the second. */
  happenedAt: Date
}

/**
 * Every call throws AppError('PROVIDER_DOWN') when the provider fails or does not respond in time,
 * and KeyRefused when it refuses the shop's key.
 */
export type Payments = {
  /** How long one request to the provider may take, in milliseconds. */
  readonly timeoutMs: number
  /** What the browser needs for a card payment. */
  readonly browser: { publishableKey: string; scriptUrl: string | null; sandbox: boolean }
  createIntent(intent: NewIntent): Promise<Intent>
  /** @returns null when the provider has no such intent */
  retrieveIntent(id: string): Promise<Intent | null>
  /** Every intent opened since then, newest first, at most 10,000. */
  intentsSince(moment: Date): Promise<Intent[]>
  /**
   * Cancels an open intent. Does not throw when it can no longer be canceled: check the status of
   * the result.
   * @returns null when the provider has no such intent
   */
  cancelIntent(id: string): Promise<Intent | null>
  /**
   * Refunds a payment, in full or in part.
   * @throws AppError('REFUND_REFUSED') with advice for the admin and the provider's message; no
   * refund was made
   */
  refund(refund: NewRefund): Promise<Refund>
  /**
   * All refunds of an intent, by us or by hand. @throws AppError('REFUND_REFUSED') when the intent
   * is not ours
   */
  listRefunds(intentId: string): Promise<Refund[]>
  /** All refunds of any payment since then, at most the newest 10,000. */
  refundsSince(moment: Date): Promise<(Refund & { intentId: string | null })[]>
  /**
   * The events of these types since then, oldest first, at most the newest 10,000; the provider
   * keeps them for 30 days.
   */
  eventsSince(moment: Date, types: string[]): Promise<ProviderEvent[]>
  /** Tests whether the provider accepts the shop's key for everything that the shop reads. */
  verify(): Promise<void>
  /**
   * Verifies a webhook's signature over its raw bytes, then reads it. @throws AppError('INVALID')
   */
  readEvent(rawBody: string, signature: string | undefined): Promise<ProviderEvent>
}
