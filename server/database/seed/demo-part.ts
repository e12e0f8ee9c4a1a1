import type { z } from 'zod'
import type { NewPart } from '#contracts/parts.ts'

/** One part of the demo shop; `picture` names a file in `pictures/`, `price` is in whole dollars. */
export type DemoPart = Omit<z.input<typeof NewPart>, 'image' | 'availableQuantity'> & {
  kind: string
  onHand: number
  picture: string
  alt: string
}
