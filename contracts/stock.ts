import type { Part } from './parts.ts'

export type Stock = Pick<Part, 'availableQuantity' | 'minimumOrderQuantity'>

/** Is there enough for the smallest booking the part allows? In a file without schemas, which the home page can afford. */
export function isBookable({ availableQuantity, minimumOrderQuantity }: Stock): boolean {
  return availableQuantity >= minimumOrderQuantity
}
