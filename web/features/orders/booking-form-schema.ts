import { z } from 'zod'
import { messages } from '#contracts/messages.ts'
import { totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { Phone, Quantity, quantityProblem } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'

/** What the form holds: text, as typed. What it sends: numbers. */
export type BookingFields = { phone: string; quantity: string }

const Typed = z
  .string()
  .trim()
  .min(1, messages.quantityRequired)
  .regex(/^-?\d+$/, messages.quantityWhole)
  .transform(Number)

/** The booking form of one part: the contract's rules over typed text. */
export const bookingFormSchema = (part: Part) =>
  z.object({
    phone: Phone,
    quantity: Typed.superRefine((quantity, context) => {
      const message =
        quantityProblem(quantity, part) ?? totalPriceProblem(totalPriceOf(quantity, part.price))
      if (message) context.addIssue({ code: 'custom', message })
    }).pipe(Quantity),
  })

/** Whole dollars for what is typed, or null while it is no number of units. */
export function totalOf(quantity: string, price: number): number | null {
  const units = Typed.safeParse(quantity)
  return units.success && units.data > 0 ? totalPriceOf(units.data, price) : null
}
