import { isBookable, type Stock } from '#contracts/catalogue.ts'
import type { Part } from '#contracts/parts.ts'

const deskKinds = ['keyboard', 'mouse']

/** Why a part can not be booked now. */
export function stockNotice({ availableQuantity }: Stock): string {
  return availableQuantity > 0 ? 'Too few left to book' : 'Out of stock'
}

/**
 * The parts for the banner's slides, in the owner's order, each of another kind: the first that can be booked, the next,
 * and preferably one for the hands. Fewer when the shop has no more.
 */
export function featuredParts(parts: Part[]): Part[] {
  const bookable = parts.filter(isBookable)
  const first = bookable[0]
  const second = bookable.find(({ kind }) => kind !== first?.kind)
  const others = bookable.filter(({ kind }) => kind !== first?.kind && kind !== second?.kind)
  const third = others.find(({ kind }) => deskKinds.includes(kind)) ?? others[0]
  return [first, second, third].filter((part) => part !== undefined)
}
