import { useQuery } from '@tanstack/react-query'
import { isBookable, type Stock } from '#contracts/catalogue.ts'
import { isHeldQuery } from './queries.ts'

/**
 * Why a part cannot be booked, and whether that may change: other customers hold some of it.
 * @returns undefined for one that can
 */
export function useWhyNone(
  part: ({ _id: string } & Stock) | undefined,
): { why: string; isHeld: boolean } | undefined {
  const isNone = part !== undefined && !isBookable(part)
  const { data: isHeld = false } = useQuery({ ...isHeldQuery(part?._id ?? ''), enabled: isNone })
  if (!isNone) return undefined
  const { availableQuantity: left, minimumOrderQuantity } = part
  const why =
    left > 0
      ? `Only ${left} left, and the minimum order is ${minimumOrderQuantity}.`
      : `Every unit is sold${isHeld ? ' or held for a customer who is paying' : ''}.`
  const later = ' Held units become available if they are not paid for in time. Check again later.'
  return { why: isHeld ? why + later : why, isHeld }
}
