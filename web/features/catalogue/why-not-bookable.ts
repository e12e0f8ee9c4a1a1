import type { Stock } from '#contracts/catalogue.ts'

/** Returns why a part cannot be booked now. */
export function stockNotice({ availableQuantity }: Stock): string {
  return availableQuantity > 0 ? 'Too few left to book' : 'Out of stock'
}
