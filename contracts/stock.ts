import type { Part } from './parts.ts'

export type Stock = Pick<Part, 'availableQuantity' | 'minimumOrderQuantity'>

/** Is there enough for the smallest booking the part allows? In a file without schemas, which the home page can afford. */
export function isBookable({ availableQuantity, minimumOrderQuantity }: Stock): boolean {
  return availableQuantity >= minimumOrderQuantity
}

/** Of how many smallest bookings a part is low at the most. */
export const lowBookings = 5

/** Can the part still be booked, but only a few times more? */
export function isLow(stock: Stock): boolean {
  return isBookable(stock) && stock.availableQuantity <= lowBookings * stock.minimumOrderQuantity
}
