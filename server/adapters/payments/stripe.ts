import Stripe from 'stripe'
import type { Currency } from '#contracts/money.ts'
import { AppError, KeyRefused } from '#server/errors.ts'
import type { Dispute, Fee, Intent, Payments, ProviderEvent, Refund } from './port.ts'

const disputed =
  'the customer disputes this payment, so their bank decides about the money. Answer the dispute at the card provider.'
/** Advice for the admin about a refusal, by Stripe's error code. */
const advice: Record<string, string> = {
  charge_disputed: disputed,
  refund_disputed_payment: disputed,
  charge_already_refunded: 'all of the payment was refunded there already.',
}

/**
 * Refuses a request that Stripe understood but rejected: advice for the admin, then Stripe's own
 * message.
 */
function refused(error: unknown): never {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    const words = advice[error.code ?? ''] ?? 'look the payment up there.'
    throw new AppError('REFUND_REFUSED', `${words} The card provider says: ${error.message}`)
  }
  return providerDown(error)
}

/** The fee of an expanded movement. */
function toFee(movement: string | Stripe.BalanceTransaction | null | undefined): Fee | null {
  if (!movement || typeof movement === 'string') return null
  const { id: movementId, fee: amount, currency } = movement
  return { movementId, amount, currency: currency.toUpperCase() }
}

const ended = new Set(['failed', 'canceled'])

function toRefund(refund: Stripe.Refund): Refund {
  const { id, amount, status, metadata, balance_transaction, failure_balance_transaction } = refund
  const state =
    status === 'succeeded' ? 'succeeded' : ended.has(status ?? '') ? 'failed' : 'pending'
  const fees = { refund: toFee(balance_transaction), sentBack: toFee(failure_balance_transaction) }
  return { id, amount, state, reference: metadata?.refundId ?? null, fees }
}

/**
 * Reads with the fees or, with a restricted key that may not read the movements of the account,
 * without them: no payment waits for a fee.
 * @param fees what to expand for them; `without`: for the rest alone
 */
const withFees = <T>(
  { fees, without = [] }: { fees: string[]; without?: string[] },
  read: (expand: string[]) => Promise<T>,
): Promise<T> =>
  read(fees).catch((error) => {
    if (error instanceof Stripe.errors.StripePermissionError) return read(without)
    throw error
  })

const intentOf = ({ payment_intent: intent }: Stripe.Refund) =>
  typeof intent === 'string' ? intent : (intent?.id ?? null)

/** The part of the port for refunds. */
function stripeRefunds(stripe: Stripe): Pick<Payments, 'refund' | 'listRefunds' | 'refundsSince'> {
  return {
    refund: ({ intentId, amount, reference, idempotencyKey }) =>
      stripe.refunds
        .create(
          { payment_intent: intentId, amount, metadata: { refundId: reference } },
          { idempotencyKey },
        )
        .then(toRefund)
        .catch(refused),
    listRefunds: (intentId) =>
      withFees(
        { fees: ['data.balance_transaction', 'data.failure_balance_transaction'] },
        (expand) =>
          stripe.refunds
            .list({ payment_intent: intentId, expand, limit: 100 })
            .autoPagingToArray({ limit: 1000 }),
      )
        .then((refunds) => refunds.map(toRefund))
        .catch(refused),
    refundsSince: (moment) =>
      stripe.refunds
        .list({ created: { gte: Math.floor(moment.getTime() / 1000) }, limit: 100 })
        .autoPagingToArray({ limit: 10_000 })
        .then((refunds) =>
          refunds.map((refund) => ({ ...toRefund(refund), intentId: intentOf(refund) })),
        )
        .catch(providerDown),
  }
}

/** Whether this account has no such object. */
const isMissing = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/** Whether the intent is already paid or canceled. */
const isEnded = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'payment_intent_unexpected_state'

/**
 * Maps a failed connection or a 5xx to one refusal, and a rejected key to another. Other errors are
 * internal ones.
 */
export function providerDown(error: unknown): never {
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    throw new KeyRefused(
      'payments',
      'Cards cannot be charged at the moment. You were not charged; try again later.',
      `Stripe refuses the key of the shop: ${error.message} (STRIPE_SECRET_KEY)`,
    )
  }
  if (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 409)
  ) {
    const down = new AppError(
      'PROVIDER_DOWN',
      'The card provider does not answer. Try again in a minute; you are not charged twice.',
    )
    // the log shows which of them it was
    throw Object.assign(down, { cause: error })
  }
  throw error
}

export type StripeSettings = {
  secretKey: string
  publishableKey: string
  currency: Currency
  /** One secret; during a rotation, the old one, too. An event is genuine when either signed it. */
  webhookSecrets: string[]
  /** How long one of up to three tries may take. */
  timeoutMs: number
  /** Origin and path before `/v1/…` of a sandbox; absent for Stripe itself. */
  sandbox?: { apiBase: string; scriptUrl: string }
}

const apiOrigin = 'https://api.stripe.com'

/**
 * The official SDK with the sandbox's prefix before every path, which its `host` option cannot
 * express.
 */
function clientFor(settings: StripeSettings): Stripe {
  const { sandbox } = settings
  return new Stripe(settings.secretKey, {
    timeout: settings.timeoutMs,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(sandbox && {
      httpClient: Stripe.createFetchHttpClient(
        (input: string | URL | Request, init?: RequestInit) =>
          fetch(
            String(input instanceof Request ? input.url : input).replace(
              apiOrigin,
              sandbox.apiBase,
            ),
            init,
          ),
      ),
    }),
  })
}

const openStatuses = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
])

function statusOf({ status }: Stripe.PaymentIntent): Intent['status'] {
  if (status === 'succeeded') return 'succeeded'
  if (status === 'canceled') return 'canceled'
  return openStatuses.has(status) ? 'open' : 'processing'
}

/** Requires an intent with its charge expanded; without a charge, there is nothing to refund. */
const refundedOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  charge && typeof charge === 'object' ? charge.amount_refunded : 0

const feeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  charge && typeof charge === 'object' ? toFee(charge.balance_transaction) : null

function toIntent(intent: Stripe.PaymentIntent): Intent {
  return {
    id: intent.id,
    status: statusOf(intent),
    amount: intent.amount,
    amountReceived: intent.amount_received,
    amountRefunded: refundedOf(intent),
    currency: intent.currency.toUpperCase(),
    fee: feeOf(intent),
    clientSecret: intent.client_secret ?? '',
    orderId: intent.metadata.orderId ?? null,
    userId: intent.metadata.userId ?? null,
  }
}

async function openedSince(stripe: Stripe, moment: Date): Promise<Intent[]> {
  const created = { gte: Math.floor(moment.getTime() / 1000) }
  const opened = await stripe.paymentIntents
    .list({ created, expand: ['data.latest_charge'], limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  return opened.map(toIntent)
}

function disputeState({ status }: Stripe.Dispute): Dispute['state'] {
  if (status === 'won') return 'won'
  if (status === 'lost') return 'lost'
  return /needs_response|under_review/.test(status) ? 'open' : 'closed'
}

function toDispute(dispute: Stripe.Dispute): Dispute {
  const { amount, reason, evidence_details, balance_transactions } = dispute
  const dueBy = evidence_details.due_by
  return {
    amount,
    reason: reason.replaceAll('_', ' '),
    state: disputeState(dispute),
    answerBy: dueBy ? new Date(dueBy * 1000) : null,
    fees: balance_transactions.flatMap((movement) => toFee(movement) ?? []),
  }
}

function toEvent({ id, type, data, created }: Stripe.Event): ProviderEvent {
  const object = data.object as { object?: string; id?: string; payment_intent?: unknown }
  const intentId = object.object === 'payment_intent' ? object.id : object.payment_intent
  return {
    id,
    type,
    intentId: typeof intentId === 'string' ? intentId : null,
    dispute: object.object === 'dispute' ? toDispute(data.object as Stripe.Dispute) : null,
    happenedAt: new Date(created * 1000),
  }
}

async function eventsSince(
  stripe: Stripe,
  moment: Date,
  types: string[],
): Promise<ProviderEvent[]> {
  const created = { gte: Math.floor(moment.getTime() / 1000) }
  const events = await stripe.events
    .list({ created, types, limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  return events.map(toEvent).reverse()
}

/** Payments by Stripe's REST API through its official SDK. */
export function stripePayments(settings: StripeSettings): Payments {
  const stripe = clientFor(settings)
  const retrieve = (id: string) =>
    withFees(
      { fees: ['latest_charge.balance_transaction'], without: ['latest_charge'] },
      (expand) => stripe.paymentIntents.retrieve(id, { expand }),
    ).then(toIntent)
  return {
    timeoutMs: settings.timeoutMs,
    browser: {
      publishableKey: settings.publishableKey,
      scriptUrl: settings.sandbox?.scriptUrl ?? null,
      sandbox: settings.sandbox !== undefined,
    },
    createIntent: ({ amount, orderId, userId, description, receiptEmail, idempotencyKey }) =>
      stripe.paymentIntents
        .create(
          {
            amount,
            currency: settings.currency.toLowerCase(),
            allowed_payment_method_types: ['card'],
            description,
            receipt_email: receiptEmail,
            metadata: { orderId, userId },
          },
          { idempotencyKey },
        )
        .then(toIntent)
        .catch(providerDown),
    retrieveIntent: (id) =>
      retrieve(id).catch((error) => (isMissing(error) ? null : providerDown(error))),
    intentsSince: (moment) => openedSince(stripe, moment).catch(providerDown),
    cancelIntent: (id) =>
      stripe.paymentIntents
        .cancel(id)
        .then(toIntent)
        .catch((error) => (isEnded(error) ? retrieve(id) : Promise.reject(error)))
        .catch((error) => (isMissing(error) ? null : providerDown(error))),
    eventsSince: (moment, types) => eventsSince(stripe, moment, types).catch(providerDown),
    ...stripeRefunds(stripe),
    async verify() {
      // a restricted key may work for one of them and not for another
      const lists = [stripe.paymentIntents, stripe.refunds, stripe.events]
      await Promise.all(lists.map((list) => list.list({ limit: 1 }))).catch(providerDown)
    },
    async readEvent(rawBody, signature) {
      const { secretKey, webhookSecrets } = settings
      const event = await Promise.any(
        webhookSecrets.map((secret) =>
          stripe.webhooks.constructEventAsync(rawBody, signature ?? '', secret),
        ),
      ).catch(({ errors: [refusal] }: AggregateError) => {
        throw new AppError('INVALID', `webhook refused: ${refusal.message.split('\n')[0]}`)
      })
      if (event.livemode !== secretKey.includes('_live_')) {
        const mode = event.livemode ? 'live' : 'test'
        throw new AppError(
          'INVALID',
          `webhook refused: it is of ${mode} mode, the shop’s key is not`,
        )
      }
      return toEvent(event)
    },
  }
}
