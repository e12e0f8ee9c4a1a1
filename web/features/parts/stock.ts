import type { Part } from '#contracts/parts.ts'
import { isBookable, type Stock } from '#contracts/stock.ts'

/** Why a part can not be booked now. */
export function stockNotice({ availableQuantity }: Stock): string {
  return availableQuantity > 0 ? 'Too few left to book' : 'Out of stock'
}

/** The part for the hero: the first in the owner's order that can be booked. */
export function onStage(parts: Part[]): Part | undefined {
  return parts.find(isBookable)
}
