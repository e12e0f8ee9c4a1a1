/** Amounts in requests and responses. */
import { z } from 'zod'
import { isAmount, maxAmount } from './money.ts'

/**
 * The rule for an amount in a request: from `min` to `max` (999,999 by default), with at most two
 * decimals.
 */
export const amountRule = (label: string, min: number, max: number = maxAmount) =>
  z
    .number({
      error: ({ input }) =>
        input === undefined ? `${label} is required` : `${label} must be a number`,
    })
    .min(min, `${label} must be ${min} or more`)
    .max(max, `${label} must be ${max} or less`)
    .refine(isAmount, `${label} can have at most two decimals`)

/** An amount in a response. */
export const Amount = z
  .number()
  .refine(isAmount)
  .describe('Of the shop’s currency, with at most two decimals.')
