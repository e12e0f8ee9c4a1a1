import type { Part } from '#contracts/parts.ts'

type Stock = Pick<Part, 'availableQuantity' | 'minimumOrderQuantity'>

/** Is there enough for the smallest booking the part allows? */
export function isBookable({ availableQuantity, minimumOrderQuantity }: Stock): boolean {
  return availableQuantity >= minimumOrderQuantity
}

/** Why a part can not be booked now. */
export function stockNotice({ availableQuantity }: Stock): string {
  return availableQuantity > 0 ? 'Too few left to book' : 'Out of stock'
}
