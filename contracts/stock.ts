import type { Part } from './parts.ts'

export type Stock = Pick<Part, 'availableQuantity' | 'minimumOrderQuantity'>

/** Whether the stock allows the smallest order. A file without zod keeps the home page small. */
export function isBookable({ availableQuantity, minimumOrderQuantity }: Stock): boolean {
  return availableQuantity >= minimumOrderQuantity
}

/** A part is low while it has units for at most so many smallest orders. */
export const lowBookings = 5

/** Whether the part can be booked, but only a few times more. */
export function isLow(stock: Stock): boolean {
  return isBookable(stock) && stock.availableQuantity <= lowBookings * stock.minimumOrderQuantity
}
