/** Refunds: POST /order/{id}/refund. */

import { z } from 'zod'
import { Amount, amountRule } from './amount.ts'
import { Id } from './api.ts'
import { line } from './line.ts'
import { type Currency, cents, fromCents, money } from './money.ts'
import type { Order } from './orders.ts'

export const refundReasonLimit = 200

/** The amount of an order that can still be refunded. */
export function leftToRefund({
  paid,
  totalPrice,
  taxTotal,
  refunded,
}: Pick<Order, 'paid' | 'totalPrice' | 'taxTotal' | 'refunded'>): number {
  return paid ? fromCents(cents(totalPrice) + cents(taxTotal) - cents(refunded)) : 0
}

/**
 * Checks the amount of a refund, in form and server alike.
 * @param left the amount that can still be refunded
 * @returns the message to show, or undefined when the amount is allowed
 */
export function refundProblem(
  amount: number,
  left: number,
  currency: Currency,
): string | undefined {
  return amount > left
    ? `Amount cannot be more than the remaining ${money(left, currency)}`
    : undefined
}

const whole = (name: string, min: number) =>
  z
    .int({
      error: ({ input }) =>
        input === undefined ? `${name} is required` : `${name} must be a whole number`,
    })
    .min(min, `${name} must be ${min} or more`)

const Moved = z.strictObject({ count: z.int().min(0), amount: Amount })

/** GET /payments/sums */
export const PaymentSums = z
  .strictObject({
    payments: Moved,
    refunds: Moved,
    sentBack: Moved,
    net: Amount,
    fees: z
      .array(z.strictObject({ currency: z.string(), amount: z.number() }))
      .describe('What the card provider took for them and for disputes, by currency.'),
    feesUnknown: z.int().min(0).describe('The payments whose fee is not reported yet.'),
  })
  .describe(
    'Sums: payments, refunds, refunds that a bank returned, what is left before fees, and the fees.',
  )
export type PaymentSums = z.infer<typeof PaymentSums>

/**
 * POST /order/{id}/refund with the header `Idempotency-Key`: a repeated key never makes a second
 * refund. `restock` units go back on sale. Customers do not see the reason.
 */
export const RefundRequest = z
  .object({
    amount: amountRule('Amount', 0.01),
    reason: line('Reason', refundReasonLimit, 1),
    restock: whole('Restock', 0).default(0),
  })
  .meta({ examples: [{ amount: 50, reason: 'Arrived broken', restock: 1 }] })
export type RefundRequest = z.infer<typeof RefundRequest>

export const RefundAnswer = z
  .strictObject({
    acknowledged: z.literal(true),
    insertedId: Id,
    state: z.enum(['succeeded', 'pending']),
  })
  .describe(
    '`pending`: it is recorded, and perhaps asked for, but the card provider has not confirmed it yet; a job finishes it.',
  )
export type RefundAnswer = z.infer<typeof RefundAnswer>
